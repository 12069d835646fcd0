"""Who reads the rows of an applying member: its applier, searching for rows to change, or its own clients?"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.why.facts.table_readings import cell, growth_per_second

# It does not count appliers of row events: of 103,000 rows per second that one read (MySQL 9.7) it had 625, our own.
_STATEMENTS: Final = ("events_statements_summary_global_by_event_name",)
_SEARCHING: Final = "_rows_log_event::find_row"  # MariaDB: Update_rows_log_event::find_row(123) on table …
_LISTS_TO_COUNT_ON: Final = 20


@fact("share")
def rows_clients_read_share(e: MemberFacts) -> Any:
    """Rows that statements of clients examined / rows read, where statements are counted when they end."""
    read = e.get("rate.Innodb_rows_read", None)
    if not isinstance(read, int | float):
        read = e["rate.Handler_read_rnd_next"]
    examined = growth_per_second(e, _STATEMENTS, lambda row: cell(row, "sum_rows_examined"))
    return min(1.0, float(examined / read)) if read else UNKNOWN


@fact("clients")
def clients_inside_statements(e: MemberFacts) -> float:
    """How many client sessions are inside a statement, on average over the process lists."""
    lists = _enough_lists(e)
    inside = sum(seen.times for sessions in lists for seen in sessions if seen.client and not seen.asleep)
    return float(inside / len(lists))


@fact("share")
def searching_rows_share(e: MemberFacts) -> float:
    """Share of the process lists in which some applier searches for the row to change; only MariaDB shows it."""
    lists = _enough_lists(e)
    return float(sum(any(_SEARCHING in seen.state for seen in sessions) for sessions in lists) / len(lists))


def _enough_lists(e: MemberFacts) -> Any:
    lists = e["fact.sessions_seen"]
    if len(lists) < _LISTS_TO_COUNT_ON:
        raise NeedsError(Missing(("processlist",)))
    return lists
