"""How does a knob's value become a coordinate between 0 and 1, and back?

Settings are what is applied and compared; coordinates exist for samplers. A range keeps its own step here (floats that
samplers draw are rounded by us: integer parameters cost Optuna's Gaussian process a hundred times as much). Special
values have the first part of the line to themselves. A knob whose condition does not hold has its inactive value,
so every configuration has every knob, and two with the same effect are equal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.conditions import bind
from advisor.model.tuning import Knob, Scale, SearchSpace, Settings
from advisor.tune.space.constraints import lookup

SPECIAL_SHARE: Final = 0.15  # of the line, for each special value


def decode(knob: Knob, coordinate: float) -> str:
    """The setting at a coordinate; coordinates outside 0 to 1 count as its ends."""
    at = min(max(coordinate, 0.0), 1.0)
    if knob.choices:
        return knob.choices[min(int(at * len(knob.choices)), len(knob.choices) - 1)]
    begin = SPECIAL_SHARE * len(knob.special)
    if at < begin:
        return knob.special[int(at / SPECIAL_SHARE)]
    share = (at - begin) / (1.0 - begin)
    if knob.scale is Scale.LOG:
        value = knob.low * (knob.high / knob.low) ** share
    else:
        value = knob.low + (knob.high - knob.low) * share
    stepped = min(max(round(value / knob.step) * knob.step, knob.low), knob.high)
    return as_text(stepped, knob.step)


def encode(knob: Knob, text: str) -> float:
    """The coordinate of a setting: the middle of a choice or special value, else its place in the range, clipped.

    A word that is not a choice of the knob counts as the first.
    """
    if knob.choices:
        words = [choice.lower() for choice in knob.choices]
        return (words.index(text.lower()) + 0.5) / len(words) if text.lower() in words else 0.5 / len(words)
    if text in knob.special:
        return SPECIAL_SHARE * (knob.special.index(text) + 0.5)
    begin = SPECIAL_SHARE * len(knob.special)
    value = min(max(float(text), knob.low), knob.high)
    return begin + (1.0 - begin) * share_of_range(knob, value)


def share_of_range(knob: Knob, value: float) -> float:
    """How far along the range a value is, on the knob's scale; below 0 or above 1 outside."""
    if knob.scale is Scale.LOG:
        return math.log(max(value, 1e-9) / knob.low) / math.log(knob.high / knob.low)
    return (value - knob.low) / (knob.high - knob.low)


def as_text(value: float, step: float) -> str:
    """A number as a setting: whole where its steps are, else with as few decimals as the step has."""
    if step == int(step):
        return str(round(value))
    return f"{value:.6f}".rstrip("0").rstrip(".")


class Encoder:
    """Points ↔ settings of one space; its conditions are prepared once."""

    def __init__(self, space: SearchSpace) -> None:
        self.space = space
        self._conditional = [(knob, bind(knob.tree)) for knob in space.knobs if knob.tree]

    def settings(self, coordinates: Sequence[float]) -> dict[str, str]:
        """The settings at a point, one coordinate per knob in the space's order."""
        return self.settle(
            {knob.name: decode(knob, at) for knob, at in zip(self.space.knobs, coordinates, strict=True)}
        )

    def coordinates(self, settings: Settings) -> list[float]:
        """The point of settings that have every knob of the space."""
        return [encode(knob, settings[knob.name]) for knob in self.space.knobs]

    def settle(self, settings: Settings) -> dict[str, str]:
        """The settings with every knob whose condition does not hold at its inactive value."""
        settled = dict(settings)
        find = lookup(self.space, settled)
        for knob, holds in self._conditional:
            if holds(find) is False:
                settled[knob.name] = knob.inactive
        return settled


def identity(settings: Settings) -> tuple[tuple[str, str], ...]:
    """A key that two configurations share when the same settings are applied."""
    return tuple(sorted(settings.items()))


def difference(before: Settings, after: Settings) -> Mapping[str, tuple[str, str]]:
    """What changes from one configuration to another: name → (before, after)."""
    return {name: (before.get(name, ""), value) for name, value in after.items() if before.get(name) != value}
