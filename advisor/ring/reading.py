"""What did a ring keep of a time? Second by second, from the segments that are whole, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from advisor.errors import InputError
from advisor.model.record import record, replace
from advisor.ring.blocks import Torn, entries, last_entry
from advisor.ring.codec import Decoder
from advisor.ring.folder import Segment, in_time, segments
from advisor.ring.seconds import MemberSecond, Setup


@record
class KeptTime:
    """The epoch times between which a ring has something, or may have."""

    begin_seconds: float
    end_seconds: float

    def __str__(self) -> str:
        times = (self.begin_seconds, self.end_seconds)
        first, last = (datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M %Z") for at in times)
        return f"{first} to {last}"


def kept_time(folder: str | Path) -> KeptTime:
    """From the begin of the oldest segment to the last entry of the newest; InputError for an empty ring."""
    every = segments(Path(folder))
    for segment in reversed(every):
        last = last_entry(segment.path)
        if last is not None:
            return KeptTime(every[0].begin_seconds, Decoder().seconds(last)[-1].at_seconds)
    raise InputError("is not a recording of `advisor watch`", file=str(folder))


class RingReading:
    """The seconds of a ring from one epoch time to another, in order of time; 0 stands for no limit.

    The first second of each member has the setup that was known then. `problems` is complete when all was read. Where
    the clock was set back, what was written later is used for the time that was recorded twice.
    """

    def __init__(self, folder: str | Path, begin_seconds: float, end_seconds: float) -> None:
        self._folder, self._begin, self._end = Path(folder), begin_seconds, end_seconds
        self.problems: list[str] = []

    def __iter__(self) -> Iterator[MemberSecond]:
        """InputError when there is nothing of this time."""
        setups: dict[str, Setup] = {}
        begun: set[str] = set()
        for second in self._until_repeated():
            if second.setup:
                setups[second.member] = second.setup
            if second.at_seconds < self._begin or (self._end and second.at_seconds > self._end):
                continue
            first = second.member not in begun
            begun.add(second.member)
            yield replace(second, setup=setups.get(second.member)) if first else second
        if not begun:
            hint = f"it holds {kept_time(self._folder)}"
            raise InputError("has no data for this time", file=str(self._folder), hint=hint)

    def _until_repeated(self) -> Iterator[MemberSecond]:
        """Every segment up to the time at which a later one begins."""
        every = in_time(segments(self._folder), self._begin, self._end)
        for number, segment in enumerate(every):
            ends = min((later.begin_seconds for later in every[number + 1 :]), default=float("inf")) + 1
            repeated = 0
            for second in self._read(segment):
                if second.at_seconds < ends:
                    yield second
                else:
                    repeated += 1
            if repeated:
                self.problems.append(f"{segment.path.name}: the clock was set back; {repeated} readings are not used")

    def _read(self, segment: Segment) -> Iterator[MemberSecond]:
        decoder = Decoder()
        try:
            for entry in entries(segment.path):
                if isinstance(entry, Torn):
                    self.problems.append(f"{segment.path.name}: ends early, at byte {entry.at_byte}")
                    return
                yield from decoder.seconds(entry)
        except (InputError, KeyError, TypeError, ValueError) as error:
            reason = getattr(error, "message", "not a recording")
            self.problems.append(f"{segment.path.name}: {reason}; the rest is not used")
