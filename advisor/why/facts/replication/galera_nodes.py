"""Which Galera node slows the others down, in which state is it, and how large are write sets?"""

from __future__ import annotations

from typing import Any

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN


@fact("share")
def pauses_sent_share(e: MemberFacts) -> float:
    """Share of the pauses requested by the nodes in the evidence that this one requested."""
    sent = [n for peer in e.peers if isinstance(n := peer.get("delta.wsrep_flow_control_sent", None), int | float)]
    if not sum(sent):
        raise NeedsError(Missing(("delta.wsrep_flow_control_sent",)))
    return float(e["delta.wsrep_flow_control_sent"] / sum(sent))


@fact("nodes")
def galera_members_seen(e: MemberFacts) -> int:
    """How many nodes the evidence covers."""
    return len(e.peers)


@fact()
def galera_state(e: MemberFacts) -> str:
    """wsrep_local_state_comment in lower case ("synced", "donor/desynced")."""
    return str(e["status.wsrep_local_state_comment"]).lower()


@fact("bytes")
def write_set_bytes(e: MemberFacts) -> Any:
    """Mean size of a write set."""
    count = e["delta.wsrep_replicated"]
    return e["delta.wsrep_replicated_bytes"] / count if count else UNKNOWN


@fact("pauses")
def pauses_ever_asked(e: MemberFacts) -> int:
    """Pauses that the nodes in the evidence requested since their counters were last reset."""
    return sum(int(peer["status.wsrep_flow_control_sent"]) for peer in e.peers)
