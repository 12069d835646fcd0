"""Which settings differ between members of a cluster that should be alike?

Lists of items with `key` (the setting), `name` (as the first member spells it), `values` (member by member) and
`source` (where the first member that differs has its value). One member alone has nobody to differ from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from advisor.annotations import Any
from advisor.catalog import spelling
from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.evidence.option_items import Item
from advisor.model.evidence import UNKNOWN, Fact
from advisor.model.server import Role, Topology
from advisor.units import show

# What decides the content of the binary log that replicas and readers of it get after a failover.
_BINLOG_CONTENT = (
    "binlog_format",
    "binlog_row_image",
    "binlog_row_metadata",
    "binlog_row_value_options",
    "binlog_transaction_compression",
    "log_bin_compress",
)
# What decides whether the same statement does the same thing after a failover.
_SQL_BEHAVIOUR = (
    "sql_mode",
    "character_set_server",
    "collation_server",
    "transaction_isolation",
    "explicit_defaults_for_timestamp",
    "default_storage_engine",
    "innodb_strict_mode",
    "fact.session_time_zone",
)
_SIZES = ("innodb_buffer_pool_size", "fact.redo_capacity_bytes", "max_connections", "fact.applier_workers")
# "Must have the same value on all group members" (manual, Group Replication system variables and requirements).
_MUST_AGREE = {
    Topology.GROUP_REPLICATION: (
        "group_replication_group_name",
        "group_replication_single_primary_mode",
        "group_replication_enforce_update_everywhere_checks",
        "group_replication_gtid_assignment_block_size",
        "group_replication_view_change_uuid",
        "group_replication_paxos_single_leader",
        "group_replication_communication_stack",
        "lower_case_table_names",
        "default_table_encryption",
        "transaction_write_set_extraction",
    ),
    Topology.GALERA: ("wsrep_cluster_name",),
}


@fact()
def binlog_differences(e: MemberFacts) -> Any:
    """Settings in which the members' binary logs differ; of members that write one."""
    return _differences([peer for peer in _several(e) if peer["fact.binlog_on"]], _BINLOG_CONTENT)


@fact()
def sql_differences(e: MemberFacts) -> Any:
    """Settings in which the members' understanding of SQL differs."""
    return _differences(_several(e), _SQL_BEHAVIOUR)


@fact()
def size_differences(e: MemberFacts) -> Any:
    """Settings in which the members' capacity differs: buffer pool, redo log, connections, appliers."""
    return _differences(_several(e), _SIZES)


@fact()
def disagreements(e: MemberFacts) -> Any:
    """Settings that the topology wants alike on all members, and that are not."""
    return _differences(_several(e), _MUST_AGREE.get(e.topology, ()) if e.topology else ())


@fact()
def table_name_case_differences(e: MemberFacts) -> Any:
    """lower_case_table_names, where members differ in it."""
    return _differences(_several(e), ("lower_case_table_names",))


@fact()
def session_time_zone(e: MemberFacts) -> Any:
    """The time zone sessions begin with: running, from `default_time_zone`, or SYSTEM, which is the machine's."""
    running = e.running.get("time_zone")
    if running is not None:
        zone = str(running.value)
        return str(e.get("system_time_zone", zone)) if zone.upper() == "SYSTEM" else zone
    if e.settings is None:
        return UNKNOWN
    return e.get("default_time_zone", None) or "SYSTEM"


@fact()
def shared_server_ids(e: MemberFacts) -> Any:
    """server_ids that several members share, leaving aside the one that is written to and 0, which is none."""
    members: dict[Any, list[MemberFacts]] = {}
    for peer in _several(e):
        if peer.member.role not in (Role.SOURCE, Role.PRIMARY):
            members.setdefault(peer["server_id"], []).append(peer)
    shared = {number: peers for number, peers in members.items() if number and len(peers) > 1}
    return [
        {
            "key": f"server_id {number}",
            "source": _source(peers[-1].fact("server_id")),
            "id": number,
            "members": " and ".join(peer.member.name for peer in peers),
        }
        for number, peers in shared.items()
    ]


