"""What did a run come to, as a study counts it? Sustained rates of its windows, lag, growth of the backlog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.bench.measure.steady import committed
from advisor.model.measurement import Measurement, Phase, Run, Second, sole_writer
from advisor.model.progress import Progress
from advisor.model.tuning import Outcome

WINDOWS: Final = 10  # of a run: enough to end one that is clearly worse, long enough to hold a few seconds each
_LATE: Final = 3  # last moments, of which the greatest backlog counts


def window_rates(seconds: Sequence[Second], window_seconds: float, writers: Sequence[str]) -> tuple[float, ...]:
    """Sustained rate of each whole window: what was committed, or what the slowest member got done if that is less.

    () when a member that has to apply does not say how fast it does.
    """
    found: list[float] = []
    part: list[Second] = []
    for second in (one for one in seconds if one.phase is Phase.MEASURE):
        part.append(second)
        if _length(part) >= window_seconds - 0.01:
            rate = _sustained(part, writers)
            if rate is None:
                return ()
            found.append(rate)
            part = []
    return tuple(found)


def _sustained(part: Sequence[Second], writers: Sequence[str]) -> float | None:
    length = _length(part)
    done = [sum(committed(second) * second.interval_seconds for second in part) / length] if length else [0.0]
    for name in _applying(part, writers):
        rows = [member for second in part for member in second.members if member.member == name]
        known = [row for row in rows if row.applied_per_second is not None]
        time = sum(row.interval_seconds for row in known)
        if not time:
            return None
        done.append(sum(_progress(row) * row.interval_seconds for row in known) / time)
    return min(done)


def _length(part: Sequence[Second]) -> float:
    return sum(second.interval_seconds for second in part)


def _applying(part: Sequence[Second], writers: Sequence[str]) -> list[str]:
    return [member.member for member in part[-1].members if member.member != sole_writer(writers)]


def _progress(row: Progress) -> float:
    return (row.applied_per_second or 0.0) + (row.committed_per_second or 0.0)


def outcome_of(run: Run, window_seconds: float, restarted: bool, truncated: bool) -> Outcome:
    """The outcome of a run; a fault where it does not tell what has to be known."""
    found = run.measurement
    if run.problems:
        return Outcome(fault=f"the cluster changed in mid-run: {'; '.join(run.problems)}", restarted=restarted)
    windows = window_rates(run.seconds, window_seconds, found.load.writers)
    if not windows:
        return Outcome(fault="how fast the members apply is not known", restarted=restarted)
    applying = [member for member in found.members if member.member != found.load.sole_writer]
    blind = [member.member for member in applying if not member.lag_ms]
    if blind:
        return Outcome(fault=f"the lag of {', '.join(blind)} is not known", restarted=restarted)
    return Outcome(
        windows=windows,
        lag_ms=max((member.lag_ms["p95"] for member in applying), default=None),
        backlog_slope=_growth(found, run.seconds, [member.member for member in applying]),
        latency_ms=found.latency_ms.get("p95"),
        truncated=truncated,
        restarted=restarted,
    )


def _growth(found: Measurement, seconds: Sequence[Second], applying: Sequence[str]) -> float | None:
    """The upper 95 % bound of the backlogs' growth, as a share of the commit rate, or a lesser figure that is known.

    A short run's slope has a wide interval; but what was left in the end had all the time since the load began to
    grow, so it grew no faster than that. Where growth cannot be told from none, its best guess counts: a queue that
    stands at a third of the bound on lag would look like 1 % of growth in half a minute for its length alone.
    """
    if not applying or found.peak_per_second <= 0:
        return None
    loaded = _length([second for second in seconds if second.phase is not Phase.DRAIN])
    bounds = []
    for member in found.members:
        if member.member in applying:
            measured = [second for second in seconds if second.phase is Phase.MEASURE][-_LATE:]
            late = [row.backlog for second in measured for row in second.members if row.member == member.member]
            left = [backlog for backlog in late if backlog is not None]
            slope = member.backlog_slope_per_second
            known = [bound for bound in (slope.high,) if bound is not None]
            if slope.low is not None and slope.mid is not None and slope.low <= 0:
                known.append(max(0.0, slope.mid))
            known += [max(left) / loaded] if left and loaded else []
            bounds.append(min(known, default=found.peak_per_second))
    return max(bounds) / found.peak_per_second
