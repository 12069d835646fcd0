"""What do the events say that open a transaction: its id, its place among others, when it was committed?"""

from __future__ import annotations

import struct
from typing import NamedTuple

from advisor.annotations import Final
from advisor.binlog.events.tagged_gtid import read_fields
from advisor.model.workload.transaction import MariadbFlag, MariadbGtid, MysqlGtid

_MYSQL: Final = struct.Struct("<B16sqBqq")  # flags, UUID, number, kind of dependencies, last_committed, sequence_number
_MYSQL_LOGICAL: Final = 2  # the kind of dependencies that MySQL 5.7 and later write
_TIMESTAMP_BYTES: Final = 7
_ORIGINAL_FOLLOWS: Final = 1 << 55
_MARIADB: Final = struct.Struct("<QIB")  # number, domain, flags
_COMMIT_ID: Final = struct.Struct("<Q")


class Opening(NamedTuple):
    """What is known when a transaction begins; None is what its server does not write.

    Commit times are in microseconds since 1970.
    """

    gtid: MysqlGtid | MariadbGtid | None = None
    last_committed: int | None = None
    sequence_number: int | None = None
    original_us: int | None = None
    immediate_us: int | None = None
    commit_id: int | None = None
    mariadb_flags: int | None = None


def read_mysql_gtid(data: bytes, begin: int, end: int, anonymous: bool) -> Opening:
    """A Gtid or Anonymous_Gtid event; `begin` is behind the event's header, `end` before its checksum."""
    if end - begin < _MYSQL.size:
        return Opening()
    _, source, number, kind, last_committed, sequence_number = _MYSQL.unpack_from(data, begin)
    gtid = None if anonymous else MysqlGtid(source, number)
    if kind != _MYSQL_LOGICAL:
        return Opening(gtid)
    times = begin + _MYSQL.size
    if end - times < _TIMESTAMP_BYTES:  # MySQL 5.7
        return Opening(gtid, last_committed, sequence_number)
    immediate = int.from_bytes(data[times : times + _TIMESTAMP_BYTES], "little")
    original = immediate
    if immediate & _ORIGINAL_FOLLOWS:
        immediate ^= _ORIGINAL_FOLLOWS
        original = int.from_bytes(data[times + _TIMESTAMP_BYTES : times + 2 * _TIMESTAMP_BYTES], "little")
    return Opening(gtid, last_committed, sequence_number, original or None, immediate or None)


def read_tagged_gtid(data: bytes, begin: int, end: int) -> Opening:
    """A Gtid_tagged event."""
    fields = read_fields(data[begin:end], 0)
    source, number, tag = fields.get(1), fields.get(2), fields.get(3, b"")
    if not isinstance(source, bytes) or not isinstance(number, int) or not isinstance(tag, bytes):
        return Opening()
    immediate = _whole(fields.get(6))
    return Opening(
        MysqlGtid(source, number, tag.decode("ascii", "replace")),
        _whole(fields.get(4)),
        _whole(fields.get(5)),
        _whole(fields.get(7, immediate)),
        immediate,
    )


def read_mariadb_gtid(data: bytes, begin: int, end: int, server_id: int) -> Opening:
    """A Gtid event of MariaDB; `server_id` is that of the event's header."""
    if end - begin < _MARIADB.size:
        return Opening()
    number, domain, flags = _MARIADB.unpack_from(data, begin)
    commit_id = None
    if flags & MariadbFlag.GROUP_COMMIT and end - begin >= _MARIADB.size + _COMMIT_ID.size:
        commit_id = _COMMIT_ID.unpack_from(data, begin + _MARIADB.size)[0]
    return Opening(MariadbGtid(domain, server_id, number), commit_id=commit_id, mariadb_flags=flags)


def _whole(value: int | bytes | None) -> int | None:
    return value if isinstance(value, int) else None
