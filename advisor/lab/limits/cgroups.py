"""How does the kernel limit a member's server? By a cgroup for each, where one can be created (usually as root).

Groups are called `advisor-LAB-m1`, … below the folder of each controller (first version), or once (second version).
They are not recorded anywhere, but found by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from advisor.errors import LabError

_TOP: Final = Path("/sys/fs/cgroup")
CONTROLLERS: Final = ("cpu", "blkio")


def first_version() -> bool:
    """Whether controllers have folders of their own here."""
    return (_TOP / "cpu").is_dir()


def folder(lab: str, number: int, controller: str) -> Path:
    """The cgroup of a lab's member, counted from 1, for "cpu" or "blkio"; whether it exists or not."""
    top = _TOP / controller if first_version() else _TOP
    return top / f"advisor-{lab}-m{number}"


def make(lab: str, number: int, controller: str, files: Mapping[str, str]) -> Path | None:
    """The cgroup with these files written, in their order; None where that is not possible."""
    place = folder(lab, number, controller)
    try:
        existed = place.exists()
        place.mkdir(exist_ok=True)
    except OSError:
        return None
    try:
        for file, text in files.items():
            (place / file).write_text(text, encoding="ascii")
    except OSError:  # the controller is not delegated to our cgroups
        if not existed:
            place.rmdir()
        return None
    return place


def join(place: Path, pid: int) -> None:
    """Move a process, with all its threads, into a cgroup."""
    try:
        (place / "cgroup.procs").write_text(str(pid), encoding="ascii")
    except OSError as error:
        raise LabError(f"cannot move process {pid} into {place}: {error.strerror}") from None


def remove(lab: str) -> None:
    """Remove the groups of a lab whose processes have ended."""
    name = re.compile(rf"advisor-{re.escape(lab)}-m\d+")
    tops = [_TOP / controller for controller in CONTROLLERS] if first_version() else [_TOP]
    for place in [place for top in tops for place in top.glob("advisor-*") if name.fullmatch(place.name)]:
        place.rmdir()
