"""What a tuning run recommends: what to change, how much it gains and how certain that is, and what was tried."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from advisor.model.measurement import Interval, Load
from advisor.model.record import field, record
from advisor.model.server import Topology
from advisor.model.workload.fidelity import Fidelity

SMALL_GAIN: Final = 0.05  # as a share: the preflight reports how many blocks it takes to detect one
BASELINE: Final = "original"  # the baseline's name as a contender, in the files of a study and in JSON


def contender_label(name: str) -> str:
    """A contender's name as people read it."""
    return "baseline" if name == BASELINE else name


@record
class Worth:
    """What one change of the answer gives: the rate with it, in times the rate without it alone, with its interval.

    Where the objective is a low latency, it is the ratio of latencies: below 1 is better.
    `pairs` of runs show it. `needed_because`: why it stays whatever it gives, "" where only the rate speaks for it;
    `ratio` is None where the servers do not run without it.
    """

    ratio: Interval | None
    pairs: int
    needed_because: str = ""


@record
class TunedSetting:
    """A knob to be changed on some members; `before` as each of them had it, `how` it takes effect, `risk` classes.

    `worth` is None where it was not measured. Where members of different size get different values,
    `after_by_member` has them, as `members`; `after` is that of the smallest.
    """

    name: str
    members: tuple[str, ...]
    before: tuple[str, ...]
    after: str
    how: str
    risk: tuple[str, ...]
    why: str
    worth: Worth | None = None
    after_by_member: tuple[str, ...] = ()

    @property
    def afters(self) -> tuple[str, ...]:
        """The value of each member."""
        return self.after_by_member or (self.after,) * len(self.members)


@record
class Contender:
    """One configuration that was measured in blocks, each run after a fresh restart. Rates in transactions per second.

    `ratio` to the baseline with its 95 % interval (None for the baseline itself); `p_value` after Holm's correction.
    `against_rules`: the same against what the rules advise, None where that was not measured or is this one.
    `lag_ms` and `latency_ms` are percentiles, the worst and the median of the blocks. `why_not`: what is missing
    to be accepted, "" when accepted. `latencies_ms` are by block, as `rates`. Where the objective is a low latency, the
    ratios are of latencies: below 1 is better.
    """

    name: str
    settings: Mapping[str, str]
    rates: tuple[float | None, ...]
    ratio: Interval | None
    p_value: float | None
    lag_ms: float | None
    latency_ms: float | None
    accepted: bool
    why_not: str = ""
    against_rules: Interval | None = None
    latencies_ms: tuple[float | None, ...] = ()


@record
class TriedSetting:
    """One trial as a report shows it. `rate` None: nothing was measured, `because` says why.

    `clone` is where it was measured, "" where there is only one cluster. `cpu_ms` and `redo_bytes` as in `FrontCost`.
    """

    number: int
    kind: str
    at_seconds: float
    seconds: float
    changed: Mapping[str, str]
    rate: float | None
    lag_ms: float | None
    within: bool
    because: str = ""
    restarted: bool = False
    truncated: bool = False
    clone: str = ""
    latency_ms: float | None = None
    cpu_ms: float | None = None
    redo_bytes: float | None = None


@record
class Reverted:
    """A change of the winner that was reverted to see whether it is needed; `cost`: the share of the rate it cost."""

    names: tuple[str, ...]
    cost: float | None
    uncertain_by: float | None
    left_out: bool


@record
class AtLimit:
    """The best configuration of the trials that kept a lag limit. Rate per second, lag the worst of its `runs`.

    `trial` is the number of its first trial. `proved`: it was accepted in blocks, in which it kept this limit.
    `latency_ms` is None unless a low latency was looked for.
    """

    limit_ms: float
    rate: float
    lag_ms: float
    runs: int
    trial: int
    proved: bool
    latency_ms: float | None = None


