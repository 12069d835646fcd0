"""How long does a commit wait on purpose, so that more transactions share its group?"""

from __future__ import annotations

from advisor.annotations import Any
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.server import Family


@fact("us")
def group_commit_wait_us(e: MemberFacts) -> Any:
    """The longest time in microseconds that a commit waits for others; 0 where it does not wait.

    MySQL: binlog_group_commit_sync_delay. MariaDB: binlog_commit_wait_usec, and 0 where binlog_commit_wait_count is 0,
    whatever the time is (manuals of these variables). Makes no sense without a binary log.
    """
    if not e["fact.binlog_on"]:
        return NOT_HERE
    if e.release.family is Family.MYSQL:
        return e["binlog_group_commit_sync_delay"]
    return e["binlog_commit_wait_usec"] if e["binlog_commit_wait_count"] else 0
