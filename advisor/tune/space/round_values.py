"""Which round value would a person write instead of the one found? 1G instead of 1,140,850,688, 256 instead of 283.

A search draws from the whole range, but a figure with nine digits claims a precision that no measurement has. The
nearest written value by ratio takes its place before anything is proved, so that what is proved is what is shipped.
"""

from __future__ import annotations

import math
from itertools import count, takewhile
from typing import Final

from advisor.model.tuning import Knob, Scale, SearchSpace, Settings
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, as_text, identity
from advisor.tune.space.member_values import as_digits
from advisor.units import as_option

_KIB: Final = 1024
_UNITS: Final = (2**10, 2**20, 2**30, 2**40)  # of a size: 512K, 64M, 8G, 1T
_BINARY: Final = (1, 3, 5)  # × 2^n: 1, 2, 3, 4, 5, 6, 8, 10, 12, 16 …
_DECIMAL: Final = (10, 20, 50)  # × 10^n ÷ 10
_CLOSER: Final = (10, 15, 20, 30, 40, 50, 60, 80)  # the same, where no power of two lies between: 2.5 times is far
_EQUAL: Final = 1e-6  # in steps: as_text keeps six decimals


def is_size(knob: Knob) -> bool:
    """Whether a knob counts bytes that people write with a suffix: its steps are whole KiB."""
    return not knob.choices and knob.step >= _KIB and knob.step % _KIB == 0


def with_written_values(space: SearchSpace, running: Settings, settings: Settings) -> dict[str, str]:
    """The settings with every changed value as a person would write it, the nearest by ratio that breaks no rule.

    Values of the baseline, defaults, special and inactive values stay. So does a value for which every written one
    would break a rule, and all of them where a rule is broken beforehand.
    """
    legal, settle = constraint_check(space), Encoder(space).settle
    current = settle(settings)
    if not legal(current):
        return dict(settings)
    while True:  # each pass but the last writes at least one value more, and none that is written changes again
        before = identity(current)
        for knob in space.knobs:
            text = current[knob.name]
            if is_written(knob, text, running[knob.name]):
                continue
            others = (settle({**current, knob.name: value}) for value in written_values(knob, text))
            current = next((other for other in others if other[knob.name] != text and legal(other)), current)
        if identity(current) == before:
            return current


def is_written(knob: Knob, text: str, baseline: str) -> bool:
    """Whether a person wrote this value or would: the baseline's, the release's, the search space's, or a round one."""
    if knob.choices or text in (baseline, as_digits(knob.default), knob.inactive, *knob.special):
        return True
    if text == knob.advice and not is_size(knob):  # the advice on a size is a share of the memory
        return True
    nearest = written_values(knob, text)
    return bool(nearest) and float(nearest[0]) == float(text)


def written_values(knob: Knob, text: str) -> list[str]:
    """The written values of a knob's range, on its steps, the nearest by ratio first; of equals the lower first.

    A value outside the range, which the baseline or advice may have, stretches it as far as itself.
    """
    value = float(text)
    low, high = min(knob.low, value), max(knob.high, value)
    if knob.scale is Scale.LINEAR and knob.step != 1 and not is_size(knob):  # a share or a percentage: its steps are
        return [as_text(min(max(round(value / knob.step) * knob.step, low), high), knob.step)]
    if value <= 0:
        return [text]
    grid = [at for at in (_sizes(high) if is_size(knob) else _counts(knob, high)) if at >= low and _on_step(knob, at)]
    nearest_first = sorted(grid, key=lambda at: (round(abs(math.log(at / value)), 9), at))
    return [as_text(float(at), knob.step) for at in nearest_first]


def _on_step(knob: Knob, value: float) -> bool:
    return abs(value / knob.step - round(value / knob.step)) < _EQUAL


def _counts(knob: Knob, high: float) -> list[int]:
    """Powers of two with 1, 2, 5, 10, 20, 50 …; where the knob's step suits no power of two, 1500, 3000, 4000 … too."""
    figures = _DECIMAL if math.log2(knob.step).is_integer() else _CLOSER
    powers = takewhile(lambda at: at <= high, (2**n for n in count()))
    decimals = takewhile(lambda at: at <= high, (figure * 10**n / 10 for n in count() for figure in figures))
    return sorted({*powers, *(int(at) for at in decimals if at.is_integer())})


def _sizes(high: float) -> list[int]:
    """Fewer than 1024 whole KiB, MiB, GiB or TiB that are 1, 3 or 5 × 2^n, and one and a half of each."""
    whole = {first * 2**n for first in _BINARY for n in range(10) if first * 2**n < _KIB}
    sizes = {unit * number for unit in _UNITS for number in whole} | {unit * 3 // 2 for unit in _UNITS}
    return sorted(size for size in sizes if size <= high)


def in_unit(space: SearchSpace, name: str, text: str) -> str:
    """A setting as an option file has it: a size with its suffix."""
    return as_option(int(text)) if name in _size_names(space) and text.isdecimal() else text


def in_digits(space: SearchSpace, name: str, text: str) -> str:
    """The same setting as it is applied and compared."""
    return as_digits(text) if name in _size_names(space) else text


def _size_names(space: SearchSpace) -> set[str]:
    return {knob.name for knob in space.knobs if is_size(knob)}
