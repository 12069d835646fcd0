"""How many members does the evidence hold?"""

from __future__ import annotations

from advisor.annotations import Any
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts


@fact("members")
def members_read(e: MemberFacts) -> Any:
    """How many members of the cluster the evidence holds; makes no sense for one server alone, which may have peers."""
    return len(e.peers) if len(e.peers) > 1 else NOT_HERE
