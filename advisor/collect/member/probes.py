"""What is measured or looked up beyond queries? The member's clock, the time of an fsync, the kind of its disk."""

from __future__ import annotations

import os
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from advisor.client import Session
from advisor.collect.member.recording import Clock

_CLOCK_READINGS: Final = 5
_BLOCK_BYTES: Final = 4096
_EMULATED: Final = ("qemu", "vbox", "vmware", "virtual")


def measure_clock(session: Session) -> Clock:
    """How far the member's clock is ahead of ours, from the query with the shortest round trip of a few.

    The true difference lies within half a round trip of the result.
    """
    best = Clock(0.0, float("inf"))
    for _ in range(_CLOCK_READINGS):
        before, wall = time.monotonic(), time.time()
        server_time = datetime.fromisoformat(str(session.value("SELECT UTC_TIMESTAMP(6)"))).replace(tzinfo=UTC)
        half = (time.monotonic() - before) / 2
        if half < best.within_seconds:
            best = Clock(server_time.timestamp() - wall - half, half)
    return best


def fsync_ms(folder: Path, count: int = 40) -> float | None:
    """The median time of appending 4 KiB and fdatasync, in milliseconds; None where the folder cannot be written.

    The file has no name in the folder, so nothing is left behind.
    """
    times = []
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            for _ in range(count):
                began = time.perf_counter()
                os.write(file.fileno(), b"\0" * _BLOCK_BYTES)
                os.fdatasync(file.fileno())
                times.append((time.perf_counter() - began) * 1000)
    except OSError:
        return None
    return sorted(times)[len(times) // 2]


def storage_type(folder: str, root: str = "/") -> str:
    """ "nvme", "ssd" or "hdd" if all disks below the folder's file system are of that kind; "" where it is not known.

    Only NVMe on PCIe and disks on a SATA port, on a physical machine, are trusted: a virtual disk reports whatever its
    host chose (virtio disks are "rotational" whatever lies below them), and so does a disk of a storage network.
    `root` is where /proc and /sys are looked up.
    """
    try:
        device = os.stat(folder).st_dev
        words = Path(root, "proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    if "hypervisor" in words.split():  # the CPU flag that x86 guests see
        return ""
    return device_type(Path(root, f"sys/dev/block/{os.major(device)}:{os.minor(device)}"))


def device_type(device: Path) -> str:
    """The kind of one block device: of its parts (device mapper, RAID), or of the disk that a partition is on."""
    parts = sorted(device.glob("slaves/*"))
    if parts:
        kinds = {device_type(part) for part in parts}
        return kinds.pop() if len(kinds) == 1 else ""
    disk = device.resolve()
    if (disk / "partition").exists():
        disk = disk.parent
    model = _text(disk / "device/model").lower()
    if not model or any(word in model for word in _EMULATED):
        return ""
    if disk.name.startswith("nvme"):
        return "nvme" if _text(disk / "device/transport") == "pcie" else ""
    if not any(part.startswith("ata") for part in disk.parts):
        return ""
    return {"0": "ssd", "1": "hdd"}.get(_text(disk / "queue/rotational"), "")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
