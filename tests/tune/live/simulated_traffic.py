"""Simulated users: demand with days, bursts and memory, and commit latency that follows it."""

from __future__ import annotations

import numpy as np

from advisor.tune.live.traffic.figures import Figures

DAY_SECONDS = 86_400


class Traffic:
    """One value per second. `closed`: a fixed number of clients, who ask again when they have their answer.

    Demand has a day, a slow wave and bursts that last a minute or so; latency rises with the root of demand, and has
    a noise with a memory of ten seconds and stalls of its own.
    """

    def __init__(self, seed: int, seconds: int, *, closed: bool = False) -> None:
        self._dice = np.random.default_rng(seed)
        at = np.arange(seconds) + self._dice.integers(DAY_SECONDS)
        day = 0.5 * np.sin(2 * np.pi * at / DAY_SECONDS)
        demand = day + 0.3 * self._memory(seconds, 0.999) + 0.15 * self._memory(seconds, 0.9) + self._bursts(seconds)
        noise = 0.15 * self._memory(seconds, 0.9) + 0.1 * self._dice.standard_normal(seconds)
        stalls = (self._dice.random(seconds) < 0.005) * self._dice.exponential(1.0, seconds)
        self._log_demand = np.log(400.0) + demand
        self._log_latency = np.log(5.0) + 0.5 * demand + noise + stalls
        self._closed = closed

    def _memory(self, seconds: int, coefficient: float) -> np.ndarray:
        from scipy.signal import lfilter

        steps = self._dice.standard_normal(seconds) * np.sqrt(1 - coefficient**2)
        return lfilter([1.0], [1.0, -coefficient], steps)

    def _bursts(self, seconds: int) -> np.ndarray:
        shape = np.zeros(seconds)
        for start in np.flatnonzero(self._dice.random(seconds) < 1 / 600):
            length = 20 + int(self._dice.exponential(60))
            shape[start : start + length] += self._dice.exponential(0.7)
        return shape

    def seconds(self, effect: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rates and latencies (ms), with an effect on the latency's logarithm in each second."""
        log_latency = self._log_latency + effect
        log_rate = np.log(4000.0) - log_latency if self._closed else self._log_demand
        return np.exp(log_rate), np.exp(log_latency)


def in_force(orders: list[str], turn: int, strength: float, carry_over: float) -> np.ndarray:
    """The effect in each second of all turns: it fades in and out over `carry_over` seconds."""
    wanted = np.repeat([strength if letter == "B" else 0.0 for order in orders for letter in order], turn)
    effect, now = np.zeros(len(wanted)), 0.0
    for second, value in enumerate(wanted):
        now += (value - now) * (1 - np.exp(-1 / carry_over))
        effect[second] = now
    return effect


def turn_figures(rates: np.ndarray, latencies: np.ndarray, **others: float) -> Figures:
    """What readings of some seconds come to."""
    commits = float(rates.sum())
    mean = float((rates * latencies).sum()) / commits
    typical = float(np.exp(np.log(latencies).mean()))
    return Figures(
        float(len(rates)), commits / len(rates), commits, commit_ms=mean, typical_commit_ms=typical, **others
    )
