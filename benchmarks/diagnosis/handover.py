"""What of a case would a person hand over as it stands? Words, process lists and rows of SHOW statements.

Only the form of the evidence decides, never its contents: a list of sessions is a process list, columns of SHOW REPLICA
STATUS are its row, stacks and log lines are told as such, and all the rest is notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_STACK: Final = re.compile(r"stack|backtrace|gdb|pstack|frames?$|perf|profile|flame", re.IGNORECASE)
_LOG: Final = re.compile(r"(?:^|_)logs?$|messages?$|err(?:or)?s?$", re.IGNORECASE)
_OPTION_LINE: Final = re.compile(r"^[a-z][\w.-]*\s*=\s*\S+(?:\s*\(.*\))?$", re.IGNORECASE)
_STATES_NAME: Final = re.compile(r"process|state|session|thread|lists?$", re.IGNORECASE)
_STATE: Final = re.compile(
    r"waiting|wait for|opening|closing|sending|sorting|copying|updating|update|executing|statistics|query end|freeing"
    r"|system lock|sleep|commit|init\b|altering|creating|wsrep|end of update|preparing|locked|reading|checking"
    r"|flushing",
    re.IGNORECASE,
)
_MORE_THAN_A_NUMBER: Final = re.compile(r"good|bad|after|before|since|fixed|only", re.IGNORECASE)
_SESSION_COLUMNS: Final = frozenset(
    {"id", "user", "host", "db", "command", "time", "time_s", "state", "info", "statement", "count"}
)
_REPLICA_COLUMN: Final = re.compile(
    r"^(?:seconds_behind_(?:master|source)|(?:slave|replica)_(?:io|sql)_(?:running|state)\w*|(?:read|exec)_(?:master|source)_log_pos"
    r"|(?:relay_)?(?:master|source)_log_file|relay_log_space|last_(?:io|sql)_err\w+|sql_delay|sql_remaining_delay"
    r"|retrieved_gtid_set|executed_gtid_set|auto_position|using_gtid|gtid_io_pos)$",
    re.IGNORECASE,
)  # fmt: skip
_SOURCE_COLUMNS: Final = frozenset({"file", "position"})


def words_of(evidence: Mapping[str, Any], server: Mapping[str, str]) -> dict[str, list[str]]:
    """Free texts of `observations.yaml`: stacks, log lines, the workload, and notes on everything else."""
    told: dict[str, list[str]] = {"notes": [], "stack": [], "log": [], "workload": list(evidence.get("workload", []))}
    for name, value in evidence.get("outputs", {}).items():
        for label, text in _leaves(name, value):
            kind = "stack" if _STACK.search(label) else "log" if _LOG.search(label) else "notes"
            told[kind].append(f"{label}: {text}")
    told["notes"] += evidence.get("hardware", [])
    if _MORE_THAN_A_NUMBER.search(server.get("version", "")):
        told["notes"].append(f"version: {server['version']}")
    for lines in evidence.get("config", {}).values():
        told["notes"] += [line for line in lines if not _OPTION_LINE.match(line)]
    for node, counters in evidence.get("status", {}).items():
        told["notes"] += [f"{node} {name}: {text}" for name, text in counters.items() if isinstance(text, str)]
    return {kind: lines for kind, lines in told.items() if lines}


def _leaves(label: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every figure and word below an output, with the words that lead to it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{label} {key}", inner)
    elif isinstance(value, list) and any(isinstance(inner, Mapping | list) for inner in value):
        for inner in value:
            yield from _leaves(label, inner)
    elif isinstance(value, list) and not all(isinstance(inner, int | float) for inner in value):
        yield from ((label, str(inner)) for inner in value)
    elif isinstance(value, list):
        yield label, ", ".join(map(str, value))
    elif value not in (None, ""):
        yield label, str(value)


def process_list_of(outputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sessions of a case that lists them, with the columns of a process list."""
    found: list[dict[str, Any]] = []
    for name, value in outputs.items():
        rows = value if isinstance(value, list) else [value]
        if not rows or not all(isinstance(row, Mapping) and _is_session(row, name) for row in rows):
            continue
        for row in rows:
            plain = {key.lower(): cell for key, cell in row.items()}
            command = plain.get("command") or ("Sleep" if not plain.get("state") and not plain.get("info") else "Query")
            found.append({"Id": plain.get("id", len(found) + 1), "User": plain.get("user", "app"), "Command": command,
                          "Time": plain.get("time", plain.get("time_s", 0)), "State": plain.get("state") or "",
                          "Info": plain.get("info", plain.get("statement"))})  # fmt: skip
    return found


def _is_session(row: Mapping[str, Any], name: str) -> bool:
    columns = {key.lower() for key in row}
    plain = columns <= _SESSION_COLUMNS and "state" in columns and columns & {"time", "time_s", "command", "id"}
    return bool(plain) and all(not isinstance(cell, Mapping | list) for cell in row.values())


def states_of(outputs: Mapping[str, Any]) -> dict[str, float]:
    """How many sessions are in each thread state, where an output counts them by state."""
    found: dict[str, float] = {}
    for name, value in outputs.items():
        if not isinstance(value, Mapping) or not _STATES_NAME.search(name) or _SESSION_COLUMNS & set(value):
            continue
        for state, count in value.items():
            if _STATE.search(state) and (number := _count(count)):
                found[state] = found.get(state, 0.0) + number
    return found


def _count(value: Any) -> float:
    """A count; of a list of times, its length."""
    if isinstance(value, bool | Mapping):
        return 0.0
    if isinstance(value, int | float):
        return float(value)
    parts = value if isinstance(value, list) else re.findall(r"\d+(?:\.\d+)?", str(value))
    return float(len(parts))


def replica_status_of(outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of SHOW REPLICA STATUS, wherever among the outputs they stand."""
    found = {key: value for key, value in outputs.items() if _REPLICA_COLUMN.match(key)}
    for value in outputs.values():
        if isinstance(value, Mapping) and any(_REPLICA_COLUMN.match(key) for key in value):
            found |= {key: inner for key, inner in value.items() if isinstance(inner, str | int | float)}
            break
    return {key: value for key, value in found.items() if isinstance(value, str | int | float)}


def source_status_of(outputs: Mapping[str, Any]) -> dict[str, Any]:
    """The row of SHOW BINARY LOG STATUS, if one is among the outputs."""
    for value in outputs.values():
        if isinstance(value, Mapping) and {key.lower() for key in value} >= _SOURCE_COLUMNS:
            return {key: inner for key, inner in value.items() if isinstance(inner, str | int | float)}
    return {}
