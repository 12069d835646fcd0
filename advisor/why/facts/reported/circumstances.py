"""What is reported about the machine, the storage, the load and the comparison?"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.why.facts.reported.tried_changes import entries, ratio

_SHARED: Final = ("shared", "same san", "one san", "nfs", "write-through", "write through", "degraded", "failed")
_LOAD: Final = frozenset(
    {"rows_per_transaction", "clients", "storage", "cpus", "memory_bytes", "data", "tables", "workload"}
)
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


@fact()
def swap_is_used(e: MemberFacts) -> bool:
    """Whether some swap space is in use."""
    return bool(e["host.swap_used_bytes"] > 0)


@fact()
def rate_asked_for_is_served(e: MemberFacts) -> bool:
    """Whether the server serves the rate that clients request, where that is known."""
    return bool(e["fact.observed_or_measured_per_second"] >= _SERVED * e["observed.offered_per_second"])


@fact()
def comparison_changed_several_things(e: MemberFacts) -> bool:
    """Whether every comparison changed the load or the machine together with the setting."""
    compared = [entry for entry in entries(e) if ratio(entry)]
    if not compared:
        raise NeedsError(Missing(("observed.tried",)))
    named = [set(map(str, w)) if isinstance(w := entry.get("what"), list | tuple) else {str(w)} for entry in compared]
    return all(len(what) > 1 and what & _LOAD for what in named)


@fact()
def data_sync_default_differs(e: MemberFacts) -> bool:
    """Whether both a flush method and a version were compared."""
    named = {str(entry.get("what")) for entry in entries(e)}
    return {"innodb_flush_method", "version"} <= named


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


@fact("share")
def coordinator_cpu_share(e: MemberFacts) -> float:
    """CPU use of the thread that schedules replicated transactions, as observed (`host.coordinator_cpu`)."""
    return float(e["host.coordinator_cpu"])
