"""What would a cluster do with these settings, by the mechanisms that bound replicated writes? Deterministic.

Writers: clients in a closed loop pay processor time, reads of missing pages and their share of a commit group; page
flushing, the redo log's headroom, the network and processors cap them. Appliers: workers do the same with the
parallelism that write sets, commit groups or optimism allow. Flow control couples both, or nothing does and the backlog
grows. Shapes follow docs and measurements (one durable worker applies a tenth of what sixteen do); constants are drawn
per variant, so no constant can be learnt. It ranks tuners, it predicts no server.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from advisor.model.record import record
from advisor.model.server import Topology

GIB = 1024.0**3
MIB = 1024.0**2


@record
class Machine:
    """One machine and load, the same for every member. Times in milliseconds, sizes in bytes."""

    cpus: int
    memory: float
    disk: float
    sync_ms: float
    iops: float
    rotating: bool
    rtt_ms: float
    net_bytes: float
    clients: int
    transaction_bytes: float
    working_set: float
    execute_ms: float
    apply_share: float
    conflicts: float
    lag_bound_ms: float
    redo_half: float
    hash_gain: float
    release_best: float
    pool_overhead: float
    session_bytes: float
    server_bytes: float


@record
class Truth:
    """What settings come to without noise. `failure`: why nothing runs; `stress`: how near the disk is to its end."""

    sustained: float
    lag_ms: float
    backlog_slope: float
    stress: float = 0.0
    failure: str = ""


def draw_machine(seed: int) -> Machine:
    """A plausible machine and load."""
    dice = random.Random(f"machine {seed}")

    def log_between(low: float, high: float) -> float:
        return low * (high / low) ** dice.random()

    memory = dice.choice([8, 16, 32, 64]) * GIB
    rotating = dice.random() < 0.15
    return Machine(
        cpus=dice.choice([4, 8, 16]),
        memory=memory,
        disk=log_between(100, 1000) * GIB,
        sync_ms=log_between(2, 8) if rotating else log_between(0.1, 3),
        iops=log_between(300, 1200) if rotating else log_between(3000, 40000),
        rotating=rotating,
        rtt_ms=log_between(0.1, 2),
        net_bytes=dice.choice([125e6, 1250e6]),
        clients=dice.choice([16, 32, 64, 128, 256]),
        transaction_bytes=log_between(500, 20000),
        working_set=memory * (0.3 + 1.0 * dice.random()),
        execute_ms=log_between(0.2, 1.2),
        apply_share=0.4 + 0.4 * dice.random(),
        conflicts=log_between(0.001, 0.05),
        lag_bound_ms=log_between(500, 5000),
        redo_half=log_between(0.5, 6) * GIB,
        hash_gain=-0.08 + 0.11 * dice.random(),
        release_best=log_between(30, 200),
        pool_overhead=1.05 + 0.06 * dice.random(),
        session_bytes=(0.5 + dice.random()) * MIB,
        server_bytes=(300 + 200 * dice.random()) * MIB,
    )


class Reading:
    """Settings read by a mechanism: the first of several names that is set, as a number or a word."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._settings = settings

    def number(self, default: float, *names: str) -> float:
        """The value of the first name that is set."""
        return next((float(self._settings[name]) for name in names if name in self._settings), default)

    def word(self, default: str, *names: str) -> str:
        """The value of the first name that is set, in small letters."""
        return next((self._settings[name].lower() for name in names if name in self._settings), default)


def refusal(at: Machine, to: Reading) -> str:
    """Why a server would not start, not take a value, or be killed; "" when it would run."""
    sessions = at.clients + 10
    used = to.number(128 * MIB, "innodb_buffer_pool_size") * at.pool_overhead
    used += to.number(16 * MIB, "innodb_log_buffer_size")
    used += sessions * (at.session_bytes + to.number(32768, "binlog_cache_size"))
    used += to.number(0, "slave_parallel_threads") * (to.number(131072, "slave_parallel_max_queued") + MIB)
    used += 0.3 * to.number(0, "galera.gcache.size") + to.number(0, "wsrep_slave_threads") * MIB
    if used + at.server_bytes > 0.97 * at.memory:
        return "killed for lack of memory"
    if to.number(2, "galera.evs.user_send_window") > to.number(4, "galera.evs.send_window"):
        return "the provider refused evs.user_send_window"
    return ""


