"""How does throughput grow with the number of clients? As users report it in `scaling`, or among what they tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.why.facts.reported.tried_changes import are_numbers, entries, ratio


@fact()
def more_clients_gain(e: MemberFacts) -> float:
    """Throughput ratio / clients ratio between the fewest and the most clients; 1 is linear scaling.

    From `scaling`, or from numbers of clients that were tried.
    """
    points = scaling(e)
    if len(points) < 2:
        raise NeedsError(Missing(("observed.scaling",)))
    (few, slow), (many, fast) = points[0], points[-1]
    return (fast / slow) / (many / few) if slow and few and many > few else 1.0


@fact()
def scaling_flat_ratio(e: MemberFacts) -> float:
    """The best throughput at any number of clients / that with the fewest; near 1, more clients bring nothing."""
    points = scaling(e)
    if len(points) < 2 or not points[0][1]:
        raise NeedsError(Missing(("observed.scaling",)))
    return max(rate for _, rate in points) / points[0][1]


@fact()
def scaling_peak_lost(e: MemberFacts) -> Any:
    """The best throughput / that with the most clients; above 1, more clients cost throughput."""
    points = scaling(e)
    return max(rate for _, rate in points) / points[-1][1] if len(points) > 1 and points[-1][1] else UNKNOWN


def scaling(e: MemberFacts) -> list[tuple[float, float]]:
    """(clients, throughput) as observed, fewest clients first."""
    scaling_points = e.get("observed.scaling", None)
    if scaling_points is None:
        scaling_points = next((v for p in e.peers if (v := p.get("observed.scaling", None)) is not None), ())
    points = [
        (p.get("clients"), p.get("throughput", p.get("throughput_per_second")))
        for p in scaling_points
        if isinstance(p, Mapping)
    ]
    for entry in entries(e):
        if entry.get("what") == "clients" and ratio(entry):
            points += [
                (entry.get("from"), entry.get("throughput_before")),
                (entry.get("to"), entry.get("throughput_after")),
            ]
    numbers: list[tuple[Any, Any]] = [point for point in points if are_numbers(*point)]
    return sorted((float(n), float(rate)) for n, rate in numbers)
