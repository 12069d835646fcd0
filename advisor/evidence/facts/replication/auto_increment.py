"""Do two members that are both written to hand out the same AUTO_INCREMENT values?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Topology


@fact()
def auto_increment_collisions(e: MemberFacts) -> object:
    """Pairs of writers whose values meet: "a and b (from 1 in steps of 1, from 1 in steps of 1)"; "" for none.

    Two series `offset + n × increment` meet when the offsets differ by a multiple of the increments' greatest common
    divisor. An offset above the increment is ignored (manual, auto_increment_offset), which leaves 1.
    """
    if len(e.peers) < 2:
        return NOT_HERE
    from math import gcd  # a shared library, loaded for the few who need it

    series = [(peer, *_series(peer)) for peer in _writers(e)]
    pairs = [
        f"{a.member.name} and {b.member.name} (from {first} in steps of {step}, from {other} in steps of {width})"
        for (a, first, step), (b, other, width) in combinations(series, 2)
        if (first - other) % gcd(step, width) == 0
    ]
    return "; ".join(pairs)


def _series(peer: MemberFacts) -> tuple[int, int]:
    """First value and step."""
    step = max(1, int(peer["auto_increment_increment"]))
    first = int(peer["auto_increment_offset"])
    return (first if 1 <= first <= step else 1), step


def _writers(e: MemberFacts) -> Iterator[MemberFacts]:
    """Galera nodes that do not share out the values by themselves; members of a replication ring that take writes."""
    for peer in e.peers:
        if e.topology is Topology.GALERA:
            if peer["wsrep_auto_increment_control"] is False:
                yield peer
        elif _in_ring(peer, e) and peer["read_only"] is False:
            yield peer


def _in_ring(peer: MemberFacts, e: MemberFacts) -> bool:
    """Whether following the sources leads back: each member's replica status names the server_id of its source."""
    by_id = {other.get("server_id", UNKNOWN): other for other in e.peers}
    at: MemberFacts | None = peer
    for _ in e.peers:
        if at is None or not at.rows("replica_status"):
            return False
        at = by_id.get(at["replica.Source_Server_Id"])
        if at is peer:
            return True
    return False
