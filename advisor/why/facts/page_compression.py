"""How much CPU time does compressing table pages take? From InnoDB's own totals at both ends of the interval."""

from __future__ import annotations

from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Row
from advisor.why.facts.table_readings import cell, growth_per_second


@fact("CPUs")
def page_compression_cpus(e: MemberFacts) -> float:
    """CPUs that compress and decompress pages of compressed tables: seconds per second (INNODB_CMP)."""
    return growth_per_second(e, ("innodb_cmp",), _seconds)


def _seconds(row: Row) -> float | None:
    times = [cell(row, name) for name in ("compress_time", "uncompress_time")]
    known = [time for time in times if time is not None]
    return sum(known) if known else None
