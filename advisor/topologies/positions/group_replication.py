"""How far is a member of a replication group, and is its flow control at work?

Every member is queried about itself: what it knows of others is a second old. The counters of flow control come from
a component (Community from 9.7, Enterprise from 9.1); without it nothing shows how long commits were throttled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.gtid.sets import transactions, union
from advisor.model.progress import Position, Progress
from advisor.model.record import replace
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.topologies.positions import mysql
from advisor.topologies.positions.rates import Step, each, lag, number
from advisor.topologies.positions.read_member import Values, timed

# 5.7 lacks some columns of both tables, so all there are.
_COLUMNS: Final = (
    ", m.*, s.*, @@GLOBAL.group_replication_flow_control_mode AS flow_control_mode,"
    " @@GLOBAL.group_replication_flow_control_applier_threshold AS flow_control_applier_threshold,"
    " @@GLOBAL.group_replication_flow_control_certifier_threshold AS flow_control_certifier_threshold,"
    " (SELECT COUNT(*) FROM performance_schema.replication_group_members) AS all_members,"
    " (SELECT COUNT(*) FROM performance_schema.replication_group_members WHERE MEMBER_STATE = 'UNREACHABLE')"
    " AS silent_members"
)
_OF: Final = (
    " FROM performance_schema.replication_group_members m"
    " JOIN performance_schema.replication_group_member_stats s USING (MEMBER_ID) WHERE m.MEMBER_ID = @@server_uuid"
)
_THROTTLE: Final = "SELECT * FROM performance_schema.global_status WHERE VARIABLE_NAME LIKE 'Gr\\_flow\\_control\\_t%'"
_OFFLINE: Final = "OFFLINE"
_OUTSIDE: Final = (_OFFLINE, "ERROR")
_LEFT_OUT: Final = {"TRANSACTIONS_COMMITTED_ALL_MEMBERS", "LAST_CONFLICT_FREE_TRANSACTION"}
_COUNTERS: Final = (
    "COUNT_TRANSACTIONS_LOCAL_PROPOSED",
    "COUNT_TRANSACTIONS_REMOTE_APPLIED",
    "Gr_flow_control_throttle_time_sum",
)


def read_position(node: Node) -> Position:
    """A member's GTIDs, queues, role and, where it writes, how long its commits were throttled."""
    return timed(node, _read, _role)


def _read(node: Node) -> Values:
    values = {name: value for name, value in mysql.read(node, _COLUMNS, _OF).items() if name not in _LEFT_OUT}
    if "gtid_executed" not in values:  # it has left the group, but its transactions remain
        values = mysql.read(node) | {"MEMBER_STATE": _OFFLINE}
    if values.get("MEMBER_ROLE") == "PRIMARY":
        values |= node.session.pairs(_THROTTLE)
    return values


def _belongs(position: Position) -> bool:
    """Whether a member is in the group: one that is not may have transactions of its own, and writes for nobody."""
    return position.values.get("MEMBER_STATE") not in _OUTSIDE


def _state(position: Position) -> str:
    """What the member says of itself, unless it is ONLINE with a majority: without one it accepts no write."""
    state = str(position.values.get("MEMBER_STATE") or "ONLINE")
    silent, all_members = (number(position.values.get(name)) or 0.0 for name in ("silent_members", "all_members"))
    if state == "ONLINE":
        return "no majority" if silent and 2 * silent >= all_members else ""
    return state


def _role(values: Values) -> Role | None:
    role = str(values.get("MEMBER_ROLE") or "").lower()
    return Role(role) if role in (Role.PRIMARY, Role.SECONDARY) else None


def written(positions: Mapping[str, Position]) -> int | None:
    """How many transactions the group has committed, all members together."""
    everything = mysql.written(position for position in positions.values() if not position.error)
    return None if everything is None else transactions(everything)


def progress(before: Mapping[str, Position], now: Mapping[str, Position]) -> list[Progress]:
    """Every member of a group, against what all of them have together."""
    answered = [position for position in now.values() if not position.error]
    wanted = mysql.written([each for each in answered if _belongs(each)] or answered)
    if wanted is not None and len(answered) < len(now):  # what a silent member committed, a majority has received
        wanted = union([wanted, mysql.received(answered)])
    primaries = [position for position in answered if position.role is Role.PRIMARY and _belongs(position)]
    writer = primaries[0] if len(primaries) == 1 else None  # with several, it is unknown whose clock counts

    def one(step: Step) -> Progress:
        own, others = _commits(step)
        backlog, unreceived = mysql.behind(step.now, wanted)
        rate = step.per_second(others)
        alone = step.now is writer and not others and not backlog
        held = step.rise_of("Gr_flow_control_throttle_time_sum")
        member = step.progress(
            committed_per_second=step.per_second(own),
            applied_per_second=None if alone else rate,
            backlog=backlog,
            unreceived=unreceived,
            **lag(backlog, mysql.applying_age_ms(step.now, writer), rate),
            throttled_clients=step.per_second(None if held is None else held / 1e6),
            throttling=_throttling(step.now, primaries),
            conflicts_per_second=step.per_second(step.rise_of("COUNT_TRANSACTIONS_LOCAL_ROLLBACK")),
            reset=step.reset(_COUNTERS),
            state=_state(step.now),
        )
        return member if _belongs(step.now) else replace(member, role=None)

    return each(before, now, one)


def _commits(step: Step) -> tuple[float | None, float | None]:
    """Own and others' transactions since then.

    GTIDs of a group do not tell members apart. Where only one side moved, they are the exact count; where both did,
    own transactions are those proposed and not rolled back, wrong by at most the commits under way.
    """
    total = step.rise(_count)
    proposed = step.rise_of("COUNT_TRANSACTIONS_LOCAL_PROPOSED")
    if total is None or proposed is None:
        return None, None
    if not proposed:
        return 0.0, total
    if step.rise_of("COUNT_TRANSACTIONS_REMOTE_APPLIED") == 0:
        return total, 0.0
    own = proposed - (step.rise_of("COUNT_TRANSACTIONS_LOCAL_ROLLBACK") or 0.0)
    own = min(max(own, 0.0), total)
    return own, total - own


def _count(position: Position) -> int | None:
    gtids = mysql.executed(position)
    return None if gtids is None else transactions(gtids)


def _throttling(position: Position, primaries: list[Position]) -> bool | None:
    """Whether a member's queues make a writer throttle: each writer goes by its own thresholds, unless disabled.

    https://dev.mysql.com/doc/refman/9.7/en/group-replication-flow-control.html
    """
    queues = {
        "flow_control_certifier_threshold": number(position.values.get("COUNT_TRANSACTIONS_IN_QUEUE")),
        "flow_control_applier_threshold": number(position.values.get("COUNT_TRANSACTIONS_REMOTE_IN_APPLIER_QUEUE")),
    }
    if not primaries or None in queues.values() or "flow_control_mode" not in position.values:
        return None
    if position.values["flow_control_mode"] == "DISABLED":
        return False
    return any(
        (queue or 0.0) > (number(writer.values.get(threshold)) or float("inf"))
        for writer in primaries
        if writer.values.get("flow_control_mode") != "DISABLED"
        for threshold, queue in queues.items()
    )
