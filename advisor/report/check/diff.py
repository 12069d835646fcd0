"""What would change in the user's files and on the running server, and how is it undone?"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.rules import Change
from advisor.model.server import Release, join_labels
from advisor.options.edit.edited_file import FileEdit
from advisor.report.check.sql import statements
from advisor.report.words.file_diff import paint_diff, unified
from advisor.report.words.layout import Page


def render(edits: Sequence[FileEdit], changes: Sequence[tuple[Release, Sequence[Change]]], page: Page) -> str:
    """A unified diff of the files, then the statements for the running server and those that undo them.

    `changes` are the ones behind the edits, in each possible release's spelling; statements that are the same for
    several releases are shown once.
    """
    lines: list[str] = []
    if len(changes) > 1:
        labels = join_labels(release.label for release, _ in changes)
        lines += [*page.wrap(f"The changes are the same for every possible release: {labels}", 0), ""]
    lines += [paint_diff(line, page) for edit in edits for line in unified(edit)]
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
