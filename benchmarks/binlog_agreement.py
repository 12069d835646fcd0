"""Are published binary logs read as the servers' own programs list them? Event by event, for every log of a folder.

    python -m benchmarks.binlog_agreement FOLDER --by mysqlbinlog [--by mariadb-binlog]

The package mariadb-test-data of Debian has logs of many releases, as do the sources of mysql-binlog-connector-java.
For each log, the program counts that accepts it and shares most with ours. An event that no program lists with its
server and its time (the blocks of LOAD DATA) is counted apart. A program is named with all its words.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from advisor.binlog.events.format_description import read_format_description
from advisor.binlog.events.types import EventType
from advisor.binlog.events.walk import HEADER, walk
from advisor.binlog.source.log_file import FIRST_POSITION, open_log
from tests.servers.listed_events import mysqlbinlog

MAGIC = b"\xfebin"


class Place(NamedTuple):
    """What identifies an event in every program's list."""

    position: int
    end: int
    server_id: int
    at_seconds: int | None


class Read(NamedTuple):
    """One log, as `advisor` reads it."""

    release: str
    events: frozenset[Place]
    problems: tuple[str, ...]


def logs(folder: Path) -> Iterator[Path]:
    """Every file that begins like a binary log."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as stream:
                if stream.read(len(MAGIC)) == MAGIC:
                    yield path


def read(path: Path) -> Read:
    """The events of a log, and what stopped the reading."""
    release, problems = "?", list[str]()
    events = set[Place]()
    with open_log(str(path)) as stream:
        walked = walk(stream, FIRST_POSITION, lambda at, reason: problems.append(f"{at}: {reason}"))
        for code, at_seconds, server_id, position, size, data, offset in walked:
            if code == EventType.FORMAT_DESCRIPTION and (told := read_format_description(data, offset, size)):
                release = told.server_version
            end = HEADER.unpack_from(data, offset)[4]
            events.add(Place(position, end, server_id, at_seconds))
    return Read(release, frozenset(events), tuple(problems))


def listed(program: Sequence[str], path: Path) -> frozenset[Place] | None:
    """What a program lists; None where it refuses the log."""
    try:
        return frozenset(Place(*event[1:]) for event in mysqlbinlog(program, path))
    except subprocess.CalledProcessError:
        return None


def main() -> int:
    """A line for each log, then the totals; exit code 1 where a program lists an event otherwise."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=Path)
    words.add_argument("--by", action="append", required=True, type=shlex.split, help="a program that lists logs")
    given = words.parse_args()
    same = theirs = unlisted = refused = 0
    for path in logs(given.folder):
        ours = read(path)
        lists = [found for program in given.by if (found := listed(program, path)) is not None]
        if not lists:
            refused += 1
            continue
        best = max(lists, key=lambda found: len(found & ours.events))
        alike = len(best & ours.events)
        same, theirs, unlisted = same + alike, theirs + len(best), unlisted + len(ours.events - best)
        print(f"{ours.release:32} {alike:6} of {len(best):6}  {os.path.basename(path)}", *ours.problems)
    print(f"{same} of {theirs} listed events are read alike; {unlisted} more are read")
    print(f"{refused} logs are refused by every program")
    return int(same != theirs)


if __name__ == "__main__":
    sys.exit(main())
