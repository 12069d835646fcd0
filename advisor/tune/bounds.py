"""How far is a knob searched? Around what is advised at first, farther where the best sits on an edge.

Wide ranges sink a search: most of them is bad. So ranges begin around the advice, and where the best that is
sure has a knob near an end of its range, that end moves out, at most to what the space allows. The settings of trials
are their own truth; coordinates are made anew from them, so ranges may move in the middle of a study.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.record import record, replace
from advisor.model.tuning import Knob, Scale, SearchSpace, Settings
from advisor.tune.encoding import share_of_range

AROUND: Final = 0.6  # of the whole range is what a search begins with, centred on the advice
EDGE: Final = 0.04  # of the range: nearer to an end is on the edge
WIDER: Final = 0.5  # of its width is what a range grows by


@record
class Extension:
    """A bound that moved: which knob, from where to where."""

    name: str
    before: float
    after: float


def around(space: SearchSpace, advised: Settings, share: float = AROUND) -> SearchSpace:
    """The space with every range cut to a share of itself around an advised value; choices stay."""
    return replace(space, knobs=tuple(_cut(knob, advised.get(knob.name, ""), share) for knob in space.knobs))


def extended(whole: SearchSpace, now: SearchSpace, best: Settings) -> tuple[SearchSpace, list[Extension]]:
    """The space with the ranges widened on whose edge the best sits, inside `whole`; and what moved."""
    limits = {knob.name: knob for knob in whole.knobs}
    knobs, moved = [], []
    for knob in now.knobs:
        wider = _widened(knob, limits[knob.name], best.get(knob.name, ""))
        for before, after in ((knob.low, wider.low), (knob.high, wider.high)):
            if before != after:
                moved.append(Extension(knob.name, before, after))
        knobs.append(wider)
    return replace(now, knobs=tuple(knobs)), moved


def edges(space: SearchSpace, best: Settings) -> Sequence[str]:
    """Knobs of the best that sit on an end of their range, for a report: there may be more beyond."""
    return [knob.name for knob in space.knobs if _edge(knob, best.get(knob.name, "")) is not None]


def _cut(knob: Knob, advised: str, share: float) -> Knob:
    if knob.choices or not advised or advised in knob.special:
        return knob
    centre = min(max(share_of_range(knob, float(advised)), 0.0), 1.0)
    low = min(max(centre - share / 2, 0.0), 1.0 - share)
    return replace(knob, low=_stepped(knob, low), high=_stepped(knob, low + share))


def _widened(knob: Knob, limit: Knob, text: str) -> Knob:
    edge = _edge(knob, text)
    if edge is None:
        return knob
    if edge == 0:
        return replace(knob, low=max(limit.low, min(knob.low, _stepped(knob, -WIDER))))
    return replace(knob, high=min(limit.high, max(knob.high, _stepped(knob, 1.0 + WIDER))))


def _edge(knob: Knob, text: str) -> int | None:
    """0 at the low end, 1 at the high end, None elsewhere or where there is no end."""
    if knob.choices or not text or text in knob.special:
        return None
    place = share_of_range(knob, float(text))
    return 0 if place <= EDGE else 1 if place >= 1.0 - EDGE else None


def _stepped(knob: Knob, share: float) -> float:
    value = knob.low + (knob.high - knob.low) * share
    if knob.scale is Scale.LOG:
        value = float(knob.low * (knob.high / knob.low) ** share)
    return max(round(value / knob.step) * knob.step, knob.step if knob.scale is Scale.LOG else value)
