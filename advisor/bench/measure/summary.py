"""What does a run come to? The seconds of its phases made one measurement, with what limits its worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Final

from advisor.bench.load.sysbench import share_of
from advisor.bench.measure import steady
from advisor.bench.measure.sustained import Applying, verdict, ways
from advisor.bench.measure.warnings import doubts
from advisor.bench.statistics.bootstrap import NOTHING, mean_interval, percentile, slope_interval
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load, Measurement, MemberMeasurement, Phase, Second
from advisor.model.progress import Progress
from advisor.model.record import record, replace

SHORTFALL: Final = 0.03  # of the offered rate, beyond what chance explains


@record
class Circumstances:
    """What a run knows besides its seconds.

    `latency_ms` by percentile name is the load generators' word over the measured phase, `host` what was probed
    ("fsync_ms_before"), `unsteady` why warming up ended without a steady state, "" when it was reached. `problems` are
    how the cluster differed afterwards from what it claims to be, `notes` what happened on the way.
    """

    cluster: ClusterFile
    load: Load
    lag_bound_ms: float
    latency_ms: Mapping[str, float]
    host: Mapping[str, float]
    unsteady: str
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def summarise(what: Circumstances, seconds: Sequence[Second]) -> Measurement:
    """The measurement of a run's seconds."""
    measured = [second for second in seconds if second.phase is Phase.MEASURE]
    length = _length(measured)
    writers = what.load.writers
    clients = {name: share_of(what.load.threads, len(writers), at) for at, name in enumerate(writers)}
    everybody = [_measure(name, seconds, clients.get(name, 0)) for name in steady.members(measured)]
    rate = _peak(everybody, measured)
    applying = [one for one in everybody if one.measured.member not in _exempt(what.load)]
    inside, because = _shortfall(what.load, measured) or verdict(applying, rate, what.lag_bound_ms)
    if inside and what.problems:
        inside, because = None, f"every member kept up, but afterwards {'; '.join(what.problems)}"
    host = {**what.host, **_host(measured)}
    changed = steady.unsteady_because(measured)
    found = Measurement(
        cluster=what.cluster.name,
        topology=what.cluster.topology,
        server=what.cluster.server,
        load=what.load,
        lag_bound_ms=what.lag_bound_ms,
        measured_seconds=length,
        peak_per_second=rate,
        peak_interval=replace(mean_interval([steady.committed(second) for second in measured]), mid=rate),
        sustained=ways(applying, rate, length, what.load.rate_per_second, inside),
        sustained_within_bound=inside,
        sustained_because=because,
        members=tuple(one.measured for one in everybody),
        latency_ms=what.latency_ms,
        throttled_share=_greatest(one.measured.throttled_share for one in everybody if _writes(one, what.load)),
        errors_per_second=_of_load(measured, "errors_per_second"),
        conflicts_per_second=_total(one.measured.conflicts_per_second for one in everybody if _writes(one, what.load)),
        steady=not what.unsteady and not changed,
        host=host,
        warm_up_seconds=_length([second for second in seconds if second.phase is Phase.WARM_UP]),
    )
    return replace(found, warnings=what.problems + doubts(found, measured, what.unsteady, changed) + what.notes)


def _peak(everybody: Sequence[Applying], measured: Sequence[Second]) -> float:
    """What all members committed, so that it is what they are told to have; else what the load generators did."""
    known = _total(one.measured.committed_per_second for one in everybody)
    return (
        _rate([(steady.committed(second), _interval(second)) for second in measured]) or 0.0 if known is None else known
    )


def _shortfall(load: Load, measured: Sequence[Second]) -> tuple[bool, str] | None:
    """An offered rate that was not done is not sustained, whatever the members say; None when it was, or was none."""
    offered = load.rate_per_second
    done = _of_load(measured, "transactions_per_second")
    if not offered or not measured or done >= offered * (1 - SHORTFALL) - 3 * sqrt(offered / _length(measured)):
        return None  # arrivals are a Poisson process: three of its deviations are chance
    return False, f"of {offered:.0f} tx/s offered only {done:.0f} were done"


def _exempt(load: Load) -> tuple[str, ...]:
    """A member that is the only one to write has nothing to apply."""
    return load.writers if len(load.writers) == 1 else ()


