"""What is the result of a run? One measurement from the seconds of its phases, with its warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Final

from advisor.bench.load.sysbench import share_of
from advisor.bench.measure import steady
from advisor.bench.measure.sustained import ApplyingMember, sustained_rates, verdict
from advisor.bench.measure.warnings import warnings_of
from advisor.bench.statistics.bootstrap import NOTHING, mean_interval, percentile, slope_interval
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load, Measurement, MemberMeasurement, Phase, Second
from advisor.model.progress import Progress
from advisor.model.record import record, replace

SHORTFALL: Final = 0.03  # of the offered rate, beyond what chance explains


@record
class Circumstances:
    """What a run knows besides its seconds.

    `latency_ms` is by percentile name, from the load generators' histograms over the measured phase. `host` holds what
    was probed ("fsync_ms_before"), `unsteady` why the warm-up ended without a steady state, "" when it reached one.
    `problems` say how the cluster differed afterwards from its cluster file, `notes` what happened during the run.
    """

    cluster: ClusterFile
    load: Load
    lag_bound_ms: float
    latency_ms: Mapping[str, float]
    host: Mapping[str, float]
    unsteady: str
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def summarise(circumstances: Circumstances, seconds: Sequence[Second]) -> Measurement:
    """The measurement of a run's seconds."""
    measured = [second for second in seconds if second.phase is Phase.MEASURE]
    length, load, cluster = _length(measured), circumstances.load, circumstances.cluster
    clients = {name: share_of(load.threads, len(load.writers), number) for number, name in enumerate(load.writers)}
    members = [_member(name, seconds, clients.get(name, 0)) for name in steady.member_names(measured)]
    writers = [member.measured for member in members if member.measured.member in load.writers]
    rate = _peak(members, measured)
    applying = [member for member in members if member.measured.member != load.sole_writer]
    inside, because = _shortfall(load, measured) or verdict(applying, rate, circumstances.lag_bound_ms)
    if inside and circumstances.problems:
        inside, because = None, f"every member kept up, but after the run {'; '.join(circumstances.problems)}"
    changed = steady.unsteady_because(measured)
    measurement = Measurement(
        cluster=cluster.name,
        topology=cluster.topology,
        server=cluster.server,
        load=load,
        lag_bound_ms=circumstances.lag_bound_ms,
        measured_seconds=length,
        peak_per_second=rate,
        peak_interval=replace(mean_interval([steady.committed(second) for second in measured]), mid=rate),
        sustained=sustained_rates(applying, rate, length, load.rate_per_second, inside),
        sustained_within_bound=inside,
        sustained_because=because,
        members=tuple(member.measured for member in members),
        latency_ms=circumstances.latency_ms,
        throttled_share=_greatest(writer.throttled_share for writer in writers),
        errors_per_second=_of_load(measured, "errors_per_second"),
        conflicts_per_second=_total(writer.conflicts_per_second for writer in writers),
        steady=not circumstances.unsteady and not changed,
        host={**circumstances.host, **_host(measured)},
        warm_up_seconds=_length([second for second in seconds if second.phase is Phase.WARM_UP]),
    )
    warnings = warnings_of(measurement, measured, circumstances.unsteady, changed)
    return replace(measurement, warnings=circumstances.problems + warnings + circumstances.notes)


def _peak(members: Sequence[ApplyingMember], measured: Sequence[Second]) -> float:
    """The sum of what the members are reported to have committed; where none knows, what the load generators did."""
    committed = _total(member.measured.committed_per_second for member in members)
    if committed is not None:
        return committed
    return _rate([(steady.committed(second), second.interval_seconds) for second in measured]) or 0.0


def _shortfall(load: Load, measured: Sequence[Second]) -> tuple[bool, str] | None:
    """An offered rate that was not reached is not sustained, whatever the members do; None when it was, or none was."""
    offered = load.rate_per_second
    done = _of_load(measured, "transactions_per_second")
    if not offered or not measured or done >= offered * (1 - SHORTFALL) - 3 * sqrt(offered / _length(measured)):
        return None  # arrivals are a Poisson process: up to three standard deviations are chance
    return False, f"only {done:.0f} of the {offered:.0f} tx/s offered were completed"


def _member(name: str, seconds: Sequence[Second], clients: int) -> ApplyingMember:
    """One member over the measured phase, with that many of the load's threads on it, and how long it drained."""
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
    return ApplyingMember(
        measured=measured,
        known_share=min(len(known), len(lags)) / len(inside),
        progress_per_second=None if applied is None else applied + (committed or 0.0),
        backlog_at_end=round(known[-1][1]) if known else None,
        backlog_late=round(max(backlog for _, backlog in known[-3:])) if known else None,
        loaded_seconds=sum(member.interval_seconds for second, member in rows if second.phase is not Phase.DRAIN),
    )


def _method(methods: Sequence[str]) -> str:
    """The method by which most lags were known; "counted" (nothing was waiting) only where there is no other."""
    counted = Counter(methods)
    others = [method for method, _ in counted.most_common() if method != "counted"]
    return others[0] if others else next(iter(counted), "")


def _percentiles(lags: Sequence[float]) -> dict[str, float]:
    if not lags:
        return {}
    return {"p50": percentile(lags, 0.5), "p95": percentile(lags, 0.95), "max": max(lags)}


def _drain(rows: Sequence[tuple[Second, Progress]]) -> float | None:
    """Seconds from the last moment under load to the first without a backlog; None when that was not observed."""
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
    """The share of time that clients were throttled: a group adds up seconds of clients, Galera has the time itself."""
    throttled = _over(rows, "throttled_clients")
    if throttled is None or not clients:
        return _over(rows, "throttled_share")
    return min(1.0, throttled / clients)


def _total(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _of_load(measured: Sequence[Second], name: str) -> float:
    """A rate of all load generators: the sum of their means, as chance decides how many seconds end in the phase."""
    rates: dict[str, list[float]] = {}
    for second in measured:
        for row in second.load:
            rates.setdefault(row.member, []).append(getattr(row, name))
    return sum(sum(values) / len(values) for values in rates.values())


def _greatest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _host(measured: Sequence[Second]) -> dict[str, float]:
    names = dict.fromkeys(name for second in measured for name in second.host)
    means = {name: _rate([(second.host.get(name), second.interval_seconds) for second in measured]) for name in names}
    return {name: value for name, value in means.items() if value is not None}


def _length(seconds: Sequence[Second]) -> float:
    return sum(second.interval_seconds for second in seconds)
