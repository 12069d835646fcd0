"""How is a table written: in columns for the terminal, and in Markdown?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from advisor.report.words.values import printable

_BAR: Final = re.compile(r"(?<!\\)\|")


def text_table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Rows in columns, the first `left` flush left, the others right; columns empty in all rows are left out."""
    kept = [at for at in range(len(rows[0])) if any(row[at] for row in rows[1:])]
    widths = {at: max(len(row[at]) for row in rows) for at in kept}
    return [
        "  ".join(row[at].ljust(widths[at]) if at < left else row[at].rjust(widths[at]) for at in kept).rstrip()
        for row in rows
    ]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """A Markdown table; `right` are the columns flush right. Cells may contain Markdown, bars are escaped."""
    rule = ["---:" if at in right else "---" for at in range(len(head))]
    return [_row(head), "|" + "|".join(rule) + "|", *map(_row, rows)]


def escape(text: str) -> str:
    """Text without Markdown: server names are full of underscores, values of stars and bars."""
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, "\\" + sign)
    return printable(text)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_BAR.sub(r"\\|", printable(cell).replace("\n", " ")) for cell in cells) + " |"
