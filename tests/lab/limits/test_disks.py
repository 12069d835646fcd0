"""A disk of a member's own: how large, how it runs full, and that nothing of it stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from advisor.errors import UsageError
from advisor.lab.limits import disks


def test_a_size_is_a_number_with_a_unit():
    assert [disks.parse_disk(text, "--disk") for text in ("64M", "2G", "1t")] == [64 << 20, 2 << 30, 1 << 40]
    for text in ("", "2", "2GB", "63M", "-1G", "2000000T", "1.5G"):
        with pytest.raises(UsageError, match="--disk"):
            disks.parse_disk(text, "--disk")


def test_what_is_mounted_nowhere_is_no_disk_of_its_own(tmp_path: Path):
    assert not disks.own(tmp_path)
    assert not disks.own(tmp_path / "nothing")
    disks.remove(tmp_path)


@pytest.mark.skipif(bool(disks.why_not()), reason=f"no disks here: {disks.why_not()}")
def test_a_disk_runs_full_and_goes_without_a_trace(tmp_path: Path):
    place = tmp_path / "a lab" / "m1"
    place.mkdir(parents=True)
    data = place / "data"
    disks.make(data, 64 << 20)
    try:
        assert disks.own(data)
        assert list(data.iterdir()) == []
        assert data.stat().st_mode & 0o777 == 0o700
        disks.fill(data / "part", 20 << 20)
        found = os.statvfs(data)
        assert 19 << 20 < found.f_bavail * found.f_frsize <= 20 << 20
        disks.fill(data / "rest", 0)
        with pytest.raises(OSError, match="No space left"):
            (data / "more").write_bytes(b"x" * 1_000_000)
        with open(data / "more", "rb"), pytest.raises(OSError, match="busy"):
            disks.remove(place.parent)
    finally:
        disks.remove(place.parent)
    assert not disks.own(data)
    assert list(data.iterdir()) == []
    image = place / "disk.img"
    attached = [each.read_text() for each in Path("/sys/block").glob("loop*/loop/backing_file")]
    assert f"{image}\n" not in attached
