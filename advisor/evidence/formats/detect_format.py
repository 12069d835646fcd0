"""What kind of text is this? Decided by content, never by the file's name.

Apart from the readers because every check of an option file asks this, and needs none of them.
"""

from __future__ import annotations

from enum import StrEnum

from advisor.annotations import Final

HELP_MARK: Final = "Variables (--variable-name=value)"


class TextKind(StrEnum):
    """The shapes of text evidence."""

    OPTIONS = "options"
    DUMP = "dump"
    HELP = "help"
    REPORT = "report"
    JSON = "json"


class Place(StrEnum):
    """Where settings are if not in an option file, by the words for it in messages."""

    YAML = "YAML, not an option file"
    TERRAFORM = "Terraform, not an option file"
    SYSTEMD = "a systemd unit, not an option file"
    PROCESSES = "a list of processes, not an option file"
    PRINTED = "a command line of a server, not an option file"
    STATEMENTS = "SQL statements, not an option file"


_NOT_IN_GROUPS: Final = frozenset("@~$")
_INCLUDE = r"[ \t]*!include(dir)?\b"
_DUMP = (
    r"\s*\+(?:-+\+)+\s*\Z|\s*\*{8,}\s*\d+\. row|\s*\| +\w[^|]*\|.*\|\s*\Z|Variable_name\s+Value|[A-Za-z]\w*\t[^\t=]*\Z"
    r"|.*INNODB MONITOR OUTPUT|TS \d{9,11}|.*(?:mysql|MariaDB[^>]*|\])> ?\s*(?:show|select)\b"
    r"|@@[\w.]+(?:\t|\Z)|(?:\w+\t){3,}\w+\s*\Z"
)
_IN_LISTS: Final = frozenset('[{"]-')  # of JSON: what may follow the bracket, besides a digit
CSV_HEAD: Final = r"[ \t]*\"?variable_name\"?[ \t]*[,;][ \t]*\"?value\"?[ \t]*\r?\Z"
_YAML: Final = (
    r"---(?:[ \t].*)?\r?\Z|%YAML |- (?:hosts|name|import_playbook):"
    r"|([\"']?)(?:apiVersion|kind|metadata|data|services|version|name)\1:(?:[ \t].*)?\r?\Z"
)
# Where no group of an option file stands below it.
_MAYBE_YAML: Final = r"([\"']?)[A-Za-z][\w.:-]*\1:(?:[ \t][^=]*)?\r?\Z"
_TERRAFORM: Final = (
    r"(?:terraform|locals)[ \t]*\{|(?:resource|provider|variable|module|data|output)[ \t]+\"[^\"]*\".*\{"
)
_GROUP_AT_THE_EDGE: Final = r"^\[[\w-]+\]"
_PRINTED: Final = r"\S*(?:mysqld|mariadbd?)\S* would have been started with|--[a-z][\w-]*(?:=|[ \t]|\r?\Z)"
_UNIT: Final = ("[Unit]", "[Service]", "[Install]")
_PROCESSES: Final = (
    r"(?:F +S +)?(?:USER|UID|PID)\b.*\b(?:CMD|COMMAND|ARGS)\s*\Z"
    r"|\s*(?:\S+\s+)*?(?:\S*/)?(?:mysqld|mariadbd)(?:\s+--[\w-]+(?:=\S*)?)+"
)
_STATEMENT: Final = r"\s*(?:SET\s+(?:GLOBAL|PERSIST|PERSIST_ONLY|@@)|RESET\s+PERSIST\b)"
_SQL_COMMENT: Final = ("-- ", "#", "/*")
_JSON_OF_PLACES: Final = ('"apiVersion"', '"databaseVersion"', '"AWS::', '"services"')
_LOOKED_AT_LINES = 400
_LOOKED_AT_SIGNS = 1 << 16  # of one line: what tells stands at its beginning


