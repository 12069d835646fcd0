"""How many transactions commit, how large are they, and how much old row history do they keep?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family

_HISTORY: Final = r"History list length\s+(\d+)"
_ROWS: Final = {
    Family.MYSQL: ("Innodb_rows_inserted", "Innodb_rows_updated", "Innodb_rows_deleted"),
    # MariaDB has no Innodb_rows_* since 10.6; temporary tables have their own Handler_tmp_*.
    Family.MARIADB: ("Handler_write", "Handler_update", "Handler_delete"),
}
COMMITS: Final = {Family.MYSQL: "rate.Binlog_cache_use", Family.MARIADB: "rate.Binlog_commits"}


@fact("per_second")
def transactions_per_second(e: MemberFacts) -> Any:
    """Write transactions committed per second: those that went through the binary log, else what observers report.

    `Com_commit` misses autocommit and `Handler_commit` counts two for each with the binary log on, so neither serves.
    """
    rate = e.get(COMMITS[e.release.family])
    if rate is not UNKNOWN and rate > 0:
        return rate
    return e["observed.throughput_per_second"]


@fact()
def rows_per_transaction(e: MemberFacts) -> Any:
    """Rows written (inserted, updated, deleted) per committed write transaction, on average over the samples."""
    told = e.get("observed.rows_per_transaction")
    if told is not UNKNOWN:
        return told
    commits = e[COMMITS[e.release.family]]
    rows = sum(e[f"rate.{counter}"] for counter in _ROWS[e.release.family])
    return rows / commits if commits > 0 else UNKNOWN


@fact()
def init_connect_switches_autocommit_off(e: MemberFacts) -> bool:
    """Whether init_connect, which the server executes for each client that connects, sets autocommit to 0 or OFF."""
    words = str(e["init_connect"] or "").lower().replace(" ", "").replace(":=", "=")
    return any(f"autocommit={off}" in words for off in ("0", "off", "false"))


@fact()
def history_list_length(e: MemberFacts) -> Any:
    """Undo log units that purge has not removed yet: MariaDB's counter, else SHOW ENGINE INNODB STATUS."""
    if e.release.family is Family.MARIADB and (counted := e.get("status.Innodb_history_list_length")) is not UNKNOWN:
        return counted
    if e.member.innodb_status:
        import re

        found = re.findall(_HISTORY, e.member.innodb_status)
    else:
        found = []
    if not found:
        raise NeedsError(Missing(("innodb_status",)))
    return int(found[-1])
