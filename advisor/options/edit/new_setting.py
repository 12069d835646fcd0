"""How is a new setting written, so that it looks like the settings around it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from advisor.model.record import record
from advisor.options.edit.line_parts import OptionLine, with_value

T = TypeVar("T")


@record
class Style:
    """How settings are written: "-" or "_" in names, indentation, the blanks around "=".

    `column` is where "=" stands when the file lines them up, else 0.
    """

    separator: str
    indent: str
    gaps: tuple[str, str]
    column: int = 0


def style_of(preferred: Iterable[OptionLine], rest: Iterable[OptionLine]) -> Style:
    """The way most of `preferred` are written; where they leave a question open, most of `rest`."""
    near, far = tuple(preferred), tuple(rest)
    separator = _most(_separators(near)) or _most(_separators(far)) or "_"
    with_value = [line for line in near if line.equals] or [line for line in far if line.equals]
    gaps = _most((line.gap_before, line.gap_after) for line in with_value) or (" ", " ")
    indent = _most(line.indent for line in near) or ""
    return Style(separator, indent, gaps, _column(with_value))


def _separators(lines: Iterable[OptionLine]) -> list[str]:
    return [c for line in lines for c in "-_" if c in line.name]


def _most(items: Iterable[T]) -> T | None:
    counted = Counter(items).most_common(1)
    return counted[0][0] if counted else None


def _column(lines: Sequence[OptionLine]) -> int:
    """Where "=" stands in most lines, when blanks were used to get it there; 0 when it is not lined up."""
    if len(lines) < 3:
        return 0
    column, count = Counter(len(line.name) + len(line.gap_before) for line in lines).most_common(1)[0]
    widths = {len(line.gap_before) for line in lines if len(line.name) + len(line.gap_before) == column}
    return column if count * 3 >= len(lines) * 2 and len(widths) > 1 else 0


def new_line(name: str, value: str | None, style: Style) -> str:
    """The text of a new setting, without line end; `value` None for a bare switch."""
    spelt = name.replace("_", style.separator) if "." not in name else name
    line = OptionLine(style.indent, spelt, "", "", "", "", "")
    if value is None:
        return str(line)
    before, after = style.gaps
    if style.column:
        before = " " * max(style.column - len(name), 1)
    return str(with_value(line, value, (before, after)))