def compressed(to: Reading) -> bool:
    """Whether the binary log is."""
    return to.word("off", "binlog_transaction_compression", "log_bin_compress") == "on"


def read_ms(at: Machine, to: Reading) -> tuple[float, float]:
    """Milliseconds a transaction waits for pages, and the share of pages missing."""
    pool = to.number(128 * MIB, "innodb_buffer_pool_size")
    missing = max(0.0, 1.0 - pool / at.working_set) ** 1.3
    depth = to.number(1024, "innodb_lru_scan_depth")
    starving = 1.0 + 0.4 * missing * max(0.0, math.log2(1024 / depth)) / 3
    return 5.0 * missing * (6.0 if at.rotating else 0.2) * starving, missing


def flush_cap(at: Machine, to: Reading) -> tuple[float, float]:
    """Transactions per second that page flushing and the redo log's headroom allow, and pages written for each."""
    redo = to.number(96 * MIB, "innodb_redo_log_capacity", "innodb_log_file_size")
    capacity = to.number(200, "innodb_io_capacity")
    most = to.number(2 * capacity, "innodb_io_capacity_max")
    capacity = min(capacity, most)  # the server cuts it, with a warning
    threads = to.number(4, "innodb_write_io_threads")
    dirty = to.number(90, "innodb_max_dirty_pages_pct")
    lwm = to.number(10, "innodb_adaptive_flushing_lwm")
    together = (1.0 + 5.0 * redo / (redo + at.redo_half)) * (0.4 + 0.6 * dirty / 95)
    together *= 1.0 - 0.25 * min(1.0, max(0.0, math.log(capacity / (0.3 * at.iops)) / math.log(20)))
    neighbours = {"0": 1.0, "1": 0.65, "2": 0.55} if at.rotating else {"0": 1.0, "1": 1.15, "2": 1.35}
    pages = (1.5 + at.transaction_bytes / 6000) / together * neighbours[to.word("0", "innodb_flush_neighbors")]
    disk = at.iops * 0.8 * (1.0 - math.exp(-threads / 2.5))
    headroom = 0.7 * redo * (1.0 - 0.3 * lwm / 60) / (5.0 * 3.0 * at.transaction_bytes)
    return min(min(most, disk) / pages, headroom), pages


def commit_ms(at: Machine, to: Reading, busy: float) -> float:
    """One round of group commit with its wait for company, at a share of the disk taken by flushing."""
    delay = to.number(0, "binlog_group_commit_sync_delay") / 1000
    enough = to.number(0, "binlog_group_commit_sync_no_delay_count")
    count = to.number(0, "binlog_commit_wait_count")
    if count > 0:
        delay, enough = to.number(100000, "binlog_commit_wait_usec") / 1000, count
    if enough > 0:
        delay *= min(1.0, enough / (0.6 * at.clients))
    size = at.transaction_bytes * (0.4 if compressed(to) else 1.0)
    return 2.0 * at.sync_ms * (1.0 + 1.5 * busy**2) + delay + size * 8 / 200e6 * 1000


