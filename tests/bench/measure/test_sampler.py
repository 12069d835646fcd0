"""Samples are due at even distances, and what takes too long does not move the rest."""

from __future__ import annotations

from itertools import islice

import pytest

from advisor.bench.measure.sampler import ticks


class Clock:
    """A clock that moves when one waits, and by what a sample takes."""

    def __init__(self) -> None:
        self.now = 100.0

    def read(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


def test_the_distance_stays_what_it_is_however_long_each_sample_takes():
    clock, moments = Clock(), []
    for _ in islice(ticks(1.0, clock.read, clock.wait), 50):
        moments.append(clock.now)
        clock.now += 0.3
    assert moments == pytest.approx([100.0 + at for at in range(50)])


def test_a_sample_that_takes_longer_than_the_distance_leaves_moments_out():
    clock, moments = Clock(), []
    for at, _ in enumerate(islice(ticks(0.1, clock.read, clock.wait), 5)):
        moments.append(clock.now)
        clock.now += 0.25 if at == 1 else 0.0
    assert moments == pytest.approx([100.0, 100.1, 100.4, 100.5, 100.6])