@fact()
def server_ids_repeated_in_file(e: MemberFacts) -> Any:
    """server_id, where another server of the same file has it as well; as an item with `others`, their names.

    Makes no sense for a server that stands alone in its file, and for members read together (shared_server_ids).
    """
    beside = e.member.server_ids_beside
    if not beside or len(e.peers) > 1:
        return NOT_HERE
    own = str(e["server_id"])
    others = [name for name, number in beside.items() if number == own]
    source = _source(e.fact("server_id"))
    return [{"key": "server_id", "source": source, "id": own, "others": " and ".join(others)}] if others else []


@fact()
def versions_by_member(e: MemberFacts) -> str:
    """Every member with its release: "db1 8.0.36, db2 8.4.3"."""
    return ", ".join(f"{peer.member.name} {peer.release.stands_for or peer.release.number}" for peer in _several(e))


@fact()
def versions_differ(e: MemberFacts) -> Any:
    """Whether the members run different releases; unknown where a release is only known as a range."""
    releases = [peer.release for peer in _several(e)]
    if len({(release.family, release.series) for release in releases}) > 1:
        return True
    if any(release.stands_for for release in releases):
        raise NeedsError(Missing(("version",)))
    return len({release.version for release in releases}) > 1


@fact()
def series_older_than_source(e: MemberFacts) -> Any:
    """Whether the replica is of an older series than its source: 8.0 behind 8.4. Of one family only."""
    source = e.source
    if source is None:
        raise NeedsError(Missing(("source.version",)))
    if not e.release.series or not source.release.series:
        raise NeedsError(Missing(("version",)))
    if e.release.family is not source.release.family:
        return NOT_HERE
    return e.release.version[:2] < source.release.version[:2]


def _several(e: MemberFacts) -> Sequence[MemberFacts]:
    """The members; NeedsError that makes the fact senseless for one alone."""
    if len(e.peers) < 2:
        raise NeedsError(Missing(absent=("fact.other_members",)))
    return e.peers


def _differences(peers: Sequence[MemberFacts], names: Iterable[str]) -> list[Item]:
    """One item for each name whose known values differ; NeedsError where none does and a value is missing.

    A name that some member's release does not have is passed over.
    """
    items: list[Item] = []
    missing = Missing()
    for name in names:
        found = [(peer, peer.fact(name)) for peer in peers]
        if any(isinstance(known, Missing) and known.absent for _, known in found):
            continue
        missing = sum((known for _, known in found if isinstance(known, Missing)), missing)
        known = [(peer, fact) for peer, fact in found if isinstance(fact, Fact)]
        if len({_comparable(name, fact.value) for _, fact in known}) > 1:
            items.append(_item(name, known))
    if missing.needs and not items:
        raise NeedsError(missing)
    return items


def _item(name: str, known: Sequence[tuple[MemberFacts, Fact]]) -> Item:
    first = _comparable(name, known[0][1].value)
    odd = next(fact for _, fact in known if _comparable(name, fact.value) != first)
    values = ", ".join(f"{peer.member.name} {show(fact.value, fact.unit)}" for peer, fact in known)
    own = spelling(name, known[0][0].release) or _NAMES.get(name, name)
    return {"key": name, "name": own, "values": values, "source": _source(odd)}


def _source(known: Fact | Missing) -> str:
    return known.source if isinstance(known, Fact) else ""


def _comparable(name: str, value: Any) -> Any:
    """The value so that two that mean the same are equal."""
    if not isinstance(value, str):
        return value
    return _COMPARABLE.get(name, str.lower)(value)


def _words(text: str) -> Any:
    return frozenset(word for word in text.upper().split(",") if word)


def _utf8mb3(text: str) -> str:
    """MySQL and MariaDB call the three-byte character set utf8 or utf8mb3, by release."""
    word = text.lower()
    return f"utf8mb3{word[4:]}" if word == "utf8" or word.startswith("utf8_") else word


_NAMES = {
    "fact.redo_capacity_bytes": "redo log capacity",
    "fact.applier_workers": "parallel applier workers",
    "fact.session_time_zone": "time_zone",
}
_COMPARABLE: dict[str, Callable[[str], Any]] = {
    "sql_mode": _words,
    "character_set_server": _utf8mb3,
    "collation_server": _utf8mb3,
}
