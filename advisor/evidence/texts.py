"""What kind of text is this, and what does it say? Decided by content, never by the file's name."""

from __future__ import annotations

import re
from enum import StrEnum

from advisor.errors import InputError
from advisor.evidence import help_dump
from advisor.evidence.dumps import read_dump
from advisor.evidence.json_dump import read_json
from advisor.evidence.option_text import Finder, read_option_text
from advisor.evidence.pieces import Pieces
from advisor.evidence.pt_summary import is_report, read_report


class TextKind(StrEnum):
    """The shapes of text evidence."""

    OPTIONS = "options"
    DUMP = "dump"
    HELP = "help"
    REPORT = "report"
    JSON = "json"


_GROUP = re.compile(r"[ \t]*\[[^\]\n@~$]*\][ \t]*(?:[#;].*)?\r?\Z")
_INCLUDE = re.compile(r"[ \t]*!include(dir)?\b")
_DUMP = re.compile(
    r"\s*\+(?:-+\+)+\s*\Z|\s*\*{8,}\s*\d+\. row|\s*\| +\w[^|]*\|.*\|\s*\Z|Variable_name\s+Value|[A-Za-z]\w*\t[^\t=]*\Z"
    r"|.*INNODB MONITOR OUTPUT|TS \d{9,11}|.*(?:mysql|MariaDB[^>]*|\])> ?\\?\s*show\b|(?:\w+\t){3,}\w+\s*\Z",
    re.IGNORECASE,
)
_LOOKED_AT_LINES = 400


def kind_of(text: str) -> TextKind:
    """What decides is the first line that can stand in one of the kinds only; without any it is an option file."""
    if is_report(text):
        return TextKind.REPORT
    if help_dump.MARK in text:
        return TextKind.HELP
    head = text.lstrip()[:1]
    if head == "{" or (head == "[" and not _GROUP.match(text.lstrip().split("\n", 1)[0])):
        return TextKind.JSON
    for line in text.split("\n", _LOOKED_AT_LINES)[:_LOOKED_AT_LINES]:
        if _GROUP.match(line) or _INCLUDE.match(line):
            return TextKind.OPTIONS
        if _DUMP.match(line):
            return TextKind.DUMP
    return TextKind.OPTIONS


def read_text_evidence(text: str, label: str, kind: str = "", find: Finder | None = None) -> Pieces:
    """Whatever the text is, as pieces. `kind` is a hint for JSON; `find` resolves includes of an option file.

    Raises InputError when a dump holds nothing that is known here.
    """
    shape = kind_of(text)
    if shape is TextKind.OPTIONS:
        return Pieces(options=read_option_text(text, label, find))
    if shape is TextKind.JSON:
        return read_json(text, label, kind)
    if shape is TextKind.HELP:
        return help_dump.read_help(text, label)
    pieces = read_report(text, label) if shape is TextKind.REPORT else read_dump(text, label)
    if pieces.empty and not pieces.tables:
        raise InputError(
            "nothing in it is the output of a known SHOW statement",
            file=label,
            line=1,
            hint='save it with: mysql -e "SHOW GLOBAL VARIABLES" > variables.txt',
        )
    return pieces
