"""Which statements does an application execute, how often, and how many rows does each read? From statement digests.

Sources are rows of events_statements_summary_by_digest as `mysql` prints them, and `pt-query-digest --output json`. The
texts of digests have no literals; examples with literals are never read. Nothing of a text goes into a load.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from advisor.annotations import Any, Final
from advisor.errors import InputError
from advisor.evidence.formats.tables import result_sets
from advisor.model.record import record, replace

_TABLES: Final = re.compile(r"\b(?:from|join|update|into)\s+(`?[\w$]+`?)(?:\s*\.\s*(`?[\w$]+`?))?", re.IGNORECASE)
_LOCKS: Final = re.compile(r"\bfor\s+update\b|\bfor\s+share\b|\block\s+in\s+share\s+mode\b", re.IGNORECASE)
_CHANGES: Final = ("insert", "update", "delete", "replace", "load")
_CALLS: Final = "count_star"


@record
class Digest:
    """Statements that differ only in their literals. Rows are sums over all calls; `seconds` is their time together."""

    word: str  # the first of the statement, in small letters
    tables: tuple[str, ...]  # "database.table", or "table" where the database is not known
    calls: int
    rows_examined: int = 0
    rows_sent: int = 0
    rows_sorted: int = 0
    seconds: float = 0.0
    sorts: bool = False
    distinct: bool = False
    locks: bool = False
    prepared: bool = False
    identity: int = 0  # of the statement, while this program runs

    @property
    def is_read(self) -> bool:
        """Whether it reads tables."""
        return self.word == "select" and bool(self.tables)

    @property
    def is_change(self) -> bool:
        """Whether it changes rows."""
        return self.word in _CHANGES


def digests_of_text(text: str) -> tuple[Digest, ...]:
    """Those in tables that a client printed."""
    found = []
    for table in result_sets(text):
        columns = [column.lower() for column in table.columns]
        if "digest_text" in columns and _CALLS in columns:
            found += [digest_of_row(dict(zip(columns, row, strict=False))) for row in table.rows]
    return tuple(each for each in found if each is not None)


def digest_of_row(row: Mapping[str, Any]) -> Digest | None:
    """One row, by names of columns in small letters; None for the row that stands for all further statements."""
    text, database = row.get("digest_text"), str(row.get("schema_name") or "")
    if not text:
        return None
    return _digest(
        str(text), database, calls=_whole(row.get(_CALLS)), rows_examined=_whole(row.get("sum_rows_examined")),
        rows_sent=_whole(row.get("sum_rows_sent")), rows_sorted=_whole(row.get("sum_sort_rows")),
        seconds=_whole(row.get("sum_timer_wait")) / 1e12,
    )  # fmt: skip


def digests_of_json(text: str, name: str) -> tuple[Digest, ...]:
    """Those of pt-query-digest; InputError for other JSON."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(f"not JSON: {error}", file=name) from None
    classes = data.get("classes") if isinstance(data, dict) else None
    if not isinstance(classes, list):
        raise InputError("not a report of pt-query-digest: it has no `classes`", file=name)
    found = []
    for each in classes:
        if isinstance(each, dict) and isinstance(each.get("fingerprint"), str):
            metrics = _mapping(each.get("metrics"))
            database = _mapping(metrics.get("db"))
            found.append(_digest(
                each["fingerprint"], str(database.get("value") or ""), calls=_whole(each.get("query_count")),
                rows_examined=_whole(_sum(metrics, "Rows_examined")), rows_sent=_whole(_sum(metrics, "Rows_sent")),
                rows_sorted=0, seconds=float(_sum(metrics, "Query_time") or 0.0),
            ))  # fmt: skip
    return tuple(found)


def between(before: Iterable[Digest], after: Iterable[Digest]) -> tuple[Digest, ...]:
    """What was executed between two readings of one server."""
    earlier = {each.identity: each for each in before}
    changes = (_less(each, earlier.get(each.identity)) for each in after)
    return tuple(each for each in changes if each.calls > 0)


def _less(later: Digest, earlier: Digest | None) -> Digest:
    if earlier is None:
        return later
    return replace(
        later,
        calls=later.calls - earlier.calls,
        rows_examined=later.rows_examined - earlier.rows_examined,
        rows_sent=later.rows_sent - earlier.rows_sent,
        rows_sorted=later.rows_sorted - earlier.rows_sorted,
        seconds=later.seconds - earlier.seconds,
    )


def _digest(
    text: str, database: str, calls: int, rows_examined: int, rows_sent: int, rows_sorted: int, seconds: float
) -> Digest:
    words = text.lower().removeprefix("execute ")  # of a prepared statement
    tables = []
    for first, second in _TABLES.findall(text):
        name = f"{first}.{second}" if second else f"{database}.{first}" if database else first
        tables.append(name.replace("`", ""))
    return Digest(
        word=re.split(r"[\s(]", words.strip(" ("), maxsplit=1)[0], tables=tuple(dict.fromkeys(tables)), calls=calls,
        rows_examined=rows_examined, rows_sent=rows_sent, rows_sorted=rows_sorted, seconds=seconds,
        sorts="order by" in words, distinct="distinct" in words, locks=bool(_LOCKS.search(text)),
        prepared=text.lower().startswith("execute "),
        identity=hash((database, text)),
    )  # fmt: skip


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _sum(metrics: Mapping[str, Any], name: str) -> Any:
    part = metrics.get(name)
    return part.get("sum") if isinstance(part, dict) else 0


def _whole(value: Any) -> int:
    """A count; 0 for what is none. pt-query-digest writes counts as texts."""
    try:
        return int(float(value or 0))
    except (TypeError, ValueError):
        return 0
