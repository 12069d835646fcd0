"""How large and how old are the open transactions? From InnoDB's list of them, else from one InnoDB status.

"undo log entries" of the status is the same number as `trx_rows_modified` of the list: both are InnoDB's `undo_no`
(storage/innobase/lock/lock0lock.cc and trx/trx0i_s.cc).
"""

from __future__ import annotations

import re
from typing import Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row
from advisor.why.facts.table_readings import cell, growth_per_second

_UNDO_ENTRIES: Final = re.compile(r"\bundo log entries (\d+)")
_ACTIVE: Final = re.compile(r"^---TRANSACTION [^\n]*?, ACTIVE (?:\(PREPARED\) )?(\d+) sec", re.MULTILINE)


@fact("rows")
def largest_transaction_rows(e: MemberFacts) -> float:
    """The most rows that one open transaction had changed when it was seen; it may have gone on."""
    return _most(e, "most_rows_modified", _UNDO_ENTRIES)


@fact("rows")
def largest_transaction_rows_of_peers(e: MemberFacts) -> float:
    """The same over all members: an applier is held up by what was written elsewhere."""
    known = [number for peer in e.peers if isinstance(number := _known(peer), int | float)]
    if not known:
        raise NeedsError(Missing(("tables.open_transactions",)))
    return max(known)


@fact("s")
def oldest_transaction_seconds(e: MemberFacts) -> float:
    """The age of the oldest open transaction."""
    return _most(e, "oldest_seconds", _ACTIVE)


@fact("per_second")
def history_growth_per_second(e: MemberFacts) -> float:
    """By how much the history list grows: old row versions that purge does not remove."""
    if isinstance(rate := e.get("rate.Innodb_history_list_length", None), int | float):
        return float(rate)  # MariaDB
    return growth_per_second(e, ("innodb_metrics",), _history)


def _history(row: Row) -> float | None:
    return cell(row, "count") if row.get("NAME") == "trx_rseg_history_len" else None


def _known(view: MemberFacts) -> object:
    return view.get("fact.largest_transaction_rows", None)


def _most(e: MemberFacts, column: str, in_status: re.Pattern[str]) -> float:
    numbers = [
        number
        for table in e.member.tables
        if table.table == "open_transactions"
        for row in table.rows
        if (number := cell(row, column)) is not None
    ]
    numbers = numbers or [float(number) for number in in_status.findall(e.member.innodb_status)]
    if not numbers:
        raise NeedsError(Missing(("tables.open_transactions",)))
    return max(numbers)
