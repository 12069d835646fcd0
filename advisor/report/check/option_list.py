"""What is the server's argument list, which option wins, and how does the server read each?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from advisor.model.options import Reading, Setting
from advisor.model.server import Release, join_labels
from advisor.options import resolve, select
from advisor.options.groups import read_as
from advisor.report.words.layout import Page
from advisor.report.words.values import printable, show_source

SCHEMA: Final = "advisor/options/2"


@dataclass(frozen=True, slots=True)
class Remark:
    """How the server reads an option differently from what is written."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option in reading order. `argument` is as my_print_defaults prints it, secrets masked.

    `name` is the variable's name ("" when the release has no such variable), `value` the text as the server gets it
    (null without "="), `shadowed_by` the file:line that wins over this one.
    """

    argument: str
    name: str
    value: str | None
    file: str
    line: int
    effective: bool
    shadowed_by: str | None
    remarks: list[Remark]


@dataclass(frozen=True, slots=True)
class OptionList:
    """The options of one target. Names, winners and remarks are those of `release`, one of the possible `releases`."""

    schema: str
    target: str
    release: str
    releases: list[str]
    options: list[OptionRow]
    problems: list[str]


@dataclass(frozen=True, slots=True)
class OptionLists:
    """The options of each target, also where there is only one."""

    schema: str
    reports: list[OptionList]


def option_list(target: str, reading: Reading, releases: Sequence[Release]) -> OptionList:
    """The options of the groups that any of the releases reads; names, winners and remarks as for the last one."""
    newest = releases[-1]
    reading = replace(read_as(reading, newest), cut=None)
    # By identity: a file that is included twice gives equal arguments, of which only the last one counts.
    settings: dict[int, Setting] = {}
    for release in releases:
        arguments, resolved = select(reading, release), resolve(reading, release).all
        settings.update((id(a), setting) for a, setting in zip(arguments, resolved, strict=True))
    rows = [_row(settings[id(argument)]) for argument in reading.arguments if id(argument) in settings]
    problems = [f"{p.file}:{p.line}: {p.message}" for p in reading.problems]
    return OptionList(SCHEMA, target, newest.label, [release.label for release in releases], rows, problems)


def as_json(lists: Sequence[OptionList]) -> str:
    """{"schema", "reports": [list, …]} for one target and for many."""
    import json

    text = json.dumps(asdict(OptionLists(SCHEMA, list(lists))), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def as_text(lists: Sequence[OptionList], page: Page) -> str:
    """The arguments in reading order with their places, and the remarks below each."""
    return "\n".join(line for options in lists for line in [*_lines(options, page), ""]).rstrip("\n") + "\n"


def _lines(options: OptionList, page: Page) -> list[str]:
    lines = page.wrap(f"{printable(options.target)} as {options.release} reads it", 0)
    if len(options.releases) > 1:
        lines += page.wrap(f"possible: {join_labels(options.releases)}; choose with --server", 2)
    for problem in options.problems:
        lines += page.wrap(f"note: {printable(problem)}", 2)
    places = [show_source(f"{row.file}:{row.line}", options.target) for row in options.options]
    room = page.width - 4 - max(map(len, places), default=0)
    column = max((len(row.argument) for row in options.options if len(row.argument) <= room), default=0)
    for row, where in zip(options.options, places, strict=True):
        lines.append(f"  {printable(row.argument):{column}}  {page.paint(where, 'faint')}")
        for text in _remarks(row, options.target):
            lines += [page.paint(line, "warning") for line in page.wrap(text, 6)]
    return lines


def _remarks(row: OptionRow, target: str) -> list[str]:
    shadow = [f"no effect: {show_source(row.shadowed_by, target)} sets it again"] if row.shadowed_by else []
    return shadow + [printable(remark.message) for remark in row.remarks]


def _row(setting: Setting) -> OptionRow:
    argument, shadow = setting.argument, setting.shadowed_by
    return OptionRow(
        argument=argument.text,
        name=setting.name,
        value=argument.value,
        file=argument.file,
        line=argument.line,
        effective=setting.effective,
        shadowed_by=f"{shadow.file}:{shadow.line}" if shadow else None,
        remarks=[Remark(str(note.kind), note.message) for note in setting.notes],
    )
