"""Which of its changes does the winner need, and what is each of them worth? Few measurements where few knobs matter.

1. Every change is taken away alone, once. Where that seems to cost little, the change is a suspect.
2. All suspects are taken away together; where that costs something, in halves, then one by one.
3. Of the changes that are left, each is taken away alone, in blocks: that is its worth. What is not shown to be worth
   anything goes, too.

Without time for the first step the changes that leave what practice advises are the first suspects, then those that the
trials call unimportant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from advisor.model.recommendation import Reverted, Worth
from advisor.model.record import record
from advisor.model.tuning import Environment, Knob, SearchSpace, Settings
from advisor.tune.search.gain_thresholds import TOLERATED_LOSS
from advisor.tune.space.encoding import encode
from advisor.tune.validation.removal_runs import OutOfTime, RemovalRuns
from advisor.tune.validation.removals import Removal, Spread, allowed_constraints, spread_of
from advisor.tune.validation.worth import as_worth, not_shown, worth_of_changes

MOST_PAIRS: Final = 3  # of one step; validation follows, so a wrong step costs a candidate, no harm
_MOST_TRIED: Final = 2 * MOST_PAIRS  # pairs, with those that had a fault
_SUSPECT: Final = 0.08  # log units in a single pair: 2.3 times as much as pairs differ by chance
_SURELY_WORSE, _SURELY_GOOD = 2.0, 0.5  # standard errors above and below what is tolerated that end a step early


@record
class Minimised:
    """The winner with only the changes it needs, what was taken away in which step, and what each change is worth."""

    settings: Settings
    steps: tuple[Reverted, ...]
    worth: Mapping[str, Worth]


def minimise(
    environment: Environment,
    space: SearchSpace,
    running: Settings,
    winner: Settings,
    importance: Mapping[str, float],
    lag_bound_ms: float,
    runs_left: Callable[[], float] = lambda: math.inf,
) -> Minimised:
    """The winner with as many knobs as possible at their baseline value. `importance` by name, where it is known.

    When the time is over, what was found until then is the answer.
    """
    runs = RemovalRuns(environment, space, running, lag_bound_ms, runs_left)
    shortening = _Shortening(runs, dict(winner))
    worth: dict[str, Worth] = {}
    try:
        for suspects in _suspects(shortening, space, running, importance):
            shortening.take_away(suspects)
        removals = worth_of_changes(runs, shortening.current)
        inseparable = [name for name in runs.changes(shortening.current) if name not in removals]
        worth, doubtful = as_worth(removals, inseparable), not_shown(removals)
        while doubtful and not shortening.removed(doubtful):
            doubtful = doubtful[:-1]
    except OutOfTime:
        pass
    left = runs.changes(shortening.current)
    told = {name: each for name, each in worth.items() if name in left}
    return Minimised(shortening.current, tuple(shortening.steps), told)


class _Shortening:
    """The configuration as it gets shorter, and the steps so far."""

    def __init__(self, runs: RemovalRuns, winner: Settings) -> None:
        self.runs, self.current = runs, winner
        self.steps: list[Reverted] = []
        self.measured: list[Removal] = []  # all of them: what the whole configuration comes to, run after run

    def screened(self) -> dict[str, Removal]:
        """Every change taken away alone, once."""
        block = self.runs.block(self.current, self.runs.without_each(self.current))
        removals = {name: Removal((name,)).and_pair(pair) for name, pair in block.items()}
        self.measured += removals.values()
        return removals

    def take_away(self, names: Sequence[str]) -> None:
        """All of them together, else in halves."""
        if names and not self.removed(names) and len(names) > 1:
            half = (len(names) + 1) // 2
            self.take_away(names[:half])
            self.take_away(names[half:])

    def removed(self, names: Sequence[str]) -> bool:
        """Whether these changes are gone: they were no changes any more, or went without much loss."""
        if not set(names) & set(self.runs.changes(self.current)):
            return True
        without = self.runs.without(self.current, names)
        if without is None:
            return False
        removal, gone = Removal(tuple(names)), None
        for number in range(_MOST_TRIED):
            removal = removal.and_pair(self.runs.pair(self.current, without, number))
            gone = self._verdict(removal)
            if gone is not None:
                break
        self.measured.append(removal)
        self.steps.append(_reported(removal, bool(gone), spread_of(self.measured)))
        if gone:
            self.current = dict(without)
        return bool(gone)

    def _verdict(self, removal: Removal) -> bool | None:
        """Whether a removal stays; None while another pair is needed."""
        if removal.cannot_run or removal.breaks_a_limit(allowed_constraints([*self.measured, removal])):
            return False
        cost, pairs = removal.cost, len(removal.costs)
        if cost is None:
            return None
        error = spread_of([*self.measured, removal]).deviation / math.sqrt(pairs)
        if pairs >= MOST_PAIRS:
            return cost <= TOLERATED_LOSS
        if cost > TOLERATED_LOSS + _SURELY_WORSE * error:
            return False
        return True if pairs > 1 and cost <= TOLERATED_LOSS - _SURELY_GOOD * error else None


def _suspects(
    shortening: _Shortening, space: SearchSpace, running: Settings, importance: Mapping[str, float]
) -> list[list[str]]:
    """The changes that may give nothing, in groups, the likeliest first."""
    winner, changed = shortening.current, shortening.runs.changes(shortening.current)
    if shortening.runs.runs_left() >= 1 + len(changed) + 2 * MOST_PAIRS:
        removals = shortening.screened()
        allowed = allowed_constraints(list(removals.values()))
        costs = dict.fromkeys(changed, 0.0)  # also for one that cannot go alone: it may go with others
        for name, removal in removals.items():
            needed = removal.cannot_run or removal.breaks_a_limit(allowed)
            costs[name] = math.inf if needed else removal.cost or 0.0
        return [sorted((name for name, cost in costs.items() if cost < _SUSPECT), key=lambda name: costs[name])]
    leaving = leaving_advice(space, running, winner)
    others = sorted((name for name in changed if name not in leaving), key=lambda name: importance.get(name, 0.0))
    at = len(others) * 2 // 3
    return [leaving, others[:at], others[at:]]


def leaving_advice(space: SearchSpace, running: Settings, winner: Settings) -> list[str]:
    """The changed knobs whose value is now farther from what the search space advises than the baseline's is."""

    def distance(knob: Knob, text: str) -> float:
        return abs(encode(knob, text) - encode(knob, knob.advice))

    return [
        knob.name
        for knob in space.knobs
        if knob.advice
        and winner[knob.name] != running[knob.name]
        and distance(knob, winner[knob.name]) > distance(knob, running[knob.name])
    ]


def _reported(removal: Removal, gone: bool, spread: Spread) -> Reverted:
    if removal.cost is None or removal.cannot_run:
        return Reverted(removal.names, None, None, gone)
    return Reverted(removal.names, 1.0 - math.exp(-removal.cost), spread.half_width(len(removal.costs)), gone)
