"""What makes a measurement less reliable? The client, the machine, a member that was lost, an unsteady run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.bench.measure.steady import member_names
from advisor.model.measurement import Measurement, Second

CLIENT_SHARE: Final = 0.6  # of the CPUs its threads can use; from there on the client may be the bottleneck
MACHINE_SHARE: Final = 0.9  # of all CPUs
FSYNC_RATIO: Final = 2.0  # between before and after


def warnings_of(measurement: Measurement, measured: Sequence[Second], unsteady: str, changed: str) -> tuple[str, ...]:
    """Sentences for the report, the most serious first."""
    warnings = [*_lost(measured)]
    if unsteady:
        warnings.append(f"no steady state was reached before measuring: {unsteady}")
    if changed:
        warnings.append(f"the run was not steady while measuring: {changed}")
    client, machine = measurement.host.get("client_cpu_share"), measurement.host.get("cpu_share")
    usable = min(1.0, measurement.load.threads / measurement.host.get("cpus", 1.0))
    if client is not None and client >= CLIENT_SHARE * usable:
        warnings.append(
            f"the load generator used {client:.0%} of this machine's CPUs: it may be the limit, not the database"
        )
    if machine is not None and machine >= MACHINE_SHARE:
        warnings.append(f"this machine's CPUs were {machine:.0%} busy: they are the limit, not any single setting")
    before, after = measurement.host.get("fsync_ms_before", 0.0), measurement.host.get("fsync_ms_after", 0.0)
    if min(before, after) > 0 and max(before, after) / min(before, after) >= FSYNC_RATIO:
        warnings.append(
            f"fsync took {before:.2g} ms before the run and {after:.2g} ms after it: the disk's speed changed"
        )
    return tuple(warnings)


def _lost(measured: Sequence[Second]) -> list[str]:
    warnings = []
    for name in member_names(measured):
        rows = [row for second in measured for row in second.members if row.member == name]
        failed = [row for row in rows if row.error]
        if failed:
            warnings.append(f"{name} did not answer {len(failed)} of {len(rows)} times: {failed[0].error}")
        if any(row.reset for row in rows):
            warnings.append(f"{name} was restarted, or its counters were reset, during the run")
        roles = list(dict.fromkeys(str(row.role) for row in rows if not row.error))
        if len(roles) > 1:
            warnings.append(f"{name} changed its role during the run: {', '.join(roles)}")
    return warnings
