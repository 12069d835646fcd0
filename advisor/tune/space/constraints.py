"""Would a configuration break a rule that is known beforehand? Such a one is never tried.

Failed starts cost a restart each and teach a sampler little: what memory holds and what the server refuses is
arithmetic, written as rules in the search space.
"""

from __future__ import annotations

from collections.abc import Callable

from advisor.conditions import bind
from advisor.model.tuning import SearchSpace, Settings
from advisor.tune.space.encoding import lookup


def constraint_check(space: SearchSpace) -> Callable[[Settings], bool]:
    """A test for many configurations of one space: whether no rule is certainly broken."""
    tests = [bind(rule.tree) for rule in space.rules]

    def legal(settings: Settings) -> bool:
        find = lookup(space, settings)
        return all(test(find) is not False for test in tests)

    return legal


def violations(space: SearchSpace, settings: Settings) -> list[str]:
    """The rules a configuration certainly breaks, in words; a rule that cannot be decided does not object."""
    find = lookup(space, settings)
    return [f"{rule.must}: {rule.why}" for rule in space.rules if bind(rule.tree)(find) is False]
