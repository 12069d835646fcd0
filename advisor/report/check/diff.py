"""What would change in the user's files and on the running server, and how is it undone?"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.evidence.member.redaction import redact_text
from advisor.masking import mask_line
from advisor.model.rules import Change
from advisor.model.server import Release, join_labels
from advisor.options.edit.draft import FileEdit
from advisor.report.check.sql import statements
from advisor.report.words.layout import Page
from advisor.report.words.values import place, printable


def render(edits: Sequence[FileEdit], changes: Sequence[tuple[Release, Sequence[Change]]], page: Page) -> str:
    """A unified diff of the files, then the statements for the running server and those that undo them.

    `changes` are the ones behind the edits, in each possible release's spelling; statements that are the same for
    several releases are shown once.
    """
    lines: list[str] = []
    if len(changes) > 1:
        labels = join_labels(release.label for release, _ in changes)
        lines += [*page.wrap(f"The changes are the same for every possible release: {labels}", 0), ""]
    lines += [_paint(line, page) for edit in edits for line in unified(edit)]
    by_statements: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for release, wanted in changes:
        back = [line for line in statements(wanted, release, back=True) if "in the option file only" not in line]
        by_statements.setdefault((tuple(statements(wanted, release)), tuple(back)), []).append(release.label)
    for (forward, backward), labels_of in by_statements.items():
        heading = page.wrap(f"On the running server ({join_labels(labels_of)}):", 0)
        lines += ["", *(page.paint(line, "strong") for line in heading), *(f"  {line}" for line in forward)]
        if backward:
            lines += ["", page.paint("To undo it:", "strong"), *(f"  {line}" for line in backward)]
    return "\n".join(lines) + "\n"


def unified(edit: FileEdit) -> list[str]:
    """One file's unified diff, secrets masked and control characters escaped."""
    import difflib

    before, after = _lines(edit.before), _lines(edit.after)
    name = place(edit.path)
    lines = difflib.unified_diff(before, after, name, name, lineterm="")
    return [printable(redact_text(mask_line(line)).rstrip("\r\n").replace("\t", "    ")) for line in lines]


def _lines(data: bytes) -> list[str]:
    """Lines as a diff has them; a last line without a newline is marked."""
    *lines, last = data.decode("utf-8", "surrogateescape").split("\n")
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


def _paint(line: str, page: Page) -> str:
    if line.startswith(("---", "+++", "@@")):
        return page.paint(line, "faint")
    return page.paint(line, {"+": "good", "-": "critical"}[line[0]]) if line[:1] in ("+", "-") else line
