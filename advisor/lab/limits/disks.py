"""Where does a member have a disk of its own? In a file of the lab, mounted as its data directory: root's to make.

It is a file system (ext4) on a loop device, so that what is synced reaches the machine's disk as before, and so that it
may run full without anybody else's room being touched. The file has holes: it takes what is written into it.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from pathlib import Path
from typing import Final

from advisor.errors import LabError, MachineError, UsageError
from advisor.lab.network.namespaces import run

_SIZE: Final = re.compile(r"(\d+)([MGT])", re.IGNORECASE)
_LEAST: Final = 64 << 20
_BLOCK: Final = 4096
_MOUNTS: Final = Path("/proc/self/mountinfo")
_IMAGE: Final = "disk.img"
_SYS_ADMIN: Final = 21  # CAP_SYS_ADMIN of capabilities(7)


def parse_disk(text: str, option: str) -> int:
    """Bytes of "2G" or "700M"; UsageError, naming the option, for anything else."""
    match = _SIZE.fullmatch(text)
    size = int(match[1]) << {"M": 20, "G": 30, "T": 40}[match[2].upper()] if match else 0
    if not _LEAST <= size <= 1 << 50:
        raise UsageError(f"{option} {text}: not a disk size", hint="like 2G or 700M; at least 64M")
    return size


def why_not() -> str:
    """Why no disk can be made here; "" when one can."""
    if os.geteuid() != 0 or not _may_mount():
        return "mounting is root's, and a container's root may not as a rule"
    if not os.path.exists("/dev/loop-control"):
        return "there are no loop devices"
    lacking = [program for program in ("mkfs.ext4", "mount", "umount") if not shutil.which(program)]
    return f"{' and '.join(lacking)} not found" if lacking else ""


def _may_mount() -> bool:
    rows = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    effective = next((int(row.split()[1], 16) for row in rows if row.startswith("CapEff:")), 0)
    return bool(effective >> _SYS_ADMIN & 1)


def make(data: Path, size: int) -> None:
    """A new data directory, empty, with a disk of `size` bytes of its own. LabError when it cannot be."""
    image = data.with_name(_IMAGE)
    data.mkdir(mode=0o700)
    with open(image, "wb") as stream:
        os.truncate(stream.fileno(), size)
    run(["mkfs.ext4", "-q", "-F", "-m", "0", str(image)])  # nothing kept back for root, whom the server may run as
    run(["mount", "-o", "loop", str(image), str(data)])
    (data / "lost+found").rmdir()  # servers take a folder for a schema
    data.chmod(0o700)


def own(data: Path) -> bool:
    """Whether a data directory is on a disk of its own."""
    return data.is_dir() and os.path.ismount(data)


def remove(folder: Path) -> None:
    """Unmount every disk in a lab's folder; OSError while one is in use."""
    for place in _mounted(folder):
        try:
            run(["umount", str(place)])
        except MachineError:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(place)) from None


def _mounted(folder: Path) -> list[Path]:
    """The last one first. The kernel writes blanks as three octal digits."""
    rows = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    places = (Path(re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), row.split()[4])) for row in rows)
    return [place for place in reversed(list(places)) if folder.resolve() in place.parents]


def fill(ballast: Path, leave_bytes: int) -> None:
    """Let a file take all the room of its disk but for so much; UsageError where less than that is free already."""
    if (free := _free(ballast.parent)) < leave_bytes:
        raise UsageError(f"{free >> 20} MB are free on that disk, fewer than the {leave_bytes >> 20} that are to stay")
    with open(ballast, "ab") as stream:
        size, step = 0, _free(ballast.parent) - leave_bytes
        while step >= _BLOCK:
            try:
                os.posix_fallocate(stream.fileno(), size, step)
                size += step
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise LabError(f"cannot fill {ballast.parent}: {error.strerror}") from None
                step //= 2  # the file system needs some for itself
            step = min(step, _free(ballast.parent) - leave_bytes)


def _free(place: Path) -> int:
    found = os.statvfs(place)
    return found.f_bavail * found.f_frsize
