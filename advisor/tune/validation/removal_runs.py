"""How is a configuration compared with one that has fewer changes? In pairs or blocks of runs, until time is over."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from advisor.model.tuning import Environment, SearchSpace, Settings, Task, TrialKind
from advisor.tune.search.scoring import Score, score
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.validation.removals import Pair


class OutOfTime(Exception):
    """Raised before a run for which no time is left: what was found until then is the answer."""


class RemovalRuns:
    """Runs with and without changes on one cluster. `runs_left`: how many the time allows, infinite without a limit."""

    def __init__(
        self, environment: Environment, space: SearchSpace, running: Settings, lag_bound_ms: float,
        runs_left: Callable[[], float], seed: int = 0,
    ) -> None:  # fmt: skip
        self._environment, self._running, self._lag_bound_ms = environment, running, lag_bound_ms
        self._settle, self._legal = Encoder(space).settle, constraint_check(space)
        self._dice = random.Random(seed)
        self.runs_left = runs_left

    def changes(self, settings: Settings) -> list[str]:
        """The names of the settings that differ from the baseline."""
        return list(difference(self._running, settings))

    def without(self, settings: Settings, names: Sequence[str]) -> Settings | None:
        """The settings with these at their baseline value; None if that breaks a rule or changes nothing."""
        reverted = self._settle({**settings, **{name: self._running[name] for name in names}})
        return reverted if difference(settings, reverted) and self._legal(reverted) else None

    def without_each(self, settings: Settings) -> dict[str, Settings]:
        """For every change the settings without it alone; a change that cannot go alone is left out."""
        found = {name: self.without(settings, [name]) for name in self.changes(settings)}
        return {name: reverted for name, reverted in found.items() if reverted is not None}

    def pair(self, kept: Settings, removed: Settings, number: int) -> Pair | None:
        """One run of each, the order in turns; None after a fault, which says nothing."""
        if self.runs_left() < 2:
            raise OutOfTime
        if number % 2 == 0:
            first, second = self._run(kept), self._run(removed)
        else:
            second, first = self._run(removed), self._run(kept)
        return Pair(first, second) if first and second else None

    def block(self, kept: Settings, without: dict[str, Settings]) -> dict[str, Pair | None]:
        """One run of `kept` and one of every other configuration, in random order; each paired with that of `kept`."""
        if self.runs_left() < 1 + len(without):
            raise OutOfTime
        order = self._dice.sample(["", *without], 1 + len(without))
        runs = {name: self._run(without[name] if name else kept) for name in order}
        first = runs.pop("")
        return {name: Pair(first, run) if first and run else None for name, run in runs.items()}

    def _run(self, settings: Settings) -> Score | None:
        outcome = self._environment.run(Task(TrialKind.CONFIRM, settings), lambda windows: False)
        return None if outcome.fault else score(outcome, self._lag_bound_ms)
