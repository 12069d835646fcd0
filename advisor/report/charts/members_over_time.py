"""What did every member do over time? The samples of a cluster as charts.

Counters become rates between two readings; where one fell (a restart, FLUSH STATUS) or was not read there is a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import isfinite
from typing import Final

from advisor.model.evidence import Cluster, Member, Row, Scalar, TableSnapshot
from advisor.model.record import record, replace
from advisor.model.server import APPLYING_ROLES, Role, Topology
from advisor.report.html.chart import Chart, Curve

Points = list[tuple[float, float | None]]
Number = Callable[[Row], float | None]
_EPOCH: Final = 1e9  # larger moments are times of day, smaller ones count from the first sample
_LOG_UPDATES: Final = ("log_replica_updates", "log_slave_updates")
_STATS: Final = "replication_group_member_stats"
_MICROSECONDS: Final = 1e6
_NANOSECONDS: Final = 1e9


@record
class _Quantity:
    """One chart: `curves` gives those of one member, none where it makes no sense or is not known."""

    id: str
    title: str
    unit: str
    about: str
    curves: Callable[[Member, Topology | None], Iterator[Curve]]


def charts_of(cluster: Cluster) -> tuple[Chart, ...]:
    """Every quantity of which some member has at least two readings; times count from the first reading of any."""
    charts = []
    for quantity in _QUANTITIES:
        pairs = [(m, curve) for m in cluster.members for curve in quantity.curves(m, cluster.topology) if curve.known]
        if pairs:
            begins = _begins([member for member, _ in pairs])
            curves = tuple(_from(curve, begins[member.name]) for member, curve in pairs)
            charts.append(Chart(quantity.id, quantity.title, quantity.unit, quantity.about, curves))
    return tuple(charts)


def _begins(members: Sequence[Member]) -> dict[str, float]:
    """Where time begins for each member: for all at once, unless only some have times of day."""
    first = {m.name: min(s.at_seconds for s in m.samples) if m.samples else _earliest(m) for m in members}
    if len({at > _EPOCH for at in first.values()}) > 1:
        return first
    return dict.fromkeys(first, min(first.values()))


def _earliest(member: Member) -> float:
    return min((table.at_seconds for table in member.tables), default=0.0)


def _from(curve: Curve, begin: float) -> Curve:
    return replace(curve, at_seconds=tuple(at - begin for at in curve.at_seconds))


def _transactions(member: Member, topology: Topology | None) -> Iterator[Curve]:
    if topology is Topology.GALERA:
        committed = [*_rates(member, "committed", _status(member, "wsrep_replicated"))]
        ordered = [*_rates(member, "applied", _status(member, "wsrep_last_committed"), dashed=True)]
        applied = [_difference(whole, part) for whole, part in zip(ordered, committed, strict=False)]
        yield from _not_negligible([*committed, *applied])
        return
    own, others = _of_group(member, _local), _of_group(member, _applied)
    logged = _logged(member)
    if topology is Topology.GROUP_REPLICATION and len(own) > 1:
        yield from _rates(member, "committed", own if member.role is not Role.SECONDARY else [])
        yield from _rates(member, "applied", others if member.role is not Role.PRIMARY else [], dashed=True)
    elif member.role in APPLYING_ROLES:
        yield from _rates(member, "applied", logged if _is_on(member, *_LOG_UPDATES) else [], dashed=True)
    else:
        yield from _rates(member, "committed", logged)


def _waiting(member: Member, topology: Topology | None) -> Iterator[Curve]:
    if topology is Topology.GALERA:
        yield from _readings(member, "waiting", _status(member, "wsrep_local_recv_queue"))
    elif topology is Topology.GROUP_REPLICATION:
        yield from _readings(member, "waiting", _of_group(member, _queued) if member.role is not Role.PRIMARY else [])
    else:
        pending = _cells(member, "replication_applier_metrics", lambda row: _cell(row, "transactions_pending_count"))
        yield from _readings(member, "waiting", pending)


def _behind(member: Member, topology: Topology | None) -> Iterator[Curve]:
    for column in ("seconds_behind_source", "seconds_behind_master"):
        points = _cells(member, "replica_status", lambda row, name=column: _cell(row, name))  # type: ignore[misc]
        if any(value is not None for _, value in points):
            yield from _readings(member, "behind", points)
            return


def _held_back(member: Member, topology: Topology | None) -> Iterator[Curve]:
    if member.role in APPLYING_ROLES:
        return
    flow = _status(member, "Gr_flow_control_throttle_time_sum")
    yield from _rates(member, "flow control", flow, per=_MICROSECONDS)
    for counter in ("Rpl_semi_sync_source_tx_wait_time", "Rpl_semi_sync_master_tx_wait_time"):
        if topology is Topology.SEMISYNC:
            yield from _rates(member, "acknowledgement", _status(member, counter), per=_MICROSECONDS)


def _paused(member: Member, topology: Topology | None) -> Iterator[Curve]:
    share = _status(member, "wsrep_flow_control_paused_ns") if topology is Topology.GALERA else []
    yield from _rates(member, "paused", share, per=_NANOSECONDS / 100)


def _running(member: Member, topology: Topology | None) -> Iterator[Curve]:
    yield from _readings(member, "running", _status(member, "Threads_running"))


_QUANTITIES: Final = (
    _Quantity(
        "transactions", "Transactions", "per second",
        "What each member commits for its own clients, and what it applies for others. Averages between two readings."
        " A curve that stays below 1 % of the other is left out.",
        _transactions,
    ),
    _Quantity(
        "waiting", "Waiting to be applied", "transactions",
        "Transactions at each reading that are certified or in the relay log but not yet applied.",
        _waiting,
    ),
    _Quantity(
        "behind", "Seconds behind the source", "seconds",
        "As SHOW REPLICA STATUS reports it, in whole seconds. Transactions that have not arrived yet do not count.",
        _behind,
    ),
    _Quantity(
        "held-back", "Clients throttled or waiting", "clients",
        "Average number of clients that wait for flow control or for a semi-synchronous acknowledgement.",
        _held_back,
    ),
    _Quantity(
        "paused", "Replication paused by flow control", "% of the time",
        "While replication is paused, no node commits, whichever node asked for the pause.",
        _paused,
    ),
    _Quantity(
        "running", "Threads running", "threads",
        "Threads_running at each reading: sessions that execute a statement, including the session that reads this.",
        _running,
    ),
)  # fmt: skip


def _rates(member: Member, name: str, points: Points, per: float = 1.0, dashed: bool = False) -> Iterator[Curve]:
    """The growth per second between neighbours; `per` of the counter make one unit."""
    if len(points) < 2:
        return
    values = []
    for (begin, before), (end, after) in pairwise(points):
        fell = before is None or after is None or after < before
        values.append(None if fell else (after - before) / (end - begin) / per)  # type: ignore[operator]
    yield Curve(name, member.name, tuple(at for at, _ in points), tuple(values), steps=True, dashed=dashed)


def _readings(member: Member, name: str, points: Points) -> Iterator[Curve]:
    if len(points) > 1:
        yield Curve(name, member.name, tuple(at for at, _ in points), tuple(value for _, value in points))


def _status(member: Member, counter: str) -> Points:
    """A counter at every sample; nothing when no sample has it."""
    points = [(sample.at_seconds, _number(sample.values.get(counter))) for sample in member.samples]
    return _rising(points) if any(value is not None for _, value in points) else []


def _cells(member: Member, table: str, number: Number) -> Points:
    """A sum over rows at every reading of a table whose time is known on the clock of the samples."""
    of_day = bool(member.samples) and member.samples[0].at_seconds > _EPOCH
    read = [t for t in member.tables if t.table == table and (t.at_seconds > _EPOCH) == of_day]
    points = [(snapshot.at_seconds, _total(snapshot, number)) for snapshot in read]
    return _rising(sorted(points, key=lambda point: point[0]))


def _total(snapshot: TableSnapshot, number: Number) -> float | None:
    values = [value for row in snapshot.rows if (value := number(row)) is not None]
    return sum(values) if values else None


def _rising(points: Points) -> Points:
    """Without a second reading of the same moment."""
    return [point for position, point in enumerate(points) if not position or point[0] > points[position - 1][0]]


def _of_group(member: Member, number: Number) -> Points:
    """A count in the member's own row of the group's statistics."""
    fact = member.variables.get("server_uuid")
    uuid = str(fact.value) if fact is not None else ""
    return _cells(member, _STATS, lambda row: number(row) if _text(row, "member_id") == uuid else None) if uuid else []


def _local(row: Row) -> float | None:
    proposed, refused = _cell(row, "count_transactions_local_proposed"), _cell(row, "count_transactions_local_rollback")
    return None if proposed is None or refused is None else proposed - refused


def _applied(row: Row) -> float | None:
    return _cell(row, "count_transactions_remote_applied")


def _queued(row: Row) -> float | None:
    return _cell(row, "count_transactions_remote_in_applier_queue")


def _logged(member: Member) -> Points:
    """Transactions in the binary log; nothing where a counter stands still that may not count at all."""
    points = _status(member, "Binlog_commits") or _status(member, "Binlog_cache_use")
    still = len({value for _, value in points}) == 1
    return [] if still and not _is_on(member, "log_bin") else points


def _difference(curve: Curve, part: Curve) -> Curve:
    """A rate minus another of the same readings; transactions in progress can make it negative, which becomes 0."""
    pairs = zip(curve.values, part.values, strict=True)
    values = [None if rate is None or less is None else max(rate - less, 0.0) for rate, less in pairs]
    return replace(curve, values=tuple(values))


def _not_negligible(curves: Sequence[Curve]) -> Iterator[Curve]:
    """Without curves below a hundredth of the largest; of curves that are all zero, the first."""
    most = max((curve.mean or 0.0 for curve in curves), default=0.0)
    yield from [curve for curve in curves if most and (curve.mean or 0.0) >= most / 100] or curves[:1]


def _is_on(member: Member, *names: str) -> bool:
    """Whether a switch is known to be on; the first name that is known counts."""
    values = [str(member.variables[name].value).upper() for name in names if name in member.variables]
    return bool(values) and values[0] in ("ON", "1", "TRUE")


def _cell(row: Row, column: str) -> float | None:
    """A column's number, whatever the case of its name."""
    return _number(_at(row, column))


def _text(row: Row, column: str) -> str:
    value = _at(row, column)
    return "" if value is None else str(value)


def _at(row: Row, column: str) -> Scalar:
    """Servers mostly print names in capitals, our own lists have small letters; rows are many."""
    for name in (column.upper(), column):
        if name in row:
            return row[name]
    return next((value for key, value in row.items() if key.lower() == column), None)


def _number(value: Scalar) -> float | None:
    """A number, also when it came as text; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
