"""How often does the server begin a new binary log file? From its number at both ends of the interval."""

from __future__ import annotations

from typing import Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row
from advisor.why.facts.table_readings import growth_per_second

_TABLES: Final = ("binary_log_status",)


@fact("per_second")
def rotations_per_second(e: MemberFacts) -> float:
    """New binary log files per second: each one is synced, closed and opened while all commits wait."""
    return growth_per_second(e, _TABLES, _file_number)


@fact("share")
def rotation_per_transaction(e: MemberFacts) -> float:
    """New binary log files per committed transaction."""
    rate = float(e["fact.transactions_per_second"])
    if rate <= 0:
        raise NeedsError(Missing(("rate.Com_commit",)))
    return float(e["fact.rotations_per_second"]) / rate


def _file_number(row: Row) -> float | None:
    """The number at the end of its name: 123 of binlog.000123."""
    name = next((str(cell) for column, cell in row.items() if column.lower() == "file"), "")
    digits = name.rpartition(".")[2]
    return float(digits) if digits.isdecimal() else None
