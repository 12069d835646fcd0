"""Which events does a server send to a replica that asks for its binary log? (COM_BINLOG_DUMP, to the end of the log)

The server decrypts what is encrypted, and adds two events at the beginning of each file: Rotate with the file's name,
and the description of its format. Source: "Binlog Dump" in the protocol's documentation, rpl_binlog_sender.cc.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from advisor.annotations import Final
from advisor.binlog.events.types import EventType
from advisor.binlog.events.walk import HEADER, Event
from advisor.client import Session
from advisor.errors import InputError, ServerError

_FRONT: Final = struct.Struct("<IBIIIH")
_ROTATE_POSITION_BYTES: Final = 8
_CHECKSUM_BYTES: Final = 4
_NOT_OF_THE_LOG: Final = frozenset({EventType.HEARTBEAT, EventType.HEARTBEAT_V2, EventType.START_ENCRYPTION})
_FIRST_POSITION: Final = 4
_NO_LOG: Final = "the server writes no binary log"
_NO_LOG_HINT: Final = "set log_bin and restart the server, or name another member"
_NEEDS: Final = "the user needs REPLICATION SLAVE and REPLICATION CLIENT (MariaDB: BINLOG MONITOR) on *.*"
_DENIED: Final = (1044, 1045, 1142, 1227)


class Place(NamedTuple):
    """A file of the log and a position in it."""

    file: str
    position: int


class SentEvent(NamedTuple):
    """An event and the file that it is from."""

    file: str
    event: Event


def log_files(session: Session) -> list[Place]:
    """The files of the log, the oldest first, each with its size; InputError where there is no log."""
    try:
        rows = session.rows("SHOW BINARY LOGS")
    except ServerError as error:
        raise explained(error) from None
    if not rows:
        raise InputError(_NO_LOG, hint=_NO_LOG_HINT)
    return [Place(str(row["Log_name"]), int(str(row["File_size"]))) for row in rows]


def end_of_log(session: Session) -> Place:
    """Where the next event will be written."""
    return log_files(session)[-1]


def sent_events(session: Session, begin: Place, server_id: int) -> Iterator[SentEvent]:
    """The events from a place to the end of the log. `server_id` must not be that of a replica.

    ServerError as for every other statement; the connection cannot be used for anything else afterwards.
    """
    checksums = str(session.value("SELECT @@GLOBAL.binlog_checksum")).upper() not in ("NONE", "0")
    session.run(
        "SET @master_binlog_checksum = @@GLOBAL.binlog_checksum",
        "SET @source_binlog_checksum = @@GLOBAL.binlog_checksum",
        "SET @mariadb_slave_capability = 4",
    )
    file = begin.file
    for packet in session.binary_log(begin.file, begin.position, server_id):
        at_seconds, code, sender, size, end, _ = _FRONT.unpack_from(packet, 1)
        if code == EventType.ROTATE:
            name = packet[1 + HEADER.size + _ROTATE_POSITION_BYTES : 1 + size - (_CHECKSUM_BYTES if checksums else 0)]
            file = name.decode("utf-8", "replace")
        elif code not in _NOT_OF_THE_LOG:
            position = end - size if end >= size else _FIRST_POSITION
            yield SentEvent(file, (code, at_seconds, sender, position, size, packet, 1))


def begin_of_file(session: Session, file: str, server_id: int) -> float:
    """When the server began a file, in seconds since 1970: the time of the file's first event."""
    for _, event in sent_events(session, Place(file, _FIRST_POSITION), server_id):
        if event[0] == EventType.FORMAT_DESCRIPTION:
            return event[1]
    return 0.0


def explained(error: ServerError) -> ServerError | InputError:
    """The same error, with the missing privilege where it is about one."""
    if error.number == 1381:
        return InputError(_NO_LOG, hint=_NO_LOG_HINT)
    if error.number in _DENIED:
        return ServerError(error.message, hint=_NEEDS, number=error.number)
    return error
