"""What kind of disk holds the data of a server on this machine? Said only where the system's own word can be relied on.

A virtual disk says what its host likes (virtio disks "turn" whatever lies below them), and so does a disk of a storage
network: on a virtual machine, and for anything but NVMe on PCIe and disks on a SATA port, nothing is said.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_EMULATED: Final = ("qemu", "vbox", "vmware", "virtual")


def storage_of(folder: str, root: str = "/") -> str:
    """ "nvme", "ssd" or "hdd", alike for all disks below the folder's file system; "" where that is not known.

    `root` is where /proc and /sys are looked up.
    """
    try:
        device = os.stat(folder).st_dev
        words = Path(root, "proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    if "hypervisor" in words.split():  # the flag by which x86 guests are told that they are
        return ""
    return kind_of(Path(root, f"sys/dev/block/{os.major(device)}:{os.minor(device)}"))


def kind_of(place: Path) -> str:
    """The kind of one block device: of what it is made of (device mapper, RAID), of the disk a partition is on."""
    below = sorted(place.glob("slaves/*"))
    if below:
        kinds = {kind_of(one) for one in below}
        return kinds.pop() if len(kinds) == 1 else ""
    disk = place.resolve()
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
