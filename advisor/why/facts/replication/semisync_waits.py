"""How long may a commit wait for a semi-synchronous acknowledgement, and for a lock of the plugin?"""

from __future__ import annotations

from typing import Final

from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.why.facts.sessions import state_share

_PRACTICALLY_FOREVER_MS: Final = 3_600_000
_OVERFLOW: Final = 2**31 / 1000  # milliseconds that are 2^31 microseconds


@fact()
def semisync_waits_forever(e: MemberFacts) -> bool:
    """Whether a commit waits an hour or more for an acknowledgement before it continues without one."""
    return bool(e["rpl_semi_sync_source_timeout"] >= _PRACTICALLY_FOREVER_MS)


@fact()
def rpl_semi_sync_timeout_overflows(e: MemberFacts) -> bool:
    """Whether the timeout (milliseconds) is above 2^31 microseconds in a release before 5.7."""
    return bool(e.release.version < (5, 7, 0) and e["rpl_semi_sync_source_timeout"] >= _OVERFLOW)


@fact("share")
def waits_for_semisync_mutex_share(e: MemberFacts) -> float:
    """Share of the sampled threads that wait for a lock of the semi-synchronous plugin, by names in their stacks."""
    return state_share(e, "lock_binlog_", "semisync::lock", "replsemisync")
