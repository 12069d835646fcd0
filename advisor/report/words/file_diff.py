"""How is a changed file shown: as a unified diff, without secrets and control characters?"""

from __future__ import annotations

from advisor.evidence.member.redaction import redact_text
from advisor.masking import mask_line
from advisor.options.edit.edited_file import FileEdit
from advisor.report.words.layout import Page
from advisor.report.words.values import place, printable


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


def paint_diff(line: str, page: Page) -> str:
    """A line of a diff in colour."""
    if line.startswith(("---", "+++", "@@")):
        return page.paint(line, "faint")
    return page.paint(line, {"+": "good", "-": "critical"}[line[0]]) if line[:1] in ("+", "-") else line
