"""What do the flow control, the messages and the members of a Group Replication group amount to?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from advisor.annotations import Any, Final
from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row
from advisor.model.server import Topology

_THRESHOLDS: Final = (
    "group_replication_flow_control_applier_threshold",
    "group_replication_flow_control_certifier_threshold",
)
_DETECTION_SECONDS: Final = 5
_CACHE_STEP_BYTES: Final = 256 * 1024**2
_UUID_PARTS: Final = ((8, 4, 4, 4, 12), (32,))
_HEXADECIMAL: Final = "0123456789abcdef"
_PLACEHOLDERS: Final = "<>{}$%@"


@fact()
def flow_control_on(e: MemberFacts) -> bool:
    """Whether group flow control slows writers down: mode QUOTA, which is what every release starts with.

    A release before 5.7.17 has the plugin only as a preview, whose options stand in the file with `loose-`.
    """
    mode = e.value("group_replication_flow_control_mode")
    if not isinstance(mode, Missing):
        return str(mode).upper() != "DISABLED"
    if mode.needs:
        raise NeedsError(mode)
    for setting in e.settings.all if e.settings else ():
        if setting.argument.name.replace("-", "_").endswith("group_replication_flow_control_mode"):
            return (setting.argument.value or "").upper() != "DISABLED"
    return True


@fact()
def flow_control_floor_per_second(e: MemberFacts) -> float:
    """The quota below which flow control never goes, for all writers together.

    5 % of the smaller threshold (or `min_quota`) per period, less what is held back: `Pipeline` statistics of the
    plugin, pipeline_stats.cc. Releases without the variables have 25000, 10 % and one second built in.
    """
    smaller = min(int(e.get(name, 25000)) for name in _THRESHOLDS)
    floor = int(e.get("group_replication_flow_control_min_quota", 0)) or smaller // 20
    held = int(e.get("group_replication_flow_control_hold_percent", 10)) / 100
    return max(1.0, floor * (1 - held)) / int(e["fact.flow_control_period_seconds"])


@fact("s")
def flow_control_period_seconds(e: MemberFacts) -> int:
    """How often the quota is computed; one second is built in where there is no variable for it (5.7)."""
    return int(e.get("group_replication_flow_control_period", 1))


@fact("clients")
def active_clients(e: MemberFacts) -> float:
    """How many sessions work at once: what people observed, else the mean of Threads_running less the observer.

    The mean is one over time, as rates are: each reading counts for the time around it.
    """
    observed = e.get("observed.clients", None)
    if isinstance(observed, int | float):
        return observed
    last = e["status.Threads_running"]
    readings = [
        (sample.at_seconds, n)
        for sample in e.member.samples
        if isinstance(n := sample.values.get("Threads_running"), int | float)
    ]
    if not readings:
        raise NeedsError(Missing(("status.Threads_running",)))
    seconds = readings[-1][0] - readings[0][0]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(readings))
    return max(1.0, (area / seconds if seconds > 0 else last) - 1)


@fact("share")
def flow_control_share(e: MemberFacts) -> float:
    """Share of the working sessions' time that flow control took: throttle time (microseconds) / (time × sessions).

    At most 1: the number of sessions comes from a few readings and may be too low.
    """
    return min(1.0, float(e["rate.Gr_flow_control_throttle_time_sum"] / 1e6 / e["fact.active_clients"]))


@fact("per_second")
def group_writes_per_second(e: MemberFacts) -> float:
    """Transactions per second sent to the group (`Gr_data_messages_sent_count`), else what people observed."""
    measured = e.get("rate.Gr_data_messages_sent_count", None)
    return float(e["observed.throughput_per_second"] if measured is None else measured)


@fact("transactions")
def group_applier_queue(e: MemberFacts) -> int:
    """The longest queue of remote transactions before any member's applier (replication_group_member_stats, 8.0+)."""
    rows = _rows(e, "replication_group_member_stats")
    queues = [_column(row, "count_transactions_remote_in_applier_queue") for row in rows]
    numbers = [queue for queue in queues if isinstance(queue, int)]
    if not numbers:
        raise NeedsError(Missing(("group.replication_group_member_stats",)))
    return max(numbers)


@fact()
def group_members(e: MemberFacts) -> Any:
    """Every member with its state, as replication_group_members shows them; makes no sense outside a group."""
    if not e["fact.is_group_member"]:
        return NOT_HERE
    return tuple(
        {
            "key": f"{_column(row, 'member_host')}:{_column(row, 'member_port')}",
            "state": str(_column(row, "member_state") or "").upper(),
        }
        for row in _rows(e, "replication_group_members")
    )


