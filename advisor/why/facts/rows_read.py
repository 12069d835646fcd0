"""How many rows are read for each row changed or returned, and who reads them: appliers that search, or clients?"""

from __future__ import annotations

import re
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.why.facts.sessions import enough_lists
from advisor.why.facts.table_readings import cell, growth_per_second

# It does not count appliers of row events: of 103,000 rows per second that one read (MySQL 9.7) it had 625, our own.
_STATEMENTS: Final = ("events_statements_summary_global_by_event_name",)
_SEARCHING: Final = "_rows_log_event::find_row"  # MariaDB: Update_rows_log_event::find_row(123) on table …
_MORE_THAN_MONITORING: Final = 10_000  # rows a second
_MANY_ROWS: Final = 10_000
_MANY_SCANNED: Final = 100_000
# A scan reads so many rows in the CPU time of changing one and committing it. In five plays of the open gym, MySQL and
# MariaDB, one to three thousand rows a scan: 320 to 1,000.
_SCANNED_PER_CHANGE: Final = 600
_ROWS_PER_SECOND: Final = re.compile(
    r"(?P<inserts>[\d.]+) inserts/s, (?P<updates>[\d.]+) updates/s, (?P<deletes>[\d.]+) deletes/s, "
    r"(?P<reads>[\d.]+) reads/s"
)


@fact()
def rows_read_per_change(e: MemberFacts) -> Any:
    """Rows read for each row updated or deleted; from counters, else from SHOW ENGINE INNODB STATUS.

    Since 10.5 MariaDB no longer counts rows in InnoDB: then rows read in scans, without those of temporary tables, if
    they are far more than monitoring reads.
    """
    if (changed := _changed(e)) is not None:
        return float(e["rate.Innodb_rows_read"] / changed) if changed > 0 else UNKNOWN
    rates = _ROWS_PER_SECOND.search(e.member.innodb_status)
    if rates is not None:
        updates, deletes, reads = (float(rates[name]) for name in ("updates", "deletes", "reads"))
        return reads / (updates + deletes) if updates + deletes > 0 else UNKNOWN
    changed = e["rate.Handler_update"] + e["rate.Handler_delete"]
    scanned = e["rate.Handler_read_rnd_next"] - e["rate.Rows_tmp_read"]
    if scanned < _MORE_THAN_MONITORING or not changed:
        raise NeedsError(Missing(("rate.Innodb_rows_read",)))
    return float(scanned / changed)


def _changed(e: MemberFacts) -> float | None:
    rates = [e.get(f"rate.Innodb_rows_{kind}", None) for kind in ("updated", "deleted")]
    numbers = [rate for rate in rates if isinstance(rate, int | float)]
    return sum(numbers) if len(numbers) == len(rates) else None


@fact()
def rows_examined_ratio(e: MemberFacts) -> float:
    """Rows examined per row sent or changed, the maximum over statements; else as observed."""
    ratios = []
    for row in (*e.rows("stmts_top"), *e.rows("events_statements_summary_by_digest")):
        cells = {key.lower(): value for key, value in row.items()}
        examined = cells.get("sum_rows_examined")
        useful = [cells.get(name) for name in ("sum_rows_sent", "sum_rows_affected")]
        known = [value for value in useful if isinstance(value, int | float)]
        if isinstance(examined, int | float) and len(known) == len(useful) and examined >= _MANY_ROWS:
            ratios.append(examined / max(1, sum(known)))
    observed = [f.value for n, f in e.member.observed.items() if n.startswith(("explain_rows", "rows_examined"))]
    numbers = [float(value) for value in observed if isinstance(value, int | float)]
    returned = e.get("observed.rows_returned", 1)
    if numbers and isinstance(returned, int | float):
        ratios.append(max(numbers) / max(1, returned))
    if not ratios:
        raise NeedsError(Missing(("stmts_top",)))
    return float(max(ratios))


@fact()
def handler_scans_per_row(e: MemberFacts) -> float:
    """Rows read in scans (Handler_read_rnd_next) per row written, updated or deleted; 0 below 100000 rows per second.

    Tables of the server that the collector reads count here, too.
    """
    if e["rate.Handler_read_rnd_next"] < _MANY_SCANNED:
        return 0.0
    written = sum(e[f"rate.Handler_{kind}"] for kind in ("write", "update", "delete"))
    return float(e["rate.Handler_read_rnd_next"] / max(1.0, written))


@fact("share")
def cpu_share_without_scans(e: MemberFacts) -> float:
    """Share of a transaction's CPU time that stays if it finds its rows by key; known to within a factor of four."""
    changed = max(e["fact.transactions_per_second"], sum(e[f"rate.Handler_{kind}"] for kind in ("update", "delete")))
    scanned = e["rate.Handler_read_rnd_next"] + e.get("rate.Handler_read_next", 0)
    by_key = changed * _SCANNED_PER_CHANGE
    return float(by_key / (by_key + scanned))


@fact("share")
def rows_clients_read_share(e: MemberFacts) -> Any:
    """Rows that statements of clients examined / rows read, where statements are counted when they end."""
    read = e.get("rate.Innodb_rows_read", None)
    if not isinstance(read, int | float):
        read = e["rate.Handler_read_rnd_next"]
    examined = growth_per_second(e, _STATEMENTS, lambda row: cell(row, "sum_rows_examined"))
    return min(1.0, float(examined / read)) if read else UNKNOWN


@fact("share")
def searching_rows_share(e: MemberFacts) -> float:
    """Share of the process lists in which some applier searches for the row to change; only MariaDB shows it."""
    lists = enough_lists(e)
    return float(sum(any(_SEARCHING in seen.state for seen in sessions) for sessions in lists) / len(lists))
