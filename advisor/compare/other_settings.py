"""Which variables differ that belong to no quantity, and is it known that they cannot matter for the write rate?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from advisor.compare.equality import alike
from advisor.data import folder, read_yaml
from advisor.evidence.fact_inputs import read_by
from advisor.evidence.member_facts import MemberFacts
from advisor.masking import MASK, is_secret
from advisor.model.comparison.comparability import OtherSetting
from advisor.model.comparison.quantity import Area, Effect, Quantity
from advisor.model.evidence import Fact
from advisor.units import show
from advisor.yaml_shapes import listed, mapping, refuse_unknown, require, texts

_FILE: Final = "without_effect.yaml"
_KEYS: Final = ("names", "why")
_ANY: Final = Quantity("", "", Area.SQL, Effect.NONE, (), "", ())


@lru_cache(maxsize=1)
def without_effect() -> tuple[tuple[re.Pattern[str], str], ...]:
    """(pattern of names, why they cannot matter) from rules/without_effect.yaml; RuleError when that is wrong."""
    path = os.path.join(folder("rules"), _FILE)
    entries = []
    for item in listed(read_yaml(path)):
        data = mapping(item, _FILE, path)
        refuse_unknown(data, _KEYS, _FILE, path)
        require(data, _KEYS, _FILE, path)
        names = "|".join(re.escape(name).replace(r"\*", ".*") for name in texts(data["names"], "names", path))
        entries.append((re.compile(f"(?:{names})\\Z"), str(data["why"])))
    return tuple(entries)


def other_settings(
    quantities: Sequence[Quantity], sides: Sequence[Sequence[MemberFacts] | None]
) -> Iterator[OtherSetting]:
    """The variables that differ between sides and no quantity reads, by name.

    Only sides of one certain release count, and only variables that two of them have: what is missing in a release is
    a difference between products. `sides`: the views of a member on each side, None where it has no counterpart.
    """
    certain = [views[0] if views and len(views) == 1 else None for views in sides]
    covered = _covered(quantities)
    names = {name for view in certain if view is not None for name in _names(view)}
    for name in sorted(names - covered):
        found = [view.fact(name) if view is not None else None for view in certain]
        facts = [fact for fact in found if isinstance(fact, Fact)]
        if len(facts) > 1 and any(not alike(_ANY, facts[0].value, fact.value) for fact in facts[1:]):
            values = tuple(_shown(fact) if isinstance(fact, Fact) else None for fact in found)
            yield OtherSetting(name, values, _why(name))


def _names(view: MemberFacts) -> Iterator[str]:
    """What is running, what is set, and what has a default."""
    yield from view.running
    yield from (view.settings.effective if view.settings else ())
    yield from view.catalog.names()


def _covered(quantities: Sequence[Quantity]) -> set[str]:
    named = {name for quantity in quantities for name in quantity.names}
    facts = [name.removeprefix("fact.") for name in named if name.startswith("fact.")]
    return named | {text for fact in facts for text in read_by(fact)} | {"wsrep_provider_options", "version"}


def _why(name: str) -> str:
    return next((why for pattern, why in without_effect() if pattern.match(name)), "")


def _shown(fact: Fact) -> str:
    return MASK if is_secret(fact.name) and fact.value not in ("", None) else show(fact.value, fact.unit)
