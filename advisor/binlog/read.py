"""What does a binary log hold? Reads its files one after the other, and notes what cannot be read or does not fit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, Final, Protocol

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.events.checksums import checked
from advisor.binlog.events.table_map import TableMap
from advisor.binlog.events.walk import Event, walk
from advisor.binlog.source.files import named_files
from advisor.binlog.source.log_file import FIRST_POSITION, open_log
from advisor.binlog.transactions import TransactionReader
from advisor.errors import InputError
from advisor.model.record import record, replace
from advisor.model.workload.log import LogFile, LogNote
from advisor.model.workload.transaction import Transaction

_TOO_OLD: Final = "the file does not begin like a binary log of MySQL 5.0 or later"
_ENCRYPTED: Final = "the file is encrypted by MariaDB; get it decrypted from its server (mariadb-binlog -R --raw)"


@record
class Period:
    """From when to when transactions are wanted, in seconds since 1970."""

    begin_seconds: float = 0.0
    end_seconds: float = float("inf")


class Reading(Protocol):
    """A log that is being read: of files, or of a server. Everything is complete when its transactions are read."""

    paths: list[str]
    files: list[LogFile]
    has_key: dict[str, bool | None]
    tables: dict[str, TableMap]

    @property
    def notes(self) -> list[LogNote]:
        """What could not be read or does not fit, each once for a file."""

    def transactions(self) -> Iterator[Transaction]:
        """Every transaction in the period, when its last event was read."""


class LogReading:
    """The transactions of a set of files in their order; `files`, `notes` and `has_key` are complete at the end.

    `on_progress` gets bytes read, and bytes of all files. InputError for a source that names nothing, and for a log of
    which no file can be read; a file among others that cannot be read is noted.
    """

    def __init__(
        self,
        sources: Sequence[str],
        wanted: Wanted,
        check_sums: bool = False,
        period: Period | None = None,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        self.paths, missing = named_files(sources)
        self._wanted, self._check_sums = wanted, check_sums
        self._period, self._on_progress = period or Period(), on_progress
        self._notes = Notes()
        self._done_bytes, self._total_bytes = 0, sum(map(os.path.getsize, self.paths))
        self._next_name = ""
        self.files: list[LogFile] = []
        self.has_key: dict[str, bool | None] = {}
        self.tables: dict[str, TableMap] = {}
        for path in missing:
            self._note(path, 0, "the index lists this file, but the file does not exist")

    @property
    def notes(self) -> list[LogNote]:
        """What could not be read or does not fit, each once for a file."""
        return self._notes.all()

    def transactions(self) -> Iterator[Transaction]:
        """Every transaction in the period, when its last event was read."""
        begin, end = self._period.begin_seconds, self._period.end_seconds
        for path in self.paths:
            try:
                stream = open_log(path)
            except InputError as error:
                if len(self.paths) == 1:
                    raise
                self._note(path, 0, error.message)
                continue
            with stream:
                for transaction in self._read(path, stream):
                    if begin <= transaction.at_seconds <= end:
                        yield transaction
            self._done_bytes += os.path.getsize(path)

    def _read(self, path: str, stream: BinaryIO) -> Iterator[Transaction]:
        name = os.path.basename(path)
        reader = TransactionReader(name, self._wanted, self.tables, lambda at, text: self._note(path, at, text))
        self._check_order(path)
        yield from reader.transactions(self._events(path, stream))
        self.has_key.update(reader.has_key)
        refused = _TOO_OLD if reader.description is None else _ENCRYPTED if reader.encrypted else ""
        if refused and len(self.paths) == 1:
            raise InputError(refused, file=path)
        if refused:
            self._note(path, FIRST_POSITION, refused)
        if reader.description is None:
            return
        description = reader.description
        file = LogFile(name, description.family, description.server_version, reader.server_id, os.path.getsize(path))
        if self.files and (file.family, file.server_id) != (self.files[0].family, self.files[0].server_id):
            first = self.files[0]
            self._note(path, 0, f"server {file.server_id} wrote this file, but server {first.server_id} {first.name}")
        self.files.append(file)
        self._next_name = reader.next_file

    def _events(self, path: str, stream: BinaryIO) -> Iterator[Event]:
        def note(position: int, text: str) -> None:
            self._note(path, position, text)

        counted = _Counted(stream, lambda done: self._on_progress(self._done_bytes + done, self._total_bytes))
        events = walk(counted, FIRST_POSITION, note)
        return checked(events, note) if self._check_sums else events

    def _check_order(self, path: str) -> None:
        """The file before this one names the one that follows it."""
        expected, self._next_name = os.path.basename(self._next_name), ""
        if expected and expected != os.path.basename(path):
            self._note(path, 0, f"{expected} should come next, but it is missing, and so are its transactions")

    def _note(self, path: str, position: int, text: str) -> None:
        self._notes.add(path, position, text)


class Notes:
    """What could not be read or does not fit: each text once for a file, with how often it was seen."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], LogNote] = {}

    def add(self, path: str, position: int, text: str) -> None:
        """One more."""
        found = self._found.get((path, text))
        if found:
            self._found[path, text] = replace(found, times=found.times + 1)
        else:
            self._found[path, text] = LogNote(os.path.basename(path), position, text)

    def all(self) -> list[LogNote]:
        """All of them, in the order in which they were first seen."""
        return list(self._found.values())


class _Counted:
    """A stream that says how much of it was read."""

    def __init__(self, stream: BinaryIO, on_read: Callable[[int], None]) -> None:
        self._stream, self._on_read, self._done = stream, on_read, FIRST_POSITION

    def read(self, size: int = -1, /) -> bytes:
        """At most so many bytes."""
        data = self._stream.read(size)
        self._done += len(data)
        self._on_read(self._done)
        return data
