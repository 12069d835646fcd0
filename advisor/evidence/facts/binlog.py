"""What does the binary log of this server hold, for how long, and at what cost?"""

from __future__ import annotations

from advisor.catalog import spelling
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.options import IN_BASE64, IN_YAML
from advisor.model.server import Family, Role

_DAY_SECONDS = 86_400
# Settings that say "this server logs"; not the ones distributions ship commented in or that Galera asks for anyway.
_MEANT_FOR_LOGGING = (
    "log_replica_updates",
    "sync_binlog",
    "binlog_row_image",
    "binlog_group_commit_sync_delay",
    "binlog_commit_wait_count",
    "rpl_semi_sync_source_enabled",
)
# https://mariadb.com/docs/server/ha-and-performance/standard-replication/innodb-based-binary-log
_OF_OWN_FILES = ("sync_binlog", "binlog_checksum")


@fact()
def binlog_on(e: MemberFacts) -> bool:
    """Whether the server writes a binary log: `log_bin`, whose value as an option is a file name."""
    return e["log_bin"] not in (False, 0, "", "OFF", "0")


@fact()
def binlog_in_innodb(e: MemberFacts) -> bool:
    """Whether the binary log is kept in InnoDB's pages: MariaDB 12.3+ with `binlog_storage_engine` (its manual).

    A commit then syncs the redo log alone; `sync_binlog` and `binlog_checksum` have no effect. Nobody gets it without
    asking for it, so evidence that does not show the variable speaks for files.
    """
    return bool(e["fact.binlog_on"] and str(e.get("binlog_storage_engine", "") or "").lower() == "innodb")


@fact()
def binlog_in_own_files(e: MemberFacts) -> bool:
    """Whether there is a binary log in files of its own, which a commit syncs as `sync_binlog` says."""
    return bool(e["fact.binlog_on"] and not e["fact.binlog_in_innodb"])


@fact()
def settings_of_binlog_files(e: MemberFacts) -> str:
    """The configured settings that only a binary log in files of its own has, with their values; "" for none."""
    configured = [name for name in _OF_OWN_FILES if e.get(f"configured.{name}", False) is True]
    return ", ".join(f"{name} = {e.get(name)}" for name in configured)


@fact("s")
def binlog_retention_seconds(e: MemberFacts) -> int:
    """Age at which binary logs are removed; 0 when age removes none.

    MySQL 8.0: `binlog_expire_logs_seconds` counts when both are given; `expire_logs_days` alone replaces its default,
    0 included; `binlog_expire_logs_auto_purge=OFF` switches removal off (manual, binary logging options). MariaDB 10.6
    and later convert one into the other, so the later line counts.
    """
    if not e.get("binlog_expire_logs_auto_purge", True):
        return 0
    if not e.exists("binlog_expire_logs_seconds"):
        return int(e["expire_logs_days"] * _DAY_SECONDS)
    if "binlog_expire_logs_seconds" in e.running or not _days_decide(e):
        return int(e["binlog_expire_logs_seconds"] or e.get("expire_logs_days", 0) * _DAY_SECONDS)
    return int(e["expire_logs_days"] * _DAY_SECONDS)


@fact()
def binlog_kept_forever(e: MemberFacts) -> bool:
    """Whether neither age nor total size ever removes a binary log."""
    limit = e.get("max_binlog_total_size", 0) or e.get("binlog_space_limit", 0)
    return not limit and e["fact.binlog_retention_seconds"] == 0


@fact("replicas")
def connected_replicas(e: MemberFacts) -> int:
    """How many replicas are connected: MariaDB's Slaves_connected, else none on a server known to stand alone."""
    if e.get("status.Slaves_connected", None) is None and e.get("role", None) == Role.STANDALONE:
        return 0
    return int(e["status.Slaves_connected"])


@fact()
def server_id_given(e: MemberFacts) -> bool:
    """Whether the server's number is known from a file or the running server, and not just the default.

    Posted files often leave it out, so that the default says nothing about the server.
    """
    return e.setting("server_id") is not None or "server_id" in e.running


@fact()
def may_be_shared_by_servers(e: MemberFacts) -> bool:
    """Whether the option file is the text of a ConfigMap, a Secret or a chart, which all replicas of a set may mount.

    What tells them apart, such as server_id, cannot be in it, and comes from a command or another file.
    """
    return e.member.options is not None and e.member.options.kept_in in (IN_YAML, IN_BASE64)


@fact()
def is_seen_running(e: MemberFacts) -> bool:
    """Whether any evidence comes from the running server: then it did start, whatever the file leaves out."""
    member = e.member
    return any(
        (member.variables, member.samples, member.tables, member.processlist, member.innodb_status, member.observed)
    )


@fact()
def gtid_consistency_enforced(e: MemberFacts) -> bool:
    """Whether `enforce_gtid_consistency` is fully on: given without a value, ON, TRUE or 1; WARN is not enough."""
    written = e.setting("enforce_gtid_consistency")
    if written is not None and written.argument.value is None and "enforce_gtid_consistency" not in e.running:
        return True
    return str(e["enforce_gtid_consistency"]).upper() in ("ON", "TRUE", "1")


@fact()
def delay_ends_early(e: MemberFacts) -> str:
    """How `binlog_group_commit_sync_no_delay_count` ends the delay of a group commit, in words."""
    count = e["binlog_group_commit_sync_no_delay_count"]
    return f"or until {count} transactions are waiting" if count else "however many transactions commit"


@fact()
def idle_binlog_settings(e: MemberFacts) -> str:
    """Settings in the option file that only a server with a binary log has a use for, in its spelling; "" for none."""
    given = [name for name in _MEANT_FOR_LOGGING if e.setting(name) is not None and e.get(name, False)]
    return ", ".join(spelling(name, e.release) or name for name in given)


def _days_decide(e: MemberFacts) -> bool:
    """Whether the file's `expire_logs_days` counts rather than `binlog_expire_logs_seconds`."""
    days, seconds = e.setting("expire_logs_days"), e.setting("binlog_expire_logs_seconds")
    if days is None or seconds is None or e.settings is None:
        return days is not None
    if e.release.family is Family.MARIADB:
        return e.settings.all.index(days) > e.settings.all.index(seconds)
    return False
