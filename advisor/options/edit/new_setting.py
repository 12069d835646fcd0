"""Where in an option file does a new setting go, and how are the settings around it written?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from advisor.model.record import record
from advisor.model.server import Family
from advisor.options.edit.line_parts import OptionLine, split_line, with_value
from advisor.options.lines import BLANKS

T = TypeVar("T")

# Plain groups the server reads, the one meant for it alone first. Version groups ([mysqld-8.0]) are left out:
# a setting added there is lost with the next upgrade.
PLAIN_GROUPS = {
    Family.MYSQL: ("mysqld", "server"),
    Family.MARIADB: ("mariadb", "mariadbd", "mysqld", "server"),
}


@record
class Section:
    """The lines under one [group] header: `header` is the index of the header line, `lines` the rest, cut."""

    group: str
    header: int
    lines: tuple[OptionLine | None, ...]

    @property
    def settings(self) -> tuple[OptionLine, ...]:
        """The lines with an option."""
        return tuple(line for line in self.lines if line is not None)

    @property
    def last(self) -> int:
        """Index in the file of the last line with an option, else of the header."""
        return self.header + max((i for i, line in enumerate(self.lines, start=1) if line is not None), default=0)


@record
class Style:
    """How settings are written: "-" or "_" in names, indentation, the blanks around "=".

    `column` is where "=" stands when the file lines them up, else 0.
    """

    separator: str
    indent: str
    gaps: tuple[str, str]
    column: int = 0


def sections(lines: Sequence[str]) -> tuple[Section, ...]:
    """The groups of a file in its order; what stands before the first header belongs to none."""
    heads = [i for i, line in enumerate(lines) if line.lstrip(BLANKS)[:1] == "["]
    ends = [*heads[1:], len(lines)]
    return tuple(
        Section(_group(lines[head]), head, tuple(split_line(line.removesuffix("\n")) for line in lines[head + 1 : end]))
        for head, end in zip(heads, ends, strict=False)
    )


def _group(header: str) -> str:
    name = header.lstrip(BLANKS)[1:].partition("]")[0]
    return name.rstrip(BLANKS).lower()  # a blank before the name is part of it for the servers


def choose_section(sections: Sequence[Section], family: Family, name: str) -> Section | None:
    """The group a new setting `name` belongs to; None when no group fits.

    The plain server group the file uses: with the most settings, on a tie the most specific, the last of its
    name. Provider settings of MariaDB may stand in [galera].
    """
    groups = PLAIN_GROUPS[family]
    if name.startswith("wsrep_") and family is Family.MARIADB:
        galera = [s for s in sections if s.group == "galera"]
        if galera:
            homes = [s for s in sections if s.group in groups and _wsrep(s)]
            return _last_used(homes if homes and not any(map(_wsrep, galera)) else galera)
    sizes: Counter[str] = Counter()
    for section in sections:
        sizes[section.group] += len(section.settings)
    present = [group for group in groups if group in sizes]
    if not present:
        return None
    best = max(present, key=lambda group: (sizes[group], -groups.index(group)))
    return _last_used([s for s in sections if s.group == best])


def _wsrep(section: Section) -> bool:
    return any(line.name.replace("-", "_").lower().startswith("wsrep") for line in section.settings)


def _last_used(candidates: Sequence[Section]) -> Section:
    return ([s for s in candidates if s.settings] or candidates)[-1]


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
