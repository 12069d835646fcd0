"""What is kept when something happened? A bundle of the minute before it, and of some seconds after it."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.pseudonyms import Pseudonyms
from advisor.collect.bundle.redacted_recordings import redact
from advisor.collect.bundle.save import archive
from advisor.collect.bundle.stated_roles import complete
from advisor.collect.targets import ClusterTarget
from advisor.errors import AdvisorError
from advisor.ring.writer import RingWriter
from advisor.watch.conditions import Happened
from advisor.watch.evidence import gathered_from
from advisor.watch.members import MemberReading
from advisor.watch.rounds import joined

AFTER_SECONDS: Final = 10.0
_END_SECONDS: Final = 25.0  # a server that hangs answers or not within 20 s


class Incidents:
    """Makes one bundle at a time. `tell` gets a line for each that is kept, and for each that is not.

    `step` is called each second, after the readings were taken.
    """

    def __init__(
        self,
        target: ClusterTarget,
        ring: RingWriter,
        readings: Sequence[MemberReading],
        tell: Callable[[str], None],
        *,
        keep_names: bool = False,
    ) -> None:
        self._target, self._ring, self._readings, self._tell = target, ring, readings, tell
        self._keep_names = keep_names
        self._pending: Happened | None = None
        self._ending_since: float | None = None
        self._rounds: dict[str, int] = {}
        self._packing: threading.Thread | None = None
        self._packed: tuple[Happened, bytes | str] | None = None
        self.kept = 0

    @property
    def busy(self) -> bool:
        """Whether a bundle is being made."""
        return self._pending is not None or self._packing is not None

    def begin(self, happened: Happened) -> None:
        """Keep a bundle of this; what happens while another one is being made is in that one."""
        where = f"{happened.member}: {happened.condition}"
        if self.busy:
            self._tell(f"{where}: the bundle that is being made will include this")
            return
        self._tell(f"{where}: a bundle will be kept")
        self._pending = happened

    def step(self, now: float, epoch_seconds: float) -> None:
        """Go on: end the round when enough was read after it, pack in a thread, write to the ring."""
        if self._packed is not None:
            self._write(*self._packed)
            self._packed = self._packing = None
        if self._pending is None or now < self._pending.at_seconds + AFTER_SECONDS:
            return
        if self._ending_since is None:
            self._ending_since = time.monotonic()
            self._rounds = {reading.name: reading.rounds_over for reading in self._readings}
            for reading in self._readings:
                reading.end_round()
        ended = all(reading.rounds_over > self._rounds[reading.name] for reading in self._readings)
        if ended or time.monotonic() > self._ending_since + _END_SECONDS:
            self._pack(self._pending, epoch_seconds)
            self._pending = self._ending_since = None

    def finish(self, epoch_seconds: float) -> None:
        """Write what is being made, before the watch ends: with what was read until now."""
        if self._pending is not None:
            self._pack(self._pending, epoch_seconds)
            self._pending = None
        if self._packing is not None:
            self._packing.join()
        if self._packed is not None:
            self._write(*self._packed)
            self._packed = self._packing = None

    def _pack(self, happened: Happened, epoch_seconds: float) -> None:
        recordings = [joined(rounds) for reading in self._readings if (rounds := reading.last_rounds())]

        def packed() -> None:
            try:
                gathered, target = gathered_from(recordings, epoch_seconds), self._target
                if not self._keep_names:
                    gathered, target = redact(gathered, target, Pseudonyms(os.urandom(16)))
                files = complete(pack(gathered, target, redacted=not self._keep_names), target)
                self._packed = happened, archive(files)
            except AdvisorError as error:
                self._packed = happened, error.message

        self._packing = threading.Thread(target=packed, name="bundle", daemon=True)
        self._packing.start()

    def _write(self, happened: Happened, packed: bytes | str) -> None:
        where = f"{happened.member}: {happened.condition}"
        if isinstance(packed, str):
            self._tell(f"{where}: no bundle was kept: {packed}")
            return
        path: Path | None = self._ring.keep_bundle(file_name(happened), packed)
        if path is None:
            self._tell(f"{where}: no bundle was kept: there is no room for {len(packed) / 1024:.0f} KiB")
            return
        self.kept += 1
        self._tell(f"{where}: the bundle is {path}")


def file_name(happened: Happened) -> str:
    """The name of an incident's bundle: its time (UTC) and its condition."""
    words = re.sub(r"[^A-Za-z0-9_.]+", "-", happened.condition.replace(">", "above").replace("<", "below")).strip("-")
    return f"{datetime.fromtimestamp(happened.at_seconds, UTC):%Y%m%dT%H%M%SZ}-{words[:60]}.tar.gz"
