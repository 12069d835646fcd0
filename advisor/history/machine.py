"""What does a history say of a member's machine? CPUs, memory, and how busy they and the disk were over the time."""

from __future__ import annotations

from typing import Final

from advisor.evidence.member.builder import MemberBuilder
from advisor.model.monitoring.history import MemberHistory, Series

_MODES: Final = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
_LABEL: Final = "node_exporter"


def add_machine(builder: MemberBuilder, member: MemberHistory) -> None:
    """Facts of the machine, under the names that `host.json` of a bundle has."""
    idle = member.series.get("host.cpu_idle_seconds")
    if idle:
        builder.add_host("cpus", len(idle), "", _LABEL)
    for name in ("memory_bytes", "memory_available_bytes"):
        if series := member.series.get(f"host.{name}"):
            builder.add_host(name, int(series[0].values[-1]), "bytes", _LABEL)
    spent = {mode: _grown(member.series.get(f"host.cpu_{mode}_seconds", ())) for mode in _MODES}
    passed = sum(spent.values())
    if passed > 0:
        busy = passed - spent["idle"] - spent["iowait"]
        builder.add_host("cpu_util", round(busy / passed, 4), "fraction", _LABEL)
        builder.add_host("iowait", round(spent["iowait"] / passed, 4), "fraction", _LABEL)
    _add_disk(builder, member)


def _add_disk(builder: MemberBuilder, member: MemberHistory) -> None:
    """The only disk that did anything; of several none, as nothing tells which has the data."""
    disks = [series for series in member.series.get("host.disk_busy_seconds", ()) if _grown((series,)) > 0]
    if len(disks) != 1:
        return
    seconds = disks[0].at_seconds[-1] - disks[0].at_seconds[0]
    if seconds > 0:
        util = min(1.0, _grown((disks[0],)) / seconds)
        builder.add_host("disk_util", round(util, 4), "fraction", f"{_LABEL}, {disks[0].item}")


def _grown(series: tuple[Series, ...]) -> float:
    """Growth of all items together; a machine that was started again counts from its last start."""
    return sum(
        max(0.0, later - earlier) for one in series for earlier, later in zip(one.values, one.values[1:], strict=False)
    )
