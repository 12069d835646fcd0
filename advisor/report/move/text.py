"""What does a move mean? The report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.annotations import Final
from advisor.model.move import DefaultChange, Fate, FeatureFound, MemberMove, Move, OptionMove
from advisor.options.edit.edited_file import FileEdit
from advisor.report.move.phrases import (
    MEASURE,
    alike_in_defaults,
    alike_in_options,
    changed_options,
    counted_options,
    group_remarks,
    heading,
    keeping,
    meaningful,
    others,
    rates,
    start_verdict,
    values,
)
from advisor.report.move.rehearsed import rehearsed
from advisor.report.move.topology_text import topology_heading, topology_lines
from advisor.report.words.file_diff import paint_diff, unified
from advisor.report.words.layout import Page
from advisor.report.words.values import near, printable

_STYLES: Final = {
    Fate.KEPT: "faint",
    Fate.RENAMED: "info",
    Fate.TRANSLATED: "info",
    Fate.REMOVED: "warning",
    Fate.UNDECIDED: "warning",
    Fate.REFUSED: "critical",
}


def render(move: Move, page: Page, *, every: bool = False, diff: bool = True) -> str:
    """The whole report. `every`: also the changed defaults whose meaning is not known; `diff`: the rewritten files."""
    lines = page.wrap(f"{printable(move.path)}: {heading(move)}", 0)
    for member in move.members:
        lines += page.wrap(_named(member, move, start_verdict(member)), 2)
        lines += page.wrap(member.inference, 2) if member.inference else []
    for problem in move.problems:
        lines += page.wrap(f"note: {printable(problem)}", 2)
    lines += ["", *(() if move.release_stays else _path(move, page))]
    for member, names in alike_in_options(move.members):
        lines += _options(member, names, move, page)
    for member, names in alike_in_defaults(move.members):
        lines += _defaults(member, names if len(move.members) > 1 else (), page, every)
    lines += _features(move, page)
    lines += [] if move.release_stays else _steps(move, page)
    lines += _topology(move, page)
    lines += _rates(move, page)
    lines += _rehearsal(move, page)
    if diff:
        lines += _diffs(move, page)
    lines += [*page.wrap(_summary(move), 0)]
    return "\n".join(lines).rstrip() + "\n"


def _named(member: MemberMove, move: Move, text: str) -> str:
    return f"{member.name}: {text}" if len(move.members) > 1 else text


def _title(page: Page, title: str, about: str = "") -> str:
    return page.paint(title, "strong") + (f"  {about}" if about else "")


def _path(move: Move, page: Page) -> list[str]:
    route = move.route
    if route is None:
        return [_title(page, "PATH"), *page.wrap("nothing is known about this path", 2), ""]
    stops = " → ".join(["now", *route.by, move.target.name])
    lines = [_title(page, "PATH", stops if route.by else "")]
    lines += page.wrap(route.says, 2)
    lines += page.labelled("ways", [", ".join(route.ways)]) if route.ways else []
    if route.by:
        lines += page.labelled("first", [f"advisor move … --to {route.by[0]}"])
    return [*lines, ""]


def _options(member: MemberMove, names: tuple[str, ...], move: Move, page: Page) -> list[str]:
    if not member.options:
        return []
    of_member = f"{', '.join(names)}: " if len(move.members) > 1 else ""
    lines = [_title(page, "OPTIONS", of_member + counted_options(member))]
    lines += [line for text in group_remarks(member) for line in page.wrap(text, 2)]
    for option in changed_options(member):
        lines += ["", *_option(option, move, page)]
    if member.refusals:
        lines += ["", *page.labelled("still refused", [printable(text) for text in member.refusals])]
    return [*lines, ""]


def _option(option: OptionMove, move: Move, page: Page) -> list[str]:
    where = near(option.file, option.line, move.path)
    mark = str(option.fate) if not option.refused else f"{option.fate}, refused"
    if option.fate is Fate.KEPT:
        mark = "read differently"
    head = f"{option.text}"
    room = page.width - len(mark) - len(where) - 4
    if len(head) <= room:
        lines = [f"{page.paint(mark, _STYLES[option.fate])}  {head.ljust(room)}  {page.paint(where, 'faint')}"]
    else:
        lines = [f"{page.paint(mark, _STYLES[option.fate])}  {page.paint(where, 'faint')}", *page.wrap(head, 4)]
    if option.lines:
        lines += page.labelled("write" if option.exact else "nearest", list(option.lines))
    return lines + (page.labelled("because", [printable(option.why)]) if option.why else [])


def _defaults(member: MemberMove, names: tuple[str, ...], page: Page, every: bool) -> list[str]:
    matter, rest = meaningful(member), others(member)
    if not member.defaults:
        return [_title(page, "DEFAULTS"), *page.wrap("no default changes with this file", 2), ""]
    of_members = f"{', '.join(names)}: " if names else ""
    more = "" if every or not rest else " (list them with --all)"
    lines = [_title(page, "DEFAULTS THAT CHANGE", f"{of_members}{len(matter)} matter, {len(rest)} others{more}")]
    for change in matter:
        lines += ["", *_default(change, page)]
    if every and rest:
        lines += ["", *_title_of_rest(page), *(line for change in rest for line in _bare(change, page))]
    return [*lines, ""]


def _title_of_rest(page: Page) -> list[str]:
    return [page.paint("others", "strong")]


def _default(change: DefaultChange, page: Page) -> list[str]:
    assert change.claim is not None
    old, new = values(change)
    matters = ", ".join(change.claim.matters)
    lines = [f"{page.paint(change.name, 'info')}  {page.paint(matters, 'faint')}"]
    lines += page.labelled("changes", [f"{old} → {new}"])
    lines += page.labelled("means", [change.claim.says])
    lines += page.labelled("to keep it", [keeping(change)]) if keeping(change) else []
    lines += page.labelled("certain", ["no: it depends on the exact current release"]) if not change.certain else []
    return lines


def _bare(change: DefaultChange, page: Page) -> list[str]:
    old, new = values(change)
    owner = f" ({change.owner.replace(':', ' ')}, not loaded)" if change.owner and not change.loaded else ""
    first, *rest = page.wrap(f"{change.name}: {old} → {new}{owner}", 2)
    return [first, *(f"    {line.strip()}" for line in rest)]


def _features(move: Move, page: Page) -> list[str]:
    if not move.features:
        return []
    certain = sum(feature.certain for feature in move.features)
    lines = [_title(page, "FEATURES", f"{certain} concern this move, {len(move.features) - certain} to be checked")]
    for feature in move.features:
        lines += ["", *_feature(feature, page, several=len(move.members) > 1)]
    return [*lines, ""]


def _feature(feature: FeatureFound, page: Page, *, several: bool) -> list[str]:
    claim = feature.claim
    style, mark = ("critical", "in the way") if claim.blocks and feature.certain else ("info", "note")
    if not feature.certain:
        style, mark = "warning", "check"
    lines = [f"{page.paint(mark, style)}  {claim.title}  {page.paint(', '.join(claim.matters), 'faint')}"]
    lines += page.labelled("members", [", ".join(feature.members)]) if several and feature.members else []
    lines += page.labelled("means", [claim.says])
    lines += page.labelled("do", [claim.do]) if claim.do else []
    lines += page.labelled("ask", [claim.ask]) if claim.ask else []
    lines += page.labelled("unknown", [", ".join(feature.missing)]) if feature.missing and not feature.certain else []
    return lines


def _steps(move: Move, page: Page) -> list[str]:
    if not move.steps:
        return []
    known = str(move.topology).replace("_", " ") if move.topology is not None else ""
    about = known or "as a server on its own; name the topology with --topology"
    lines = [_title(page, "ORDER OF STEPS", about), ""]
    for number, step in enumerate(move.steps, 1):
        first, *rest = page.wrap(step.does, 4)
        lines += [f"{number:2}. {first[4:]}", *rest]
        lines += [page.paint(line, "faint") for line in page.wrap(step.why, 4)] if step.why else []
    return [*lines, ""]


def _rates(move: Move, page: Page) -> list[str]:
    lines = [_title(page, "RATE TO EXPECT"), *page.wrap(MEASURE, 2)]
    for name, rate in rates(move):
        lines += page.wrap(f"{name}: {rate}", 4)
    return [*lines, ""]


def _topology(move: Move, page: Page) -> list[str]:
    """What another topology asks for, if one was named."""
    if move.topology_move is None:
        return []
    lines = [_title(page, "TOPOLOGY", topology_heading(move.topology_move))]
    for label, sentences in topology_lines(move):
        lines += page.labelled(label, sentences)
    return [*lines, ""]


def _rehearsal(move: Move, page: Page) -> list[str]:
    """What real servers showed, if the move was rehearsed."""
    lines = [line for label, sentence in rehearsed(move) for line in page.labelled(label, [sentence])]
    return [_title(page, "ON REAL SERVERS"), *lines, ""] if lines else []


def _diffs(move: Move, page: Page) -> list[str]:
    edits = [FileEdit(*change) for member in move.members for change in member.rewritten]
    if not edits:
        return []
    return [
        _title(page, "FILES FOR THE TARGET"),
        *(paint_diff(line, page) for edit in edits for line in unified(edit)),
        "",
    ]


def _summary(move: Move) -> str:
    return "; ".join(_obstacles(move)) or "nothing is in the way"


def _obstacles(move: Move) -> Iterator[str]:
    found = move.obstacles
    if found:
        yield f"in the way: {found[0]}"
        yield from found[1:]
