"""What does this JSON of a server say? Variables, timed counters, replication tables, process lists → builder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from advisor.errors import InputError
from advisor.evidence.formats.beyond_files.persisted import add_persisted, is_persisted
from advisor.evidence.formats.deployment.describe_db_parameters import add_described_parameters, described_parameters
from advisor.evidence.formats.dumps import add_table
from advisor.evidence.formats.host import add_host_json
from advisor.evidence.formats.table_kinds import (
    are_counters,
    counter_name,
    is_known_table,
    replication_table_of,
    table_of,
)
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.lazy import LateRows, LateValues
from advisor.evidence.member.redaction import redact, redact_text
from advisor.evidence.member.scalars import as_text, scalar
from advisor.masking import is_secret
from advisor.model.evidence import Row, Scalar

_RENAMED = {
    "slave_status": "replica_status",
    "master_status": "binary_log_status",
    "process_list": "processlist",
}
_NO_OPTIONS = frozenset({"version", "version_comment", "hostname", "server_uuid"})  # variables of every server
_SNAPSHOT = frozenset({"global_variables", "global_status"})


def load_json(text: str, label: str) -> Any:
    """The parsed text; InputError with the line when it is no JSON."""
    import json

    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} (column {error.colno})", file=label, line=error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"not usable JSON: {error}", file=label) from None


def _finite(text: str) -> float:
    number = float(text)
    if not abs(number) < float("inf"):
        raise InputError(f"{text} is not a number that a server can report")
    return number


def read_json(text: str, label: str, kind: str = "") -> MemberBuilder:
    """`kind` is what the file's name promises ("variables", "status", "replication", "processlist", "host"), or "".

    Raises InputError when it is no JSON or has none of the known shapes.
    """
    try:
        builder = _read(load_json(text, label), label, kind, text)
    except InputError as error:
        error.file = error.file or label
        raise
    if not kind and not _understood(builder):
        hint = (
            "advisor reads JSON of variables, counters and replication tables, mysqld-auto.cnf and RDS parameter groups"
        )
        raise InputError("nothing in it was understood", file=label, line=1, hint=hint)
    return builder


def _understood(builder: MemberBuilder) -> bool:
    """Whether any variable, counter or table is one that a server has."""
    from advisor.catalog.presence import takers

    if builder.moments or builder.processlist or builder.innodb_status or builder.host or builder.observed:
        return True
    if any(is_known_table(table.table) or table_of(table.rows[0] if table.rows else ()) for table in builder.tables):
        return True
    return any(name in _NO_OPTIONS or takers(name) for name in builder.variables)


def _read(data: Any, label: str, kind: str, text: str) -> MemberBuilder:
    if kind not in ("variables", "status", "processlist", "host") and not kind.startswith("replica"):
        kind = ""
    builder = MemberBuilder()
    if is_persisted(data):
        add_persisted(builder, data, label)
    elif parameters := described_parameters(data):
        add_described_parameters(builder, parameters, label, text)
    elif kind == "host" and isinstance(data, dict):
        add_host_json(builder, data, label)
    elif isinstance(data, dict) and _SNAPSHOT & data.keys():
        _add_snapshot(builder, data, label)
    elif isinstance(data, dict):
        _add_mapping(builder, data, label, kind, None)
    elif isinstance(data, list) and all(isinstance(entry, dict) for entry in data):
        _add_list(builder, data, label, kind)
    else:
        raise InputError("neither an object nor a list of objects", file=label, line=1)
    return builder


def _add_list(builder: MemberBuilder, entries: list[dict[str, Any]], label: str, kind: str) -> None:
    """Timed moments ({"at_seconds", "values"}), names and values, or the rows of one table."""
    if any("values" in entry or "tables" in entry for entry in entries):
        for entry in entries:
            _add_moment(builder, entry, label, kind)
        return
    if not entries and kind == "replication":
        return  # no moment was recorded; that says nothing about replication
    names = {name.lower() for entry in entries for name in entry}
    if table_of(names) == "variables_or_counters":
        pairs = {_first(entry, "variable_name"): _first(entry, "value", "variable_value") for entry in entries}
        _add_mapping(builder, pairs, label, kind, None)
        return
    table = replication_table_of(names) if kind == "replication" and entries else table_of(names) or kind
    if kind == "processlist" or {"state", "command"} <= names:
        table = "processlist"
    if entries and table in ("", "variables", "status", "host"):
        raise InputError("a list of rows that no known statement returns", file=label, line=1)
    _add_rows(builder, table if table != "replication" else "replica_status", entries, None, label)


def _first(entry: Mapping[str, Any], *names: str) -> Any:
    return next((value for key, value in entry.items() if key.lower() in names), None)


def _add_moment(builder: MemberBuilder, entry: dict[str, Any], label: str, kind: str) -> None:
    at = entry.get("at_seconds")
    if at is not None and (isinstance(at, bool) or not isinstance(at, (int, float))):
        raise InputError(f"at_seconds is {at!r}, not a number", file=label)
    at = None if at is None else float(at)
    tables = entry.get("tables")
    if isinstance(tables, dict):
        _add_tables(builder, tables, label, at)
    values = entry.get("values")
    if isinstance(values, list) and all(isinstance(row, dict) for row in values):
        table = replication_table_of(name for row in values for name in row)
        _add_rows(builder, table, values, at, label)
    elif isinstance(values, dict):
        _add_mapping(builder, values, label, kind, at)
    elif values is not None:
        raise InputError("`values` is not a mapping of names to values", file=label)


def _add_mapping(builder: MemberBuilder, data: Mapping[str, Any], label: str, kind: str, at: float | None) -> None:
    """Names → values, or names of tables → rows."""
    if data and all(isinstance(value, list) for value in data.values()):
        _add_tables(builder, data, label, at)
        return
    if not data:
        return  # nothing was read; no row is something else
    table = "" if kind in ("variables", "status") else table_of(data)
    if kind == "replication" or (table and table != "variables_or_counters" and kind not in ("variables", "status")):
        _add_rows(builder, replication_table_of(data), [data], at, label)
    elif kind == "status" or (kind != "variables" and are_counters(data)):
        names = tuple(data)
        if at is not None and _are_plain_names(names):
            masked = {name: redact(name, _scalar(data[name])) for name in _secrets(names)}
            builder.add_moment(LateValues({**data, **masked} if masked else data, _scalar), at, label)
        else:
            builder.add_counters(((counter_name(name), _scalar(value)) for name, value in data.items()), at, label)
    else:
        if any(isinstance(value, (dict, list)) for value in data.values()):
            raise InputError("does not look like any file of a bundle", file=label, line=1)
        for name, value in data.items():
            builder.add_variable(name, as_text(value), label)


@lru_cache(maxsize=64)
def _are_plain_names(names: tuple[str, ...]) -> bool:
    """Whether all are spelt as counters are; alike for all moments."""
    return all(name == counter_name(name) for name in names)


def _add_tables(builder: MemberBuilder, tables: Mapping[str, Any], label: str, at: float | None) -> None:
    for name, rows in tables.items():
        if isinstance(rows, dict):
            rows = [rows]
        if isinstance(rows, list) and _ROWS.issuperset(map(type, rows)):
            _add_rows(builder, _RENAMED.get(name.lower(), name.lower()), rows, at, label)


def _add_snapshot(builder: MemberBuilder, data: Mapping[str, Any], label: str) -> None:
    """One collection of everything: global_variables, global_status, and tables by name."""
    at = _epoch_seconds(data.get("at"))
    builder.name = str(data.get("server") or "")
    if isinstance(data.get("global_variables"), dict):
        _add_mapping(builder, data["global_variables"], label, "variables", at)
    if isinstance(data.get("global_status"), dict):
        _add_mapping(builder, data["global_status"], label, "status", at)
    rest = {name: rows for name, rows in data.items() if isinstance(rows, list) and name not in _SNAPSHOT}
    _add_tables(builder, rest, label, at)


def _epoch_seconds(text: object) -> float | None:
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _add_rows(
    builder: MemberBuilder, table: str, rows: Sequence[Mapping[str, Any]], at: float | None, label: str
) -> None:
    if table == "innodb_status":
        add_table(builder, table, rows, at, label)
    else:
        builder.add_clean_rows(table, LateRows(rows, _row), at, label)


def _row(row: Mapping[str, Any]) -> Row:
    """The row with typed values and without secrets."""
    values = row.values()
    clean = dict(zip(row, map(_repeated if _PLAIN.issuperset(map(type, values)) else _scalar, values), strict=True))
    for name in _secrets(tuple(row)):
        clean[name] = redact(name, clean[name])
    return clean


@lru_cache(maxsize=256)
def _secrets(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(is_secret, names))


@lru_cache(maxsize=1 << 16)  # to it 1, 1.0 and true are the same, so it is asked for _PLAIN types only
def _repeated(value: str | int | None) -> Scalar:
    return _clean(value) if isinstance(value, str) else value


@lru_cache(maxsize=1 << 16)
def _clean(text: str) -> Scalar:
    value = scalar(text)
    return redact_text(value) if isinstance(value, str) else value


_PLAIN = frozenset({str, int, type(None)})
_ROWS = frozenset({dict})


def _scalar(value: Any) -> Scalar:
    """A value without a password in a text."""
    if isinstance(value, str):
        return _clean(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return redact_text(as_text(value) or "")
