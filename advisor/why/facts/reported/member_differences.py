"""By how much do members differ, as reported: in the time of a sync, in the use of their CPUs?"""

from __future__ import annotations

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError


@fact()
def sync_ms_spread(e: MemberFacts) -> float:
    """The slowest member's sync time / the fastest one's, as observed per member."""
    times = [n for peer in e.peers if isinstance(n := peer.get("host.fsync_ms", None), int | float) and n > 0]
    if len(times) < 2:
        raise NeedsError(Missing(("observed.fsync_ms",)))
    return float(max(times) / min(times))


@fact()
def replica_sync_slower(e: MemberFacts) -> float:
    """This member's sync time / the source's."""
    return float(e["host.fsync_ms"] / e["source.host.fsync_ms"])


@fact("share")
def processors_busier_by(e: MemberFacts) -> float:
    """How much busier this member's CPUs are than those of the least busy member (shares of the time)."""
    others = [n for p in e.peers if p is not e and isinstance(n := p.get("host.cpu_util", None), int | float)]
    if not others:
        raise NeedsError(Missing(("host.cpu_util",)))
    return float(e["host.cpu_util"] - min(others))
