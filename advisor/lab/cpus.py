"""How is a member held to its share of the processors? By a quota of a control group, else by pinning to whole ones.

A quota needs a control group this user may make: root's, as a rule. Without one, a whole number of processors is given
by affinity; half a processor cannot be.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from advisor.errors import LabError, UsageError
from advisor.model.record import record

_PERIOD_US: Final = 20_000  # short, so that a member held back is slow rather than stuttering
_LEAST: Final = 0.05
_FIRST_VERSION: Final = Path("/sys/fs/cgroup/cpu")
_SECOND_VERSION: Final = Path("/sys/fs/cgroup")


@record
class Share:
    """How a member is held: the folder of its control group, or the processors it is pinned to."""

    group: str = ""
    processors: tuple[int, ...] = ()


def parse_cpus(text: str) -> float:
    """A number of processors, UsageError when it is none or more than there are."""
    try:
        cpus = float(text)
    except ValueError:
        cpus = 0.0
    most = len(os.sched_getaffinity(0))
    if not _LEAST <= cpus <= most:
        raise UsageError(f"{text!r} is no number of processors", hint=f"from {_LEAST} to {most} on this machine")
    return cpus


def share(lab: str, number: int, cpus: float) -> Share:
    """Prepare the share of a lab's member, counted from 1; LabError when neither way can give it."""
    group = _make_group(f"advisor-{lab}-m{number}", cpus)
    if group:
        return Share(group=group)
    if cpus != int(cpus):
        raise LabError(
            f"{cpus:g} processors need a control group, and none can be made here",
            hint="run as root, or ask for a whole number, which is given by affinity",
        )
    mine = sorted(os.sched_getaffinity(0))
    return Share(processors=tuple(mine[((number - 1) * int(cpus) + index) % len(mine)] for index in range(int(cpus))))


def within(part: Share | None) -> tuple[str, ...]:
    """Words before a command that run it in its share, as the same process: whoever repeats them gets the same."""
    if part is None:
        return ()
    if part.group:
        return ("sh", "-c", 'echo $$ > "$0" && exec "$@"', f"{part.group}/cgroup.procs")
    return ("taskset", "--cpu-list", ",".join(map(str, part.processors)))


def remove_groups(lab: str) -> None:
    """Remove the groups of a lab whose processes have ended; they are known by their names."""
    name = re.compile(rf"advisor-{re.escape(lab)}-m\d+")
    top = _top()
    for folder in [place for place in top.glob("advisor-*") if name.fullmatch(place.name)]:
        folder.rmdir()


def _top() -> Path:
    return _FIRST_VERSION if _FIRST_VERSION.is_dir() else _SECOND_VERSION


def _make_group(name: str, cpus: float) -> str:
    """The folder of a new control group with a quota; "" where none can be made."""
    quota = round(cpus * _PERIOD_US)
    files = {"cpu.max": f"{quota} {_PERIOD_US}"}
    if _top() == _FIRST_VERSION:
        files = {"cpu.cfs_period_us": str(_PERIOD_US), "cpu.cfs_quota_us": str(quota)}
    folder = _top() / name
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return ""
    try:
        for file, text in files.items():
            (folder / file).write_text(text, encoding="ascii")
    except OSError:  # the controller is not handed down to groups of ours
        folder.rmdir()
        return ""
    return str(folder)
