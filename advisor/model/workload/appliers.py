"""What could so many workers apply of a log? The rules by which they are simulated, and what comes of it."""

from __future__ import annotations

from enum import StrEnum

from advisor.model.record import record
from advisor.model.workload.log import LogFile, LogNote


class Scheme(StrEnum):
    """By which rule a replica decides what may be applied at the same time."""

    AS_WRITTEN = "as-written"  # MySQL, LOGICAL_CLOCK: the dependencies in the log
    WRITE_SETS = "write-sets"  # MySQL, as if the source had written WRITESET dependencies
    CONSERVATIVE = "conservative"  # MariaDB: what committed in one group on the source
    OPTIMISTIC = "optimistic"  # MariaDB: everything but DDL and what waited for a lock; conflicts are tried again
    AGGRESSIVE = "aggressive"  # MariaDB: also what waited for a lock
    MINIMAL = "minimal"  # MariaDB: only commits overlap


class Hold(StrEnum):
    """What a transaction had to wait for, or what takes the time of the whole."""

    NOTHING = "nothing"
    WORKERS = "workers"  # all workers are busy
    COORDINATOR = "coordinator"  # the thread that hands transactions out
    GROUP = "group"  # the source did not commit it together with the one before
    ROWS = "rows"  # an earlier one changes the same rows, or the dependencies in the log say so
    KEYLESS = "keyless"  # a table without primary key
    DDL = "ddl"
    LONG = "long"  # a transaction that takes far longer than others
    SYNC = "sync"  # group commits on the replica, their CPU time and their syncs
    CPU = "cpu"  # all CPUs are busy
    FILE_END = "file-end"  # a new file begins, for which MySQL waits until all before are applied


@record
class Costs:
    """How long applying takes: seconds of one CPU for a transaction, each of its rows and bytes, and handing it out.

    `dispatch_seconds` is for a transaction, `event_seconds` for each of its events, during which its worker can begin.
    `group_seconds`: CPU time of a group commit, of all threads that take part, however many transactions it has.
    `sync_seconds` is one sync of the replica's disk, of which a group commit has `syncs`; 0 where commits do not wait
    for them. `stages`: in how many of its stages there can be different groups at the same time. `wait_seconds`: how
    long a worker waits in a transaction for something else, say pages that are read. `cpus` 0: as many as needed.
    `background_share`: CPU time of the server's other threads for a transaction, as a share of the worker's; it delays
    nothing but by taking CPUs. `rate_stated`: the costs are scaled to a measured rate, so that results are rates of
    this replica; else they are relative. `cpu_stated`: to a measured CPU time too.
    """

    transaction_seconds: float
    row_seconds: float
    byte_seconds: float
    dispatch_seconds: float
    event_seconds: float = 0.0
    group_seconds: float = 0.0
    sync_seconds: float = 0.0
    syncs: int = 2
    stages: int = 2
    wait_seconds: float = 0.0
    cpus: int = 0
    background_share: float = 0.0
    rate_stated: bool = False
    cpu_stated: bool = False


@record
class Job:
    """One transaction as workers see it.

    `stream`: the stream of commits it belongs to (a domain of MariaDB). It starts when `after_committed` transactions
    of its stream have committed, and `after_executed` have reached their commit. `hold`: why it has to wait for them.
    `events_seconds`: for handing out its events, while its worker has begun.
    """

    work_seconds: float
    stream: int
    after_committed: int
    after_executed: int
    hold: Hold
    events_seconds: float = 0.0


@record
class AppliedRun:
    """What so many workers do. `held_seconds`: where the time went, by what the next commit had to wait for; together
    these are `seconds`. `group_size`: transactions per group commit."""

    workers: int
    transactions: int
    seconds: float
    group_size: float
    cpu_share: float
    held_seconds: dict[Hold, float]

    @property
    def per_second(self) -> float:
        """Transactions applied per second."""
        return self.transactions / self.seconds if self.seconds else 0.0


@record
class Blocking:
    """A transaction that others waited for, or that takes long: its place, and for how long it held them."""

    place: str
    gtid: str
    tables: tuple[str, ...]
    rows: int | None
    size_bytes: int
    seconds: float


@record
class SchemeForecast:
    """Runs with more and more workers under one scheme. `limit`: what keeps the largest from being faster.

    `enough_workers`: the fewest that come within 5 % of the most. `caveats`: what the log does not tell.
    """

    scheme: Scheme
    runs: tuple[AppliedRun, ...]
    enough_workers: int
    limit: Hold
    limit_share: float
    caveats: tuple[str, ...]


@record
class ApplierForecast:
    """What replicas could apply of a log. `left_out`: transactions behind the most that are simulated."""

    files: tuple[LogFile, ...]
    notes: tuple[LogNote, ...]
    transactions: int
    left_out: int
    costs: Costs
    schemes: tuple[SchemeForecast, ...]
    longest: tuple[Blocking, ...]
    keyless_tables: tuple[str, ...]
