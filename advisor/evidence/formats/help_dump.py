"""What does `mysqld --verbose --help` say its options are? The listing at its end → values as text."""

from __future__ import annotations

import re
from typing import Final

from advisor.evidence.formats.detect_format import HELP_MARK
from advisor.evidence.member.builder import MemberBuilder

_VERSION = re.compile(r"^\S*(?:mysqld|mariadbd)\S*\s+Ver (\S+)(.*)$", re.MULTILINE)
_NO_DEFAULT: Final = "(No default value)"
_WORDS: Final = {"TRUE": "ON", "FALSE": "OFF"}
_OF_THE_PROGRAM: Final = frozenset({"help", "verbose", "print_defaults", "no_defaults"})


def read_help(text: str, label: str) -> MemberBuilder:
    """Values after reading options: what the server would run with, not what a running one has.

    Options without a default are left out: the listing cannot tell "empty" from "decided at start-up".
    """
    builder = MemberBuilder()
    if version := _VERSION.search(text):
        line = text.count("\n", 0, version.start()) + 1
        builder.add_variable("version", version[1], f"{label}:{line}")
        words = re.findall(r"\(([^()]*(?:\([^()]*\))?[^()]*)\)", version[2])
        if words:
            builder.add_variable("version_comment", words[-1], f"{label}:{line}")
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(HELP_MARK))
    rule = next((at for at in range(start, min(start + 4, len(lines))) if re.match(r"-+ -+\s*\Z", lines[at])), start)
    column = lines[rule].find(" ") + 1
    for number, row in enumerate(lines[rule + 1 :], rule + 2):
        name, _, rest = row.partition(" ")
        if not row.strip() or not re.match(r"[a-z][\w.-]*\Z", name):
            break
        value = row[column:].strip() if column and len(name) < column else rest.strip()
        variable = name.replace("-", "_")
        if variable == "log_bin" and value not in (_NO_DEFAULT, "OFF", ""):
            value = "ON"  # the option is a file name, the variable says whether there is a binary log
        if value != _NO_DEFAULT and variable not in _OF_THE_PROGRAM:
            builder.add_variable(variable, _WORDS.get(value, value), f"{label}:{number}")
    return builder
