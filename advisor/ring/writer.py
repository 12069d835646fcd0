"""How is a recording appended within its bounds? The oldest files go first; on a full disk it waits for room.

A block is written with one `write`. What was written only in part is cut off at once, or by the next start after a
crash, so a segment that is kept has no torn end. Nothing is synced: after a power cut the last half minute, which the
operating system had not written yet, can be missing.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from advisor.errors import UsageError, WriteError
from advisor.model.record import record
from advisor.ring.blocks import FORMAT, block, whole_bytes
from advisor.ring.folder import BUNDLES, name_of, room, segments

LEAST_BYTES: Final = 16 << 20  # a quarter of an hour of three members, and a bundle
_SEGMENTS: Final = 24  # so removing the oldest one takes little
_BUNDLES_SHARE: Final = 4  # one part in four is for bundles
_LEFT_ON_A_FULL_DISK: Final = 3  # segments: more would be lost to whatever fills the disk
_ROOM_FOR: Final = 16  # entries, before recording goes on
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@record
class RingBounds:
    """For how long, and how many bytes of disk at most, a ring keeps."""

    keep_seconds: float
    most_bytes: int


class RingWriter:
    """Appends to the ring in a folder, alone; `close` it at the end. `tell` gets a line when it stops or resumes.

    The first entry of a segment must be readable without earlier ones: `begins` says when that is due. UsageError when
    another process writes the ring, WriteError when the folder cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        bounds: RingBounds,
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder, self._bounds, self._tell, self._clock = folder, bounds, tell, clock
        self._stream = -1
        self._first = b""
        self._begun_seconds = self._last_seconds = 0.0
        self._written = 0
        self._stopped = ""
        self._lock = self._open()
        every = segments(folder)
        self._next_number = every[-1].number + 1 if every else 1
        self._segments = [(segment.path, segment.begin_seconds, _size(segment.path)) for segment in every]
        kept = (path for path in (folder / BUNDLES).iterdir() if path.is_file())
        self._bundles = sorted(((path, _size(path)) for path in kept), key=lambda pair: pair[0].stat().st_mtime)
        self._keep_within(0)

    def _open(self) -> int:
        try:
            (self._folder / BUNDLES).mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise WriteError(f"cannot be written: {error.strerror}", file=str(self._folder)) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            hint = "name another folder with --ring"
            raise UsageError(f"another advisor watch records into {self._folder}", hint=hint) from None
        for unfinished in (self._folder / BUNDLES).glob("*.new"):
            unfinished.unlink(missing_ok=True)
        _cut_torn_end(self._folder)
        return lock

    @property
    def begins(self) -> bool:
        """Whether the next entry begins a segment."""
        return (
            self._stream < 0
            or self._written >= self._bounds.most_bytes // _SEGMENTS
            or self._clock() - self._begun_seconds >= self._bounds.keep_seconds / _SEGMENTS
            or self._clock() < self._last_seconds - 1  # the clock was set back
        )

    @property
    def used_bytes(self) -> int:
        """The room that everything in the ring takes."""
        return sum(size for _, _, size in self._segments) + sum(size for _, size in self._bundles) + room(1)  # the lock

    @property
    def stopped(self) -> str:
        """Why nothing is recorded at present; "" while it is."""
        return self._stopped

    def append(self, entry: bytes) -> bool:
        """Write an entry, after removing what has to go; False when there is no room, and nothing was written.

        On a full disk the newest segments stay; recording goes on when there is room for more than one entry.
        """
        if self._stopped and not self._has_room(_ROOM_FOR * len(entry)):
            return False
        begins = self.begins
        framed = block(entry, b"" if begins else self._first)
        while True:
            try:
                self._append(framed, entry if begins else b"")
            except OSError as error:
                self._drop_part()
                if error.errno in _FULL and self._free_oldest(but=_LEFT_ON_A_FULL_DISK):
                    continue
                self._stop(error.strerror or str(error))
                return False
            if self._stopped:
                self._stopped = ""
                self._tell("recording continues")
            return True

    def keep_bundle(self, name: str, data: bytes) -> Path | None:
        """Write a bundle of an incident as a whole; None when there is no room for it.

        Bundles take a quarter of the ring at most; the oldest ones go first.
        """
        most = self._bounds.most_bytes // _BUNDLES_SHARE
        if room(len(data)) > most:
            return None
        while self._bundles and sum(size for _, size in self._bundles) + room(len(data)) > most:
            self._bundles.pop(0)[0].unlink(missing_ok=True)
        self._keep_within(room(len(data)))
        path = self._folder / BUNDLES / name
        new = path.with_name(f"{name}.new")
        while True:
            try:
                _write_whole(new, data)
                new.replace(path)
            except OSError as error:
                new.unlink(missing_ok=True)
                if error.errno in _FULL and self._free_oldest(but=_LEFT_ON_A_FULL_DISK):
                    continue
                return None
            self._bundles.append((path, room(len(data))))
            return path

    def close(self) -> None:
        """End the segment, on disk, and let others write the ring."""
        if self._stream >= 0:
            os.fsync(self._stream)
            os.close(self._stream)
            self._stream = -1
        os.close(self._lock)

    def _append(self, framed: bytes, first: bytes) -> None:
        """Write a block; `first`: the entry that begins a segment with it, b"" to continue."""
        if first:
            self._end_segment()
            framed = FORMAT + framed
        self._keep_within(room(self._written + len(framed)) - room(self._written))
        if first:
            self._begin_segment(first)
        done = 0
        while done < len(framed):
            done += os.write(self._stream, framed[done:])
        self._written += len(framed)
        self._last_seconds = self._clock()
        path, begun, _ = self._segments[-1]
        self._segments[-1] = (path, begun, room(self._written))

    def _begin_segment(self, first: bytes) -> None:
        now = self._clock()
        path = self._folder / name_of(self._next_number, now)
        self._stream = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self._next_number += 1
        self._first, self._begun_seconds = first, now
        self._segments.append((path, now, 0))

    def _end_segment(self) -> None:
        if self._stream >= 0:
            os.close(self._stream)
        self._stream, self._written, self._first = -1, 0, b""

    def _drop_part(self) -> None:
        """Cut off a block that was not written whole; a segment that would be empty goes."""
        if self._stream < 0:
            return
        os.ftruncate(self._stream, self._written)
        if not self._written:
            path, _, _ = self._segments.pop()
            path.unlink(missing_ok=True)
            self._end_segment()

    def _keep_within(self, more: int) -> None:
        """Remove what is too old, and the oldest ones until `more` bytes fit."""
        oldest_end = self._clock() - self._bounds.keep_seconds
        while len(self._segments) > 1 and self._segments[1][1] < oldest_end:
            self._free_oldest(but=1)
        while self.used_bytes + more > self._bounds.most_bytes and self._free_oldest(but=1 if self._stream >= 0 else 0):
            pass

    def _free_oldest(self, but: int) -> bool:
        """Remove the oldest segment; False when only the newest `but` are left."""
        if len(self._segments) <= but:
            return False
        self._segments.pop(0)[0].unlink(missing_ok=True)
        return True

    def _has_room(self, size: int) -> bool:
        try:
            free = os.statvfs(self._folder)
        except OSError:
            return False  # the folder is gone, or its disk
        return free.f_bavail * free.f_frsize >= size

    def _stop(self, why: str) -> None:
        if not self._stopped:
            self._tell(f"nothing is recorded until {self._folder} can be written again: {why}")
        self._stopped = why


def _cut_torn_end(folder: Path) -> None:
    """Only the newest segment can have one: its writer was killed."""
    for segment in segments(folder)[-1:]:
        whole = whole_bytes(segment.path)
        if not whole:
            segment.path.unlink()
        elif whole < segment.path.stat().st_size:
            os.truncate(segment.path, whole)


def _size(path: Path) -> int:
    return room(path.stat().st_size)


def _write_whole(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
