"""A cluster to tune that answers at once: mechanisms, noise as measured on real nodes, a clock of its own.

Noise (calibrated on published node-to-node measurements): windows lognormal with a spread of 3 to 5 % and memory of
half, an effect of 1 to 3 % per restart, ten times that near the disk's end, drift of 3 % over a night, one window in
fifty 15 % low.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from functools import cache

from advisor.catalog import parse_release
from advisor.model.applying import Application
from advisor.model.record import record
from advisor.model.server import Topology
from advisor.model.tuning import EndEarly, Outcome, SearchSpace, Task
from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.space.resolve import load_space
from benchmarks.tuner.coupling import truth
from benchmarks.tuner.mechanisms import Machine, Truth, draw_machine

KINDS = (
    (Topology.GROUP_REPLICATION, "mysql-9.7.4"),
    (Topology.GALERA, "mariadb-10.11.14"),
    (Topology.SEMISYNC, "mysql-9.7.4"),
    (Topology.ASYNC_MARIADB, "mariadb-10.11.14"),
    (Topology.ASYNC_MYSQL, "mysql-8.4.5"),
)
WINDOWS = 6
GROWS = 0.005  # of the rate: a backlog that grows faster is one that never ends
RESTARTS = {Application.SERVER_RESTART, Application.GROUP_RESTART, Application.MEMBER_REJOIN}
MEASURE_SECONDS, WARM_SECONDS, RESTART_SECONDS = 120.0, 30.0, 180.0
# How people leave it: serial applier, tiny redo, small pool, the provider's own limit.
PLAUSIBLE = {
    "replica_parallel_workers": "1", "slave_parallel_threads": "0", "wsrep_slave_threads": "1",
    "innodb_redo_log_capacity": "134217728", "innodb_log_file_size": "100663296", "innodb_io_capacity": "200",
    "innodb_io_capacity_max": "2000", "galera.gcs.fc_limit": "16", "innodb_log_writer_threads": "OFF",
}  # fmt: skip


@record
class Surface:
    """One variant: a search space on a machine, where it starts, and what settings truly come to."""

    name: str
    space: SearchSpace
    machine: Machine
    start: Mapping[str, str]
    advice: Mapping[str, str]
    seed: int

    @property
    def lag_bound_ms(self) -> float:
        """The limit of the lag."""
        return self.machine.lag_bound_ms

    def truly(self, settings: Mapping[str, str]) -> Truth:
        """What settings come to without noise."""
        return truth(self.machine, self.space.topology, settings)

    def feasible(self, settings: Mapping[str, str]) -> bool:
        """Whether a cluster runs with them inside the bound on lag."""
        found = self.truly(settings)
        return not found.failure and found.lag_ms <= self.machine.lag_bound_ms and found.backlog_slope <= GROWS


@cache
def surface(seed: int) -> Surface:
    """The variant of a seed; seeds go round the topologies."""
    topology, release = KINDS[seed % len(KINDS)]
    machine = draw_machine(seed)
    host = {
        "cpus": float(machine.cpus), "memory_bytes": machine.memory, "disk_free_bytes": machine.disk,
        "connections": machine.clients + 10.0,
    }  # fmt: skip
    space = load_space(topology, parse_release(release)[0], host)
    start, advice = {}, {}
    for knob in space.knobs:
        small = str(int(0.1 * machine.memory)) if knob.name == "innodb_buffer_pool_size" else ""
        first = knob.choices[0] if knob.choices else str(int(knob.low))
        start[knob.name] = PLAUSIBLE.get(knob.name) or small or knob.default or first
        advice[knob.name] = knob.advice or start[knob.name]
    start["galera.gcache.size"] = "134217728"
    settle = Encoder(space).settle
    start = {name: value for name, value in start.items() if name in advice}
    return Surface(f"{topology}-{seed}", space, machine, settle(start), settle(advice), seed)


class Rehearsal:
    """An environment on a surface: applies, restarts, drifts and keeps a simulated clock."""

    def __init__(self, on: Surface, seed: int) -> None:
        self.on, self.seconds, self.restarts, self.failures, self.trials = on, 0.0, 0, 0, 0
        self._dice = random.Random(f"rehearsal {on.seed} {seed}")
        self._now: Mapping[str, str] = on.start
        self._spread = 0.03 + 0.02 * self._dice.random()
        self._phase = self._dice.random() * 6.28
        self._effect = self._dice.gauss(0, 1)

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        """As `Environment.run`."""
        began, settings = self.seconds, task.settings
        self.trials += 1
        restarted = task.fresh or self._needs_restart(settings)
        self.seconds += RESTART_SECONDS if restarted else WARM_SECONDS
        self.restarts += restarted
        if restarted:
            self._effect = self._dice.gauss(0, 1)
        found = self.on.truly(settings)
        if found.failure:
            self.failures += 1
            self.seconds += RESTART_SECONDS  # the last good configuration is started again
            return Outcome(infeasible=found.failure, restarted=True, seconds=self.seconds - began)
        self._now = settings
        windows, truncated = self._windows(found, end_early)
        lag = found.lag_ms * math.exp(self._dice.gauss(0, 0.12))
        slope = found.backlog_slope + 0.003 + abs(self._dice.gauss(0, 0.003))  # an upper bound is above
        spent = self.seconds - began
        return Outcome(windows, lag, slope, None, "", "", truncated, restarted, spent)

    def _needs_restart(self, settings: Mapping[str, str]) -> bool:
        how = {knob.name: knob.how for knob in self.on.space.knobs}
        return any(how[name] in RESTARTS for name in difference(self._now, settings))

    def _windows(self, found: Truth, end_early: EndEarly) -> tuple[tuple[float, ...], bool]:
        unstable = found.stress > 0.9
        sway = 0.02 * (8.0 if unstable else 1.0) * self._effect
        windows: list[float] = []
        kept = 0.0
        for _ in range(WINDOWS):
            self.seconds += MEASURE_SECONDS / WINDOWS
            kept = 0.5 * kept + math.sqrt(0.75) * self._dice.gauss(0, self._spread)
            drift = 0.03 * math.sin(self.seconds / 9000 + self._phase)
            outlier = -0.16 if self._dice.random() < 0.02 else 0.0
            windows.append(found.sustained * math.exp(kept + sway + drift + outlier))
            if end_early(tuple(windows)):
                return tuple(windows), len(windows) < WINDOWS
        return tuple(windows), False


@cache
def best_known(seed: int) -> float:
    """The highest feasible sustained rate a long search without noise finds: many points, then coordinates in turn."""
    on, dice = surface(seed), random.Random(f"best {seed}")
    count, encoder = len(on.space.knobs), Encoder(on.space)

    def value(point: list[float]) -> float:
        settings = encoder.settings(point)
        return on.truly(settings).sustained if on.feasible(settings) else 0.0

    points = [[dice.random() for _ in range(count)] for _ in range(1500)]
    starts = sorted(points, key=value, reverse=True)[:4]
    return max(_climb(point, value, dice) for point in starts)


def _climb(point: list[float], value: Callable[[list[float]], float], dice: random.Random) -> float:
    best = value(point)
    for reach in (1.0, 1.0, 0.3, 0.1, 0.03):
        for at in dice.sample(range(len(point)), len(point)):
            for _ in range(8):
                other = list(point)
                other[at] = dice.random() if reach == 1.0 else min(1.0, max(0.0, point[at] + dice.gauss(0, reach)))
                if dice.random() < 0.3:
                    beside = dice.randrange(len(point))
                    other[beside] = min(1.0, max(0.0, other[beside] + dice.gauss(0, reach)))
                found = value(other)
                if found >= best:
                    point, best = other, found
    return best
