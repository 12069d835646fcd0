"""A ring stays within its bounds, loses no whole entry, and goes on after a crash and after a full disk."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import UsageError
from advisor.ring.blocks import Torn, entries
from advisor.ring.folder import BUNDLES, room, segments
from advisor.ring.writer import RingBounds, RingWriter

KIB = 1024


def disk_used(folder: Path) -> int:
    """Every file of the folder in blocks of a disk."""
    return sum(room(path.stat().st_size) for path in folder.rglob("*") if path.is_file())


def everything(folder: Path) -> list[bytes]:
    found = [entry for segment in segments(folder) for entry in entries(segment.path)]
    assert not [entry for entry in found if isinstance(entry, Torn)]
    return [entry for entry in found if isinstance(entry, bytes)]


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1_795_000_000.0

    def __call__(self) -> float:
        return self.now


@settings(max_examples=10)
@given(
    steps=st.lists(st.tuples(st.integers(1, 16 * KIB), st.floats(0.1, 90), st.booleans()), min_size=1, max_size=40),
    most=st.integers(100, 300),
    keep=st.floats(20, 2000),
)
def test_a_ring_never_takes_more_than_its_bound_and_keeps_what_is_newest(
    steps: list[tuple[int, float, bool]], most: int, keep: float
) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, clock = Path(place), Clock()
        writer = RingWriter(folder, RingBounds(keep, most * KIB), print, clock)
        written = []
        for number, (size, seconds, bundle) in enumerate(steps):
            clock.now += seconds
            written.append(number.to_bytes(4, "big") + os.urandom(size))
            assert writer.append(written[-1])
            if bundle:
                writer.keep_bundle(f"{number}.tar.gz", os.urandom(size))
            assert disk_used(folder) <= most * KIB
            assert disk_used(folder) <= writer.used_bytes <= most * KIB
        kept = everything(folder)
        assert kept == written[len(written) - len(kept) :]
        assert kept[-1] == written[-1]
        oldest = segments(folder)[1:2]
        assert not oldest or oldest[0].begin_seconds >= clock.now - keep - 1
        writer.close()


def test_a_torn_end_is_cut_off_and_the_next_start_goes_on_behind_it(tmp_path: Path) -> None:
    writer = RingWriter(tmp_path, RingBounds(3600, 1 << 24), print)
    for number in range(5):
        assert writer.append(b"entry %d" % number)
    writer.close()
    (segment,) = segments(tmp_path)
    whole = segment.path.read_bytes()
    for cut in (len(whole) - 1, len(whole) - 20):
        segment.path.write_bytes(whole[:cut])
        torn = [entry for entry in entries(segment.path) if isinstance(entry, Torn)]
        assert len(torn) == 1
    writer = RingWriter(tmp_path, RingBounds(3600, 1 << 24), print)
    assert writer.append(b"after the crash")
    writer.close()
    kept = everything(tmp_path)
    assert kept == [*(b"entry %d" % number for number in range(len(kept) - 1)), b"after the crash"]
    assert len(kept) in (4, 5)


def test_a_segment_without_a_whole_block_is_removed(tmp_path: Path) -> None:
    writer = RingWriter(tmp_path, RingBounds(3600, 1 << 24), print)
    writer.append(b"only")
    writer.close()
    (segment,) = segments(tmp_path)
    segment.path.write_bytes(segment.path.read_bytes()[:10])
    RingWriter(tmp_path, RingBounds(3600, 1 << 24), print).close()
    assert segments(tmp_path) == []


def test_two_writers_cannot_share_a_ring(tmp_path: Path) -> None:
    writer = RingWriter(tmp_path, RingBounds(3600, 1 << 24), print)
    with pytest.raises(UsageError, match="another advisor watch"):
        RingWriter(tmp_path, RingBounds(3600, 1 << 24), print)
    writer.close()
    RingWriter(tmp_path, RingBounds(3600, 1 << 24), print).close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte, where this user may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=1m", "advisor-test", str(place)]
    done = subprocess.run(["mount", *options], capture_output=True, check=False) if sys.platform == "linux" else None
    if done is None or done.returncode:
        pytest.skip("only root can mount a small disk")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_on_a_full_disk_the_oldest_go_then_it_waits_says_so_once_and_goes_on(small_disk: Path) -> None:
    told: list[str] = []
    clock = Clock()
    folder = small_disk / "ring"
    writer = RingWriter(folder, RingBounds(240, 1 << 24), told.append, clock)
    for number in range(20):  # ten seconds to a segment
        clock.now += 6
        assert writer.append(bytes([number]) + os.urandom(30 * KIB))
    before = len(everything(folder))
    other = small_disk / "other"
    other.write_bytes(os.urandom(300 * KIB))
    for number in range(20):
        clock.now += 6
        assert writer.append(bytes([100 + number]) + os.urandom(30 * KIB))
    assert told == [], "its oldest segments made room"
    assert 0 < len(everything(folder)) < before + 20
    with other.open("ab", buffering=0) as stream:
        for _ in range(40):
            fill(stream.fileno())
            clock.now += 6
            writer.append(bytes([200]) + os.urandom(30 * KIB))
    assert writer.stopped
    assert len(told) == 1
    assert "nothing is recorded until" in told[0]
    kept = everything(folder)
    other.unlink()
    assert writer.append(b"room again")
    assert told[1:] == ["recording continues"]
    assert everything(folder) == [*kept, b"room again"]
    writer.close()


def fill(descriptor: int) -> None:
    """Write until there is no room."""
    try:
        while os.write(descriptor, bytes(4 * KIB)):
            pass
    except OSError:
        pass


def test_a_bundle_that_is_too_large_or_finds_no_room_is_not_kept(tmp_path: Path) -> None:
    writer = RingWriter(tmp_path, RingBounds(3600, 400 * KIB), print)
    assert writer.keep_bundle("large.tar.gz", bytes(101 * KIB)) is None
    names = [f"{number}.tar.gz" for number in range(4)]
    for each in names:
        assert writer.keep_bundle(each, bytes(30 * KIB)) == tmp_path / BUNDLES / each
    assert sorted(path.name for path in (tmp_path / BUNDLES).iterdir()) == names[1:], "a quarter is for bundles"
    writer.close()
