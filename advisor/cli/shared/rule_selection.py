"""Which rules does the user want judged?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.errors import UsageError
from advisor.model.rules import Rule


def choose(rules: Sequence[Rule], only: Iterable[str], ignore: Iterable[str]) -> tuple[Rule, ...]:
    """The rules named by `only` (all of them when it is empty), without those of `ignore`."""
    kept, dropped = {find(rules, name).id for name in only}, {find(rules, name).id for name in ignore}
    return tuple(rule for rule in rules if (not kept or rule.id in kept) and rule.id not in dropped)


def find(rules: Sequence[Rule], name: str) -> Rule:
    """The rule of that id, UsageError with the nearest ids when there is none. `area/id` is understood too."""
    wanted = name.rpartition("/")[2].removesuffix(".yaml")
    for rule in rules:
        if rule.id == wanted:
            return rule
    import difflib

    near = difflib.get_close_matches(wanted, [rule.id for rule in rules], n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "`advisor rules list` shows them all"
    raise UsageError(f"there is no rule {name!r}", hint=hint)
