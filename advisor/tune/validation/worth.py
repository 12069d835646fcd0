"""What is each change of an answer worth? It is taken away alone, in blocks, until its worth is shown or seems nil.

Every block runs the whole answer once and once without each change that is not decided yet, in random order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.recommendation import Worth
from advisor.model.tuning import Settings
from advisor.tune.validation.removal_runs import OutOfTime, RemovalRuns
from advisor.tune.validation.removals import Removal, Spread, allowed_constraints, ratio_of, spread_of

FEWEST_BLOCKS: Final = 3
MOST_BLOCKS: Final = 6  # with the usual spread of 3.5 % between pairs, six tell 3 %
_CLEARLY: Final = 1.6  # half widths: to look after three blocks already must not make chance look like an effect


def worth_of_changes(runs: RemovalRuns, answer: Settings) -> dict[str, Removal]:
    """The removal of every change that can go alone, with its pairs; fewer pairs where the time ended."""
    undecided = runs.without_each(answer)
    removals = {name: Removal((name,)) for name in undecided}
    try:
        for block in range(MOST_BLOCKS):
            if not undecided:
                break
            for name, pair in runs.block(answer, undecided).items():
                removals[name] = removals[name].and_pair(pair)
            undecided = {name: undecided[name] for name in undecided if not _decided(removals, name, block + 1)}
    except OutOfTime:
        pass
    return removals


def not_shown(removals: Mapping[str, Removal]) -> list[str]:
    """The changes whose worth may be nil: an interval that includes 0, no limit that needs them. Least worth first."""
    allowed, spread = allowed_constraints(list(removals.values())), spread_of(list(removals.values()))
    doubtful = {
        name: removal.cost
        for name, removal in removals.items()
        if removal.cost is not None
        and not _needed(removal, allowed)
        and removal.cost <= spread.half_width(len(removal.costs))
    }
    return sorted(doubtful, key=lambda name: doubtful[name])


def as_worth(removals: Mapping[str, Removal], inseparable: Sequence[str] = ()) -> dict[str, Worth]:
    """What is told of every change of which something was measured, the largest first; then those that cannot go."""
    allowed, spread = allowed_constraints(list(removals.values())), spread_of(list(removals.values()))
    by_worth = sorted(removals.values(), key=lambda removal: (not _needed(removal, allowed), -(removal.cost or 0.0)))
    told = {removal.names[0]: _worth(removal, allowed, spread) for removal in by_worth if removal.pairs}
    return told | {name: Worth(None, 0, "another change needs it") for name in inseparable}


def _worth(removal: Removal, allowed: Mapping[str, float], spread: Spread) -> Worth:
    if removal.cannot_run:
        return Worth(None, len(removal.pairs), "the servers do not run without it")
    limit = "without it a limit is exceeded" if removal.breaks_a_limit(allowed) else ""
    return Worth(ratio_of(removal, spread), len(removal.costs), limit)


def _needed(removal: Removal, allowed: Mapping[str, float]) -> bool:
    return removal.cannot_run or removal.breaks_a_limit(allowed)


def _decided(removals: Mapping[str, Removal], name: str, blocks: int) -> bool:
    """Whether a change needs no further block: servers refuse its removal, or its worth is clear."""
    removal, all_of_them = removals[name], list(removals.values())
    if removal.cannot_run:
        return True
    if blocks < FEWEST_BLOCKS or removal.cost is None:
        return False
    clear = removal.cost > _CLEARLY * spread_of(all_of_them).half_width(len(removal.costs))
    return clear or removal.breaks_a_limit(allowed_constraints(all_of_them))
