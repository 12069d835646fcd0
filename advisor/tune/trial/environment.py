"""One trial on a real cluster: a configuration applied, read back, put under load, measured, drained.

Every state is in the journal before it is entered. What the owner relies on is compared with what was found, on every
member, before and after: a trial in which it was otherwise counts for nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from advisor.bench.open_cluster import open_cluster
from advisor.bench.run import RunPlan, measure
from advisor.errors import AdvisorError, MachineError, ServerError
from advisor.lab.processes import undisturbed
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Phase, Second
from advisor.model.record import record, replace
from advisor.model.server import Release
from advisor.model.tuning import Outcome, SearchSpace, Settings, Task, Watch
from advisor.topologies import open_nodes, open_reachable
from advisor.tune.space.constraints import violations
from advisor.tune.space.encoding import identity
from advisor.tune.space.placement import place_settings, running_settings
from advisor.tune.state.journal import Journal, Originals
from advisor.tune.trial import restart
from advisor.tune.trial.apply_settings import Refused, RefusedUnstarted, apply_configuration
from advisor.tune.trial.guards import Guard, Tripped
from advisor.tune.trial.outcome import WINDOWS, outcome_of, window_rates
from advisor.tune.trial.read_settings import same_value, values_by_member


class State(StrEnum):
    """Where a trial is."""

    PLANNED = "planned"
    APPLYING = "applying"
    STARTED = "started"
    WARMING = "warming"
    MEASURING = "measuring"
    DRAINING = "draining"
    SCORED = "scored"
    CONFIG_FAILED = "config_failed"
    INFRA_FAILED = "infra_failed"


_STATES: Final = {Phase.WARM_UP: State.WARMING, Phase.MEASURE: State.MEASURING, Phase.DRAIN: State.DRAINING}


@record
class TuningTarget:
    """What trials are made on: the cluster, its knobs, how it was found, and members that keep what they have."""

    cluster: ClusterFile
    release: Release
    space: SearchSpace
    originals: Originals
    untouched: tuple[str, ...] = ()


@record
class TrialListener:
    """Who is told what happens: every state, every second of load, and words."""

    state: Callable[[State, Task], None] = lambda state, task: None
    second: Callable[[Second], None] = lambda second: None
    tell: Callable[[str], None] = lambda line: None


class LiveEnvironment:
    """An `Environment` on a running cluster."""

    def __init__(
        self, target: TuningTarget, plan: RunPlan, journal: Journal, guards: Sequence[Guard], listener: TrialListener
    ) -> None:
        self.target, self._plan, self._journal = target, plan, journal
        self._guards, self._listener = guards, listener
        self._state = State.PLANNED
        self._died: Counter[tuple[tuple[str, str], ...]] = Counter()
        self.warnings: list[tuple[str, ...]] = []  # of every run that was measured, what limits its worth

    def measuring_for(self, seconds: float, hear: Callable[[Second], None]) -> LiveEnvironment:
        """The same, measuring for so long; `hear` hears every second, too."""

        def both(second: Second) -> None:
            hear(second)
            self._listener.second(second)

        plan, listener = replace(self._plan, seconds=seconds), replace(self._listener, second=both)
        return LiveEnvironment(self.target, plan, self._journal, self._guards, listener)

    def run(self, task: Task, watch: Watch) -> Outcome:
        """Apply, wait until ready and steady, measure; raises only when the study cannot go on."""
        begun = time.monotonic()
        self._enter(State.PLANNED, task)
        outcome = self._outcome(task, watch)
        failed = State.CONFIG_FAILED if outcome.infeasible else State.INFRA_FAILED if outcome.fault else State.SCORED
        self._enter(failed, task, because=outcome.infeasible or outcome.fault)
        return replace(outcome, seconds=time.monotonic() - begun)

    def _outcome(self, task: Task, watch: Watch) -> Outcome:
        against = violations(self.target.space, task.settings)
        if against and dict(task.settings) != self._running():
            return Outcome(infeasible="; ".join(against))
        try:
            for guard in self._guards:
                guard.before()
            self._heal()
            restarted = self._apply(task)
        except RefusedUnstarted as error:
            return Outcome(infeasible=error.message)
        except Refused as error:
            self._back_to_originals()
            return Outcome(infeasible=error.message, restarted=True)
        except (ServerError, MachineError) as error:
            return Outcome(fault=error.message)
        return self._measure(task, watch, restarted)

    def _running(self) -> Settings:
        target = self.target
        return running_settings(target.space, target.cluster.members, target.originals.values)

    def _apply(self, task: Task) -> bool:
        target = self.target
        self._enter(State.APPLYING, task)
        self._check_frozen()
        values = target.originals.values
        wanted = place_settings(target.space, target.cluster.members, values, task.settings, target.untouched)
        fresh = task.fresh and restart.can_restart(target.cluster)
        brought = apply_configuration(target.cluster, target.release, wanted, target.originals, self._journal, fresh)
        self._enter(State.STARTED, task)
        self._check_frozen()
        return brought.restarted

    def _measure(self, task: Task, watch: Watch, restarted: bool) -> Outcome:
        window = self._plan.seconds / WINDOWS
        writers = self._plan.load.writers
        early: list[bool] = []
        told: list[int] = [0]

        def enough(seconds: Sequence[Second]) -> bool:
            rates = window_rates(seconds, window, writers)
            if len(rates) > told[0]:
                told[0] = len(rates)
                if len(rates) < WINDOWS and watch(rates):
                    early.append(True)
            return bool(early)

        try:
            self._enter(State.WARMING, task)
            with open_cluster(self.target.cluster) as opened:
                plan = replace(self._plan, enough=enough)
                run = measure(opened, plan, lambda second: self._on_second(second, task), self._listener.tell)
            self._check_frozen()
        except Tripped as error:
            return Outcome(infeasible=error.message, restarted=restarted)
        except (ServerError, MachineError) as error:
            return self._lost(task, error, restarted)
        self.warnings.append(run.measurement.warnings)
        return outcome_of(run, window, restarted, bool(early))

    def _lost(self, task: Task, error: AdvisorError, restarted: bool) -> Outcome:
        """A member that died twice with a configuration does not run with it; once may be anything."""
        down = self._down()
        if not down:
            return Outcome(fault=error.message, restarted=restarted)
        self._back_to_originals()
        why = f"{', '.join(down)} ended under load: {error.message}"
        self._died[identity(task.settings)] += 1
        if self._died[identity(task.settings)] > 1:
            return Outcome(infeasible=f"{why} (twice)", restarted=True)
        return Outcome(fault=why, restarted=True)

    def _down(self) -> list[str]:
        with open_reachable(self.target.cluster) as (_, refused):
            return sorted(refused)

    def _on_second(self, second: Second, task: Task) -> None:
        if (state := _STATES[second.phase]) is not self._state:
            self._enter(state, task)
        for guard in self._guards:
            guard.heard(second)
        self._listener.second(second)

    def _enter(self, state: State, task: Task, **details: str) -> None:
        self._state = state
        self._journal.note("state", state=str(state), kind=str(task.kind), settings=dict(task.settings), **details)
        self._listener.state(state, task)

    def _check_frozen(self) -> None:
        """ServerError when something the owner relies on is not as it was found."""
        names = [knob.name for knob in self.target.space.frozen]
        with open_nodes(self.target.cluster) as nodes:
            there = values_by_member(nodes, names)
        for member, values in self.target.originals.relied.items():
            for name, before in values.items():
                now = there[member].get(name)
                if now is None or not same_value(before, now):
                    raise ServerError(f"{member}: {name} is {now} and was {before}: the trial counts for nothing")

    def _heal(self) -> None:
        """Bring a lab's servers back that are down, and the leader it was found with."""
        restart.start_what_is_down(self.target.cluster)
        with open_cluster(self.target.cluster) as opened:
            if opened.module.problems(opened.nodes):
                if not all(member.start for member in opened.cluster.members):
                    raise Stopped(f"{opened.cluster.name} changed: {'; '.join(opened.module.problems(opened.nodes))}")
                opened.module.rejoin(opened.nodes, [])
                if opened.module.problems(opened.nodes):
                    restart.restart_all(opened.cluster)

    def _back_to_originals(self) -> None:
        """After servers refused to start; LabError when they do not with what they had either."""
        with undisturbed():
            for member in self.target.cluster.members:
                restart.write_settings(member, {})
            restart.restart_all(self.target.cluster)


class Stopped(AdvisorError):
    """The study cannot go on as things are."""

    exit_code = 4
