"""How does one trial run on a real cluster? A configuration is applied, read back, put under load, measured, drained.

Every state is in the journal before it is entered. Protected settings are compared with their original values on every
member, before and after: a trial in which one differs is discarded.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from advisor.bench.catch_up import catch_up
from advisor.bench.open_cluster import open_cluster
from advisor.bench.run import RunPlan, measure
from advisor.errors import AdvisorError, MachineError, ServerError
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Phase, Second
from advisor.model.record import record, replace
from advisor.model.server import Release
from advisor.model.tuning import EndEarly, Objective, Outcome, SearchSpace, Settings, Task, TrialKind
from advisor.model.workload.fidelity import Fidelity
from advisor.topologies import open_nodes, open_reachable
from advisor.tune.space.constraints import violations
from advisor.tune.space.encoding import difference, identity
from advisor.tune.space.member_values import place_settings, running_settings
from advisor.tune.state.journal import Journal, Originals
from advisor.tune.trial import restart
from advisor.tune.trial.apply_configuration import Refused, RefusedUnstarted, apply_configuration
from advisor.tune.trial.data_commands import PREPARE, RESTORE, DataCommands, environment_of, run_command
from advisor.tune.trial.guards import Guard, Tripped
from advisor.tune.trial.read_settings import same_value, values_by_member
from advisor.tune.trial.redo import open_redo_reader
from advisor.tune.trial.restore import restart_with_originals
from advisor.tune.trial.run_figures import WINDOWS, outcome_of, window_rates


class State(StrEnum):
    """Where a trial is."""

    PLANNED = "planned"
    RESTORING = "restoring the data"
    APPLYING = "applying"
    STARTED = "started"
    PREPARING = "preparing the data"
    WARMING = "warming"
    MEASURING = "measuring"
    DRAINING = "draining"
    SCORED = "scored"
    CONFIG_FAILED = "config_failed"
    INFRA_FAILED = "infra_failed"


_STATES: Final = {Phase.WARM_UP: State.WARMING, Phase.MEASURE: State.MEASURING, Phase.DRAIN: State.DRAINING}


@record
class TuningTarget:
    """What is tuned: the cluster, its knobs, its original settings, and the members that keep theirs."""

    cluster: ClusterFile
    release: Release
    space: SearchSpace
    originals: Originals
    untouched: tuple[str, ...] = ()


@record
class TrialListener:
    """Who receives what happens in a trial: every state, every second of load, and messages."""

    state: Callable[[State, Task], None] = lambda state, task: None
    second: Callable[[Second], None] = lambda second: None
    tell: Callable[[str], None] = lambda line: None


class ClusterTrials:
    """An `Environment` on a running cluster."""

    def __init__(
        self, target: TuningTarget, plan: RunPlan, journal: Journal, guards: Sequence[Guard], listener: TrialListener,
        objective: Objective = Objective.SUSTAINED, commands: DataCommands = DataCommands(),  # noqa: B008 – frozen
        percentile: int = 95,
    ) -> None:  # fmt: skip
        self.target, self._plan, self._journal, self._objective = target, plan, journal, objective
        self._commands, self._percentile = commands, percentile
        self._guards, self._listener = guards, listener
        self._state = State.PLANNED
        self._crashes: Counter[tuple[tuple[str, str], ...]] = Counter()
        self.warnings: list[tuple[str, ...]] = []  # of every run that was measured
        self.fidelity: Fidelity | None = None  # of the first run of the baseline

    def measuring_for(self, seconds: float, on_second: Callable[[Second], None]) -> ClusterTrials:
        """The same, measuring for so long; `on_second` receives every second, too."""

        def both(second: Second) -> None:
            on_second(second)
            self._listener.second(second)

        plan, listener = replace(self._plan, seconds=seconds), replace(self._listener, second=both)
        return ClusterTrials(
            self.target, plan, self._journal, self._guards, listener, self._objective, self._commands, self._percentile
        )

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        """Apply, wait until ready and steady, measure; raises only when the study cannot go on."""
        started = time.monotonic()
        self._enter(State.PLANNED, task)
        outcome = self._outcome(task, end_early)
        state = State.CONFIG_FAILED if outcome.infeasible else State.INFRA_FAILED if outcome.fault else State.SCORED
        self._enter(state, task, because=outcome.infeasible or outcome.fault)
        return replace(outcome, seconds=time.monotonic() - started)

    def _outcome(self, task: Task, end_early: EndEarly) -> Outcome:
        broken_rules = violations(self.target.space, task.settings)
        if broken_rules and dict(task.settings) != self._running():
            return Outcome(infeasible="; ".join(broken_rules))
        try:
            for guard in self._guards:
                guard.before()
            self._run_command(RESTORE, self._commands.restore, State.RESTORING, task)
            self._start_if_down()
            restarted = self._apply(task)
            self._run_command(PREPARE, self._commands.prepare, State.PREPARING, task)
        except RefusedUnstarted as error:
            return Outcome(infeasible=error.message)
        except Refused as error:
            restart_with_originals(self.target.cluster)
            return Outcome(infeasible=error.message, restarted=True)
        except (ServerError, MachineError) as error:
            return Outcome(fault=error.message)
        if self._objective is Objective.APPLY_RATE:
            return self._catch_up(task, restarted)
        return self._measure(task, end_early, restarted)

    def _run_command(self, name: str, text: str, state: State, task: Task) -> None:
        """Run a command of the user's, if there is one, and wait until the cluster is ready again."""
        if not text:
            return
        self._enter(state, task)
        changed = {knob: after for knob, (_, after) in difference(self._running(), task.settings).items()}
        told = environment_of(self.target.cluster, self._plan.load.writers[0], str(task.kind), changed)
        run_command(name, text, self._commands.limit_seconds, told, self._journal)
        restart.wait_until_ready(self.target.cluster)

    def _running(self) -> Settings:
        target = self.target
        return running_settings(target.space, target.cluster.members, target.originals.values)

    def _apply(self, task: Task) -> bool:
        target = self.target
        self._enter(State.APPLYING, task)
        self._check_protected()
        values = target.originals.values
        wanted = place_settings(target.space, target.cluster.members, values, task.settings, target.untouched)
        fresh = task.fresh and restart.can_restart(target.cluster)
        applied = apply_configuration(target.cluster, target.release, wanted, target.originals, self._journal, fresh)
        self._enter(State.STARTED, task)
        self._check_protected()
        return applied.restarted

    def _measure(self, task: Task, end_early: EndEarly, restarted: bool) -> Outcome:
        window = self._plan.seconds / WINDOWS
        writers = self._plan.load.writers
        ended_early: list[bool] = []
        seen_windows: list[int] = [0]

        def enough(seconds: Sequence[Second]) -> bool:
            rates = window_rates(seconds, window, writers)
            if len(rates) > seen_windows[0]:
                seen_windows[0] = len(rates)
                # At an offered rate the windows of every trial are alike; their latency is known at the end.
                if self._objective is not Objective.LATENCY and len(rates) < WINDOWS and end_early(rates):
                    ended_early.append(True)
            return bool(ended_early)

        try:
            self._enter(State.WARMING, task)
            self._journal.note_load()
            with open_cluster(self.target.cluster) as opened, open_redo_reader(self.target.cluster) as redo:

                def take(second: Second) -> None:
                    self._on_second(second, task)
                    redo.take(second)

                compare = self.fidelity is None and task.kind is TrialKind.BASELINE
                plan = replace(self._plan, enough=enough, compare_load=compare)
                run = measure(opened, plan, take, self._listener.tell)
            self._check_protected()
        except Tripped as error:
            return Outcome(infeasible=error.message, restarted=restarted)
        except (ServerError, MachineError) as error:
            return self._lost(task, error, restarted)
        self.warnings.append(run.measurement.warnings)
        self.fidelity = self.fidelity or run.measurement.fidelity
        outcome = outcome_of(run, window, restarted, bool(ended_early), self._objective.value, self._percentile)
        return replace(outcome, redo_bytes=redo.most_bytes)

    def _catch_up(self, task: Task, restarted: bool) -> Outcome:
        """Let a backlog grow for as long as a trial measures, and measure how fast it is applied."""
        try:
            self._enter(State.MEASURING, task)
            self._journal.note_load()
            found = catch_up(self.target.cluster, self._plan.load, self._plan.seconds, self._journal.note_appliers)
            self._check_protected()
        except (ServerError, MachineError) as error:
            return self._lost(task, error, restarted)
        if (rate := found.per_second) is None:
            return Outcome(fault="the load left nothing to catch up with", restarted=restarted)
        return Outcome(windows=(rate,), restarted=restarted, objective=self._objective.value)

    def _lost(self, task: Task, error: AdvisorError, restarted: bool) -> Outcome:
        """A configuration with which a member crashed twice cannot be used; a single crash may have any cause."""
        down = self._down()
        if not down:
            return Outcome(fault=error.message, restarted=restarted)
        restart_with_originals(self.target.cluster)
        why = f"{', '.join(down)} went down under load: {error.message}"
        self._crashes[identity(task.settings)] += 1
        if self._crashes[identity(task.settings)] > 1:
            return Outcome(infeasible=f"{why} (twice)", restarted=True)
        return Outcome(fault=why, restarted=True)

    def _down(self) -> list[str]:
        with open_reachable(self.target.cluster) as (_, refused):
            return sorted(refused)

    def _on_second(self, second: Second, task: Task) -> None:
        if (state := _STATES[second.phase]) is not self._state:
            self._enter(state, task)
        for guard in self._guards:
            guard.check_second(second)
        self._listener.second(second)

    def _enter(self, state: State, task: Task, **details: str) -> None:
        self._state = state
        self._journal.note("state", state=str(state), kind=str(task.kind), settings=dict(task.settings), **details)
        self._listener.state(state, task)

    def _check_protected(self) -> None:
        """ServerError when a protected setting has changed."""
        names = [knob.name for knob in self.target.space.frozen]
        with open_nodes(self.target.cluster) as nodes:
            values_now = values_by_member(nodes, names)
        for member, values in self.target.originals.relied.items():
            for name, value_before in values.items():
                value = values_now[member].get(name)
                if value is None or not same_value(value_before, value):
                    raise ServerError(
                        f"{member}: protected setting {name} changed from {value_before} to {value}: trial discarded"
                    )

    def _start_if_down(self) -> None:
        """Start a lab's servers that are down, and bring back its original leader."""
        restart.start_what_is_down(self.target.cluster)
        with open_cluster(self.target.cluster) as opened:
            if opened.module.problems(opened.nodes):
                if not all(member.start for member in opened.cluster.members):
                    raise Stopped(f"{opened.cluster.name} changed: {'; '.join(opened.module.problems(opened.nodes))}")
                opened.module.rejoin(opened.nodes, [])
                if opened.module.problems(opened.nodes):
                    restart.restart_all(opened.cluster)


class Stopped(AdvisorError):
    """The study cannot continue on this cluster as it is."""

    exit_code = 4
