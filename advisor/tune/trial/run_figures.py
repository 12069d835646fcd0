"""Which figures does a run come to? Sustained rates of its windows, lag, growth of the backlog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.bench.measure.steady import committed
from advisor.model.measurement import Measurement, Phase, Run, Second, sole_writer
from advisor.model.progress import Progress
from advisor.model.tuning import Objective, Outcome

WINDOWS: Final = 10  # of a run: enough to end a clearly worse one early, each long enough to hold a few seconds
_LATE: Final = 3  # last seconds, of which the greatest backlog counts


def window_rates(seconds: Sequence[Second], window_seconds: float, writers: Sequence[str]) -> tuple[float, ...]:
    """Sustained rate of each whole window: the commit rate, or the rate of the slowest member if that is lower.

    () when the rate of a member that applies is unknown.
    """
    rates: list[float] = []
    part: list[Second] = []
    for second in (second for second in seconds if second.phase is Phase.MEASURE):
        part.append(second)
        if _length(part) >= window_seconds - 0.01:
            rate = _sustained(part, writers)
            if rate is None:
                return ()
            rates.append(rate)
            part = []
    return tuple(rates)


def _sustained(part: Sequence[Second], writers: Sequence[str]) -> float | None:
    length = _length(part)
    by_member = [sum(committed(second) * second.interval_seconds for second in part) / length] if length else [0.0]
    for name in _applying(part, writers):
        rows = [member for second in part for member in second.members if member.member == name]
        known = [row for row in rows if row.applied_per_second is not None]
        seconds = sum(row.interval_seconds for row in known)
        if not seconds:
            return None
        by_member.append(sum(_progress(row) * row.interval_seconds for row in known) / seconds)
    return min(by_member)


def _length(part: Sequence[Second]) -> float:
    return sum(second.interval_seconds for second in part)


def _applying(part: Sequence[Second], writers: Sequence[str]) -> list[str]:
    return [member.member for member in part[-1].members if member.member != sole_writer(writers)]


def _progress(row: Progress) -> float:
    return (row.applied_per_second or 0.0) + (row.committed_per_second or 0.0)


def outcome_of(
    run: Run, window_seconds: float, restarted: bool, truncated: bool, objective: str = Objective.SUSTAINED.value,
    percentile: int = 95,
) -> Outcome:  # fmt: skip
    """The outcome of a run; a fault where something that is needed is unknown. `percentile` is that of the latency."""
    measurement = run.measurement
    if run.problems:
        return Outcome(fault=f"the cluster changed during the run: {'; '.join(run.problems)}", restarted=restarted)
    windows = window_rates(run.seconds, window_seconds, measurement.load.writers)
    if not windows:
        return Outcome(fault="the apply rate of a member is unknown", restarted=restarted)
    applying = [member for member in measurement.members if member.member != measurement.load.sole_writer]
    without_lag = [member.member for member in applying if not member.lag_ms]
    if without_lag:
        return Outcome(fault=f"the lag of {', '.join(without_lag)} is unknown", restarted=restarted)
    latency_ms = measurement.latency_ms.get(f"p{percentile}")
    if objective == Objective.LATENCY and latency_ms is None:
        return Outcome(fault="the latency is unknown: the load generator reported none", restarted=restarted)
    return Outcome(
        windows=windows,
        lag_ms=max((member.lag_ms["p95"] for member in applying), default=None),
        backlog_slope=_growth(measurement, run.seconds, [member.member for member in applying]),
        latency_ms=latency_ms,
        truncated=truncated,
        restarted=restarted,
        objective=objective,
        cpu_ms=_cpu_ms(measurement),
    )


def _cpu_ms(measurement: Measurement) -> float | None:
    """CPU time of all servers per transaction; None unless all of them run on this machine."""
    host, cpus = measurement.host, measurement.host.get("cpus")
    shares = [host.get(f"cpu_share:{member.member}") for member in measurement.members]
    known = [share for share in shares if share is not None]
    if cpus is None or len(known) < len(shares) or measurement.peak_per_second <= 0:
        return None
    return 1000 * sum(known) * cpus / measurement.peak_per_second


def _growth(measurement: Measurement, seconds: Sequence[Second], applying: Sequence[str]) -> float | None:
    """The upper 95 % bound of the backlogs' growth, as a share of the commit rate, or a lesser figure that is known.

    A short run's slope has a wide interval; but what was left in the end had all the time since the load began to
    grow, so it grew no faster than that. Where growth cannot be told from none, its best guess counts: a queue that
    stands at a third of the bound on lag would look like 1 % of growth in half a minute for its length alone.
    """
    if not applying or measurement.peak_per_second <= 0:
        return None
    loaded_seconds = _length([second for second in seconds if second.phase is not Phase.DRAIN])
    growths = []
    for member in measurement.members:
        if member.member in applying:
            measured = [second for second in seconds if second.phase is Phase.MEASURE][-_LATE:]
            backlogs = [row.backlog for second in measured for row in second.members if row.member == member.member]
            known_backlogs = [backlog for backlog in backlogs if backlog is not None]
            slope = member.backlog_slope_per_second
            known = [known_bound for known_bound in (slope.high,) if known_bound is not None]
            if slope.low is not None and slope.mid is not None and slope.low <= 0:
                known.append(max(0.0, slope.mid))
            known += [max(known_backlogs) / loaded_seconds] if known_backlogs and loaded_seconds else []
            growths.append(min(known, default=measurement.peak_per_second))
    return max(growths) / measurement.peak_per_second
