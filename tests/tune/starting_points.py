"""What several tests of tuning start from: members of a cluster, seconds of a run, repeated runs of a baseline."""

from __future__ import annotations

import math
import random

from advisor.model.lab import ClusterMember
from advisor.model.measurement import LoadSecond, Phase, Second
from advisor.model.progress import Progress
from advisor.model.server import Role
from advisor.model.tuning import Outcome, Task, Trial, TrialKind


def member(name: str, role: Role, **more: object) -> ClusterMember:
    """A member "m1" at port 3307, and so on."""
    return ClusterMember(name, role, "db.example", 3306 + int(name[1:]), **more)  # type: ignore[arg-type]


def second(at: float, rate: float, applied: float | None, phase: Phase = Phase.MEASURE, errors: float = 0.0) -> Second:
    """A source that commits and a replica that applies."""
    return Second(
        at, phase,
        (Progress("m1", Role.SOURCE, at, 1.0, committed_per_second=rate),
         Progress("m2", Role.REPLICA, at, 1.0, committed_per_second=0.0, applied_per_second=applied)),
        (LoadSecond(at, "m1", rate, errors_per_second=errors),),
    )  # fmt: skip


def baseline_trials(spread: float, count: int, slope_per_hour: float = 0.0) -> list[Trial]:
    """Repeated runs, ten minutes apart, that differ by a spread and drift."""
    dice = random.Random(3)
    trials = []
    for number in range(count):
        level = 1000.0 * math.exp(dice.gauss(0, spread) + slope_per_hour * number / 6)
        outcome = Outcome(windows=tuple(level * math.exp(dice.gauss(0, 0.01)) for _ in range(6)))
        trials.append(Trial(number, Task(TrialKind.BASELINE, {}), outcome, 600.0 * number))
    return trials
