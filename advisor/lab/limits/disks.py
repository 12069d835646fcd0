"""How does a member get a separate disk? As a file in the lab, mounted as its data directory; needs root.

It is an ext4 file system on a loop device, so that syncs reach the machine's disk as before, and it can run full
without filling anything else. The file is sparse: it takes as much space as is written into it.
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
        raise UsageError(f"{option} {text}: not a disk size", hint="e.g. 2G or 700M; at least 64M")
    return size


def why_not() -> str:
    """Why no disk can be created here; "" when one can."""
    if os.geteuid() != 0 or not _may_mount():
        return "mounting needs root, and most containers do not let even root mount"
    if not os.path.exists("/dev/loop-control"):
        return "there are no loop devices"
    lacking = [program for program in ("mkfs.ext4", "mount", "umount") if not shutil.which(program)]
    return f"{' and '.join(lacking)} not found" if lacking else ""


def _may_mount() -> bool:
    rows = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    effective = next((int(row.split()[1], 16) for row in rows if row.startswith("CapEff:")), 0)
    return bool(effective >> _SYS_ADMIN & 1)


def make(data: Path, size: int) -> None:
    """Create an empty data directory on a separate disk of `size` bytes. LabError when that fails."""
    image = data.with_name(_IMAGE)
    data.mkdir(mode=0o700)
    with open(image, "wb") as stream:
        os.truncate(stream.fileno(), size)
    run(["mkfs.ext4", "-q", "-F", "-m", "0", str(image)])  # nothing reserved for root, as whom the server may run
    run(["mount", "-o", "loop", str(image), str(data)])
    (data / "lost+found").rmdir()  # servers take a folder for a schema
    data.chmod(0o700)


def own(data: Path) -> bool:
    """Whether a data directory is on a separate disk."""
    return data.is_dir() and os.path.ismount(data)


def remove(folder: Path) -> None:
    """Unmount every disk in a lab's folder; OSError while one is in use."""
    for place in _mounted(folder):
        try:
            run(["umount", str(place)])
        except MachineError:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(place)) from None


def _mounted(folder: Path) -> list[Path]:
    """Mounts in the folder, the last one first. The kernel writes spaces as three octal digits."""
    rows = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    places = (Path(re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), row.split()[4])) for row in rows)
    return [place for place in reversed(list(places)) if folder.resolve() in place.parents]


def fill(ballast: Path, leave_bytes: int) -> None:
    """Fill a disk with a file until so much is free; UsageError where less than that is free already."""
    if (free := _free(ballast.parent)) < leave_bytes:
        raise UsageError(f"only {free >> 20} MB are free on that disk, less than free_megabytes={leave_bytes >> 20}")
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
    volume = os.statvfs(place)
    return volume.f_bavail * volume.f_frsize
