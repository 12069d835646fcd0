"""What is said of a member's disk: how long a sync takes, and its kind where the system can know it."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.collect.member.probes import device_type, fsync_ms, storage_type


def test_an_fsync_takes_some_time_and_a_folder_that_is_not_there_is_unknown(tmp_path: Path) -> None:
    taken = fsync_ms(tmp_path, 5)
    assert taken is not None
    assert 0.0 < taken < 5000
    assert fsync_ms(tmp_path / "none") is None
    assert list(tmp_path.iterdir()) == []


def disk(root: Path, place: str, **texts: str) -> Path:
    """A block device as /sys shows it; "device__model" is the file device/model."""
    folder = root / place
    folder.mkdir(parents=True)
    for name, text in texts.items():
        file = folder / name.replace("__", "/")
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8")
    return folder


# Places and models as Linux shows them of each kind of disk.
NVME = {"device__model": "SAMSUNG MZVL2512HCJQ-00B00", "device__transport": "pcie", "queue__rotational": "0"}
SATA = {"device__model": "ST4000NM0035-1V4", "queue__rotational": "1"}


@pytest.mark.parametrize(
    ("place", "texts", "kind"),
    [
        ("pci0/0000:01:00.0/nvme/nvme0/nvme0n1", NVME, "nvme"),
        ("fabrics/ctl/nvme1/nvme1n1", {**NVME, "device__transport": "tcp"}, ""),
        ("pci0/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda", SATA, "hdd"),
        ("pci0/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0/block/sdb", {**SATA, "queue__rotational": "0"}, "ssd"),
        ("pci0/0000:03:00.0/host7/rport-7:0-2/target7:0:0/7:0:0:1/block/sdc", SATA, ""),
        ("pci0/0000:00:05.0/virtio2/block/vda", {"queue__rotational": "1"}, ""),
        ("pci0/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda", {**SATA, "device__model": "QEMU HARDDISK"}, ""),
    ],
)
def test_the_kind_of_a_disk_is_said_only_where_the_system_can_know_it(
    tmp_path: Path, place: str, texts: dict[str, str], kind: str
) -> None:
    assert device_type(disk(tmp_path, place, **texts)) == kind


def test_a_partition_is_of_its_disk_and_a_volume_of_disks_that_are_alike(tmp_path: Path) -> None:
    fast = disk(tmp_path, "pci0/nvme/nvme0/nvme0n1", **NVME)
    slow = disk(tmp_path, "pci0/ata1/host0/block/sda", **SATA)
    part = disk(tmp_path, "pci0/nvme/nvme0/nvme0n1/nvme0n1p2", partition="2")
    volume = disk(tmp_path, "virtual/block/dm-0", dm__name="vg-data")
    (volume / "slaves").mkdir()
    (volume / "slaves/nvme0n1p2").symlink_to(part)
    assert device_type(volume) == device_type(part) == device_type(fast) == "nvme"
    (volume / "slaves/sda").symlink_to(slow)
    assert device_type(volume) == ""


def test_a_virtual_machine_does_not_know_what_its_disks_are(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text("flags : fpu vme hypervisor lahf_lm\n", encoding="utf-8")
    assert storage_type(str(tmp_path), str(tmp_path)) == ""
    assert storage_type(str(tmp_path / "none"), str(tmp_path)) == ""
