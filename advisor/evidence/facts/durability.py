"""What does a crash lose here, and which other members still have it?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import UNKNOWN
from advisor.model.server import WRITING_ROLES, Role

# Where the pages, the redo and undo logs, the doublewrite buffer and the binary and relay logs are.
_DATA_DIRECTORIES: Final = (
    "datadir", "innodb_data_home_dir", "innodb_log_group_home_dir", "innodb_undo_directory", "innodb_doublewrite_dir",
    "aria_log_dir_path", "log_bin", "log_bin_basename", "relay_log",
)  # fmt: skip
_IN_MEMORY: Final = ("/dev/shm/", "/run/", "/var/run/")


@fact()
def commits_also_on(e: MemberFacts) -> str:
    """Who has a commit that this server loses: "galera nodes", "group members", "source", or "nowhere else".

    Galera and Group Replication deliver a transaction to the other members before the client is answered; what a
    replica loses its source still has. A file alone shows that by read_only or super_read_only, and by nothing else:
    clients may write to a server that has filters and relay logs. Sources with semi-synchronous replicas count as
    "nowhere else": those have what the restarted source then lacks.
    """
    if e["fact.is_galera_node"]:
        return "galera nodes"
    if e["fact.is_group_member"]:
        return "group members"
    if e.member.role in WRITING_ROLES:
        return "nowhere else"
    read_only = e.get("read_only", False) is True or e.get("super_read_only", False) is True
    known_replica = e.member.role is Role.REPLICA and not e["fact.is_replica_by_its_file"]
    is_replica = known_replica or bool(e.rows("replica_status"))
    return "source" if is_replica or read_only else "nowhere else"


@fact()
def durability(e: MemberFacts) -> str:
    """The two switches of a durable commit as one word, "1/1": innodb_flush_log_at_trx_commit/sync_binlog.

    The second is "-" without a binary log, and where it is as durable as InnoDB because it is kept there.
    """
    binlog = e["sync_binlog"] if e["fact.binlog_in_own_files"] else "-"
    return f"{e['innodb_flush_log_at_trx_commit']}/{binlog}"


@fact()
def durability_by_member(e: MemberFacts) -> Any:
    """Every member with its durability ("db1 1/1, db2 2/0"); makes no sense for one member alone."""
    if len(e.peers) < 2:
        return NOT_HERE
    return ", ".join(f"{peer.member.name} {peer['fact.durability']}" for peer in e.peers)


@fact()
def durability_policies(e: MemberFacts) -> Any:
    """How many different durabilities the members have; 1 is one policy for all."""
    if len(e.peers) < 2:
        return NOT_HERE
    return len({peer["fact.durability"] for peer in e.peers})


@fact()
def flush_method(e: MemberFacts) -> Any:
    """innodb_flush_method in words; "fsync" where a release shows none, "automatic" where it picks by itself.

    MySQL 5.7 shows an empty value and means fsync; MySQL 8.4 takes O_DIRECT when the file system can, else fsync
    (manual of the variable). Unknown on Windows, recognised by a drive letter, where the methods are others.
    """
    if str(e.get("datadir", ""))[1:2] == ":" or str(e.get("basedir", ""))[1:2] == ":":
        return UNKNOWN
    method = e.get("innodb_flush_method")
    return "automatic" if method is UNKNOWN else str(method or "fsync")


@fact()
def directories_in_memory(e: MemberFacts) -> str:
    """Settings that keep data in a file system that is memory ("innodb_log_group_home_dir = /dev/shm"), "" for none.

    /dev/shm and /run (/var/run) are tmpfs on every Linux with systemd: file-hierarchy(7), "volatile".
    """
    seen = e.member.options is not None or "datadir" in e.running
    values = {name: str((e.get(name, "") if seen else e[name]) or "") for name in _DATA_DIRECTORIES}
    return ", ".join(f"{name} = {path}" for name, path in values.items() if f"{path}/".startswith(_IN_MEMORY))


@fact()
def doublewrite(e: MemberFacts) -> str:
    """innodb_doublewrite as one of its words: ON, OFF, DETECT_ONLY, DETECT_AND_RECOVER, fast.

    ON is the default of every release (manual of both families), also where the catalogue cannot date a change of type.
    """
    known = e.get("innodb_doublewrite", True) if e.release.series else e["innodb_doublewrite"]
    if isinstance(known, bool):
        return "ON" if known else "OFF"
    return {"TRUE": "ON", "FALSE": "OFF"}.get(str(known).upper(), str(known))
