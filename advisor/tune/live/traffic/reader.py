"""What do the servers tell about the users' traffic, twice a second? Reads only; what cannot be read is named.

The connections of the reader answer soon or not at all: a server that hangs must not keep us from bringing the former
values back, which other connections do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from advisor.bench.measure.host import HostMeter, server_processes
from advisor.bench.measure.sampler import CPUS
from advisor.cluster_file import addresses
from advisor.errors import ServerError
from advisor.model.lab import ClusterFile
from advisor.model.progress import Progress
from advisor.model.server import APPLYING_ROLES, Family, Role
from advisor.nodes import Node
from advisor.topologies import ProgressMonitor, module_for, open_nodes
from advisor.tune.live.traffic.commit_times import CommitClock, CommitTimes, HistogramClock, ProcessListClock
from advisor.tune.live.traffic.figures import Reading

READ_EVERY_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 1.5
_SHORTEST_SECONDS: Final = 0.1  # two readings closer together have no rate, and need none
_APPLYING: Final = (*APPLYING_ROLES, Role.NODE)
_WRITING: Final = (Role.STANDALONE, Role.SOURCE, Role.PRIMARY, Role.NODE)
_FAILURES: Final = (
    "Handler_rollback",
    "Aborted_clients",
    "Connection_errors_max_connections",
    "Connection_errors_internal",
)
_SYNCS: Final = ("Innodb_os_log_fsyncs", "Innodb_data_fsyncs", "Binlog_group_commits")
_BINLOG_SYNCS: Final = (
    "SELECT COUNT_MISC FROM performance_schema.file_summary_by_event_name WHERE EVENT_NAME = 'wait/io/file/sql/binlog'"
)
_MEMORY: Final = "SELECT SUM(CURRENT_NUMBER_OF_BYTES_USED) FROM performance_schema.memory_summary_global_by_event_name"
_PROC: Final = Path("/proc")


class LiveReader:
    """Reads a cluster; made by `open_reader`. `statements` names those whose time counts as commit latency."""

    def __init__(
        self,
        nodes: Sequence[Node],
        clock_nodes: Sequence[Node],
        monitor: ProgressMonitor,
        memory_bytes: float | None,
    ) -> None:
        self._nodes, self._clock_nodes, self._monitor = nodes, clock_nodes, monitor
        self._memory_bytes = memory_bytes
        self._writers = [node for node in nodes if node.role in _WRITING]
        processes = server_processes(nodes)
        self._here = {name.partition(":")[2] for name in processes}
        self._meter = HostMeter(lambda: processes)
        self._metered_at = time.monotonic()
        self._cpu = self._transactions = 0.0
        self._clocks: dict[str, CommitClock] = {}
        self._no_clock: dict[str, str] = {}
        self.applies = len(nodes) > 1 and any(node.role in _APPLYING for node in nodes)

    def begin(self) -> None:
        """Find out what can be read. Takes a few seconds."""
        writers = [node.name for node in self._writers]
        for node in self._clock_nodes:
            if node.name not in writers:
                continue
            try:
                self._clocks[node.name] = _clock(node)
            except ServerError as error:
                self._no_clock[node.name] = error.message + (f" ({error.hint})" if error.hint else "")
        self._monitor.look()

    @property
    def statements(self) -> str:
        """Whose time is measured: "COMMIT"."""
        words = [getattr(clock, "statements", "") for clock in self._clocks.values()]
        return ", ".join(dict.fromkeys(words))

    def read(self) -> Reading:
        """The cluster now. What cannot be read is None, with the reason in `missing`."""
        missing: dict[str, str] = {}
        progress = self._monitor.look()
        times = self._commits(missing)
        counters = [self._counters(node, missing) for node in self._writers]
        lag_ms, backlog = self._lag(progress, missing)
        return Reading(
            at_seconds=time.monotonic(),
            commits=times.commits if times else None,
            commit_seconds=times.seconds if times else None,
            buckets=times.buckets if times else None,
            ages_ms=times.ages_ms if times else (),
            looks=times.looks if times else 0,
            transactions=self._committed(progress, missing),
            lag_ms=lag_ms,
            backlog=backlog,
            failures=_sum([_some(row, _FAILURES) for row in counters]),
            syncs=_sum([_some(row, (*_SYNCS, "binlog")) for row in counters]),
            cpu_seconds=self._cpu_seconds(missing),
            memory_share=self._memory_share(missing),
            missing=missing,
        )

    def close(self) -> None:
        """End what runs beside."""
        for clock in self._clocks.values():
            clock.close()

    def _commits(self, missing: dict[str, str]) -> CommitTimes | None:
        for name, why in self._no_clock.items():
            missing["latency"] = f"{name}: {why}"
        times = []
        for name, clock in self._clocks.items():
            try:
                times.append(clock.read())
            except ServerError as error:
                missing["latency"] = f"{name}: {error.message}"
        if not times or "latency" in missing:
            return None
        buckets: dict[float, float] = {}
        for each in times:
            for bound, count in (each.buckets or {}).items():
                buckets[bound] = buckets.get(bound, 0.0) + count
        return CommitTimes(
            commits=sum(each.commits for each in times),
            seconds=sum(each.seconds for each in times),
            buckets=buckets if all(each.buckets is not None for each in times) else None,
            ages_ms=tuple(age for each in times for age in each.ages_ms),
            looks=max(each.looks for each in times),
        )

    def _committed(self, progress: Sequence[Progress], missing: dict[str, str]) -> float | None:
        """Transactions committed since the first reading; a rate that is not known yet adds nothing."""
        writers = [node.name for node in self._writers]
        own = [each for each in progress if each.member in writers]
        for each in own:
            if each.committed_per_second is None and each.interval_seconds > _SHORTEST_SECONDS:
                missing["rate"] = f"{each.member}: {each.error or 'nothing counts its transactions (log_bin is OFF?)'}"
                return None
        self._transactions += sum((each.committed_per_second or 0.0) * each.interval_seconds for each in own)
        return self._transactions

    def _counters(self, node: Node, missing: dict[str, str]) -> Mapping[str, float]:
        names = ", ".join(f"'{name}'" for name in (*_FAILURES, *_SYNCS))
        try:
            pairs = node.session.pairs(f"SHOW GLOBAL STATUS WHERE Variable_name IN ({names})")
            if node.dialect.family is Family.MYSQL and (syncs := node.session.value(_BINLOG_SYNCS)) is not None:
                pairs["binlog"] = str(syncs)
        except ServerError as error:
            missing["errors"] = missing["syncs"] = error.message
            return {}
        return {name: float(value) for name, value in pairs.items()}

    def _lag(self, progress: Sequence[Progress], missing: dict[str, str]) -> tuple[float | None, float | None]:
        applying = [each for each in progress if each.role in _APPLYING] if self.applies else []
        for each in applying:
            if each.lag_ms is None:
                missing["lag"] = f"{each.member}: {each.error or 'its position cannot be compared with the source'}"
        lags = [each.lag_ms for each in applying if each.lag_ms is not None]
        backlogs = [each.backlog for each in applying if each.backlog is not None]
        whole = bool(applying) and "lag" not in missing
        return (max(lags) if whole else None), (float(max(backlogs)) if whole and backlogs else None)

    def _cpu_seconds(self, missing: dict[str, str]) -> float | None:
        """CPU time of the writers since the first reading."""
        shares, now = self._meter.read(), time.monotonic()
        elapsed, self._metered_at = now - self._metered_at, now
        own = [shares.get(f"cpu_share:{node.name}") for node in self._writers]
        if any(node.name not in self._here for node in self._writers):
            missing["cpu"] = "the servers do not run on this machine"
            return None
        self._cpu += sum(share or 0.0 for share in own) * CPUS * elapsed
        return self._cpu

    def _memory_share(self, missing: dict[str, str]) -> float | None:
        """Of the fullest machine: what is in use on this one, else what MySQL counts, by the memory that was stated."""
        shares = [_used_share()] if self._here else []
        for node in self._nodes:
            if node.name not in self._here:
                shares.append(self._counted_share(node))
                if shares[-1] is None:
                    missing["memory"] = f"{node.name} runs on another machine" + (
                        "" if self._memory_bytes else ", and --host does not state its memory"
                    )
        known = [share for share in shares if share is not None]
        return max(known) if len(known) == len(shares) and known else None

    def _counted_share(self, node: Node) -> float | None:
        if node.dialect.family is not Family.MYSQL or not self._memory_bytes:
            return None
        try:
            used = node.session.value(_MEMORY)
        except ServerError:
            return None
        return float(str(used)) / self._memory_bytes if used else None


@contextmanager
def open_reader(cluster: ClusterFile, memory_bytes: float | None) -> Iterator[LiveReader]:
    """A reader with connections of its own; ServerError when a member cannot be reached."""
    with ExitStack() as stack:
        nodes = stack.enter_context(open_nodes(cluster, answer_seconds=ANSWER_SECONDS))
        clock_nodes = stack.enter_context(open_nodes(cluster, answer_seconds=ANSWER_SECONDS))
        module = module_for(cluster.topology, nodes[0].dialect.family)
        monitor = stack.enter_context(ProgressMonitor(module, nodes, addresses(cluster)))
        reader = LiveReader(nodes, clock_nodes, monitor, memory_bytes)
        stack.callback(reader.close)
        reader.begin()
        yield reader


def _clock(node: Node) -> CommitClock:
    if node.dialect.family is Family.MARIADB:
        return ProcessListClock(node.session)
    return HistogramClock(node.session)


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _some(row: Mapping[str, float], names: Sequence[str]) -> float | None:
    known = [row[name] for name in names if name in row]
    return sum(known) if known else None


def _used_share() -> float | None:
    try:
        rows = dict(line.split(":", 1) for line in (_PROC / "meminfo").read_text(encoding="ascii").splitlines())
        total, available = (float(rows[name].split()[0]) for name in ("MemTotal", "MemAvailable"))
    except (OSError, KeyError, ValueError):
        return None
    return 1 - available / total
