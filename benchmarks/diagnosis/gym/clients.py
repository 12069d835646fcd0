"""Which clients work while a mechanism is played? Their data, their load, and the rate at which they get on."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from advisor.bench.load.dataset import Dataset, prepare
from advisor.bench.load.sysbench import RunningLoad, start_load
from advisor.bench.load.workloads import DATABASE
from advisor.bench.open_cluster import OpenCluster
from advisor.client import Session, connect
from advisor.cluster_file import addresses
from advisor.errors import LabError, ServerError
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load, LoadSecond
from advisor.model.record import replace
from benchmarks.diagnosis.gym.mechanisms import ClientLoad, Mechanism, mix_text

_DATA_SET_TABLE: Final = re.compile(r"\bt(\{table\}|\d+\b)")
_OWN_TABLE: Final = re.compile(rf"CREATE TABLE (IF NOT EXISTS )?(`?{DATABASE}`?\.)?`?t\d+\b", re.IGNORECASE)
_PATIENCE_SECONDS: Final = 120.0
_POLL_SECONDS: Final = 0.05
_DIGITS: Final = " UNION ALL ".join(f"SELECT {digit} AS d" for digit in range(10))
_NUMBERS: Final = (
    "CREATE TABLE numbers (n INT PRIMARY KEY)",
    "INSERT INTO numbers SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d FROM "
    + ", ".join(f"({_DIGITS}) AS {name}" for name in "abcef"),
)


class Clients:
    """The load on a cluster. It ends when leaving `with`."""

    def __init__(self, load: Load, cluster: ClusterFile, data: Dataset) -> None:
        self._load, self._cluster, self._data = load, cluster, data
        self._seconds: list[LoadSecond] = []
        self._running: RunningLoad | None = None

    def __enter__(self) -> Clients:
        self._running = start_load(self._load, self._cluster, self._data, self._seconds.append)
        return self

    def __exit__(self, *_: object) -> None:
        if self._running:
            self._running.stop()

    def check(self) -> None:
        """ServerError when the load has ended by itself."""
        if self._running:
            self._running.check()

    def reconnect(self) -> None:
        """The same clients with new connections, as settings that are taken over at the login need."""
        self.__exit__()
        self.__enter__()

    def per_second(self, after_seconds: float, until_seconds: float) -> float:
        """Transactions per second that they finished between two moments of the monotonic clock."""
        seen = [one for one in list(self._seconds) if after_seconds < one.at_seconds <= until_seconds]
        by_writer = {one.member: [each for each in seen if each.member == one.member] for one in seen}
        return sum(sum(one.transactions_per_second for one in group) / len(group) for group in by_writer.values())


def prepare_data(
    opened: OpenCluster, mechanism: Mechanism, folder: Path, tell: Callable[[str], None]
) -> tuple[Load, Dataset] | None:
    """A new schema with what the mechanism needs, on every member; the load, None without one.

    `folder` keeps the file of the transactions for as long as the load runs.
    """
    load = mechanism.load
    wanted = _load(load, folder) if load else Load("update_index", 1, ("m1",))
    own = load is None or _needs_no_tables(load)
    with connect(addresses(opened.cluster)[wanted.writers[0]], answer_seconds=_PATIENCE_SECONDS) as writer:
        writer.run(f"DROP DATABASE IF EXISTS {DATABASE}")
        tables = replace(wanted, workload="update_index", settings={})
        if own:  # the least that is recognised as ours, without its tables
            tables = replace(tables, tables=1, rows_per_table=len(wanted.writers))
        prepare(opened.cluster, tables, tell, _PATIENCE_SECONDS)
        writer.run(f"USE {DATABASE}", *(["DROP TABLE t1, inserted_t1"] if own else []), *_NUMBERS)
        writer.run(*(load.prepare if load else ()), *mechanism.prepare_also)
        _wait_for_members(opened.cluster, writer)
    return (wanted, Dataset(DATABASE, wanted.tables, wanted.rows_per_table)) if load else None


def _load(load: ClientLoad, folder: Path) -> Load:
    workload = load.workload
    if load.transactions:
        file = folder / "mechanism.yaml"
        file.write_text(mix_text(load), encoding="utf-8")
        workload = str(file)
    return Load(
        workload=workload,
        threads=load.threads,
        writers=load.writers,
        rate_per_second=load.rate_per_second,
        tables=load.tables,
        rows_per_table=load.rows_per_table,
        settings=load.options,
    )


def _needs_no_tables(load: ClientLoad) -> bool:
    """Whether its transactions use no table of the data set: they name none, or one that the file itself creates."""
    if load.workload:
        return False
    if any(map(_OWN_TABLE.search, load.prepare)):
        return True
    return not _DATA_SET_TABLE.search(mix_text(load) + " ".join(load.prepare))


def _wait_for_members(cluster: ClusterFile, writer: Session) -> None:
    """A member that has this row has all that was written before it."""
    token = str(time.time_ns())
    writer.rows(f"REPLACE INTO {DATABASE}.data_sets (name, state) VALUES ('gym', %s)", token)
    until = time.monotonic() + _PATIENCE_SECONDS
    for name, address in addresses(cluster).items():
        with connect(address) as session:
            while _state(session) != token:
                if time.monotonic() > until:
                    raise LabError(f"{name} has not received the data after {_PATIENCE_SECONDS:.0f} s")
                time.sleep(_POLL_SECONDS)


def _state(session: Session) -> str:
    try:
        return str(session.value(f"SELECT state FROM {DATABASE}.data_sets WHERE name = 'gym'"))
    except ServerError:
        return ""  # the schema has not arrived
