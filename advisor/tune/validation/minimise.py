"""Which of the changes does the winner need? Knobs go back to where they were, and stay there when it costs nothing.

First all that seem unimportant at once, then in halves where that cost something, then one by one: few measurements
where few knobs matter. Every step is measured against the configuration it would replace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.model.record import record
from advisor.model.tuning import SearchSpace, Settings
from advisor.tune.space.encoding import Encoder, difference

TOLERATED: Final = 0.01  # log units: a loss of less than 1 % is worth a shorter list of changes

# Log of (rate of the first / rate of the second) and the half width of its interval; None: the second cannot be used.
Gap = tuple[float, float] | None
Measure = Callable[[Settings, Settings], Gap]


class OutOfTime(Exception):
    """Raised by a `Measure`: what was found until then is the answer."""


@record
class Reversion:
    """One step: what was put back, what that cost (log units, half width; None: not usable), whether it stays back."""

    names: tuple[str, ...]
    cost: Gap
    kept: bool


@record
class Minimised:
    """The winner with only the changes it needs, and how that was found."""

    settings: Settings
    steps: tuple[Reversion, ...]


def minimise(
    space: SearchSpace,
    running: Settings,
    winner: Settings,
    measure: Measure,
    importance: Sequence[str] = (),
    legal: Callable[[Settings], bool] = lambda settings: True,
) -> Minimised:
    """The winner with as many knobs as possible at their running value. `importance`: names, least important first.

    A reversion stays when its cost is surely below `TOLERATED` or its interval holds zero and its cost is below it.
    """
    ranks = {name: place for place, name in enumerate(importance)}
    changed = sorted(difference(running, winner), key=lambda name: ranks.get(name, len(ranks)))
    now, steps = dict(winner), []
    encoder = Encoder(space)
    groups = [tuple(changed[: len(changed) * 2 // 3]), tuple(changed[len(changed) * 2 // 3 :])]
    while groups:
        names = groups.pop(0)
        back = encoder.settle({**now, **{name: running[name] for name in names}})
        if not difference(now, back):
            continue
        try:
            cost = measure(now, back) if legal(back) else None
        except OutOfTime:
            break
        kept = cost is not None and cost[0] <= TOLERATED and cost[0] - cost[1] <= TOLERATED
        steps.append(Reversion(names, cost, kept))
        if kept:
            now = back
        elif len(names) > 1:
            groups = [names[: len(names) // 2], names[len(names) // 2 :], *groups]
    return Minimised(now, tuple(steps))
