"""How is a rule's sentence filled with values? `{name}` shows a value with its unit, `{name:unit}` with another."""

from __future__ import annotations

import re

from advisor.annotations import Protocol
from advisor.catalog import spelling
from advisor.conditions import Missing, names
from advisor.model.evidence import Fact
from advisor.model.rules import Rule
from advisor.model.server import Release
from advisor.units import show

_HOLE_OR_NAME = re.compile(r"\{([a-zA-Z_][\w.]*)(?::(\w+))?\}|\b(?P<name>[a-z]+(?:_[a-z0-9]+)+)\b")


class Looks(Protocol):
    """Anything that knows facts by name, as one release."""

    release: Release

    def fact(self, name: str) -> Fact | Missing:
        """The fact a name stands for, or Missing."""


def fill(template: str, view: Looks) -> str:
    """The sentence with its holes filled; "?" for what is not known. Variables are spelt as the release has them."""

    def value(placeholder: re.Match[str]) -> str:
        if placeholder["name"]:
            return spelling(placeholder["name"], view.release) or placeholder["name"]
        fact = view.fact(placeholder[1])
        return "?" if isinstance(fact, Missing) else show(fact.value, placeholder[2] or fact.unit)

    return _HOLE_OR_NAME.sub(value, template)


def holes(template: str) -> list[str]:
    """The names a sentence shows."""
    return [hole[1] for hole in _HOLE_OR_NAME.finditer(template) if hole[1]]


def used_names(rule: Rule) -> tuple[str, ...]:
    """Every name a rule's condition reads or its sentence shows, in that order, each once."""
    return tuple(dict.fromkeys([*names(rule.tree), *holes(rule.finding)]))
