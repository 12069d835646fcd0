"""Which arguments and options do the commands of `advisor workload` share?"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Final

import typer

from advisor.errors import UsageError

_SOURCES: Final = "Binary logs: files, an index file, or the folder that holds the index. Not with --dsn."
_KEY: Final = (
    "Positions of the key columns of a table whose key is not in the log; '*' for all such tables (repeatable)."
)
Sources = Annotated[list[str] | None, typer.Argument(metavar="[SOURCE...]", help=_SOURCES, show_default=False)]
Dsn = Annotated[
    str,
    typer.Option(
        "--dsn", help="Read the log from this server, as a replica does. Needs --for, --last or --from.",
        metavar="mysql://USER@HOST",
    ),
]  # fmt: skip
For = Annotated[str, typer.Option("--for", help="With --dsn: read new events for this long.", metavar="60s")]
Last = Annotated[
    str, typer.Option("--last", help="Only transactions committed in this last period, e.g. 1h.", metavar="1h")
]
From = Annotated[str, typer.Option("--from", help="Only transactions committed since this time (UTC).", metavar="TIME")]
To = Annotated[str, typer.Option("--to", help="Only transactions committed before this time (UTC).", metavar="TIME")]
Key = Annotated[list[str] | None, typer.Option("--key", help=_KEY, metavar="DB.TABLE=1,2")]
CheckSums = Annotated[bool, typer.Option("--checksums", help="Verify the checksum of every event.")]


def parse_time(text: str, option: str) -> float | None:
    """Seconds since 1970 of a time such as "2026-11-17 14:00"; None of "". UsageError for anything else."""
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{option} {text}: not a time", hint='e.g. "2026-11-17 14:00"') from None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def parse_keys(words: list[str]) -> Mapping[str, tuple[int, ...]]:
    """Table → positions of its key's columns, from 0; UsageError for what is not TABLE=1,2."""
    found = {}
    for word in words:
        table, _, columns = word.rpartition("=")
        numbers = columns.split(",")
        if not table or not all(number.isdecimal() and int(number) for number in numbers):
            raise UsageError(f"--key {word}: not a table and positions of columns", hint="e.g. --key shop.orders=1")
        found[table] = tuple(int(number) - 1 for number in numbers)
    return found
