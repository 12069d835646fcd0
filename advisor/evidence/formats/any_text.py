"""What does this text say, whatever its shape? A file's text → what it says of one member."""

from __future__ import annotations

import re

from advisor.errors import InputError
from advisor.evidence.formats.detect_format import TextKind, kind_of
from advisor.evidence.formats.dumps import read_dump
from advisor.evidence.formats.help_dump import read_help
from advisor.evidence.formats.json_dump import read_json
from advisor.evidence.formats.option_text import Finder, read_option_text
from advisor.evidence.formats.pt_summary import read_report
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_text
from advisor.evidence.member.scalars import scalar

_GROUP = re.compile(r"^[ \t]*\[[A-Za-z][\w.-]*\]", re.MULTILINE)
_PAIR = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:[=: ]\s*)(.*?)\s*\Z")


def file_kind(name: str) -> str:
    """What a file's name promises: "status" for status-1.txt."""
    return re.split(r"[-.\d]", name.rsplit("/", 1)[-1], maxsplit=1)[0] or "unknown"


def read_text_evidence(text: str, label: str, kind: str = "", find: Finder | None = None) -> MemberBuilder:
    """Whatever the text is, as builder. `find` resolves the includes of an option file.

    `kind` is what the file's name in a bundle promises ("variables", "status", "innodb_status", …), "" for nothing:
    then what is no dump is an option file. Where it promises something, an option file is known by its groups. Raises
    InputError when nothing in the text is known here.
    """
    shape = kind_of(text)
    if shape is TextKind.OPTIONS:
        options = not kind or (kind != "innodb_status" and _GROUP.search(text))
        return (
            MemberBuilder(options=read_option_text(text, label, find)) if options else _read_promised(text, label, kind)
        )
    if shape is TextKind.JSON:
        return read_json(text, label, kind)
    if shape is TextKind.HELP:
        return read_help(text, label)
    builder = read_report(text, label) if shape is TextKind.REPORT else read_dump(text, label)
    if builder.empty and not builder.tables:
        raise InputError(
            "it does not contain the output of a known SHOW statement",
            file=label,
            line=1,
            hint='save it with: mysql -e "SHOW GLOBAL VARIABLES" > variables.txt',
        )
    return builder


def _read_promised(text: str, label: str, kind: str) -> MemberBuilder:
    """A file that has no shape of its own, by what its name promises: lines of InnoDB's monitor, names and values."""
    if kind == "innodb_status":
        builder = MemberBuilder()
        builder.innodb_status = redact_text(text)
        return builder
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    pairs = [(number, pair[1], pair[2]) for number, line in lines if (pair := _PAIR.match(line))]
    if kind not in ("variables", "status") or len(pairs) < len(lines):
        raise InputError("neither an option file nor the output of a known SHOW statement", file=label)
    builder = MemberBuilder()
    if kind == "status":
        builder.add_counters(((name, scalar(value)) for _, name, value in pairs), None, label)
    else:
        for number, name, value in pairs:
            builder.add_variable(name, value, f"{label}:{number}")
    return builder
