"""What is the value of a formula in a parameter group, such as `LEAST({DBInstanceClassMemory/6000000},10)`?

Variables, `*` and `/` (whose decimals are dropped), GREATEST, LEAST and SUM, as RDS knows them
(https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_ParamValuesRef.html). `log` and IF are not computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from advisor.model.record import record

MEMORY: Final = "DBInstanceClassMemory"
VCPUS: Final = "DBInstanceVCPU"
IS_REPLICA: Final = "TrueIfReplica"
_VARIABLES: Final = (MEMORY, VCPUS, IS_REPLICA, "AllocatedStorage", "EndPointPort")
_FUNCTIONS: Final[Mapping[str, Callable[[list[int]], int]]] = {"GREATEST": max, "LEAST": min, "SUM": sum}
_TOKEN: Final = re.compile(r"\s*(\d{1,20}|[A-Za-z]+|[{}(),*/])")
_LONGEST: Final = 1000
_DEEPEST: Final = 20


@record
class Computed:
    """The value of a formula; None where variables are missing (`needs`), or it is none that is understood."""

    value: int | None
    needs: tuple[str, ...] = ()

    @property
    def understood(self) -> bool:
        """Whether only the values of variables are missing, if any."""
        return self.value is not None or bool(self.needs)


def is_formula(text: object) -> bool:
    """Whether a parameter's value is one: it has a part in braces."""
    return isinstance(text, str) and re.match(r"\s*(?:\{|[A-Z]+\s*\()", text) is not None and "{" in text


def compute(text: str, known: Mapping[str, int]) -> Computed:
    """The value with these variables, in bytes and counts."""
    needs: dict[str, None] = {}
    try:
        reader = _Reader(list(_tokens(text)), known, needs)
        value = reader.expression(0)
        reader.end()
    except _NotUnderstoodError:
        return Computed(None)
    return Computed(None, tuple(needs)) if needs else Computed(value)


class _NotUnderstoodError(Exception):
    """The text is no formula of the kinds above."""


def _tokens(text: str) -> Iterator[str]:
    at = 0
    text = text[: _LONGEST + 1].rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or len(text) > _LONGEST:
            raise _NotUnderstoodError
        yield found[1]
        at = found.end()


class _Reader:
    """Reads one formula; a variable without a value is noted in `needs` and counts as 1 meanwhile."""

    def __init__(self, tokens: list[str], known: Mapping[str, int], needs: dict[str, None]) -> None:
        self.tokens, self.at, self.known, self.needs = tokens, 0, known, needs

    def expression(self, depth: int) -> int:
        """A product of operands, from left to right."""
        value = self.operand(depth)
        while self.ahead() in ("*", "/"):
            sign = self.take()
            right = self.operand(depth)
            if sign == "/" and right == 0:
                raise _NotUnderstoodError
            value = value * right if sign == "*" else value // right
        return value

    def operand(self, depth: int) -> int:
        """A number, a variable, a function, or an expression in braces or brackets."""
        token = self.take()
        if token.isdecimal():
            return int(token)
        if token in ("{", "("):
            value = self.nested(depth)
            self.take("}" if token == "{" else ")")
            return value
        if token.upper() in _FUNCTIONS and self.ahead() == "(":
            self.take("(")
            values = [self.nested(depth)]
            while self.ahead() == ",":
                self.take(",")
                values.append(self.nested(depth))
            self.take(")")
            return _FUNCTIONS[token.upper()](values)
        if token not in _VARIABLES:
            raise _NotUnderstoodError
        if token not in self.known:
            self.needs[token] = None
        return self.known.get(token, 1)

    def nested(self, depth: int) -> int:
        """An expression one level deeper."""
        if depth >= _DEEPEST:
            raise _NotUnderstoodError
        return self.expression(depth + 1)

    def ahead(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        """The next token, which must be the one that is wanted."""
        token = self.ahead()
        if not token or (wanted and token != wanted):
            raise _NotUnderstoodError
        self.at += 1
        return token

    def end(self) -> None:
        """Nothing may follow."""
        if self.ahead():
            raise _NotUnderstoodError
