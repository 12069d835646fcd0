"""Which knobs of a configuration sit on an end of their range? There may be more beyond; a report says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.tuning import Knob, SearchSpace, Settings
from advisor.tune.space.encoding import share_of_range

EDGE: Final = 0.04  # of the range: nearer to an end is on the edge


def edges(space: SearchSpace, best: Settings) -> Sequence[str]:
    """Knobs of the best that sit on an end of their range."""
    return [knob.name for knob in space.knobs if _on_edge(knob, best.get(knob.name, ""))]


def _on_edge(knob: Knob, text: str) -> bool:
    """Whether it is at an end; choices and special values have none."""
    if knob.choices or not text or text in knob.special:
        return False
    place = share_of_range(knob, float(text))
    return place <= EDGE or place >= 1.0 - EDGE
