"""Does a configuration violate a constraint that is known beforehand? Then it is never tried.

A failed start costs a restart and teaches a sampler little. How much fits into memory, and what the server refuses,
is arithmetic, written as rules in the search space.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from advisor.conditions import Missing, bind
from advisor.model.tuning import SearchSpace, Settings


def constraint_check(space: SearchSpace) -> Callable[[Settings], bool]:
    """A test for many configurations of one space: False when a rule is certainly broken."""
    tests = [bind(rule.tree) for rule in space.rules]

    def legal(settings: Settings) -> bool:
        find = lookup(space, settings)
        return all(test(find) is not False for test in tests)

    return legal


def violations(space: SearchSpace, settings: Settings) -> list[str]:
    """The rules a configuration certainly breaks, with the reason; a rule that cannot be decided is not broken."""
    find = lookup(space, settings)
    return [f"{rule.must}: {rule.why}" for rule in space.rules if bind(rule.tree)(find) is False]


def lookup(space: SearchSpace, settings: Settings) -> Any:
    """Names of a condition → values: settings as numbers where they are numbers, `host.` facts, else Missing."""

    def find(name: str) -> Any:
        if name.startswith("host."):
            return space.host.get(name[5:], Missing((name,)))
        return number_or_text(settings[name]) if name in settings else Missing((name,))

    return find


def number_or_text(text: str) -> float | str:
    """A setting as a condition compares it."""
    try:
        return float(text)
    except ValueError:
        return text
