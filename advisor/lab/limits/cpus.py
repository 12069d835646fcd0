"""How is a member limited to its share of the CPUs? By a cgroup's quota, else by pinning it to whole CPUs.

A quota needs a cgroup that this user may create, usually only root. Without one, a whole number of CPUs is given by
affinity; half a CPU is not possible.
"""

from __future__ import annotations

import os
from typing import Final

from advisor.errors import LabError, UsageError
from advisor.lab.limits import cgroups
from advisor.model.record import record

_PERIOD_US: Final = 20_000  # short, so that a limited member is slow rather than stuttering
_LEAST: Final = 0.05


@record
class Share:
    """How a member is limited: the folder of its cgroup, or the CPUs it is pinned to."""

    group: str = ""
    cpus: tuple[int, ...] = ()


def parse_cpus(text: str, option: str) -> float:
    """A number of CPUs; UsageError, naming the option, when it is not a number or more than this machine has."""
    try:
        cpus = float(text)
    except ValueError:
        cpus = 0.0
    most = len(os.sched_getaffinity(0))
    if not _LEAST <= cpus <= most:
        raise UsageError(f"{option} {text}: must be a number of CPUs from {_LEAST} to {most}")
    return cpus


def share(lab: str, number: int, cpus: float) -> Share:
    """Prepare the share of a lab's member, counted from 1; LabError when neither way is possible."""
    group = cgroups.make(lab, number, "cpu", quota(cpus))
    if group:
        return Share(group=str(group))
    if cpus != int(cpus):
        raise LabError(
            f"a limit of {cpus:g} CPUs needs a cgroup, which cannot be created here",
            hint="run as root, or use a whole number of CPUs",
        )
    mine = sorted(os.sched_getaffinity(0))
    return Share(cpus=tuple(mine[((number - 1) * int(cpus) + index) % len(mine)] for index in range(int(cpus))))


def within(part: Share | None) -> tuple[str, ...]:
    """Words before a command that run it in its share, as the same process."""
    if part is None:
        return ()
    if part.group:
        return ("sh", "-c", 'echo $$ > "$0" && exec "$@"', f"{part.group}/cgroup.procs")
    return ("taskset", "--cpu-list", ",".join(map(str, part.cpus)))


def quota(cpus: float) -> dict[str, str]:
    """The files of a cgroup that allow this many CPUs; 0 allows all."""
    held = round(cpus * _PERIOD_US)
    if cgroups.first_version():
        return {"cpu.cfs_period_us": str(_PERIOD_US), "cpu.cfs_quota_us": str(held or -1)}
    return {"cpu.max": f"{held or 'max'} {_PERIOD_US}"}
