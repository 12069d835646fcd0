"""A cluster's history made for a test: users at a steady rate with some noise, and what a test does to it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from advisor.history.assemble import Reading, assemble
from advisor.model.monitoring.history import History
from tests.history.readings import BEGIN, reading

SECONDS = 300
Rate = Callable[[int], float]


def counter(metric: str, rate: Rate, seed: int = 1, member: str = "m1", **labels: str) -> Reading:
    """A counter that grows by about `rate(second)` in each second."""
    chance = random.Random(f"{seed}{metric}{member}")
    value, values = 1000.0, []
    for second in range(SECONDS):
        values.append(float(round(value)))
        value += max(0.0, rate(second) * (1 + chance.gauss(0, 0.08)))
    return reading(metric, values, instance=member, **labels)


def level(metric: str, value: Rate, member: str = "m1", **labels: str) -> Reading:
    """A gauge."""
    return reading(metric, [value(second) for second in range(SECONDS)], instance=member, **labels)


def writer(rate: Rate = lambda second: 200.0, member: str = "m1") -> list[Reading]:
    """What every server has: transactions, statements, uptime."""
    return [
        counter("mysql_global_status_binlog_cache_use", rate, member=member),
        counter("mysql_global_status_questions", lambda second: 3 * rate(second), member=member),
        level("mysql_global_status_uptime", lambda second: 5000.0 + second, member=member),
        level("mysql_global_variables_sync_binlog", lambda second: 1.0, member=member),
    ]


def history(readings: Sequence[Reading]) -> History:
    """The history of these readings."""
    members, problems = assemble(readings)
    return History("http://prometheus:9090", BEGIN, BEGIN + SECONDS, members, (), problems)
