"""Which rate does each resource permit? The ceilings that can be computed here, lowest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.check.message import fill
from advisor.conditions import Missing, bind, names
from advisor.errors import RuleError
from advisor.evidence.view import View
from advisor.model.diagnosis import Ceiling, Rung
from advisor.model.evidence import Fact
from advisor.why.causes import concerns
from advisor.why.members import Scene


def ladder_of(scene: Scene, ceilings: Sequence[Ceiling]) -> tuple[Rung, ...]:
    """One rung for each ceiling whose facts are known; of several members the one that permits least."""
    rungs = []
    for ceiling in ceilings:
        found = [rung for view in scene.actors(ceiling.where) for rung in _rung(ceiling, view)]
        if found:
            rungs.append(min(found, key=lambda rung: rung.per_second))
    return tuple(sorted(rungs, key=lambda rung: rung.per_second))


def _rung(ceiling: Ceiling, view: View) -> Iterator[Rung]:
    if not concerns(ceiling, view):
        return
    rate = bind(ceiling.tree)(view.value)
    if isinstance(rate, Missing):
        return
    if isinstance(rate, bool) or not isinstance(rate, int | float):
        raise RuleError(f"per_second gives {rate!r}, no number", file=ceiling.file)
    facts = [view.fact(name) for name in dict.fromkeys(names(ceiling.tree))]
    known = tuple(view.explained(fact) for fact in facts if isinstance(fact, Fact))
    if rate > 0:
        yield Rung(ceiling, view.member.name, float(rate), fill(ceiling.finding, view), known)
