"""What do these printed tables say? A text with the output of SHOW statements → what it says of one member."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from advisor.evidence.formats.detect_format import CSV_HEAD
from advisor.evidence.formats.table_kinds import are_counters, counter_name, table_of
from advisor.evidence.formats.tables import ResultSet, result_sets
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_text
from advisor.evidence.member.scalars import scalar
from advisor.evidence.member.value_types import is_whole_word
from advisor.model.evidence import Scalar
from advisor.model.record import replace

_MONITOR = re.compile(r"(?<!=)=+\n[^\n]*INNODB MONITOR OUTPUT.*?(?:END OF INNODB MONITOR OUTPUT[^\n]*|\Z)", re.DOTALL)
_NO_REPLICA = re.compile(
    r"show\s+(?:all\s+)?(?:slaves?|replicas?)\s+status[^\n]*\n\s*(?:-+\n)?\s*Empty set", re.IGNORECASE
)


def read_dump(text: str, label: str) -> MemberBuilder:
    """Everything recognised in the text; `label` is what facts name as their source, with the line.

    Tables of statements nobody here knows are skipped. Nothing recognised gives empty builder.
    """
    builder = MemberBuilder()
    for found in map(_with_open_row, result_sets(_without_commas(text))):
        _add(builder, found, label)
        if found.cut:
            what = "everything before this line is used"
            if len(found.open_row) == 2:
                what = f"{found.open_row[0]} has no line end, may be cut off, and is not used"
            builder.problems.append(f"{label}:{found.cut}: the output ends early; {what}")
    if not builder.innodb_status and "INNODB MONITOR OUTPUT" in text:
        monitor = _MONITOR.search(text.replace("\r\n", "\n"))
        builder.innodb_status = redact_text(monitor[0]) if monitor else ""
    asked = any(snapshot.table == "replica_status" for snapshot in builder.tables)
    if not asked and "Empty set" in text and _NO_REPLICA.search(text):
        builder.add_rows("replica_status", (), None, label)
    return builder


def _without_commas(text: str) -> str:
    """Variables as desktop clients export them, `"Variable_name","Value"`, with tabs as mysql -B writes them."""
    lines = text.splitlines()
    head = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if head == len(lines) or not re.match(CSV_HEAD, lines[head], re.IGNORECASE):
        return text
    import csv  # for the few who have such a file

    sign = ";" if ";" in lines[head] else ","
    rows = ("\t".join(row).replace("\n", " ") for row in csv.reader(lines[head:], delimiter=sign))
    return "\n" * head + "\n".join(rows) + "\n"


def _with_open_row(found: ResultSet) -> ResultSet:
    """The table with its last row, where only the line end of that is missing."""
    if len(found.open_row) != 2 or table_of(found.columns) not in ("", "variables_or_counters"):
        return found
    name, text = found.open_row
    if not name or not text or not is_whole_word(name.lower(), text):
        return found
    rows, lines = (*found.rows, found.open_row), (*found.lines, found.cut)
    return replace(found, rows=rows, lines=lines, cut=0, open_row=())


def _add(builder: MemberBuilder, found: ResultSet, label: str) -> None:
    table = table_of(found.columns)
    source = f"{label}:{found.line}"
    if table == "variables_or_counters" or (not found.columns and _are_pairs(found)):
        _add_pairs(builder, found, label)
    elif table == "selected_variables":
        for name, text in zip(found.columns, found.rows[-1] if found.rows else (), strict=False):
            builder.add_variable(name.lstrip("@").lower().removeprefix("global."), text, source)
    elif table:
        add_table(builder, table, _rows(found), found.at, source)


def add_table(
    builder: MemberBuilder, table: str, rows: Iterable[Mapping[str, Scalar]], at_seconds: float | None, source: str
) -> None:
    """Rows of a recognised statement, put where they belong."""
    if table == "innodb_status":
        for row in rows:
            text = next((value for name, value in row.items() if name.lower() == "status"), "")
            builder.innodb_status = redact_text(str(text).strip("\n"))
    else:
        builder.add_rows(table, rows, at_seconds, source)


def _are_pairs(found: ResultSet) -> bool:
    """Whether rows printed without a header can be names and values."""
    return bool(found.rows) and all(
        len(row) == 2 and re.match(r"[A-Za-z]\w*(?:\.\w+|:[\w ]+)?\Z", row[0] or "") for row in found.rows
    )


def _rows(found: ResultSet) -> list[Mapping[str, Scalar]]:
    return [{name: scalar(text) for name, text in zip(found.columns, row, strict=False)} for row in found.rows]


def _add_pairs(builder: MemberBuilder, found: ResultSet, label: str) -> None:
    pairs = [(row[0] or "", row[1]) for row in found.rows if len(row) > 1]
    if not pairs:
        return
    if are_counters(name for name, _ in pairs):
        builder.add_counters(
            ((counter_name(name), scalar(text)) for name, text in pairs), found.at, f"{label}:{found.line}"
        )
        return
    for (name, text), line in zip(pairs, found.lines, strict=False):
        builder.add_variable(name, text, f"{label}:{line}")
