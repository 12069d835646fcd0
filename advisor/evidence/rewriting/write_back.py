"""How do changed options get back into the file that they come from? Every other character stays as it is.

What is written is read again: only a file that gives exactly the wanted options is returned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from advisor.errors import InputError
from advisor.evidence.rewriting.option_view import PLAIN, Form, OptionView, Spot, options_at
from advisor.model.options import Argument
from advisor.options import read_text


def write_back(view: OptionView, after: str) -> str:
    """The file with the options of the changed view. InputError where they cannot stand there."""
    lines: list[str | None] = list(view.lines)
    added: dict[int, list[str]] = {}
    before_texts, after_texts = view.text.split("\n")[:-1], after.split("\n")[:-1]
    shift: dict[int, int] = {}  # by line: how many characters words on it have moved
    for kind, b1, b2, a1, a2 in SequenceMatcher(None, before_texts, after_texts, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        both = min(b2 - b1, a2 - a1)
        for at in range(both):
            _replace(view, lines, shift, view.spots[b1 + at], after_texts[a1 + at])
        for at in range(b1 + both, b2):
            _remove(lines, shift, view.spots[at])
        near = next((spot for spot in reversed(view.spots[: max(b2, 1)]) if spot), None)
        near = near or next(spot for spot in view.spots if spot)
        for text in after_texts[a1 + both : a2]:
            _add(view, lines, shift, added, near, text)
    written = "\n".join(
        text for at, line in enumerate(lines) for text in ([] if line is None else [line]) + added.get(at, [])
    )
    _prove(view, written, after)
    return written


def _option(text: str, view: OptionView) -> Argument:
    """The option of a line of an option file. InputError for a value that would need quotes."""
    (argument,) = read_text(f"[mysqld]\n{text}\n").arguments
    if argument.value and not PLAIN.match(argument.value):
        hint = "make this change by hand"
        raise InputError(f"--diff and --fix cannot write {argument.name} there", file=view.path, hint=hint)
    return argument


def _replace(view: OptionView, lines: list[str | None], shift: dict[int, int], spot: Spot | None, text: str) -> None:
    line = lines[spot.line] if spot else None
    if spot is None or line is None:
        raise InputError("the change cannot be carried over", file=view.path, hint="make it by hand")
    if spot.form is Form.BLOCK:
        lines[spot.line] = _indent(view.lines, spot) + text
        return
    option = _option(text, view)
    if spot.form is Form.KEY:
        named = re.match(rf"\s*[\"']?{re.escape(option.name)}[\"']?\s*:", line)
        if named is None or option.value is None:
            raise InputError(f"--diff and --fix cannot write {option.name} there", file=view.path, hint="by hand")
        _put(lines, shift, spot, option.value)
    else:
        _put(lines, shift, spot, option.text)


def _put(lines: list[str | None], shift: dict[int, int], spot: Spot, text: str) -> None:
    line, moved = lines[spot.line] or "", shift.get(spot.line, 0)
    lines[spot.line] = line[: spot.start + moved] + text + line[spot.end + moved :]
    shift[spot.line] = moved + len(text) - (spot.end - spot.start)


def _remove(lines: list[str | None], shift: dict[int, int], spot: Spot | None) -> None:
    if spot is None:
        return
    if spot.form is not Form.WORD:
        lines[spot.line] = None
        return
    line, moved = lines[spot.line] or "", shift.get(spot.line, 0)
    start, end = spot.start + moved, spot.end + moved
    kept = line[:start].rstrip(" \t") if line[end : end + 1] != "" else line[:start]
    kept = kept if kept.strip() else line[:start]
    lines[spot.line] = kept + line[end:]
    shift[spot.line] = moved + len(lines[spot.line] or "") - len(line)


def _add(
    view: OptionView,
    lines: list[str | None],
    shift: dict[int, int],
    added: dict[int, list[str]],
    near: Spot,
    text: str,
) -> None:
    """Put a new option behind the one that stands before it, in the same form."""
    line = view.lines[near.line]
    if near.form is Form.BLOCK:
        added.setdefault(near.line, []).append((_indent(view.lines, near) + text).rstrip() if text.strip() else "")
        return
    option = _option(text, view)
    if near.form is Form.ENTRY:
        head = line[: near.start].rstrip("\"'")
        added.setdefault(near.line, []).append(f"{head}{option.text}")
    elif near.form is Form.KEY:
        quote = line[near.end : near.end + 1] if line[near.end : near.end + 1] in ("'", '"') else ""
        indent = line[: len(line) - len(line.lstrip())]
        added.setdefault(near.line, []).append(f"{indent}{option.name}: {quote}{option.value or ''}{quote}")
    else:
        now, moved = lines[near.line] or "", shift.get(near.line, 0)
        end = near.end + moved
        lines[near.line] = f"{now[:end]} {option.text}{now[end:]}"


def _indent(lines: Sequence[str], spot: Spot) -> str:
    return " " * spot.start if not lines[spot.line].strip() else lines[spot.line][: spot.start]


def _prove(view: OptionView, written: str, after: str) -> None:
    """InputError unless the file gives the options of the view, in their order."""
    wanted = [(a.name, a.value) for a in read_text(after).arguments]
    try:
        own = [a for a in options_at(written, view.path, view.part).arguments if a.file == view.path]
        found = [(a.name, a.value) for a in own]
    except InputError:
        found = []
    if found != wanted:
        hint = "make the changes above by hand"
        raise InputError("--diff and --fix cannot write these options there", file=view.path, hint=hint)
