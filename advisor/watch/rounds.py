"""What was read of a member in one round, and how much of it was handed on already?

A round is a reading as `advisor collect` makes it: settings first, counters every second, and at both ends what is read
seldom. So any round is evidence, and one that follows another leaves no gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from advisor.collect.member.recording import Recording
from advisor.model.evidence import Row
from advisor.model.record import record

Samples = Sequence[tuple[float, dict[str, str]]]
Tables = Sequence[tuple[float, dict[str, list[Row]]]]
_SETUP_READ_WITH: Final = 2  # samples: settings and what is read once come before the second one


@record
class Piece:
    """What is new of a member: times are seconds since the watch began. `setup`: the recording whose settings are new.

    `ended`: the recording of a round that is over, with what is read at its end.
    """

    samples: Samples = ()
    tables: Tables = ()
    setup: Recording | None = None
    ended: Recording | None = None


@dataclass(slots=True)
class Round:
    """A recording that is being made, or was."""

    recording: Recording
    over: bool = False
    samples_taken: int = 0
    tables_taken: int = 0
    setup_taken: bool = False
    end_taken: bool = False

    def take(self) -> Piece:
        """What was read since the last time. The reader may add to the recording meanwhile."""
        over, recording = self.over, self.recording  # `over` first: all that was read before is then in what follows
        samples, tables = recording.samples[self.samples_taken :], recording.tables[self.tables_taken :]
        self.samples_taken += len(samples)
        self.tables_taken += len(tables)
        setup = None
        if not self.setup_taken and (self.samples_taken >= _SETUP_READ_WITH or (over and recording.variables)):
            self.setup_taken, setup = True, recording
        ended = recording if over and not self.end_taken else None
        self.end_taken = over
        return Piece(samples, tables, setup, ended)


def joined(recordings: Sequence[Recording]) -> Recording:
    """One recording of rounds that followed each other; what is known once is that of the last that was reached."""
    reached = [each for each in recordings if each.reached] or list(recordings[-1:])
    last = reached[-1]
    return Recording(
        name=last.name,
        account=last.account,
        variables=last.variables or reached[0].variables,
        samples=[sample for each in reached for sample in each.samples],
        once=last.once or reached[0].once,
        tables=[table for each in reached for table in each.tables],
        innodb_status=last.innodb_status or reached[0].innodb_status,
        host={name: value for each in reached for name, value in each.host.items()},
        option_files=last.option_files or reached[0].option_files,
        clock=last.clock,
        lacks=list(dict.fromkeys(lack for each in reached for lack in each.lacks)),
        failure=recordings[-1].failure,
    )


def shifted(recording: Recording, seconds: float) -> Recording:
    """The recording with times that are so much smaller."""
    return Recording(
        recording.name, recording.account, recording.variables,
        [(at - seconds, values) for at, values in recording.samples],
        recording.once,
        [(at - seconds, tables) for at, tables in recording.tables],
        recording.innodb_status, recording.host, recording.option_files, recording.clock, recording.lacks,
        recording.failure,
    )  # fmt: skip