class FrontCost(StrEnum):
    """What a higher rate or a lower latency may cost, besides lag."""

    CPU_MS = "cpu_ms"  # CPU time of all servers per transaction
    REDO_BYTES = "redo_bytes"  # written since the last checkpoint: what a server that crashes has to apply
    RECOVERY_SECONDS = "recovery_seconds"  # from the start of a server that crashed until it accepts connections


@record
class FrontPoint:
    """A configuration that no cheaper one beats: the number of its first trial, its rate, and what it `costs`.

    `latency_ms` is None unless a low latency was looked for. `proved`: it was accepted in blocks.
    """

    trial: int
    rate: float
    costs: float
    runs: int
    proved: bool
    latency_ms: float | None = None


@record
class Front:
    """What more costs, the cheapest point first. Without points, `unknown` says why, and what would tell."""

    cost: FrontCost
    points: tuple[FrontPoint, ...]
    unknown: str = ""


@record
class Preflight:
    """What runs of the baseline showed before anything was tried. None: not known.

    `rate` is the mean sustained rate in transactions per second, `outside` how many of the `runs` violated a limit.
    Spreads are standard deviations as shares: `between` runs, restarts included, and of the windows `within` a run.
    `drift_per_hour` with half its 95 % interval. `detectable`: the gain that `blocks` blocks detect with a power
    of 80 % (`detectable_at_worst`: for the largest spread that so few runs allow), `blocks_for_small` how many detect
    `SMALL_GAIN`. `advised` is what `why` suggested under load, `doubts` why the tuning run may be in vain, in words.
    """

    runs: int
    rate: float | None
    outside: int
    between: float | None
    within: float | None
    drift_per_hour: float | None
    drift_uncertain_by: float | None
    blocks: int
    detectable: float | None
    detectable_at_worst: float | None
    blocks_for_small: int | None
    advised: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    latency_ms: float | None = None


@record
class Soak:
    """The configuration that was accepted, under load for a long time. `rates` are its parts', sustained, per second.

    `backlog_slope` is the upper 95 % bound of its growth as a share of the rate, `error_share` that of transactions
    that failed, `trend_per_hour` the slope of the log of the rate with half its 95 % interval. None: not known.
    `why_not`: why it failed, "" when it passed.
    """

    name: str
    seconds: float
    rates: tuple[float, ...]
    lag_ms: float | None
    backlog_slope: float | None
    error_share: float | None
    trend_per_hour: float | None
    trend_uncertain_by: float | None
    why_not: str = ""
    latency_ms: float | None = None

    @property
    def kept(self) -> bool:
        """Whether it passed."""
        return not self.why_not


@record
class Recommendation:
    """The result of a tuning run. `chosen` names the contender to be applied, "" when none was accepted.

    `noise` has "runs" and "windows" (spreads as shares), "drift_per_hour", and "detectable", the gain the blocks could
    show, where enough was measured. `relied` says what was compared before and after every trial and never
    touched, `given_up` guarantees relaxed by name. `left` are values that could not be restored, in words.
    `objective` is an `Objective` by its value: what was maximised, or for "latency" what was minimised, which then is
    the `latency_percentile`. `fidelity` compares the load with the one that it was made from, None for other loads.
    """

    cluster: str
    topology: Topology
    server: str
    began: str
    seconds: float
    load: Load
    lag_bound_ms: float
    chosen: str
    because: str
    changes: tuple[TunedSetting, ...]
    contenders: tuple[Contender, ...]
    trials: tuple[TriedSetting, ...]
    steps: tuple[Reverted, ...] = ()
    at_limits: tuple[AtLimit, ...] = ()
    fronts: tuple[Front, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)
    effects: tuple[tuple[str, tuple[str, ...], tuple[float, ...]], ...] = ()
    edges: tuple[str, ...] = ()
    noise: Mapping[str, float] = field(default_factory=dict)
    relied: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    given_up: tuple[str, ...] = ()
    host: Mapping[str, float] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    sampler: str = ""
    seed: int = 0
    notes: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    finished: bool = True
    preflight: Preflight | None = None
    soak: Soak | None = None
    objective: str = "sustained"
    latency_percentile: int = 95
    fidelity: Fidelity | None = None