def kind_of(text: str) -> TextKind:
    """What decides is the first line that can stand in one of the kinds only; without any it is an option file."""
    if _is_report(text):
        return TextKind.REPORT
    if HELP_MARK in text:
        return TextKind.HELP
    if _is_json(text):
        return TextKind.JSON
    for line in text.split("\n", _LOOKED_AT_LINES)[:_LOOKED_AT_LINES]:
        line = line[:_LOOKED_AT_SIGNS]
        if line.lstrip()[:1] in ("", "#", ";"):
            continue
        if _is_group(line):  # nearly all: importing `re` and compiling takes long
            return TextKind.OPTIONS
        import re

        if re.match(_INCLUDE, line):
            return TextKind.OPTIONS
        if re.match(_DUMP, line, re.IGNORECASE) or re.match(CSV_HEAD, line, re.IGNORECASE):
            return TextKind.DUMP
    return TextKind.OPTIONS


def _is_group(line: str) -> bool:
    """Whether a line is a name in brackets, alone but for blanks and a comment."""
    start = line.lstrip(" \t")
    name, closed, rest = start[1:].partition("]")
    rest = rest.lstrip(" \t")
    alone = rest in ("", "\r") or rest[0] in "#;"
    return start.startswith("[") and bool(closed) and alone and _NOT_IN_GROUPS.isdisjoint(name)


def _is_json(text: str) -> bool:
    """Whether a text begins as an object or a list; templates begin with two braces, option files with a name."""
    start = text.lstrip()
    if start.startswith("{"):
        return start[1:2] not in ("{", "%")
    following = start[1:].lstrip()[:1] if start.startswith("[") else ""
    return following in _IN_LISTS or following.isdecimal()


def place_of(text: str, kind: TextKind) -> Place | None:
    """What holds settings without being read by a server, in a text of this kind; None for anything else.

    Only what the first line shows beyond doubt: no server reads such a file, so nothing must be said of its start.
    Resources of Kubernetes, Cloud SQL and CloudFormation may be JSON, which is YAML as well.
    """
    if kind is TextKind.JSON:
        head = text[:_LOOKED_AT_SIGNS]
        return Place.YAML if any(mark in head for mark in _JSON_OF_PLACES) else None
    return _place_of_text(text) if kind is TextKind.OPTIONS else None


def _place_of_text(text: str) -> Place | None:
    first = _first_line(text)
    if not first:
        return None
    if first[0] in "[!":  # nearly all: patterns take long to compile
        return Place.SYSTEMD if first.rstrip() in _UNIT else None
    import re

    if re.match(_TERRAFORM, first) or (first[:2] in ("//", "/*") and 'resource "' in text):
        return Place.TERRAFORM
    if re.match(_YAML, first) or first.startswith(("{{", "{%")):  # templates of YAML begin so
        return Place.YAML
    if re.match(_PRINTED, first):
        return Place.PRINTED
    if re.match(_PROCESSES, first):
        return Place.PROCESSES
    if re.match(_STATEMENT, _first_statement(text), re.IGNORECASE):
        return Place.STATEMENTS
    maybe = re.match(_MAYBE_YAML, first) and not re.search(_GROUP_AT_THE_EDGE, text, re.MULTILINE)
    return Place.YAML if maybe else None


def _first_statement(text: str) -> str:
    """The first line that is no comment of SQL."""
    import re

    beginning = re.sub(r"/\*.*?\*/", "", text[:_LOOKED_AT_SIGNS], flags=re.DOTALL)
    lines = (line for line in beginning.split("\n", _LOOKED_AT_LINES) if line.strip())
    return next((line for line in lines if not line.lstrip().startswith(_SQL_COMMENT)), "")


def _first_line(text: str) -> str:
    """The first line that is neither empty nor a comment."""
    lines = text.split("\n", _LOOKED_AT_LINES)
    first = next((line for line in lines if line.strip() and line.lstrip()[0] not in "#;"), "")
    return first[:_LOOKED_AT_SIGNS]


def _is_report(text: str) -> bool:
    """Whether the text begins like a report of pt-mysql-summary or pt-summary."""
    head = text[:4000]
    if "# Percona Toolkit" in head or "###" not in head:
        return "# Percona Toolkit" in head
    import re

    return re.search(r"^# (Instances|Report On Port \d+|MySQL Executable) #{3,}", head, re.MULTILINE) is not None