@fact("members")
def group_size(e: MemberFacts) -> int:
    """How many members the group has: rows of replication_group_members, else the members at hand, else the seeds.

    Seeds and the own address together are the least the group is meant to have.
    """
    rows = e.rows("replication_group_members")
    if rows:
        return len(rows)
    if len(e.peers) > 1:
        return len(e.peers)
    named = f"{e['group_replication_group_seeds']},{e.get('group_replication_local_address', '')}"
    addresses = {address.strip().lower() for address in named.split(",") if address.strip()}
    if len(addresses) < 2:
        raise NeedsError(Missing(("group.replication_group_members",)))
    return len(addresses)


@fact()
def group_name_is_uuid(e: MemberFacts) -> Any:
    """Whether the group's name is a UUID, 36 characters with dashes or 32 without; makes no sense without a name.

    START GROUP_REPLICATION refuses any other name (`group_replication_group_name` in the manual). A name with signs of
    a placeholder is still to be filled in.
    """
    name = str(e["group_replication_group_name"] or "").strip()
    if not name or any(sign in name for sign in _PLACEHOLDERS):
        return NOT_HERE
    return _is_uuid(name)


@fact()
def view_change_uuid_fault(e: MemberFacts) -> str:
    """Why START GROUP_REPLICATION refuses `group_replication_view_change_uuid`; "" where nothing shows that it does.

    It must be AUTOMATIC or a UUID other than the group's name (WL#14539; MySQL 8.0.26).
    """
    given = str(e["group_replication_view_change_uuid"] or "").strip()
    if given.upper() in ("", "AUTOMATIC") or any(sign in given for sign in _PLACEHOLDERS):
        return ""
    if not _is_uuid(given):
        return "not a UUID"
    return "the name of the group" if given == e["group_replication_group_name"] else ""


def _is_uuid(text: str) -> bool:
    parts = text.split("-")
    digits = "".join(parts)
    return tuple(map(len, parts)) in _UUID_PARTS and all(sign in _HEXADECIMAL for sign in digits.lower())


@fact()
def group_port(e: MemberFacts) -> Any:
    """The port of `group_replication_local_address`."""
    address = str(e["group_replication_local_address"] or "")
    port = address.rpartition(":")[2]
    return int(port) if ":" in address and port.isdecimal() else NOT_HERE


@fact("seconds")
def expel_after_seconds(e: MemberFacts) -> int:
    """How long a silent member stays in the group: 5 s until it is suspected, and the expel timeout (8.0.13+)."""
    return _DETECTION_SECONDS + int(e.get("group_replication_member_expel_timeout", 0))


@fact("bytes")
def absent_member_bytes(e: MemberFacts) -> float:
    """Bytes of transactions the group sends while a silent member is waited for.

    What the message cache must hold so that the member can come back by itself (manual, "Increasing the cache size").
    """
    own = e["rate.Gr_data_messages_sent_bytes_sum"]
    others = [view.get("rate.Gr_data_messages_sent_bytes_sum", 0) for view in e.peers if view is not e]
    return float((own + sum(others)) * e["fact.expel_after_seconds"])


@fact("bytes")
def message_cache_needed_bytes(e: MemberFacts) -> int:
    """A message cache that holds what is sent while a silent member is waited for, in whole steps of 256 MiB."""
    return -int(-e["fact.absent_member_bytes"] // _CACHE_STEP_BYTES) * _CACHE_STEP_BYTES


@fact("share")
def group_link_share(e: MemberFacts) -> float:
    """Share of the network link that the member's consensus messages to all others fill."""
    return float(e["rate.Gr_consensus_bytes_sent_sum"] * 8 / (e["host.link_mbit"] * 1e6))


@fact("bytes")
def group_message_bytes(e: MemberFacts) -> float:
    """Mean size of a transaction as it is sent to the group, before compression; 0 when none was sent."""
    count = e["delta.Gr_data_messages_sent_count"]
    return float(e["delta.Gr_data_messages_sent_bytes_sum"] / count) if count else 0.0


def _rows(e: MemberFacts, table: str) -> Sequence[Row]:
    rows = e.rows(table)
    if not rows:
        raise NeedsError(Missing((f"group.{table}",)))
    return rows


def _column(row: Row, name: str) -> Any:
    """Columns are printed in capitals by MySQL 8.0 and in whatever case a client aliases them to."""
    return next((value for key, value in row.items() if key.lower() == name), None)


@fact()
def group_is_running(e: MemberFacts) -> bool:
    """Whether evidence shows the member at work in its group: seen ONLINE, or measured under load as a group.

    Then the group did accept its settings, and what an excerpt of the option file leaves out was given elsewhere.
    """
    seen = (row for peer in e.peers for row in peer.rows("replication_group_members"))
    if any(str(row.get("MEMBER_STATE", "")).upper() == "ONLINE" for row in seen):
        return True
    measured = any(name.startswith(("throughput", "latency")) for name in e.member.observed)
    return e.topology is Topology.GROUP_REPLICATION and (measured or bool(e.member.samples))
