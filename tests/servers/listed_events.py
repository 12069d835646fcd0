"""What do the servers' own tools list of a binary log? SHOW BINLOG EVENTS, and mysqlbinlog where it is installed."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_left
from calendar import timegm
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import strptime
from typing import NamedTuple

from advisor.client import Session

_LISTED = re.compile(
    rb"^#(\d{6} +\d+:\d\d:\d\d) server id (\d+)  end_log_pos (\d+) (?:CRC32 0x[0-9a-f]+ )?\t([^\t\n]+)", re.MULTILINE
)
_AT = re.compile(rb"^# at (\d+)$", re.MULTILINE)


class ListedEvent(NamedTuple):
    """One event: its name, position, where it ends, its server, and when it was written where that is listed."""

    name: str
    position: int
    end: int
    server_id: int
    at_seconds: int | None = None


def show_binlog_events(session: Session, file: str) -> list[ListedEvent]:
    """What the server lists of one of its files."""
    return [
        ListedEvent(
            str(row["Event_type"]), int(str(row["Pos"])), int(str(row["End_log_pos"])), int(str(row["Server_id"]))
        )
        for row in session.rows(f"SHOW BINLOG EVENTS IN '{file}'")
    ]


def mysqlbinlog(command: Sequence[str], file: Path) -> Iterator[ListedEvent]:
    """What `mysqlbinlog` or `mariadb-binlog` lists of a file, with times; names are those of that program.

    It holds some positions back until it prints the next event, so an event's position is the last one before its end.
    Events inside a compressed transaction have the end of that one, which was listed before them. Of a user variable
    MySQL's program lists the position only.
    """
    words = [*command, "--base64-output=decode-rows", str(file)]
    done = subprocess.run(words, capture_output=True, check=True, timeout=600, env={"TZ": "UTC"})
    positions = sorted({int(position) for position in _AT.findall(done.stdout)})
    ends: set[int] = set()
    for written, server_id, end, name in _LISTED.findall(done.stdout):
        if int(end) not in ends:
            ends.add(int(end))
            position = positions[bisect_left(positions, int(end)) - 1]
            at_seconds = timegm(strptime(" ".join(written.decode().split()), "%y%m%d %H:%M:%S"))
            yield ListedEvent(name.decode().strip(), position, int(end), int(server_id), at_seconds)
