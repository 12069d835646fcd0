"""What tuning is made of: knobs and their space, what a trial asks for, what came of it.

Settings travel as text by the server's own name, exactly as they are applied: a number without a suffix, ON/OFF, a
word. Provider options of Galera are named "galera.gcs.fc_limit".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Protocol

from advisor.model.applying import Application
from advisor.model.record import field, record
from advisor.model.rules import Risk
from advisor.model.server import Release, Topology

Settings = Mapping[str, str]


class Scale(StrEnum):
    """How far apart two values of a knob are: by difference or by ratio."""

    LINEAR = "linear"
    LOG = "log"


class Guarantee(StrEnum):
    """What the owner relies on. Settings that it rests on are protected until it is relaxed by name."""

    DURABILITY = "durability"
    CONSISTENCY = "consistency"
    CORRECTNESS = "correctness"


class Members(StrEnum):
    """Which members a knob is set on."""

    ALL = "all"
    WRITERS = "writers"
    APPLIERS = "appliers"


@record
class Knob:
    """One setting that tuning may change, spelt for one release, its range computed for one machine.

    Either `choices` (texts) or a range `low` to `high` in the server's unit, in steps of `step`, with `special` values
    outside it that mean something of their own ("0" = off). `active` is a condition over other knobs ("" = always);
    where it does not hold the knob stands at `inactive`. `advice` is where a search begins, "" when nothing is advised.
    `default` is the release's own value, "" when not known. `by_memory`: its range is a share of the memory, so members
    of different size get different values.
    """

    name: str
    why: str
    how: Application
    risk: tuple[Risk, ...]
    members: Members = Members.ALL
    low: float = 0.0
    high: float = 0.0
    scale: Scale = Scale.LINEAR
    step: float = 1.0
    special: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    active: str = ""
    inactive: str = ""
    advice: str = ""
    default: str = ""
    promise: Guarantee | None = None
    tree: list[object] = field(default_factory=list)  # `active`, parsed
    by_memory: bool = False


@record
class CrossRule:
    """What must hold between settings and machine, for the server to start and to stay up."""

    must: str
    why: str
    tree: list[object] = field(default_factory=list)  # `must`, parsed


@record
class SearchSpace:
    """The knobs of one topology in one release on one machine. `frozen` are the protected settings, never changed.

    `host` is what the ranges and rules were computed from: "cpus", "memory_bytes", "disk_free_bytes", "connections"; of
    members of different size the least of each. `memory_shares`: member → its memory as a multiple of the least, {}
    where all are alike.
    """

    topology: Topology
    release: Release
    host: Mapping[str, float]
    knobs: tuple[Knob, ...]
    frozen: tuple[Knob, ...] = ()
    rules: tuple[CrossRule, ...] = ()
    files: tuple[str, ...] = ()
    memory_shares: Mapping[str, float] = field(default_factory=dict)


class Objective(StrEnum):
    """What a trial measures, and tuning maximises."""

    SUSTAINED = "sustained"  # the rate that every member keeps up with, under load
    APPLY_RATE = "apply-rate"  # the rate at which replicas work off a backlog
    LATENCY = "latency"  # a percentile of commit latency at an offered rate: the lower, the better


class TrialKind(StrEnum):
    """Why a trial is run."""

    BASELINE = "baseline"  # the configuration as it was before, again and again: shows drift and noise
    SEED = "seed"  # an initial configuration: somebody advises it
    SEARCH = "search"  # what the search proposes
    CONFIRM = "confirm"  # a promising configuration once more, after a fresh restart


@record
class Task:
    """What is to be tried next. `fresh`: restart the members even if every change is dynamic."""

    kind: TrialKind
    settings: Settings
    fresh: bool = False
    retry_of: int | None = None


@record
class Outcome:
    """The outcome of a task. Rates in transactions per second, one sustained rate for each window.

    `infeasible` is why the configuration itself cannot be used (it is refused, the server crashes, no memory); then
    nothing was measured. `fault` is why the trial says nothing of the configuration (network, disk, load generator).
    `lag_ms` is the 95th percentile over the windows on the worst member, `backlog_slope` the upper 95 % bound of the
    backlog's growth as a share of the rate, or its best guess where it cannot be told from none; both None where
    unknown. `truncated`: ended early, clearly worse. `latency_ms` is the 95th percentile, or the one that `objective`,
    what the trial was run for, is about. `cpu_ms` is the CPU time of all servers per transaction, `redo_bytes` the most
    that any server wrote since its last checkpoint; None where unknown.
    """

    windows: tuple[float, ...] = ()
    lag_ms: float | None = None
    backlog_slope: float | None = None
    latency_ms: float | None = None
    infeasible: str = ""
    fault: str = ""
    truncated: bool = False
    restarted: bool = False
    seconds: float = 0.0
    objective: str = Objective.SUSTAINED.value
    cpu_ms: float | None = None
    redo_bytes: float | None = None


@record
class Trial:
    """A task and its outcome, in the order of a study. `at_seconds` is when it ended, since the study began.

    `clone` is which of several alike clusters it was measured on, "" where there is but one.
    """

    number: int
    task: Task
    outcome: Outcome
    at_seconds: float
    clone: str = ""


def elapsed_seconds(trials: Iterable[Trial]) -> float:
    """Seconds from the start of a study to the end of its last trial; the time between two runs does not count."""
    return max((trial.at_seconds for trial in trials), default=0.0)


EndEarly = Callable[[tuple[float, ...]], bool]
Decide = Callable[[list[Trial]], Task | None]


class Environment(Protocol):
    """Whatever a configuration can be tried on: a cluster, a recording, a surface.

    `settings` are complete for the knobs of the space. `end_early` is called after each window with all windows so far;
    True ends the trial early.
    """

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        """Apply, wait until ready and steady, measure; never raises for what a configuration does."""
        ...


class Ledger(Protocol):
    """Where trials are kept, so that nothing is lost when the program dies. `clone`: see `Trial`."""

    @property
    def clone(self) -> str:
        """Where this program's trials are measured."""
        ...

    def take(self, decide: Decide, stop: Callable[[], bool]) -> tuple[int, Task] | None:
        """What is run next and its number, noted as begun; None: nothing.

        What a program that died had begun comes first, then what `decide` makes of the trials. `stop` ends waiting.
        """
        ...

    def end(self, trial: Trial) -> bool:
        """Note the outcome; False when the task was given to another process meanwhile, so that it does not count."""
        ...

    def trials(self) -> list[Trial]:
        """All that ended, in order; faults included."""
        ...
