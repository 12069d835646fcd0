"""What limits the worth of a measurement? The client, the machine, a member that was lost, an unsteady run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.bench.measure.steady import members
from advisor.model.measurement import Measurement, Second

CLIENT_SHARE: Final = 0.6  # of the processors its threads can use; beyond it the client is suspected
MACHINE_SHARE: Final = 0.9  # of all processors
FSYNC_RATIO: Final = 2.0  # between before and after


def doubts(found: Measurement, measured: Sequence[Second], unsteady: str, changed: str) -> tuple[str, ...]:
    """Sentences for the report, the gravest first."""
    said = [*_lost(measured)]
    if unsteady:
        said.append(f"no steady state was reached before measuring: {unsteady}")
    if changed:
        said.append(f"not steady while measuring: {changed}")
    client, machine = found.host.get("client_cpu_share"), found.host.get("cpu_share")
    usable = min(1.0, found.load.threads / found.host.get("cpus", 1.0))
    if client is not None and client >= CLIENT_SHARE * usable:
        said.append(f"the load generator used {client:.0%} of this machine: it may be the limit, not the database")
    if machine is not None and machine >= MACHINE_SHARE:
        said.append(f"this machine's processors were {machine:.0%} busy: they are the limit, not any one setting")
    before, after = found.host.get("fsync_ms_before", 0.0), found.host.get("fsync_ms_after", 0.0)
    if min(before, after) > 0 and max(before, after) / min(before, after) >= FSYNC_RATIO:
        said.append(f"fsync took {before:.2g} ms before and {after:.2g} ms after: the disk changed in mid-run")
    return tuple(said)


def _lost(measured: Sequence[Second]) -> list[str]:
    said = []
    for name in members(measured):
        rows = [row for second in measured for row in second.members if row.member == name]
        failed = [row for row in rows if row.error]
        if failed:
            said.append(f"{name} did not answer {len(failed)} times of {len(rows)}: {failed[0].error}")
        if any(row.reset for row in rows):
            said.append(f"{name} was restarted, or its counters were reset, in mid-run")
        roles = list(dict.fromkeys(str(row.role) for row in rows if not row.error))
        if len(roles) > 1:
            said.append(f"{name} changed its role in mid-run: {', '.join(roles)}")
    return said
