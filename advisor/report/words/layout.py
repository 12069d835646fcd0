"""How do lines get into the width of a terminal, and colour into lines?"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.record import record

LABEL_WIDTH: Final = 14  # "takes effect" and two blanks

_CODES: Final = {
    "critical": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "broken": "1;35",
    "strong": "1",
    "faint": "2",
    "good": "32",
}


@record
class Page:
    """What text is laid out for: `width` in columns, and whether the terminal understands colour."""

    width: int = 80
    colour: bool = False

    def paint(self, text: str, style: str) -> str:
        """Text in a style ("critical", "faint", …), or as it is where there is no colour."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and text else text

    def wrap(self, text: str, indent: int) -> list[str]:
        """Words filled into lines of at most `width`; a word too long for a line is never cut (paths, ids)."""
        room = max(self.width - indent, 20)
        lines: list[str] = []
        for paragraph in text.splitlines():
            line = ""
            for word in paragraph.split():
                if line and len(line) + 1 + len(word) > room:
                    lines.append(line)
                    line = word
                else:
                    line = f"{line} {word}" if line else word
            lines.append(line)
        return [" " * indent + line if line else "" for line in lines]

    def labelled(self, label: str, entries: list[str]) -> list[str]:
        """Entries beside one label: the label stands on the first line only, long entries hang below it."""
        indent = 2 + LABEL_WIDTH
        lines = [line for entry in entries for line in self.wrap(entry, indent)]
        if lines:
            lines[0] = "  " + self.paint(label, "faint") + " " * (LABEL_WIDTH - len(label)) + lines[0][indent:]
        return lines

    def columns(self, label: str, rows: list[tuple[str, str]]) -> list[str]:
        """Rows of (text, place) beside one label, places in a column of their own where the width allows it."""
        indent = 2 + LABEL_WIDTH
        room = self.width - indent - 2
        column = max((len(left) for left, place in rows if len(left) + len(place) <= room), default=0)
        lines: list[str] = []
        for left, place in rows:
            if place and len(left) <= column and column + len(place) <= room:
                lines.append(" " * indent + left.ljust(column + 2) + self.paint(place, "faint"))
            else:
                lines += self.wrap(left, indent)
                lines += [self.paint(line, "faint") for line in self.wrap(place, indent + 2)] if place else []
        if lines:
            lines[0] = "  " + self.paint(label, "faint") + " " * (LABEL_WIDTH - len(label)) + lines[0][indent:]
        return lines
