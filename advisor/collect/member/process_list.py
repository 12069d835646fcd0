"""What are the sessions doing at one moment? The process list with equal rows counted, small enough for every sample.

Of a statement only its verb is kept, and whether it queries the server's own tables. Sessions that sleep briefly
between two statements are kept apart from idle ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from advisor.model.evidence import Row, Scalar

_VERB: Final = re.compile(r"\s*(?:/\*.*?\*/\s*|--[^\n]*\n\s*)*\(*([A-Za-z]+)", re.DOTALL)
_ABOUT_THE_SERVER: Final = ("processlist", "information_schema", "performance_schema")
_BETWEEN_STATEMENTS_SECONDS: Final = 1


def counted(rows: Iterable[Mapping[str, Scalar]]) -> list[Row]:
    """Rows of user, command, state, statement, the longest time in seconds, and how many sessions that are."""
    groups: dict[tuple[str, str, str, str, bool], list[int]] = {}
    for row in rows:
        seconds = row.get("Time")
        time = seconds if isinstance(seconds, int) else 0
        key = (
            str(row.get("User") or ""), str(row.get("Command") or ""), str(row.get("State") or ""),
            outline(str(row.get("Info") or "")), time > _BETWEEN_STATEMENTS_SECONDS,
        )  # fmt: skip
        groups.setdefault(key, []).append(time)
    return [
        {"user": user, "command": command, "state": state, "info": info, "time": max(times), "count": len(times)}
        for (user, command, state, info, _), times in sorted(groups.items())
    ]


def outline(statement: str) -> str:
    """The verb of a statement, "…" for the rest, and the schema of the server's own tables that it queries."""
    if not statement:
        return ""
    found = _VERB.match(statement)
    about = [word for word in _ABOUT_THE_SERVER if word in statement.lower()]
    return " ".join([found[1].upper() if found else "", "…", *about]).strip()
