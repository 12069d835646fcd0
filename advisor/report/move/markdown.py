"""What goes into a ticket or a plan of the move? The report as Markdown, with all sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model.move import DefaultChange, FeatureFound, MemberMove, Move, OptionMove
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
from advisor.report.words.file_diff import unified
from advisor.report.words.table import escape, markdown_table
from advisor.report.words.values import place, printable


def render(move: Move, *, every: bool = False) -> str:
    """The whole report. `every`: also the changed defaults whose meaning is not known."""
    lines = [f"# Move of `{printable(move.path)}`", "", f"{escape(heading(move))}.", ""]
    lines += [f"- {escape(member.name)}: {escape(start_verdict(member))}" for member in move.members]
    lines += [f"- {escape(problem)}" for problem in move.problems]
    obstacles = move.obstacles
    lines += ["", f"**In the way: {escape('; '.join(obstacles))}.**" if obstacles else "Nothing is in the way.", ""]
    path, steps = ((), ()) if move.release_stays else (_path(move), _steps(move))
    lines += [*path, *(line for group in alike_in_options(move.members) for line in _options(*group))]
    lines += [line for member, names in alike_in_defaults(move.members) for line in _defaults(member, names, every)]
    lines += [
        *_features(move.features),
        *steps,
        *_topology(move),
        *_rates(move),
        *_rehearsal(move),
        *_diffs(move),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _path(move: Move) -> Iterator[str]:
    yield from ("## Path", "")
    if move.route is None:
        yield from ("Nothing is known about this path.", "")
        return
    if move.route.by:
        yield from (" → ".join(["now", *(f"`{stop}`" for stop in move.route.by), f"`{move.target.name}`"]), "")
    yield from (escape(move.route.says), "")
    if move.route.ways:
        yield from (f"Ways: {', '.join(move.route.ways)}.", "")
    yield from (*_sources(move.route.see), "")


def _options(member: MemberMove, names: Sequence[str]) -> Iterator[str]:
    if not member.options:
        return
    yield from (f"## Options of {escape(', '.join(names))}", "", f"{counted_options(member)}.".capitalize(), "")
    yield from (f"- {escape(text)}" for text in group_remarks(member))
    changed = changed_options(member)
    if changed:
        yield from markdown_table(("Where", "Now", "Then", "Why"), [_option(option) for option in changed])
        yield ""
    for text in member.refusals:
        yield f"- still refused: {escape(text)}"


def _option(option: OptionMove) -> tuple[str, ...]:
    new = ", ".join(f"`{line}`" for line in option.lines) or str(option.fate)
    return f"`{place(option.file, option.line)}`", f"`{option.text}`", new, escape(option.why)


def _defaults(member: MemberMove, names: Sequence[str], every: bool) -> Iterator[str]:
    matter, rest = meaningful(member), others(member)
    if not member.defaults:
        return
    yield from (f"## Defaults that change ({', '.join(names)})", "")
    if matter:
        yield from markdown_table(
            ("Setting", "Old", "New", "Affects", "Means", "To keep it"), [_default(change) for change in matter]
        )
        yield ""
    if every and rest:
        yield from markdown_table(("Setting", "Old", "New"), [(f"`{c.name}`", *map(escape, values(c))) for c in rest])
    elif rest:
        yield f"{len(rest)} others change; list them with `--all`."
    yield ""
    yield from _sources([link for change in matter if change.claim is not None for link in change.claim.see])
    yield ""


def _default(change: DefaultChange) -> tuple[str, ...]:
    assert change.claim is not None
    old, new = map(escape, values(change))
    kept = keeping(change)
    bears_on = ", ".join(change.claim.matters)
    return f"`{change.name}`", old, new, bears_on, escape(change.claim.says), f"`{kept}`" if kept else ""


def _features(features: Sequence[FeatureFound]) -> Iterator[str]:
    if not features:
        return
    yield from ("## Features", "")
    for feature in features:
        claim = feature.claim
        mark = "in the way" if claim.blocks and feature.certain else "note" if feature.certain else "check"
        yield from (f"### {escape(claim.title)} ({mark})", "", escape(claim.says), "")
        yield from ([f"- Do: {escape(claim.do)}"] if claim.do else [])
        yield from ([f"- Ask: `{printable(claim.ask)}`"] if claim.ask else [])
        yield from (*_sources(claim.see), "")


def _steps(move: Move) -> Iterator[str]:
    if not move.steps:
        return
    yield from ("## Order of steps", "")
    for number, step in enumerate(move.steps, 1):
        yield f"{number}. {escape(step.does)}" + (f" {escape(step.why)}" if step.why else "")
    yield ""
    yield from (*_sources([link for step in move.steps for link in step.see]), "")


def _rates(move: Move) -> Iterator[str]:
    yield from ("## Rate to expect", "", MEASURE[:1].upper() + MEASURE[1:], "")
    yield from (f"- {escape(name)}: {escape(rate)}" for name, rate in rates(move))
    yield ""


def _topology(move: Move) -> Iterator[str]:
    """What another topology asks for, if one was named."""
    if move.topology_move is not None:
        yield from (f"## Topology: {topology_heading(move.topology_move)}", "")
        yield from (f"- {label}: {escape(' – '.join(sentences))}" for label, sentences in topology_lines(move))
        yield ""


def _rehearsal(move: Move) -> Iterator[str]:
    """What real servers showed, if the move was rehearsed."""
    if found := [f"- {label}: {escape(sentence)}" for label, sentence in rehearsed(move)]:
        yield from ("## On real servers", "", *found, "")


def _diffs(move: Move) -> Iterator[str]:
    edits = [FileEdit(*change) for member in move.members for change in member.rewritten]
    if edits:
        yield from ("## Files for the target", "", "```diff")
        yield from (line for edit in edits for line in unified(edit))
        yield "```"


def _sources(links: Sequence[str]) -> Iterator[str]:
    yield from (f"- See {link}" for link in dict.fromkeys(links))
