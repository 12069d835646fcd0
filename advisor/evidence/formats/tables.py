"""Where are the tables in this text? Result sets as mysql and mysqladmin print them: boxes, \\G, tabs.

Every shape gives the same `ResultSet`. Whatever is not a table is skipped, so that logs of whole sessions, with
prompts and notes between, can be read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from advisor.model.record import record, replace

Cells = tuple[str | None, ...]


@record
class ResultSet:
    """One printed table. `columns` is empty when it was printed without a header (mysql -N).

    `lines` holds the line of each row (counted from 1), `at` the time of the last "TS" line before it (epoch
    seconds). `cut` is the line at which the table breaks off; what stands there is not in `rows`. `open_row` is the
    last row where the file ends in its last value without a line end: the value may be whole, or the beginning of one.
    """

    columns: tuple[str, ...]
    rows: tuple[Cells, ...]
    lines: tuple[int, ...]
    line: int
    cut: int = 0
    at: float | None = None
    open_row: Cells = ()


_BORDER = re.compile(r"\s*['\"]?\+(?:-+\+)+['\"]?\s*\Z")  # quoted where a table is a value in a report
_ROW = re.compile(r"\s*\|.*\|\s*\Z", re.DOTALL)
_STARS = re.compile(r"\s*\*{8,}\s*(\d+)\. row\s*\*{8,}\s*\Z")
_STAMP = re.compile(r"TS (\d{9,11}(?:\.\d+)?)\b")
_FIELD = re.compile(r"\s*([A-Za-z@_][\w@.()*+\- /]*): ?(.*)\Z", re.DOTALL)
_TABBED = re.compile(r"(?:[\w@.()*\- ]+)\t")
_SPACED = re.compile(r"\s*Variable_name\s+Value\s*\Z")
_PAIR = re.compile(r"\s*([A-Za-z_]\w*)(?:\s+(.*?))?\s*\Z")
_FOOTER = re.compile(r"\s*(?:\d+ rows? in set|Empty set|Query OK)|\S*(?:mysql|MariaDB)[^|]*> ?|\([^)]*\) \[[^\]]*\] ?>")
_HEADS = frozenset(
    "variable_name slave_io_state replica_io_state connection_name id type file channel_name server_id name schema_name"
    " member_id table_schema".split()
)
_ESCAPE = re.compile(r"\\([nt0\\r])")
_ESCAPED = {"n": "\n", "t": "\t", "0": "\0", "\\": "\\", "r": "\r"}


def result_sets(text: str) -> Iterator[ResultSet]:
    """Every table of the text, in order."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    position, at = 0, None
    while position < len(lines):
        line = lines[position]
        if stamp := _STAMP.match(line):
            at = float(stamp[1])
        found, after = _table_at(lines, position)
        if found is not None:
            yield replace(found, at=at)
        position = max(after, position + 1)


def _table_at(lines: list[str], position: int) -> tuple[ResultSet | None, int]:
    line = lines[position]
    if _BORDER.match(line):
        return _box(lines, position)
    if _STARS.match(line):
        return _vertical(lines, position)
    if line.lstrip().startswith("| ") and _ROW.match(line):
        return _rows_without_border(lines, position)
    if "\t" in line and _TABBED.match(line):
        return _tabbed(lines, position)
    if _SPACED.match(line):
        return _spaced(lines, position)
    return None, position + 1


def _box(lines: list[str], start: int) -> tuple[ResultSet | None, int]:
    """A box from its upper border on; without a header when the first border is followed by more than one row."""
    corners = [at for at, sign in enumerate(lines[start].replace("'", "").replace('"', "")) if sign == "+"]
    rows: list[Cells] = []
    numbers: list[int] = []
    header: tuple[str, ...] = ()
    borders, cut, position = 1, 0, start + 1
    while position < len(lines):
        line = lines[position]
        if _BORDER.match(line):
            borders += 1
            if borders == 2 and len(rows) == 1 and _is_head(rows[0]):
                header, rows, numbers = tuple(cell or "" for cell in rows[0]), [], []
                position += 1
                continue
            position += 1
            return _built(header, rows, numbers, start, 0), position
        if not line.lstrip().startswith("|"):
            break
        cells, after = _box_row(lines, position, corners)
        if cells is None:
            cut = position + 1
            position = after
            break
        rows.append(cells)
        numbers.append(position + 1)
        position = after
    if borders == 1 and rows and (rows[0][0] or "").lower() in _HEADS:
        header, rows, numbers = tuple(cell or "" for cell in rows[0]), rows[1:], numbers[1:]
    return _built(header, rows, numbers, start, cut or min(position + 1, len(lines))), position


def _is_head(cells: Cells) -> bool:
    return all(cell and not cell.isdigit() for cell in cells)


def _built(
    header: tuple[str, ...], rows: list[Cells], numbers: list[int], start: int, cut: int, open_row: Cells = ()
) -> ResultSet | None:
    if not header and not rows and not cut:
        return None
    return ResultSet(header, tuple(rows), tuple(numbers), start + 1, cut, None, open_row)


def _box_row(lines: list[str], position: int, corners: list[int]) -> tuple[Cells | None, int]:
    """One row, over several lines where a value holds line ends; None when it breaks off."""
    text, after = lines[position], position + 1
    while not text.rstrip().endswith("|") or len(text.strip()) < 2:
        if after >= len(lines) or _BORDER.match(lines[after]) or _stands_at(lines[after], corners):
            return None, after
        text += "\n" + lines[after]
        after += 1
    if "\n" not in text and _stands_at(text, corners):
        return tuple(_cell(text[a + 1 : b]) for a, b in itertools.pairwise(corners)), after
    parts = text.strip()[1:-1].split(" | ", len(corners) - 2)
    if len(parts) != len(corners) - 1:
        return None, after
    return tuple(_cell(part) for part in parts), after


