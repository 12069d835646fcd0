"""What does a placeholder of a mix draw, and which pieces does a statement have? Names, numbers and letters only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from advisor.model.record import record

PLACEHOLDER: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
PLAIN: Final = ("id", "table", "thread", "writer")
LONGEST: Final = 100_000  # letters of a string
GREATEST: Final = 2**32 - 1  # sysbench's random numbers have 32 bits
_DISTRIBUTIONS: Final = ("uniform", "gaussian", "pareto", "special")  # those of sysbench 1.0
_COLUMN: Final = re.compile(r"([A-Za-z0-9_$]{1,64})\.([A-Za-z0-9_$]{1,64})")
_FORMS: Final = (
    "{id} {table} {thread} {writer} {int:LOW:HIGH} {int:LOW:HIGH:DISTRIBUTION} {string:LETTERS} {row:TABLE.COLUMN} "
    "{spread:NAME}, or a name of `values`"
)

Pieces = tuple[str | int, ...]
"""A text in pieces: text, or the number of a value."""


@record
class Column:
    """A column of the mix's database whose values are drawn from."""

    table: str
    name: str


@record
class Value:
    """A value to draw: of an "int" bounds and distribution, of a "string" its length, of a "row" the column.

    `spread` is the name of the spread that a "spread" is drawn from, or the length of a "string".
    """

    kind: str
    low: int = 0
    high: int = 0
    distribution: str = ""
    length: int = 0
    column: Column | None = None
    spread: str = ""


class PlaceholderError(Exception):
    """What is wrong with a placeholder; the caller, who knows its line, makes an InputError of it."""


def pieces_of(text: str, values: list[Value], numbers: Mapping[str, int], spreads: Mapping[str, object]) -> Pieces:
    """The pieces of a text; what its placeholders draw is added to `values`. PlaceholderError where one is wrong.

    `numbers` are those of the named values, `spreads` has the names of the mix's spreads.
    """
    pieces: list[str | int] = []
    at = 0
    for match in PLACEHOLDER.finditer(text):
        pieces.append(text[at : match.start()])
        at = match.end()
        if match[0] in ("{{", "}}"):
            pieces.append(match[0][0])
        elif match[1] in numbers:
            pieces.append(numbers[match[1]])
        else:
            values.append(_value(match[1], spreads))
            pieces.append(len(values) - 1)
    return tuple(piece for piece in [*pieces, text[at:]] if piece != "")


def _value(text: str | None, spreads: Mapping[str, object]) -> Value:
    kind, *rest = (text or "").split(":")
    if kind in PLAIN and not rest:
        return Value(kind)
    if kind == "string" and len(rest) == 1 and rest[0].isdecimal() and 0 < int(rest[0]) <= LONGEST:
        return Value(kind, length=int(rest[0]))
    if kind in ("spread", "string") and len(rest) == 1 and NAME.fullmatch(rest[0]):
        if rest[0] not in spreads:
            raise PlaceholderError(f"{{{text}}}: {rest[0]!r} is not a name of `spreads`")
        return Value(kind, spread=rest[0])
    if kind == "row" and len(rest) == 1 and (column := _COLUMN.fullmatch(rest[0])):
        return Value(kind, column=Column(column[1], column[2]))
    if kind == "int" and len(rest) in (2, 3) and rest[0].isdecimal() and rest[1].isdecimal():
        return _integer(text or "", int(rest[0]), int(rest[1]), rest[2] if len(rest) == 3 else "uniform")
    shown = "a single brace" if text is None else f"{{{text}}}"
    raise PlaceholderError(f"{shown} is not a placeholder; use {_FORMS}; write a literal brace twice")


def _integer(text: str, low: int, high: int, distribution: str) -> Value:
    if distribution not in _DISTRIBUTIONS:
        raise PlaceholderError(f"{distribution!r} is not one of the known distributions: {', '.join(_DISTRIBUTIONS)}")
    if not low <= high <= GREATEST:
        raise PlaceholderError(f"{{{text}}}: LOW must not exceed HIGH, and HIGH must not exceed {GREATEST}")
    if high - low == GREATEST:  # sysbench counts the numbers with 32 bits
        raise PlaceholderError(f"{{{text}}}: the range is too large; begin with 1")
    return Value("int", low, high, distribution)
