"""What a bench run is: the load, its phases, what was seen each second, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.progress import Progress
from advisor.model.record import field, record
from advisor.model.server import Topology


class Phase(StrEnum):
    """Where in a run a moment lies."""

    WARM_UP = "warm_up"
    MEASURE = "measure"
    DRAIN = "drain"


@record
class Load:
    """What is asked of the cluster. `rate_per_second` 0.0 is a closed loop: as fast as `threads` can.

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


@record
class LoadSecond:
    """What one load generator did in one report interval, which ended at `at_seconds` (the reader's monotonic clock).

    `latency_ms` is the percentile asked for; with a rate it includes queueing. `queued` are transactions the open loop
    has not begun, `errors_per_second` those the generator ignored and `reconnects_per_second` lost connections.
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
    """One moment of a run: what every member did since the one before, and what the load generators said.

    `host` holds shares of this machine when the cluster or the client is on it ("cpu_share", "client_cpu_share").
    """

    at_seconds: float
    phase: Phase
    members: tuple[Progress, ...]
    load: tuple[LoadSecond, ...] = ()
    host: Mapping[str, float] = field(default_factory=dict)


@record
class Interval:
    """A value with its 95 % confidence interval, or its range where `what` says so; None where nothing is known."""

    low: float | None
    mid: float | None
    high: float | None


@record
class Sustained:
    """A sustained rate in transactions per second and how it was got.

    `method`: "slowest_member" (the lesser of the commit rate and the slowest apply rate while the load ran),
    "drain" (committed / (load + drain time)) or "offered" (an open loop at this rate stayed inside the bound).
    """

    per_second: float
    method: str


@record
class MemberMeasurement:
    """One member over the measured phase. Lags are percentiles over the seconds, drain time is after the load ended.

    `drain_seconds` is None when the member was not empty when waiting ended. `backlog_slope_per_second` is the
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
    """What a run came to. Rates are transactions per second, `latency_ms` by "mean", "p50", "p95" and "p99".

    `steady` says whether a steady state was reached before measuring and kept; `sustained_within_bound` is None when it
    cannot be known, `sustained_because` says in words why it is what it is. `warnings` say what limits the worth of the
    figures (the client, the machine, a member that left). `host` holds shares of this machine while measuring
    ("cpu_share", "client_cpu_share", "cpu_share:m1") and "fsync_ms_before", "fsync_ms_after" where it was probed.
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


@record
class Run:
    """A bench run: what it came to, and every moment of it; `began` is the wall clock's time at its first.

    `problems` are how the cluster differed, when the run was over, from what it claims to be.
    """

    measurement: Measurement
    seconds: tuple[Second, ...]
    began: float
    problems: tuple[str, ...] = ()


@record
class Probe:
    """One try of a search at an offered rate. `inside` is None when the run cannot tell; `because` says why."""

    offered_per_second: float
    committed_per_second: float
    inside: bool | None
    because: str
    lag_p95_ms: float | None = None


@record
class Search:
    """The largest offered rate at which every member stayed inside the lag bound, and every probe that tells.

    `confirmed` says that 0.9 of the answer was inside and 1.2 of it was not; None when that was not tried or not told.
    """

    per_second: Interval
    lag_bound_ms: float
    probes: tuple[Probe, ...]
    confirmed: bool | None = None
    because: str = ""


@record
class Comparison:
    """Two configurations measured in turns: the ratio of B to A of what is named, with its interval over the pairs."""

    settings: Mapping[str, str]
    ratios: Mapping[str, Interval]
    a: tuple[Measurement, ...]
    b: tuple[Measurement, ...]
    warnings: tuple[str, ...] = ()
