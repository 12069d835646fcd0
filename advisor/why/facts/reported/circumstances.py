"""What is reported about the machine, the storage and the load?"""

from __future__ import annotations

from typing import Any, Final

from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import UNKNOWN

_SHARED: Final = ("shared", "same san", "one san", "nfs", "write-through", "write through", "degraded", "failed")
_SERVED: Final = 0.95


@fact("clients")
def source_clients(e: MemberFacts) -> Any:
    """How many clients write on the source (or primary): as observed there, else for the cluster."""
    source = e.source
    clients = source.get("observed.clients", None) if source is not None else None
    return clients if isinstance(clients, int | float) else e["observed.clients"]


@fact()
def release(e: MemberFacts) -> Any:
    """The version, also for series that the catalogue does not know."""
    return e.release.version if e.release.version > (0, 0, 0) else UNKNOWN


@fact()
def storage_is_shared(e: MemberFacts) -> bool:
    """Whether the storage is described as shared, degraded or in write-through mode."""
    storage = str(e["host.storage"]).lower()
    return any(word in storage for word in _SHARED)


@fact()
def swap_is_used(e: MemberFacts) -> bool:
    """Whether some swap space is in use."""
    return bool(e["host.swap_used_bytes"] > 0)


@fact()
def rate_asked_for_is_served(e: MemberFacts) -> bool:
    """Whether the server serves the rate that clients request, where that is known."""
    return bool(e["fact.observed_or_measured_per_second"] >= _SERVED * e["observed.offered_per_second"])
