"""What was read of a binary log: its files, and what could not be read."""

from __future__ import annotations

from advisor.model.record import record
from advisor.model.server import Family


@record
class LogNote:
    """Something that could not be read or does not fit. `times`: how often it was seen; the place is the first."""

    file: str
    position: int
    text: str
    times: int = 1


@record
class LogFile:
    """One file of a log, with the server that wrote it; of a server's stream, `size_bytes` is what was received."""

    name: str
    family: Family
    server_version: str
    server_id: int
    size_bytes: int
