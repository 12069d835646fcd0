"""Which types of events are there? Their codes and the names that SHOW BINLOG EVENTS gives them.

Codes up to 42 are MySQL's (libs/mysql/binlog/event/binlog_event.h), those from 160 MariaDB's (sql/log_event.h).
"""

from __future__ import annotations

from enum import IntEnum

from advisor.annotations import Final
from advisor.model.server import Family
from advisor.model.workload.transaction import RowChange


class EventType(IntEnum):
    """The types that servers of our time write. Files of older servers are not read."""

    QUERY = 2
    STOP = 3
    ROTATE = 4
    INTVAR = 5
    RAND = 13
    USER_VAR = 14
    FORMAT_DESCRIPTION = 15
    XID = 16
    BEGIN_LOAD_QUERY = 17
    EXECUTE_LOAD_QUERY = 18
    TABLE_MAP = 19
    WRITE_ROWS_V1 = 23
    UPDATE_ROWS_V1 = 24
    DELETE_ROWS_V1 = 25
    INCIDENT = 26
    HEARTBEAT = 27
    IGNORABLE = 28
    ROWS_QUERY = 29
    WRITE_ROWS = 30
    UPDATE_ROWS = 31
    DELETE_ROWS = 32
    GTID = 33
    ANONYMOUS_GTID = 34
    PREVIOUS_GTIDS = 35
    TRANSACTION_CONTEXT = 36
    VIEW_CHANGE = 37
    XA_PREPARE = 38
    PARTIAL_UPDATE_ROWS = 39
    TRANSACTION_PAYLOAD = 40
    HEARTBEAT_V2 = 41
    GTID_TAGGED = 42
    ANNOTATE_ROWS = 160
    BINLOG_CHECKPOINT = 161
    MARIADB_GTID = 162
    GTID_LIST = 163
    START_ENCRYPTION = 164
    QUERY_COMPRESSED = 165
    WRITE_ROWS_COMPRESSED_V1 = 166
    UPDATE_ROWS_COMPRESSED_V1 = 167
    DELETE_ROWS_COMPRESSED_V1 = 168
    WRITE_ROWS_COMPRESSED = 169
    UPDATE_ROWS_COMPRESSED = 170
    DELETE_ROWS_COMPRESSED = 171
    PARTIAL_ROW_DATA = 172


ROW_CHANGES: Final[dict[int, RowChange]] = {
    EventType.WRITE_ROWS_V1: RowChange.INSERT,
    EventType.UPDATE_ROWS_V1: RowChange.UPDATE,
    EventType.DELETE_ROWS_V1: RowChange.DELETE,
    EventType.WRITE_ROWS: RowChange.INSERT,
    EventType.UPDATE_ROWS: RowChange.UPDATE,
    EventType.DELETE_ROWS: RowChange.DELETE,
    EventType.PARTIAL_UPDATE_ROWS: RowChange.UPDATE,
    EventType.WRITE_ROWS_COMPRESSED_V1: RowChange.INSERT,
    EventType.UPDATE_ROWS_COMPRESSED_V1: RowChange.UPDATE,
    EventType.DELETE_ROWS_COMPRESSED_V1: RowChange.DELETE,
    EventType.WRITE_ROWS_COMPRESSED: RowChange.INSERT,
    EventType.UPDATE_ROWS_COMPRESSED: RowChange.UPDATE,
    EventType.DELETE_ROWS_COMPRESSED: RowChange.DELETE,
}
"""Rows events, and what they do."""

WITH_EXTRA_DATA: Final[frozenset[int]] = frozenset(
    {EventType.WRITE_ROWS, EventType.UPDATE_ROWS, EventType.DELETE_ROWS, EventType.PARTIAL_UPDATE_ROWS}
)
"""Rows events of version 2: their post-header ends with extra data of a length that is stated there."""

COMPRESSED_ROWS: Final[frozenset[int]] = frozenset(
    code for code in ROW_CHANGES if EventType.WRITE_ROWS_COMPRESSED_V1 <= code <= EventType.DELETE_ROWS_COMPRESSED
)
"""Rows events whose images MariaDB has compressed (`log_bin_compress`)."""

_NAMES: Final = {
    EventType.FORMAT_DESCRIPTION: "Format_desc",
    EventType.INTVAR: "Intvar",
    EventType.RAND: "RAND",
    EventType.USER_VAR: "User var",
    EventType.XA_PREPARE: "XA_prepare",
    EventType.BEGIN_LOAD_QUERY: "Begin_load_query",
    EventType.EXECUTE_LOAD_QUERY: "Execute_load_query",
    EventType.ANONYMOUS_GTID: "Anonymous_Gtid",
    EventType.PARTIAL_UPDATE_ROWS: "Update_rows_partial",
    EventType.GTID_TAGGED: "Gtid_tagged_log_event",
    EventType.MARIADB_GTID: "Gtid",
}


def name_of(code: int, family: Family) -> str:
    """The name of a type as SHOW BINLOG EVENTS of that family writes it; "Unknown" for a code that has none."""
    try:
        event_type = EventType(code)
    except ValueError:
        return "Unknown"
    if family is Family.MYSQL and event_type is EventType.VIEW_CHANGE:
        return "View_change"
    return _NAMES.get(event_type) or event_type.name.capitalize()
