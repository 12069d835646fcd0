"""Which rules do comments in an option file switch off?

`# advisor: ignore[rule-id] reason` on a setting's line or on a line of its own above it,
`ignore[rule-id until=2027-01-01]` for a while, `ignore-file[rule-id] reason` for the whole file.
Several ids go in one pair of brackets, with commas.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.model.options import Suppression
from advisor.options.lines import BLANKS, decoded

_COMMENT = r"[#;]\s*advisor:\s*(ignore|ignore-file)\[([^\]]*)\][ \t]*([^\n]*)"  # compiled in files that have one
_UNTIL = r"\s+until=(\S+)"


def suppressions(text: str, file: str) -> Iterator[Suppression]:
    """The suppressions in a file's latin-1 text. `line` is the line of the setting it speaks about."""
    if "advisor:" not in text:
        return
    import re

    lines = text.split("\n")
    for at, line in enumerate(lines):
        found = re.search(_COMMENT, line)
        if not found:
            continue
        target = 0 if found[1] == "ignore-file" else _target(lines, at)
        until = re.search(_UNTIL, found[2])
        rules = re.sub(_UNTIL, "", found[2]).split(",")
        for rule in filter(None, map(str.strip, rules)):
            yield Suppression(rule, file, target, decoded(found[3].strip()), until[1] if until else "")


def _target(lines: list[str], at: int) -> int:
    """The number of the line a comment at index `at` speaks about: its own, or the next that is no comment."""
    for number, line in enumerate(lines[at:], at + 1):
        text = line.strip(BLANKS)
        if text and text[0] not in "#;":
            return number
    return at + 1