def _stands_at(line: str, corners: list[int]) -> bool:
    """Whether the line is a whole row: bars right below the corners."""
    return all(at < len(line) and line[at] == "|" for at in corners)


def _cell(text: str) -> str | None:
    text = text.strip(" ")
    return None if text == "NULL" else text


def _rows_without_border(lines: list[str], start: int) -> tuple[ResultSet | None, int]:
    """Rows of a box whose borders are gone (grep): names and values only."""
    rows: list[Cells] = []
    numbers: list[int] = []
    position = start
    while position < len(lines) and _ROW.match(lines[position]) and not _BORDER.match(lines[position]):
        parts = lines[position].strip()[1:-1].split(" | ", 1)
        if len(parts) == 2:
            rows.append(tuple(_cell(part) for part in parts))
            numbers.append(position + 1)
        position += 1
    if rows and (rows[0][0] or "").lower() == "variable_name":
        rows, numbers = rows[1:], numbers[1:]
    return (ResultSet((), tuple(rows), tuple(numbers), start + 1) if rows else None), position


def _vertical(lines: list[str], start: int) -> tuple[ResultSet | None, int]:
    """The rows of one \\G result. A later row with other columns than the first is one that breaks off."""
    found: list[dict[str, str]] = []
    numbers: list[int] = []
    position, cut = start, 0
    open_row: Cells = ()
    while position < len(lines) and (stars := _STARS.match(lines[position])):
        if int(stars[1]) == 1 and position != start:
            break
        fields, after, open_value = _fields(lines, position + 1)
        if open_value:
            open_row = tuple(map(_cell, fields.values())) if not found or list(fields) == list(found[0]) else ()
            fields.popitem()  # the value may be half of what it was
            cut = after
        elif found and fields.keys() != found[0].keys():
            cut = after
        if fields and (not found or fields.keys() == found[0].keys()):
            found.append(fields)
            numbers.append(position + 1)
        position = after
        while position < len(lines) and not lines[position].strip():
            position += 1
    if not found:
        return None, max(position, start + 1)
    columns = tuple(found[0])
    rows = tuple(tuple(_cell(fields[name]) for name in columns) for fields in found)
    return ResultSet(columns, rows, tuple(numbers), start + 1, min(cut, len(lines)), None, open_row), position


def _fields(lines: list[str], position: int) -> tuple[dict[str, str], int, bool]:
    """The fields of one row, where the next thing begins, and whether the file ends inside a value."""
    fields: dict[str, str] = {}
    name, colon = "", -1
    while position < len(lines):
        line = lines[position]
        monitor = name == "Status" and "Type" in fields
        if _STARS.match(line) or (_FOOTER.match(line) and not monitor) or _STAMP.match(line) or _BORDER.match(line):
            break
        found = _FIELD.match(line) if colon < 0 or line[colon : colon + 1] == ":" else None
        if found and not (monitor and colon >= 0 and line.find(":") != colon):
            name = found[1].strip()
            colon = line.index(":") if colon < 0 else colon
            fields[name] = found[2]
        elif not line.strip() and not monitor:
            break
        elif name:
            fields[name] += "\n" + line
            if monitor and "END OF INNODB MONITOR OUTPUT" in line:
                position += 2
                break
        position += 1
    last = position >= len(lines) and bool(lines[-1])
    return fields, position, last and bool(name)


def _tabbed(lines: list[str], start: int) -> tuple[ResultSet | None, int]:
    """Rows of mysql -B, with or without (-N) a header."""
    width = lines[start].count("\t") + 1
    header: tuple[str, ...] = ()
    first = lines[start].split("\t")
    position = start
    if first[0].strip().lower() in _HEADS or first[0].startswith("@@"):
        header = tuple(first)
        position += 1
    elif width < 2:
        return None, start + 1
    rows: list[Cells] = []
    numbers: list[int] = []
    while position < len(lines):
        fields = lines[position].split("\t", 1 if width == 2 else -1)
        if len(fields) != width or (rows and fields[0] == "Variable_name"):
            break
        rows.append(tuple(_unescaped(field) for field in fields))
        numbers.append(position + 1)
        position += 1
    cut, open_row = _without_open_end(lines, position, rows, numbers)
    return _built(header, rows, numbers, start, cut, open_row), position


def _without_open_end(lines: list[str], position: int, rows: list[Cells], numbers: list[int]) -> tuple[int, Cells]:
    """Take out the last row when the file ends in it without a line end: OFF may have been OFF_PERMISSIVE.

    Gives the line at which the table breaks off, 0 when it does not, and that row.
    """
    if not lines[-1] or position < len(lines) - 1:
        return 0, ()
    if numbers and numbers[-1] == len(lines):
        numbers.pop()
        return len(lines), rows.pop()
    return (len(lines) if re.match(r"\w+\Z", lines[-1]) else 0), ()


def _unescaped(text: str) -> str | None:
    if text == "NULL":
        return None
    return _ESCAPE.sub(lambda match: _ESCAPED[match[1]], text) if "\\" in text else text


def _spaced(lines: list[str], start: int) -> tuple[ResultSet | None, int]:
    """`Variable_name   Value` whose tabs became spaces on the way."""
    rows: list[Cells] = []
    numbers: list[int] = []
    position = start + 1
    while position < len(lines) and lines[position].strip() and (pair := _PAIR.match(lines[position])):
        rows.append((pair[1], _cell(pair[2] or "")))
        numbers.append(position + 1)
        position += 1
    cut, open_row = _without_open_end(lines, position, rows, numbers)
    return _built(("Variable_name", "Value"), rows, numbers, start, cut, open_row), position
