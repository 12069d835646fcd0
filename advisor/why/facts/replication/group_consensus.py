"""How long does a group take to agree on transactions and to certify them?"""

from __future__ import annotations

from typing import Any

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.why.facts.table_readings import cell


@fact("ms")
def consensus_ms(e: MemberFacts) -> Any:
    """Mean time of one consensus round of the group: Δ Gr_all_consensus_time_sum (microseconds) / Δ count."""
    count = e["delta.Gr_all_consensus_proposals_count"]
    return e["delta.Gr_all_consensus_time_sum"] / count / 1000 if count else NOT_HERE


@fact("transactions")
def certifier_queue(e: MemberFacts) -> int:
    """Transactions waiting to be certified: the maximum over the rows of replication_group_member_stats."""
    rows = e.rows("replication_group_member_stats")
    queues = [n for row in rows if (n := cell(row, "count_transactions_in_queue")) is not None]
    if not queues:
        raise NeedsError(Missing(("group.replication_group_member_stats",)))
    return int(max(queues))


@fact("ms")
def certification_gc_ms(e: MemberFacts) -> Any:
    """Mean time of one garbage collection of the certification database; NOT_HERE where none ran in the interval."""
    runs = e["delta.Gr_certification_garbage_collector_count"]
    return e["delta.Gr_certification_garbage_collector_time_sum"] / runs / 1000 if runs else NOT_HERE
