"""What are the sessions doing at one moment? The process list with equal rows counted, small enough for every sample.

Of a statement only its verb is kept, and whether it queries the server's own tables. Sessions that sleep briefly
between two statements are kept apart from idle ones. What more is known of a thread (`KNOWN`) is kept with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from advisor.model.evidence import Row, Scalar

_VERB: Final = re.compile(r"\s*(?:/\*.*?\*/\s*|--[^\n]*\n\s*)*\(*([A-Za-z]+)", re.DOTALL)
_ABOUT_THE_SERVER: Final = ("processlist", "information_schema", "performance_schema")
_BETWEEN_STATEMENTS_SECONDS: Final = 1
# kind of thread; its state, system call and wait channel in the kernel; its wait event; InnoDB's word for its wait.
KNOWN: Final = ("kind", "os", "call", "wchan", "event", "trx")


def counted(rows: Iterable[Mapping[str, Scalar]]) -> list[Row]:
    """Rows of user, command, state, statement, the longest time in seconds, and how many sessions that are.

    Columns of `KNOWN` are kept where any row has something in them.
    """
    groups: dict[tuple[tuple[str, ...], bool], list[int]] = {}
    for row in rows:
        seconds = row.get("Time")
        time = seconds if isinstance(seconds, int) else 0
        cells = tuple(str(row.get(name) or "") for name in ("User", "Command", "State"))
        known = tuple(str(row.get(name) or "") for name in KNOWN)
        alike = ((*cells, outline(str(row.get("Info") or "")), *known), time > _BETWEEN_STATEMENTS_SECONDS)
        groups.setdefault(alike, []).append(time)
    return [
        {
            **dict(zip(("user", "command", "state", "info"), cells, strict=False)),
            **{name: word for name, word in zip(KNOWN, cells[4:], strict=True) if word},
            "time": max(times),
            "count": len(times),
        }
        for (cells, _), times in sorted(groups.items())
    ]


def outline(statement: str) -> str:
    """The verb of a statement, "…" for the rest, and the schema of the server's own tables that it queries."""
    if not statement:
        return ""
    found = _VERB.match(statement)
    about = [word for word in _ABOUT_THE_SERVER if word in statement.lower()]
    return " ".join([found[1].upper() if found else "", "…", *about]).strip()
