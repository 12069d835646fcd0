"""What is reported about the machine, the storage and the load?"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
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


@fact()
def rows_examined_ratio(e: MemberFacts) -> float:
    """Rows examined per row sent or changed, the maximum over statements; else as observed."""
    ratios = []
    for row in (*e.rows("stmts_top"), *e.rows("events_statements_summary_by_digest")):
        cells = {key.lower(): value for key, value in row.items()}
        examined = cells.get("sum_rows_examined")
        useful = [cells.get(name) for name in ("sum_rows_sent", "sum_rows_affected")]
        known = [value for value in useful if isinstance(value, int | float)]
        if isinstance(examined, int | float) and len(known) == len(useful) and examined >= _MANY_ROWS:
            ratios.append(examined / max(1, sum(known)))
    observed = [f.value for n, f in e.member.observed.items() if n.startswith(("explain_rows", "rows_examined"))]
    numbers = [float(value) for value in observed if isinstance(value, int | float)]
    returned = e.get("observed.rows_returned", 1)
    if numbers and isinstance(returned, int | float):
        ratios.append(max(numbers) / max(1, returned))
    if not ratios:
        raise NeedsError(Missing(("stmts_top",)))
    return float(max(ratios))


_MANY_ROWS: Final = 10_000
_MANY_SCANNED: Final = 100_000


@fact()
def handler_scans_per_row(e: MemberFacts) -> float:
    """Rows read in scans (Handler_read_rnd_next) per row written, updated or deleted; 0 below 100000 rows per second.

    Tables of the server that the collector reads count here, too.
    """
    if e["rate.Handler_read_rnd_next"] < _MANY_SCANNED:
        return 0.0
    written = sum(e[f"rate.Handler_{kind}"] for kind in ("write", "update", "delete"))
    return float(e["rate.Handler_read_rnd_next"] / max(1.0, written))
