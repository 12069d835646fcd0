"""A recorded study as an environment: trees say the rate and lag of settings, the nearest trial how they vary.

It knows only what was recorded, and between recorded trials it is a guess; good for ranking tuners on real shapes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from advisor.errors import InputError
from advisor.model.tuning import EndEarly, Outcome, SearchSpace, Task
from advisor.tune.search.features import rows_of
from advisor.tune.search.prior_runs import Row

FEWEST = 20  # rows that measured something
_NEIGHBOURS = 3  # a configuration fails where most of so many nearest recorded ones did


class Replay:
    """An environment made of rows, which must have every knob of the space. InputError with fewer than `FEWEST`."""

    def __init__(self, space: SearchSpace, rows: Sequence[Row], seed: int = 0) -> None:
        from sklearn.ensemble import ExtraTreesRegressor

        self._space, self._rows = space, list(rows)
        measured = [row for row in rows if row.outcome.windows]
        if len(measured) < FEWEST:
            raise InputError(f"{len(measured)} rows measured something, {FEWEST} are needed")
        self._dice = random.Random(seed)
        self._measured = measured
        self._points = rows_of(space, [row.settings for row in rows])
        self._measured_points = rows_of(space, [row.settings for row in measured])
        rates = [math.log(_middle(row.outcome.windows)) for row in measured]
        lags = [math.log(max(row.outcome.lag_ms or 1.0, 1.0)) for row in measured]
        slopes = [row.outcome.backlog_slope or 0.0 for row in measured]
        self._model: Any = ExtraTreesRegressor(n_estimators=200, min_samples_leaf=1, random_state=seed)
        self._model.fit(self._measured_points, list(zip(rates, lags, slopes, strict=True)))

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        """As `Environment.run`: windows vary as those of the nearest recorded trial did."""
        point = rows_of(self._space, [task.settings])
        order = ((self._points - point) ** 2).sum(axis=1).argsort()[:_NEIGHBOURS]
        failed = [self._rows[at].outcome.infeasible for at in order if self._rows[at].outcome.infeasible]
        if len(failed) * 2 > _NEIGHBOURS:
            return Outcome(infeasible=failed[0], seconds=self._rows[order[0]].outcome.seconds)
        rate, lag, slope = self._model.predict(point)[0]
        nearest = self._measured[int(((self._measured_points - point) ** 2).sum(axis=1).argmin())].outcome
        windows: list[float] = []
        middle = _middle(nearest.windows)
        for residual in self._dice.choices(nearest.windows, k=len(nearest.windows)):
            windows.append(math.exp(rate) * residual / middle)
            if end_early(tuple(windows)):
                break
        truncated = len(windows) < len(nearest.windows)
        return Outcome(
            tuple(windows),
            math.exp(lag),
            slope,
            truncated=truncated,
            restarted=nearest.restarted,
            seconds=nearest.seconds,
        )


def _middle(windows: Sequence[float]) -> float:
    return math.exp(sum(math.log(max(rate, 0.01)) for rate in windows) / len(windows))
