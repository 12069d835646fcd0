"""How far is a Galera node, and does it throttle the cluster? One statement, 0.8 ms; it works without a quorum, too.

Averages such as `wsrep_local_recv_queue_avg` count from the last FLUSH STATUS, so they are not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.model.progress import Position, Progress
from advisor.nodes import Node
from advisor.topologies.positions.rates import Step, each, lag, number
from advisor.topologies.positions.read_member import Values, timed

_COUNTERS: Final = ("wsrep_replicated", "wsrep_received", "wsrep_flow_control_paused_ns")
_KEPT: Final = (
    *_COUNTERS,
    "wsrep_last_committed",
    "wsrep_local_commits",
    "wsrep_local_cert_failures",
    "wsrep_local_bf_aborts",
    "wsrep_local_recv_queue",
    "wsrep_local_send_queue",
    "wsrep_flow_control_sent",
    "wsrep_flow_control_recv",
    "wsrep_cluster_state_uuid",
    "wsrep_cluster_status",
    "wsrep_local_state_comment",
    "wsrep_desync_count",
)
# The position of a node outside a cluster: -1 as an unsigned number.
_NOWHERE: Final = 2**63
_PRIMARY: Final = "Primary"


def read_position(node: Node) -> Position:
    """A node's position, queues and flow control."""
    return timed(node, _read)


def _read(node: Node) -> Values:
    status = node.session.pairs("SHOW GLOBAL STATUS LIKE 'wsrep%'")
    return {name: status[name] for name in _KEPT if name in status}


def _committed(position: Position) -> int | None:
    at = number(position.values.get("wsrep_last_committed"))
    return int(at) if at is not None and 0 <= at < _NOWHERE else None


def _furthest(positions: Mapping[str, Position]) -> dict[str, int]:
    """The last transaction of each history (cluster UUID): nodes of different histories cannot be compared.

    Where some nodes are in a primary component, only their history counts.
    """
    furthest: dict[str, int] = {}
    primary = [each for each in positions.values() if each.values.get("wsrep_cluster_status") == _PRIMARY]
    for position in primary or positions.values():
        at, history = _committed(position), str(position.values.get("wsrep_cluster_state_uuid", ""))
        if at is not None:
            furthest[history] = max(at, furthest.get(history, 0))
    return furthest


def _state(step: Step) -> str | None:
    """What keeps a node from its part: no primary component, or a state other than Synced; "" where nothing does."""
    component, state = step.text("wsrep_cluster_status"), step.text("wsrep_local_state_comment")
    if component and component != _PRIMARY:
        return component
    return "" if state == "Synced" else state or None


def written(positions: Mapping[str, Position]) -> int | None:
    """How many write sets the cluster has ordered and some node committed; None when nodes have different histories."""
    furthest = _furthest(positions)
    return next(iter(furthest.values())) if len(furthest) == 1 else None


def progress(before: Mapping[str, Position], now: Mapping[str, Position]) -> list[Progress]:
    """Every node, against the most advanced one.

    `committed_per_second` counts transactions without schema changes, `applied_per_second` all that others sent,
    including what certification rejected. Flow control pauses all nodes, whichever asked for it.
    """
    furthest = _furthest(now)

    def one(step: Step) -> Progress:
        at, history = _committed(step.now), step.text("wsrep_cluster_state_uuid")
        known = at is not None and len(furthest) == 1 and history in furthest
        backlog = max(0, furthest[history] - at) if known and at is not None else None
        ordered, own = step.rise(_committed), step.rise_of("wsrep_replicated")
        others = None if ordered is None or own is None else max(0.0, ordered - own)
        rate = step.per_second(others)
        paused, sent = step.rise_of("wsrep_flow_control_paused_ns"), step.rise_of("wsrep_flow_control_sent")
        share = step.per_second(None if paused is None else paused / 1e9)
        refused = [step.rise_of(name) for name in ("wsrep_local_cert_failures", "wsrep_local_bf_aborts")]
        return step.progress(
            committed_per_second=step.per_second(step.rise_of("wsrep_local_commits")),
            applied_per_second=None if own and not others and not backlog else rate,
            backlog=backlog,
            **lag(backlog, None, rate),
            throttled_share=None if share is None else min(1.0, share),
            throttling=None if sent is None else sent > 0,
            conflicts_per_second=None if None in refused else step.per_second(sum(each or 0.0 for each in refused)),
            reset=step.reset(_COUNTERS),
            state=_state(step),
        )

    return each(before, now, one)
