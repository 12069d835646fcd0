"""What does an observation cost, and how far can its answer be trusted? Both depend on its kind.

The kinds, with their figures and where those come from, are data: rules/observations.yaml.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from advisor.data import folder, read_yaml
from advisor.errors import RuleError
from advisor.model.diagnosis import Cause
from advisor.model.record import record
from advisor.yaml_shapes import mapping, refuse_unknown, require, texts

_FILE: Final = "observations.yaml"
_KEYS: Final = ("round_seconds", "risks", "kinds", "collection")
_FIGURES: Final = ("takes", "seconds", "risk", "yes", "no")


@record
class Asking:
    """A kind of observation. `yes`: how often it says yes where that is true; `no`: how often no where that is true.

    `takes`: what it takes, in words. `cost`: in seconds without a risk.
    """

    kind: str
    takes: str
    cost: float
    yes: float
    no: float


@record
class Kinds:
    """Every kind in its order with what its commands match, the causes whose kind is stated, and the collection.

    `blind_to`: the causes that a collection does not show.
    """

    by_command: tuple[tuple[tuple[re.Pattern[str], ...], Asking], ...]
    by_cause: Mapping[str, Asking]
    collection: Asking
    blind_to: frozenset[str]

    def of(self, cause: Cause) -> Asking:
        """The kind of the observation that would settle a cause; the last one where no other matches."""
        if (stated := self.by_cause.get(cause.id)) is not None:
            return stated
        found = (kind for patterns, kind in self.by_command if any(each.search(cause.command) for each in patterns))
        return next(found, self.by_command[-1][1])


@lru_cache(maxsize=1)
def load_kinds() -> Kinds:
    """The shipped kinds; RuleError when their file is wrong."""
    path = os.path.join(folder("rules"), _FILE)
    data = mapping(read_yaml(path), _FILE, path)
    refuse_unknown(data, _KEYS, _FILE, path)
    require(data, _KEYS, _FILE, path)
    by_command, by_cause = [], {}
    for name, entry in mapping(data["kinds"], "kinds", path).items():
        refuse_unknown(mapping(entry, name, path), ("matches", "causes", *_FIGURES), name, path)
        kind = _asking(name, entry, data, path)
        by_command.append((tuple(map(re.compile, texts(entry.get("matches"), "matches", path))), kind))
        by_cause.update(dict.fromkeys(texts(entry.get("causes"), "causes", path), kind))
    collection = mapping(data["collection"], "collection", path)
    refuse_unknown(collection, ("blind_to", *_FIGURES), "collection", path)
    blind_to = frozenset(texts(collection.get("blind_to"), "blind_to", path))
    return Kinds(tuple(by_command), by_cause, _asking("collection", collection, data, path), blind_to)


def _asking(name: str, entry: Any, data: Mapping[str, Any], path: str) -> Asking:
    known = mapping(entry, name, path)
    require(known, _FIGURES, name, path)
    try:
        seconds, yes, no = (float(known[figure]) for figure in ("seconds", "yes", "no"))
        cost = (float(data["round_seconds"]) + seconds) * float(mapping(data["risks"], "risks", path)[known["risk"]])
    except (KeyError, TypeError, ValueError) as error:
        raise RuleError(f"{name}: {error}", file=path) from None
    if not (cost > 0 and 0.5 < yes < 1 and 0.5 < no < 1):
        raise RuleError(f"{name}: what it costs must be above 0, yes and no between 0.5 and 1", file=path)
    return Asking(name, str(known["takes"]), cost, yes, no)
