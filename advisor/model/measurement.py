"""What is a benchmark run? The load, its phases, what was observed each second, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from advisor.model.progress import Progress
from advisor.model.record import field, record
from advisor.model.server import Topology
from advisor.model.workload.fidelity import Fidelity


class Phase(StrEnum):
    """The phase of a run that a moment belongs to."""

    WARM_UP = "warm_up"
    MEASURE = "measure"
    DRAIN = "drain"


@record
class Load:
    """The load to put on the cluster. `rate_per_second` 0.0 is a closed loop: as fast as `threads` can go.

    `writers` are the members that get load, each its share of the threads and of the rate. `settings` are the
    workload's own options by name ("rows_per_transaction" → "10"). `tables` and `rows_per_table` name the data set.
    """

    workload: str
    threads: int
    writers: tuple[str, ...]
    rate_per_second: float = 0.0
    tables: int = 4
    rows_per_table: int = 10_000
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def sole_writer(self) -> str:
        """As the function of that name says."""
        return sole_writer(self.writers)


def sole_writer(writers: Sequence[str]) -> str:
    """The only member that clients write to, "" where there are several: it has nothing of others to apply."""
    return writers[0] if len(writers) == 1 else ""


@record
class LoadSecond:
    """What one load generator did in one report interval, which ended at `at_seconds` (the reader's monotonic clock).

    `latency_ms` is the requested percentile; with an offered rate it includes queueing. `queued` are transactions that
    the open loop has not started, `errors_per_second` those that were retried, `reconnects_per_second` lost
    connections.
    """

    at_seconds: float
    member: str
    transactions_per_second: float
    latency_ms: float | None = None
    errors_per_second: float = 0.0
    reconnects_per_second: float = 0.0
    queued: int = 0


@record
class Second:
    """One moment of a run: what every member did since the moment before, and what the load generators reported.

    `host` holds CPU shares of this machine when the cluster or the client runs on it ("cpu_share", "client_cpu_share").
    """

    at_seconds: float
    phase: Phase
    members: tuple[Progress, ...]
    load: tuple[LoadSecond, ...] = ()
    host: Mapping[str, float] = field(default_factory=dict)

    @property
    def interval_seconds(self) -> float:
        """The length of time that this moment stands for."""
        return max((member.interval_seconds for member in self.members), default=0.0)


@record
class Interval:
    """A value with its 95 % confidence interval, or its range where `what` says so; None where it is unknown."""

    low: float | None
    mid: float | None
    high: float | None


@record
class Sustained:
    """A sustained rate in transactions per second and how it was obtained.

    `method`: "slowest_member" (the lower of the commit rate and the slowest apply rate while the load ran),
    "drain" (committed / (load + drain time)) or "offered" (an open loop at this rate stayed within the lag limit).
    """

    per_second: float
    method: str


@record
class MemberMeasurement:
    """One member over the measured phase. Lags are percentiles over the seconds; drain time counts from the load's end.

    `drain_seconds` is None when the member still had a backlog when waiting ended. `backlog_slope_per_second` is the
    growth of the backlog with its interval. `conflicts_per_second` as in Progress: on replicas they are retries.
    """

    member: str
    role: str
    committed_per_second: float | None
    applied_per_second: float | None
    backlog_max: int | None
    backlog_slope_per_second: Interval
    lag_ms: Mapping[str, float]
    lag_method: str
    drain_seconds: float | None
    throttled_share: float | None
    conflicts_per_second: float | None = None


@record
class Measurement:
    """The result of a run. Rates are transactions per second, `latency_ms` by "mean", "p50", "p95" and "p99".

    `steady` says whether a steady state was reached before measuring and kept; `sustained_within_bound` is None when it
    is unknown, and `sustained_because` gives the reason in words. `warnings` say what makes the figures less reliable
    (the client, the machine, a member that left). `host` holds CPU shares of this machine while measuring
    ("cpu_share", "client_cpu_share", "cpu_share:m1") and "fsync_ms_before", "fsync_ms_after" where it was probed.
    `fidelity` compares the load with the one that it was made from, None for a load that was not made so.
    """

    cluster: str
    topology: Topology
    server: str
    load: Load
    lag_bound_ms: float
    measured_seconds: float
    peak_per_second: float
    peak_interval: Interval
    sustained: tuple[Sustained, ...]
    sustained_within_bound: bool | None
    members: tuple[MemberMeasurement, ...]
    latency_ms: Mapping[str, float]
    throttled_share: float | None
    errors_per_second: float
    conflicts_per_second: float | None
    steady: bool
    host: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    sustained_because: str = ""
    warm_up_seconds: float = 0.0
    fidelity: Fidelity | None = None


@record
class Run:
    """A benchmark run: its result and every moment of it; `began` is the wall-clock time of the first.

    `problems` say how the cluster differed after the run from what its cluster file describes.
    """

    measurement: Measurement
    seconds: tuple[Second, ...]
    began: float
    problems: tuple[str, ...] = ()


@record
class Probe:
    """One run of a search at an offered rate. `inside`: within the lag limit, None when unknown; `because` says why."""

    offered_per_second: float
    committed_per_second: float
    inside: bool | None
    because: str
    lag_p95_ms: float | None = None


@record
class Search:
    """The highest offered rate at which every member stayed within the lag limit, and every probe.

    `confirmed` says that 0.9 of the answer was inside and 1.2 of it was not; None when not tried or inconclusive.
    """

    per_second: Interval
    lag_bound_ms: float
    probes: tuple[Probe, ...]
    confirmed: bool | None = None
    because: str = ""


@record
class Comparison:
    """Two configurations in alternating runs: the ratio B/A of each named figure, with its interval over the pairs."""

    settings: Mapping[str, str]
    ratios: Mapping[str, Interval]
    a: tuple[Measurement, ...]
    b: tuple[Measurement, ...]
    warnings: tuple[str, ...] = ()
