"""Runs made up second by second, with a known truth, for the tests of what is measured and of how it is shown."""

from __future__ import annotations

import random

from advisor.bench.measure.summary import Circumstances
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load, LoadSecond, Phase, Second
from advisor.model.progress import Progress
from advisor.model.server import Role, Topology

LOAD = Load("update_index", 8, ("m1",))
CLUSTER = ClusterFile("c.yaml", "c", Topology.GROUP_REPLICATION, "mysql-9.7.4", "root", "", ())
CIRCUMSTANCES = Circumstances(CLUSTER, LOAD, 1000.0, {"p95": 12.0}, {}, "")


def synthetic_run(
    commits: float, applies: float, seconds: int = 30, seed: int = 1, noise: float = 0.05
) -> list[Second]:
    """A primary, and a secondary that applies at most `applies` per second and drains at that rate."""
    chance = random.Random(seed)
    moments, backlog, at = [], 0.0, 0.0
    for _ in range(seconds):
        at += 1.0
        rate = max(0.0, chance.gauss(commits, noise * commits))
        done = min(applies, backlog + rate)
        backlog = backlog + rate - done
        moments.append(moment(at, Phase.MEASURE, rate, done, backlog))
    while backlog > 0:
        at += 0.5
        done = min(applies * 0.5, backlog)
        backlog -= done
        moments.append(moment(at, Phase.DRAIN, 0.0, done / 0.5, backlog, 0.5))
    return moments


def moment(at: float, phase: Phase, rate: float, done: float, backlog: float, interval: float = 1.0) -> Second:
    """What the primary committed and the secondary applied up to a moment."""
    left = round(backlog)
    lag = 1000 * backlog / done if left else 0.0
    return Second(
        at,
        phase,
        (
            Progress("m1", Role.PRIMARY, at, interval, committed_per_second=rate, throttled_share=0.25),
            Progress(
                "m2", Role.SECONDARY, at, interval, committed_per_second=0.0, applied_per_second=done,
                backlog=left, lag_ms=lag, lag_method="timestamps",
            ),
        ),
        (LoadSecond(at, "m1", rate, 10.0, errors_per_second=0.5),),
        {"cpu_share": 0.5},
    )  # fmt: skip
