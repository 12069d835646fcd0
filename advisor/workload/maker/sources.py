"""What do files tell of a load? Each is known by its content: logs, table definitions, digests, sizes, counters."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.binlog.source.log_file import MAGIC
from advisor.errors import InputError
from advisor.evidence.formats.detect_format import TextKind, kind_of
from advisor.evidence.formats.tables import result_sets
from advisor.evidence.read import read_path
from advisor.evidence.source.files import as_text, is_archive, missing, read_bytes
from advisor.model.evidence import Member
from advisor.model.record import field, record, replace
from advisor.workload.maker.definitions import TableDefinition, stated_definitions
from advisor.workload.maker.digests import Digest, digests_of_json, digests_of_text

_LOGS: Final = (MAGIC, b"\xfdbin")
_HINT: Final = (
    "name binary logs, a dump with CREATE TABLE, events_statements_summary_by_digest as mysql prints it, a report of"
    " pt-query-digest --output json, TABLE_SCHEMA, TABLE_NAME and TABLE_ROWS of information_schema.TABLES, or a bundle"
)
_WRITES: Final = ("Com_insert", "Com_update", "Com_delete", "Com_replace")


@record
class Counters:
    """Counters at two times, in seconds since 1970."""

    begin_seconds: float
    end_seconds: float
    before: Mapping[str, str]
    after: Mapping[str, str]


@record
class SortedSources:
    """What the sources hold; `counters` is None where there are none, or only of one time."""

    logs: tuple[str, ...] = ()
    definitions: Mapping[str, TableDefinition] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    digests: tuple[Digest, ...] = ()
    counters: Counters | None = None


def sorted_sources(words: Sequence[str]) -> SortedSources:
    """Read everything but the logs; InputError for a source that holds nothing of this."""
    found = SortedSources()
    for word in words:
        if _is_log(word):
            found = replace(found, logs=(*found.logs, word))
            continue
        more = _of_bundle(word) if os.path.isdir(word) or _is_archive(word) else _of_text(word)
        if more == SortedSources():
            raise InputError("there is nothing in it that a load could be made from", file=word, hint=_HINT)
        found = SortedSources(
            found.logs, {**found.definitions, **more.definitions}, {**found.sizes, **more.sizes},
            found.digests + more.digests, more.counters or found.counters,
        )  # fmt: skip
    return found


def _is_log(word: str) -> bool:
    """Whether it is a binary log, an index, or a folder with an index."""
    if os.path.isdir(word):
        return not os.path.exists(os.path.join(word, "bundle.json")) and any(
            name.endswith(".index") for name in os.listdir(word)
        )
    if word.endswith(".index"):
        return True
    try:
        with open(word, "rb") as stream:
            return stream.read(len(MAGIC)) in _LOGS
    except OSError:
        raise missing(word) from None


def _is_archive(word: str) -> bool:
    with open(word, "rb") as stream:
        return is_archive(stream.read(512))


def _of_text(path: str) -> SortedSources:
    text = as_text(read_bytes(path, path), path)
    if kind_of(text) is TextKind.JSON:
        return SortedSources(digests=digests_of_json(text, path))
    found = SortedSources(
        definitions=stated_definitions(text) if "CREATE TABLE" in text else {},
        sizes=_sizes(text),
        digests=digests_of_text(text) if "digest_text" in text.lower() else (),
    )
    return found if found != SortedSources() else _of_bundle(path)


def _sizes(text: str) -> dict[str, int]:
    """Rows by table, where a table of information_schema.TABLES is printed."""
    found = {}
    for table in result_sets(text) if "table_rows" in text.lower() else ():
        columns = [column.lower() for column in table.columns]
        if {"table_schema", "table_name", "table_rows"} <= set(columns):
            for cells in table.rows:
                row = dict(zip(columns, cells, strict=False))
                if str(row["table_rows"] or "").isdecimal():
                    found[f"{row['table_schema']}.{row['table_name']}"] = int(str(row["table_rows"]))
    return found


def _of_bundle(path: str) -> SortedSources:
    """Counters of the member that writes most."""
    try:
        members = read_path(path).members
    except InputError:
        return SortedSources()
    counted = [counters for member in members if (counters := _counters(member))]
    best = max(counted, key=_written, default=None)
    return SortedSources(counters=best)


def _counters(member: Member) -> Counters | None:
    samples = [sample for sample in member.samples if sample.at_seconds]
    if len(samples) < 2:
        return None
    first, last = samples[0], samples[-1]
    return Counters(
        float(first.at_seconds or 0), float(last.at_seconds or 0),
        {name: str(value) for name, value in first.values.items()},
        {name: str(value) for name, value in last.values.items()},
    )  # fmt: skip


def _written(counters: Counters) -> float:
    """Statements that changed rows."""
    return sum(_number(counters.after.get(name)) - _number(counters.before.get(name)) for name in _WRITES)


def _number(text: str | None) -> float:
    return float(text) if text and text.isdecimal() else 0.0
