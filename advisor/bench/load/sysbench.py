"""How is load put on a cluster? One sysbench per writer, each with its share of the threads and of the rate.

    with start_load(load, cluster, dataset, on_second) as running:
        … running.check() now and then …
    running.latency_ms(begin, end)

Threads alone are a closed loop, a rate makes it an open loop, whose latency includes queueing. Errors that are expected
under load are retried and counted: deadlock 1213, lock wait timeout 1205, a row changed meanwhile 1020, and a commit
refused by certification, 1180 (Galera) and 3101 (Group Replication).
"""

from __future__ import annotations

import os
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import inf
from types import TracebackType
from typing import Final

from advisor.bench.load.column_values import column_values
from advisor.bench.load.dataset import Dataset
from advisor.bench.load.generator import Command, Generator
from advisor.bench.load.latency import latency_ms
from advisor.bench.load.mix_lua import lua_data
from advisor.bench.load.workloads import Workload, check_load, library
from advisor.cluster_file import addresses
from advisor.errors import LabError
from advisor.lab.servers.binaries import LoadGenerator, find_sysbench
from advisor.model.lab import Address, ClusterFile
from advisor.model.measurement import Load, LoadSecond
from advisor.model.record import replace

RETRIED: Final = (1020, 1180, 1205, 1213, 3101)
_START_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.02


class RunningLoad:
    """A running load. It ends with `stop` or when leaving `with`, without a trace."""

    def __init__(self, generators: Sequence[Generator]) -> None:
        self._generators = generators

    @property
    def rate_infeasible(self) -> bool:
        """Whether the offered rate was too high: 100,000 transactions waited, and sysbench gave up."""
        return any(generator.queue_full for generator in self._generators)

    def check(self) -> None:
        """ServerError when a generator ended by itself: a member was lost, refuses writes, or refuses the login."""
        for generator in self._generators:
            if failure := generator.failure():
                raise failure

    def latency_ms(self, after_seconds: float = -inf, until_seconds: float = inf) -> dict[str, float]:
        """The "mean", "p50", "p95", "p99", "max" of the report intervals that ended in (after, until], monotonic.

        {} when nothing was reported, or sysbench's histogram has an unknown layout.
        """
        counts: Counter[int] = Counter()
        for generator in self._generators:
            for at, bins in list(generator.bins):
                if after_seconds < at <= until_seconds:
                    if bins is None:
                        return {}
                    counts.update(bins)
        return latency_ms(counts)

    def cpu_seconds(self) -> float:
        """CPU seconds that all generators have used."""
        return sum(generator.cpu_seconds() for generator in self._generators)

    def stop(self) -> None:
        """End every generator at once; calling it again does nothing."""
        for generator in self._generators:
            generator.stop()

    def __enter__(self) -> RunningLoad:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def find_generator() -> LoadGenerator:
    """The load generator of this machine; LabError when there is none."""
    sysbench = find_sysbench()
    if sysbench is None:
        raise LabError("sysbench is not installed on this machine", hint="`advisor lab install sysbench` installs it")
    return sysbench


def start_load(
    load: Load,
    cluster: ClusterFile,
    dataset: Dataset,
    on_second: Callable[[LoadSecond], None],
    percentile: int = 95,
) -> RunningLoad:
    """Start the load and return when all its threads are connected.

    `on_second` gets each generator's report every second, in a thread per generator, and must not raise; `percentile`
    is that of LoadSecond.latency_ms. sysbench takes whole rates: the load's is rounded. Call it from a thread that
    lives as long as the load. LabError without sysbench, UsageError for a load that is not valid, ServerError when a
    member refuses.
    """
    workload = check_load(load, tuple(member.name for member in cluster.members))
    sysbench = find_generator()
    known = addresses(cluster)
    generators: list[Generator] = []
    mix = ""
    if workload.mix:
        mix = lua_data(workload.mix, column_values(workload.mix, workload.database, known[load.writers[0]]))
    try:
        for number, member in enumerate(load.writers):
            command = replace(_command(sysbench, workload, load, dataset, known[member], number, percentile), mix=mix)
            generators.append(Generator(member, command, known[member], on_second))
        _wait_until_started(generators)
    except BaseException:
        for generator in generators:
            generator.stop()
        raise
    return RunningLoad(generators)


def share_of(total: int, parts: int, number: int) -> int:
    """The share of one part, counted from 0, of a whole number: 10 in 3 parts is 4, 3, 3."""
    return total // parts + (1 if number < total % parts else 0)


def _wait_until_started(generators: Sequence[Generator]) -> None:
    until = time.monotonic() + _START_SECONDS
    for generator in generators:
        while not generator.started.wait(_POLL_SECONDS):
            if failure := generator.failure():
                raise failure
            if time.monotonic() > until:
                raise LabError(f"the load on {generator.member} did not start within {_START_SECONDS:.0f} s")


def _command(
    sysbench: LoadGenerator, workload: Workload, load: Load, dataset: Dataset, address: Address, number: int,
    percentile: int,
) -> Command:  # fmt: skip
    writers = len(load.writers)
    # To the client library "localhost" means a socket file of its own choice.
    host = "127.0.0.1" if address.host == "localhost" else address.host
    where = {"mysql-socket": address.socket} if address.socket else {"mysql-host": host}
    options = {
        "db-driver": "mysql",
        **where,
        "mysql-port": str(address.port),
        "mysql-db": dataset.database,
        "mysql-ignore-errors": ",".join(map(str, sorted({*RETRIED, *workload.ignored_errors}))),
        "threads": str(share_of(load.threads, writers, number)),
        "rate": str(share_of(round(load.rate_per_second), writers, number)),
        "time": "0",
        "events": "0",
        "report-interval": "1",
        "percentile": str(percentile),
        # Different for each writer: the default is the clock's seconds, the same for writers that start together.
        "rand-seed": str(secrets.randbelow(2**31 - 1) + 1),
        "tables": str(dataset.tables),
        "rows_per_table": str(dataset.rows_per_table),
        "writer": str(number + 1),
        "writers": str(writers),
        **load.settings,
    }
    environment = {"LUA_PATH": os.path.join(library(), "?.lua;;")}
    if plugins := _plugins(sysbench):
        environment["MARIADB_PLUGIN_DIR"] = plugins
    return Command(
        words=sysbench.command,
        script=workload.script,
        options=options,
        environment=environment,
    )


def _plugins(sysbench: LoadGenerator) -> str:
    """The client library's folder of login plugins in a prefix, which it does not find by itself; "" elsewhere.

    MySQL's default, caching_sha2_password, is one of them.
    """
    folders = sysbench.command[2].split(":") if len(sysbench.command) > 1 else []
    places = [os.path.join(place, "libmariadb3/plugin") for place in folders]
    return next((place for place in places if os.path.isdir(place)), "")