def _writes(one: Applying, load: Load) -> bool:
    return one.measured.member in load.writers


def _measure(name: str, seconds: Sequence[Second], clients: int) -> Applying:
    """One member over the measured phase, with so many of the load's threads on it, and how long it drained."""
    rows = [(second, member) for second in seconds for member in second.members if member.member == name]
    inside = [member for second, member in rows if second.phase is Phase.MEASURE]
    known = [(member.at_seconds, float(member.backlog)) for member in inside if member.backlog is not None]
    lags = [member.lag_ms for member in inside if member.lag_ms is not None]
    committed, applied = _over(inside, "committed_per_second"), _over(inside, "applied_per_second")
    slope = slope_interval([at for at, _ in known], [backlog for _, backlog in known]) if known else NOTHING
    measured = MemberMeasurement(
        member=name,
        role=str(inside[-1].role),
        committed_per_second=committed,
        applied_per_second=applied,
        backlog_max=round(max(backlog for _, backlog in known)) if known else None,
        backlog_slope_per_second=slope,
        lag_ms=_percentiles(lags),
        lag_method=_method([member.lag_method for member in inside if member.lag_method]),
        drain_seconds=_drain(rows),
        throttled_share=_throttled(inside, clients),
        conflicts_per_second=_over(inside, "conflicts_per_second"),
    )
    return Applying(
        measured=measured,
        known_share=min(len(known), len(lags)) / len(inside),
        progress_per_second=None if applied is None else applied + (committed or 0.0),
        backlog_at_end=round(known[-1][1]) if known else None,
        backlog_late=round(max(backlog for _, backlog in known[-3:])) if known else None,
        loaded_seconds=sum(member.interval_seconds for second, member in rows if second.phase is not Phase.DRAIN),
    )


def _method(methods: Sequence[str]) -> str:
    """The one most lags were known by; that nothing waited says nothing of how a lag would be known."""
    counted = Counter(methods)
    others = [method for method, _ in counted.most_common() if method != "counted"]
    return others[0] if others else next(iter(counted), "")


def _percentiles(lags: Sequence[float]) -> dict[str, float]:
    if not lags:
        return {}
    return {"p50": percentile(lags, 0.5), "p95": percentile(lags, 0.95), "max": max(lags)}


def _drain(rows: Sequence[tuple[Second, Progress]]) -> float | None:
    """Seconds from the last moment under load to the first with nothing left; None when that was not seen."""
    ended = max((second.at_seconds for second, _ in rows if second.phase is Phase.MEASURE), default=None)
    for second, member in rows:
        if ended is not None and second.at_seconds >= ended and member.backlog == 0:
            return second.at_seconds - ended
    return None


def _over(rows: Sequence[Progress], name: str) -> float | None:
    return _rate([(getattr(row, name), row.interval_seconds) for row in rows])


def _rate(values: Iterable[tuple[float | None, float]]) -> float | None:
    """The mean over the time in which it was known; None when it never was."""
    known = [(value, seconds) for value, seconds in values if value is not None and seconds > 0]
    total = sum(seconds for _, seconds in known)
    return sum(value * seconds for value, seconds in known) / total if total else None


def _throttled(rows: Sequence[Progress], clients: int) -> float | None:
    """The share of time its clients were held back; a group counts their seconds together, Galera the time of all."""
    held = _over(rows, "throttled_clients")
    if held is None or not clients:
        return _over(rows, "throttled_share")
    return min(1.0, held / clients)


def _total(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _of_load(measured: Sequence[Second], name: str) -> float:
    """A rate of all load generators together; how many of their seconds ended in the phase is chance, so means add."""
    rates: dict[str, list[float]] = {}
    for second in measured:
        for row in second.load:
            rates.setdefault(row.member, []).append(getattr(row, name))
    return sum(sum(values) / len(values) for values in rates.values())


def _greatest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _host(measured: Sequence[Second]) -> dict[str, float]:
    names = dict.fromkeys(name for second in measured for name in second.host)
    found = {name: _rate([(second.host.get(name), _interval(second)) for second in measured]) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _interval(second: Second) -> float:
    return max((member.interval_seconds for member in second.members), default=0.0)


def _length(seconds: Sequence[Second]) -> float:
    return sum(_interval(second) for second in seconds)
