"""What is the highest offered rate at which every member stays within the lag limit?

Each probe is a short run at one offered rate that was inside, was not, or is inconclusive. The position of the boundary
is a probability distribution over the logarithm of the rate: the chance that a probe at rate r is inside follows a
logistic curve that falls around the boundary with an unknown steepness, and a share `LAPSE` of probes may give either
answer (a noisy neighbour). The next probe is made at the median: bisection, except that no single probe decides, so
that rates near the boundary are probed again. The answer is the median with the central 95 % of the posterior. Then it
is confirmed: 0.9 of it must be inside and 1.2 of it not; a contradicting probe counts like any other, and the search
continues.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Final

from advisor.model.measurement import Interval, Probe, Search

LOWER, UPPER = 0.9, 1.2
PRECISION: Final = 0.10  # half the width of the interval, relative to the answer
LAPSE: Final = 0.04
_STEEPNESSES: Final = (0.01, 0.02, 0.04, 0.08)  # in units of ln(rate): at most 8 % from certain to impossible
_LOWEST, _HIGHEST = 1 / 40, 3.0  # of the first guess
_POINTS: Final = 800
_PRIOR_WIDTH: Final = 0.4  # ln(rate): a closed loop's estimate is usually right within 50 %


class Boundary:
    """The posterior of the boundary: a weight for every position and steepness."""

    def __init__(self, guess: float) -> None:
        step = log(_HIGHEST / _LOWEST) / (_POINTS - 1)
        self.places = [log(guess * _LOWEST) + step * index for index in range(_POINTS)]
        prior = [exp(-(((place - log(guess)) / _PRIOR_WIDTH) ** 2) / 2) + 0.02 for place in self.places]
        self._weights = {steepness: list(prior) for steepness in _STEEPNESSES}

    def learn(self, rate: float, inside: bool) -> None:
        """Update with one probe."""
        at = log(rate)
        for steepness, weights in self._weights.items():
            for index, place in enumerate(self.places):
                chance = LAPSE / 2 + (1 - LAPSE) / (1 + exp(min((at - place) / steepness, 500.0)))
                weights[index] *= chance if inside else 1 - chance
        total = sum(map(sum, self._weights.values()))
        for weights in self._weights.values():
            weights[:] = [weight / total for weight in weights]

    def rate_at(self, share: float) -> float:
        """The rate below which the boundary lies with this probability."""
        column = [sum(weights) for weights in zip(*self._weights.values(), strict=True)]
        wanted, so_far = share * sum(column), 0.0
        for place, weight in zip(self.places, column, strict=True):
            so_far += weight
            if so_far >= wanted:
                return exp(place)
        return exp(self.places[-1])

    @property
    def interval(self) -> Interval:
        """The median with the central 95 %."""
        return Interval(self.rate_at(0.025), self.rate_at(0.5), self.rate_at(0.975))


def find_threshold(probe: Callable[[float], Probe], guess: float, bound_ms: float, most_probes: int = 16) -> Search:
    """Search from a guess (transactions per second, above 0); the answer holds every probe, in order."""
    boundary, probes = Boundary(guess), list[Probe]()

    def ask(rate: float) -> bool | None:
        result = probe(rate)
        probes.append(result)
        if result.inside is not None:
            boundary.learn(result.offered_per_second, result.inside)
        return result.inside

    confirmed: bool | None = None
    while len(probes) < most_probes and confirmed is not True:
        if _wide(boundary) or len(probes) < 3:
            shift = (0.5, 0.4, 0.6)[_unknown_at_end(probes) % 3]  # after an inconclusive probe, a little away from it
            ask(boundary.rate_at(shift))
        elif len(probes) + 2 <= most_probes:
            answer = boundary.rate_at(0.5)
            lower, upper = ask(LOWER * answer), ask(UPPER * answer)
            confirmed = None if None in (lower, upper) else bool(lower) and not upper
        else:
            break
        if boundary.rate_at(0.5) < guess / 30:
            break
    return _answer(boundary, probes, confirmed, bound_ms)


def _answer(boundary: Boundary, probes: list[Probe], confirmed: bool | None, bound_ms: float) -> Search:
    conclusive = [probe for probe in probes if probe.inside is not None]
    if not any(probe.inside for probe in conclusive):
        rates = [probe.offered_per_second for probe in conclusive]
        because = "every probe was inconclusive"
        if rates:
            because = f"no rate was sustained, not even {min(rates):.0f} tx/s"
        return Search(Interval(None, None, min(rates, default=None)), bound_ms, tuple(probes), None, because)
    wide = _wide(boundary)
    because = f"{len(probes)} probes did not narrow the interval down to ±{PRECISION:.0%}" if wide else ""
    return Search(boundary.interval, bound_ms, tuple(probes), confirmed, because)


def _wide(boundary: Boundary) -> bool:
    return boundary.rate_at(0.975) / boundary.rate_at(0.025) > (1 + PRECISION) ** 2


def _unknown_at_end(probes: list[Probe]) -> int:
    count = 0
    for probe in reversed(probes):
        if probe.inside is not None:
            break
        count += 1
    return count