def writer_rate(at: Machine, to: Reading, distance_ms: float) -> tuple[float, float, float]:
    """Transactions per second of the clients, the size of a commit group, the share of the disk that flushing takes."""
    wait, missing = read_ms(at, to)
    limit = to.number(0, "innodb_thread_concurrency")
    active = min(at.clients, limit) if limit else at.clients
    crowd = 1.0 + 0.03 * max(0.0, active / at.cpus - 4)
    execute = at.execute_ms * crowd * (1.15 if compressed(to) else 1.0)
    if to.word("off", "innodb_adaptive_hash_index") == "on":
        execute *= 1.0 - at.hash_gain * (1.0 - missing)
    own_threads = to.word("off", "innodb_log_writer_threads") == "on"
    execute *= 0.95 if own_threads and at.cpus >= 16 and at.clients >= 64 else 1.05 if own_threads else 1.0
    if limit and limit < at.clients:
        execute *= 1.02
    spill = math.exp(-to.number(32768, "binlog_cache_size") / (3 * at.transaction_bytes))
    wait += 0.4 * spill + 0.15 * min(3.0, max(0.0, 3 * at.clients * at.transaction_bytes * 4 / to.number(
        16 * MIB, "innodb_log_buffer_size") - 1.0))  # fmt: skip
    spin = min(1.0, to.number(0, "group_replication_poll_spin_loops") / 5000)
    cap, pages = flush_cap(at, to)
    threads = to.number(4, "innodb_purge_threads")
    cpus = at.cpus - 0.04 * threads - spin
    processors = cpus * 0.92 * 1000 / execute
    rate = busy = 0.0
    for _ in range(12):
        round_ms = commit_ms(at, to, busy)
        each = execute * max(1.0, active / at.cpus) * 0.6 + wait + 1.5 * round_ms + distance_ms
        purge = 1.0 - 0.2 * max(0.0, 1.0 - threads / max(1.0, rate / 4000))
        found = min(at.clients * 1000 / each, active * 1000 / (execute + wait), processors, cap) * purge
        rate = found if not rate else 0.5 * (rate + found)
        busy = min(1.0, rate * pages / (0.8 * at.iops))
    size = at.transaction_bytes * (0.4 if compressed(to) else 1.0) + 300
    rate = min(rate, at.net_bytes / (2 * size))
    return rate, max(1.0, min(at.clients, rate * commit_ms(at, to, busy) / 1000)), busy


def applier_rate(at: Machine, to: Reading, topology: Topology, group: float, busy: float) -> float:
    """Transactions per second a member can apply, with `group` transactions committed together at their source."""
    names = ("replica_parallel_workers", "slave_parallel_threads", "wsrep_slave_threads")
    workers = max(1.0, to.number(1, *names))
    width, wasted = _width(at, to, topology, workers, group)
    wait, _ = read_ms(at, to)
    crowd = 1.0 + 0.03 * max(0.0, workers / at.cpus - 2)
    execute = at.execute_ms * at.apply_share * crowd * (1.06 if compressed(to) else 1.0)
    sync = 2.0 * at.sync_ms * (1.0 + 0.7 * busy**2) * (0.3 if topology is Topology.GALERA else 1.0)
    rate = width * 1000 / (execute + wait + sync)
    rate = min(rate, at.cpus * 0.85 * 1000 / execute) * (1.0 - wasted)
    group_size = to.number(0, "replica_checkpoint_group")
    if group_size:
        rate *= 1.0 - 0.3 * workers / (workers + group_size / 16)
    return min(rate, 1.3 * flush_cap(at, to)[0])


def _width(at: Machine, to: Reading, topology: Topology, workers: float, group: float) -> tuple[float, float]:
    """How many transactions are applied at once, and the share of the work that is thrown away."""
    independent = 1.0 / (4.0 * at.conflicts)
    if "slave_parallel_mode" not in to._settings:
        most = min(workers, independent)
        if to.word("yes", "galera.cert.optimistic_pa") == "no":
            most = min(most, 3.0)
        pending = to.number(0, "replica_pending_jobs_size_max")
        return (min(most, 1.0 + pending / (at.transaction_bytes * 300)) if pending else most), 0.0
    queued = to.number(131072, "slave_parallel_max_queued") / (at.transaction_bytes * 8)
    fed = max(1.0, workers * queued / (0.5 + queued))
    if to.number(0, "slave_parallel_threads") == 0:
        return 1.0, 0.0
    mode = to.word("optimistic", "slave_parallel_mode")
    if mode == "optimistic":
        return fed, min(0.6, at.conflicts * fed * 0.8)
    return (min(fed, 1.0 + 0.8 * group), 0.0) if mode == "conservative" else (min(fed, 2.5), 0.0)
