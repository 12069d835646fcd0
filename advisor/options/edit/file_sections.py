"""Which sections does an option file have, and which of them takes a new setting? A section is what stands under one
[group] header: a file may have several of one group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from advisor.model.record import record
from advisor.model.server import Family
from advisor.options.edit.line_parts import OptionLine, split_line
from advisor.options.lines import BLANKS

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
