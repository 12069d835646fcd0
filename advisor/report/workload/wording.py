"""In which words are times, places and transactions of a log written?"""

from __future__ import annotations

from datetime import UTC, datetime

from advisor.model.workload.log import LogFile, LogNote
from advisor.model.workload.transaction import Transaction
from advisor.units import show


def time_of(seconds: float) -> str:
    """A time in UTC, to the second."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return "?"


def size_of(count: float) -> str:
    """A size in bytes."""
    return show(round(count), "bytes")


def number_of(value: float) -> str:
    """A count, with three digits where it is not whole."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def files_of(files: tuple[LogFile, ...]) -> str:
    """The files of a log in one line, with the server that wrote them."""
    first, last = files[0], files[-1]
    names = first.name if len(files) == 1 else f"{first.name} to {last.name}"
    many = "" if len(files) == 1 else f" ({len(files)} files)"
    versions = list(dict.fromkeys(f"{file.family} {number(file.server_version)}" for file in files))
    return f"{names}{many}, {size_of(sum(file.size_bytes for file in files))}, {', '.join(versions)}"


def number(version: str) -> str:
    """The number of a version: "10.11.19-MariaDB-log" → "10.11.19"."""
    return version.partition("-")[0]


def place_of(transaction: Transaction) -> str:
    """Where a transaction begins: "binlog.000002:1234"."""
    return f"{transaction.file}:{transaction.position}"


def note_of(note: LogNote) -> str:
    """One line for what could not be read."""
    place = f"{note.file}:{note.position}" if note.position else note.file
    again = f" ({note.times} times)" if note.times > 1 else ""
    return f"{place}: {note.text}{again}"
