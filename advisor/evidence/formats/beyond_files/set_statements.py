"""Which variables do SET GLOBAL, SET PERSIST and RESET PERSIST statements set? A script for the running server.

A scope holds for the assignments behind it that name none
(https://dev.mysql.com/doc/refman/8.4/en/set-variable.html, "Multiple Variable Assignment").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod
from typing import Final

from advisor.evidence.member.builder import MemberBuilder
from advisor.model.record import record

STATEMENT: Final = (
    r"(?i)\s*(?:SET\s+(?:GLOBAL|PERSIST|PERSIST_ONLY)\s|SET\s+@@(?:GLOBAL|PERSIST|PERSIST_ONLY)\.|RESET\s+PERSIST\b)"
)
_SCOPES: Final = ("GLOBAL", "PERSIST", "PERSIST_ONLY")
_PIECE: Final = re.compile(
    r"""(?P<space>\s+|--(?=\s)[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z))|(?P<quoted>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")
    |(?P<word>`?@{0,2}[\w$.]+`?(?:\.`?[\w$]+`?)?)|(?P<sign>:=|.)""",
    re.VERBOSE | re.DOTALL,
)
_PRODUCT: Final = re.compile(r"\d+(?:\s*\*\s*\d+)*")


@record
class _Piece:
    kind: str
    text: str
    line: int


def servers(text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """The one server that the statements are for, with the values that they set."""
    builder = MemberBuilder()
    persisted = False
    for statement in _statements(text):
        words = [piece.text.upper() for piece in statement]
        if words[:2] == ["RESET", "PERSIST"]:
            persisted = True
        elif words[:1] == ["SET"]:
            persisted |= any(word in _SCOPES[1:] or word.startswith("@@PERSIST") for word in words)
            _assign(statement[1:], builder, file)
    if persisted:
        builder.server = "mysql 8.0 or later"  # the first with SET PERSIST
    count = len(builder.variables)
    builder.problems.insert(0, f"{file}: {count} variable{'s' * (count != 1)} set by statements, no others are known")
    yield "server", builder


def _statements(text: str) -> Iterator[list[_Piece]]:
    """The pieces of each statement without blanks and comments."""
    pieces: list[_Piece] = []
    line = 1
    for match in _PIECE.finditer(text):
        kind = str(match.lastgroup)
        if match[0] == ";":
            yield pieces
            pieces = []
        elif kind != "space":
            pieces.append(_Piece(kind, match[0], line))
        line += match[0].count("\n")
    if pieces:
        yield pieces


def _assign(pieces: list[_Piece], builder: MemberBuilder, file: str) -> None:
    """The assignments of one SET, cut at commas outside of brackets."""
    scope = ""
    assignment: list[_Piece] = []
    depth = 0
    for piece in [*pieces, _Piece("sign", ",", 0)]:
        depth += (piece.text == "(") - (piece.text == ")")
        if piece.text != "," or depth > 0:
            assignment.append(piece)
            continue
        if assignment and assignment[0].text.upper() in (*_SCOPES, "SESSION", "LOCAL"):
            scope = assignment.pop(0).text.upper()
        if len(assignment) > 2 and assignment[1].text in ("=", ":="):
            _add(assignment, scope, builder, file)
        assignment = []


def _add(assignment: list[_Piece], scope: str, builder: MemberBuilder, file: str) -> None:
    name = assignment[0].text.replace("`", "")
    own = re.match(r"@@(\w+)\.(?=\w)", name)
    scope = own[1].upper() if own else scope
    name = name[own.end() :] if own else name.removeprefix("@@")
    if scope not in _SCOPES or name.startswith("@"):
        return  # of a session
    place = f"{file}:{assignment[0].line}"
    builder.variables.pop(name.lower(), None)
    if [piece.text.upper() for piece in assignment[2:]] == ["DEFAULT"]:
        return
    value = _value(assignment[2:])
    if value is None:
        builder.problems.append(f"{place}: {name} is set to what the server computes, so its value is unknown")
    else:
        builder.add_variable(name, value, place)


def _value(pieces: list[_Piece]) -> str | None:
    """The value as a server would print it; None for an expression."""
    if len(pieces) == 1 and pieces[0].kind == "quoted":
        quote = pieces[0].text[0]
        return re.sub(r"\\(.)", r"\1", pieces[0].text[1:-1].replace(quote * 2, quote))
    text = " ".join(piece.text for piece in pieces)
    if _PRODUCT.fullmatch(text):
        return str(prod(map(int, re.findall(r"\d+", text))))
    if len(pieces) == 1 and pieces[0].kind == "word" and not text.startswith("@"):
        return text
    return None
