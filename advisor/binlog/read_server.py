"""What does a server's own binary log say? The counterpart of `read` for a server that is asked as a replica asks."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator

from advisor.annotations import Final
from advisor.binlog.changed_rows import Wanted
from advisor.binlog.events.checksums import checked
from advisor.binlog.events.table_map import TableMap
from advisor.binlog.events.walk import Event
from advisor.binlog.read import Notes, Period
from advisor.binlog.source.server_log import Place, SentEvent, begin_of_file, explained, log_files, sent_events
from advisor.binlog.transactions import TransactionReader
from advisor.client import connect
from advisor.errors import InputError, ServerError
from advisor.model.lab import Address
from advisor.model.record import record
from advisor.model.workload.log import LogFile, LogNote
from advisor.model.workload.transaction import Transaction

_ANSWER_SECONDS: Final = 60.0


@record
class Section:
    """From where to where the log is read, in bytes; what is committed meanwhile is not read."""

    begin: Place
    end: Place


class ServerLogReading:
    """The transactions of a server's log, as `LogReading` gives those of files.

    `on_progress` gets bytes read, and bytes of all. ServerError where the server refuses or is lost.
    """

    def __init__(
        self,
        address: Address,
        wanted: Wanted,
        section: Section,
        period: Period | None = None,
        check_sums: bool = False,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        self.paths = [f"{address.host}:{address.port}"]
        self.files: list[LogFile] = []
        self.has_key: dict[str, bool | None] = {}
        self.tables: dict[str, TableMap] = {}
        self._address, self._wanted, self._section = address, wanted, section
        self._period, self._check_sums, self._on_progress = period or Period(), check_sums, on_progress
        self._notes = Notes()
        self._read_bytes = 0

    @property
    def notes(self) -> list[LogNote]:
        """What could not be read or does not fit, each once for a file."""
        return self._notes.all()

    def transactions(self) -> Iterator[Transaction]:
        """Every transaction in the section and the period, when its last event was read."""
        begin, end = self._period.begin_seconds, self._period.end_seconds
        with connect(self._address, answer_seconds=_ANSWER_SECONDS) as session:
            stream = _Stream(self._counted(sent_events(session, self._section.begin, replica_id())), self._section.end)
            try:
                while (file := stream.next_file()) is not None:
                    for transaction in self._of_file(file, stream):
                        if begin <= transaction.at_seconds <= end:
                            yield transaction
            except ServerError as error:
                raise explained(error) from None

    def _of_file(self, file: str, stream: _Stream) -> Iterator[Transaction]:
        def note(position: int, text: str) -> None:
            self._notes.add(file, position, text)

        before = self._read_bytes
        reader = TransactionReader(file, self._wanted, self.tables, note)
        events = stream.events(file)
        yield from reader.transactions(checked(events, note) if self._check_sums else events)
        self.has_key.update(reader.has_key)
        if reader.description is not None:
            server = reader.description
            size_bytes = self._read_bytes - before
            self.files.append(LogFile(file, server.family, server.server_version, reader.server_id, size_bytes))

    def _counted(self, sent: Iterator[SentEvent]) -> Iterator[SentEvent]:
        for each in sent:
            self._read_bytes += each.event[4]
            self._on_progress(self._read_bytes, 0)
            yield each


class _Stream:
    """The events up to the end of the section, file by file."""

    def __init__(self, sent: Iterator[SentEvent], end: Place) -> None:
        self._sent, self._end = sent, end
        self._next = next(sent, None)

    def next_file(self) -> str | None:
        """The file of the next event; None at the end."""
        while self._next is not None and _behind(self._next, self._end):
            self._next = None
        return self._next.file if self._next else None

    def events(self, file: str) -> Iterator[Event]:
        """The events of that file."""
        while self._next is not None and self._next.file == file and not _behind(self._next, self._end):
            yield self._next.event
            self._next = next(self._sent, None)


def _behind(sent: SentEvent, end: Place) -> bool:
    """Whether an event is behind the end of a section. Names of files have numbers of one length, or longer ones."""
    if sent.file != end.file:
        return (len(sent.file), sent.file) > (len(end.file), end.file)
    return sent.event[3] >= end.position


def section_between(address: Address, begin_seconds: float, tell: Callable[[int], None]) -> Section:
    """What was logged since a time, by the server's clock: whole files, so that earlier transactions may be in it.

    `tell` gets the number of each file whose beginning is asked for. ServerError from the server.
    """
    with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
        files = log_files(session)
    begin = files[-1]
    for number, begin in enumerate(reversed(files)):
        tell(number)
        with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
            try:
                if begin_of_file(session, begin.file, replica_id()) <= begin_seconds:
                    break
            except ServerError as error:
                raise explained(error) from None
    return Section(Place(begin.file, 4), files[-1])


def section_from_now(address: Address, seconds: float, sleep: Callable[[float], None] = time.sleep) -> Section:
    """What is logged from now on for so many seconds. InputError where nothing is."""
    with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
        begin = log_files(session)[-1]
        sleep(seconds)
    with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
        end = log_files(session)[-1]
    if begin == end:
        raise InputError(f"{address.host}:{address.port}: nothing was logged within {seconds:g} s")
    return Section(begin, end)


def replica_id() -> int:
    """A server id that no replica has: the server ends the connection of a replica when another asks with its id."""
    return secrets.randbelow(2**30) + 3 * 2**30
