"""Which phases does a tuning session go through? Each takes what the time allows.

preflight → search → fewer changes → validation in blocks → soak test
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from advisor.errors import AdvisorError, MachineError
from advisor.model.recommendation import BASELINE, Soak, contender_label
from advisor.model.record import record, replace
from advisor.model.tuning import Ledger, Objective, Settings, Task, Trial, elapsed_seconds
from advisor.report.tune.sentences import preflight_sentences
from advisor.tune.request.request import Request, bench_plan
from advisor.tune.request.time_budget import (
    run_seconds,
    search_seconds,
    seconds_after_search,
    soak_seconds,
    trials_expected,
)
from advisor.tune.results.importance import importances
from advisor.tune.search.initial_configurations import space_advice, usable_configurations
from advisor.tune.search.loop import run_study
from advisor.tune.search.policy import StudyPlan, best_confirmed, stalled
from advisor.tune.search.prior_runs import append_rows, best_prior_configurations, read_rows, rows_of_study
from advisor.tune.search.samplers import proposer
from advisor.tune.search.scored_trials import scored_trials
from advisor.tune.trial.run_trial import ClusterTrials, TrialListener, TuningTarget
from advisor.tune.validation import preflight
from advisor.tune.validation.acceptance import best_accepted
from advisor.tune.validation.blocks import BlockRun, contenders, run_blocks
from advisor.tune.validation.finalists import choose_finalists
from advisor.tune.validation.minimise import Minimised, minimise
from advisor.tune.validation.soak import ValidatedWinner, run_soak
from advisor.tune.validation.why_advice import SuggestedConfiguration, evidence_under_load, suggested_configurations
from advisor.tune.validation.written_winner import written_winner
from advisor.units import show

MOST_TRIALS: Final = 10_000
_FEWEST_INITIAL: Final = 2
_LEAST_SOAK_SECONDS: Final = 120.0  # of a soak test that has to be shorter than was asked for


@record
class SessionListener:
    """What is called as a session goes on: for states, seconds of load and messages, and for trials and phases.

    `trial` is called before (with None) and after every trial; `begun` with the time, by the monotonic clock, at which
    the session ends; `stage` with the phase that begins, "" for the search.
    """

    trial_events: TrialListener
    trial: Callable[[Task, Trial | None, StudyPlan, list[Trial]], None] = lambda task, trial, plan, trials: None
    begun: Callable[[Request, float], None] = lambda request, ends: None
    stage: Callable[[str], None] = lambda words: None

    def tell(self, message: str) -> None:
        """Report a message."""
        self.trial_events.tell(message)


def plan_of(
    target: TuningTarget,
    request: Request,
    running: Settings,
    rules: Settings,
    suggested: Sequence[SuggestedConfiguration] = (),
) -> StudyPlan:
    """What the search is asked to do. The most promising initial configurations come first, a quarter of the trials."""
    file, space = request.experience, target.space
    rows = read_rows(file) if file and Path(file).exists() else []
    earlier = best_prior_configurations(space, rows, objective=request.objective)
    first, *variants = [suggestion.settings for suggestion in suggested] or [rules]
    initial = usable_configurations(space, running, first, *earlier, rules, *variants, space_advice(space, running))
    most = max(_FEWEST_INITIAL, trials_expected(request, ()) // 4)
    return StudyPlan(
        space=space,
        running=running,
        initial_configurations=initial[:most],
        lag_bound_ms=request.lag_bound_ms,
        trials=request.trials or MOST_TRIALS,
        seed=request.seed,
        seconds=search_seconds(request, ()),
        patience=request.patience,
        references=preflight.reference_runs(request, ()),
    )


@record
class Phases:
    """The phases of one session. `rules` are the baseline with the changes that the rules of `check` recommend.

    `stop` says whether the session shall end, `ends` when its time is used up, by the monotonic clock.
    """

    environment: ClusterTrials
    plan: StudyPlan
    rules: Settings
    request: Request
    study: Path
    listener: SessionListener
    stop: Callable[[], bool]
    ends: float

    def preflight(self, ledger: Ledger) -> Phases:
        """Run the baseline a few times, report what gain can be detected, and ask `why`; the phases that follow."""
        request = self.request
        trials = ledger.trials()
        self.listener.stage("preflight")
        while not self.stop() and self._in_preflight(trials):
            before = len(trials)
            trials = self._one_more_trial(ledger, trials)
            if len(trials) == before:
                return self
        suggested = preflight.read_advice(self.study)
        if suggested is None and preflight.has_time_to_look(request, trials) and not self._time_is_up():
            suggested = self._ask_why()
            preflight.save_advice(self.study, suggested)
        if request.preflight and trials:
            result = preflight.preflight_of(request, trials, suggested or ())
            for line in (*preflight_sentences(result), *(f"! {doubt}" for doubt in result.doubts)):
                self.listener.tell(line)
        target, running = self.environment.target, self.plan.running
        return replace(self, plan=plan_of(target, request, running, self.rules, suggested or ()))

    def search(self, ledger: Ledger) -> list[Trial]:
        """Try configurations until time, trials or patience end it; all trials, those of earlier runs included."""
        trials = ledger.trials()
        earlier, before = len(trials), -1
        self.listener.stage("")
        while not self.stop() and len(trials) > before:
            before = len(trials)
            trials = self._one_more_trial(ledger, trials)
        if stalled(self.plan, scored_trials(trials, self.plan.lag_bound_ms)):
            self.listener.tell(
                f"the search ends: the last {show(self.plan.patience, 'trials')} brought no confirmed gain"
            )
        self._append_to_prior_runs(trials[earlier:])
        return trials

    def finalists(self, trials: list[Trial]) -> tuple[dict[str, Settings], Minimised | None]:
        """What goes into the blocks; and which changes the best needs, None where that was not asked."""
        winner = self._written_winner(trials) if best_confirmed(self.plan, trials) else None
        return choose_finalists(
            self.plan, self.rules, trials, winner, lambda settings: self._with_fewer_changes(settings, trials)
        )

    def _written_winner(self, trials: list[Trial]) -> Settings | None:
        """The best configuration with values a person would write; it is measured where time allows."""
        reserved = seconds_after_search(self.request, trials)
        return written_winner(
            self.environment, self.plan, trials, lambda: not self.request.blocks or self._time_is_up(reserved)
        )

    def validate(self, finalists: dict[str, Settings]) -> list[BlockRun]:
        """Measure the finalists in randomised blocks."""
        blocks, request = self.request.blocks, self.request
        if not blocks or len(finalists) < 2 or self._time_is_up():
            return []
        names = ", ".join(map(contender_label, finalists))
        self.listener.stage("validation")
        self.listener.tell(f"validation of {names} in {show(blocks, 'blocks')}, with a restart before each run")
        return run_blocks(
            self.environment, finalists, blocks, self.study / "finalists.jsonl", request.seed, self.listener.tell,
            self._time_is_up,  # a block that is missing costs the answer, a shorter soak test does not
        )  # fmt: skip

    def soak_test(self, finalists: dict[str, Settings], block_runs: list[BlockRun]) -> Soak | None:
        """Run the best accepted finalist for long; None where that was not asked for, or none was accepted."""
        request, lag_bound_ms = self.request, self.plan.lag_bound_ms
        if not request.soak_seconds or not block_runs or self.stop():
            return None
        judged = contenders(finalists, block_runs, request.blocks, lag_bound_ms)
        best = best_accepted(judged)
        baseline = next((contender for contender in judged if contender.name == BASELINE), None)
        rates = [rate for rate in baseline.rates if rate is not None] if baseline else []
        if best is None or baseline is None or not rates:
            return None
        seconds = self._soak_seconds()
        if not seconds:
            self.listener.tell("! no time is left for the soak test: give a longer --for")
            return None
        self.listener.stage("soak test")
        self.listener.tell(f"soak test: {best.name} under load for {seconds / 60:.0f} min")
        latency_ms = baseline.latency_ms if request.objective == Objective.LATENCY else None
        winner = ValidatedWinner(best.name, best.settings, sum(rates) / len(rates), latency_ms)
        soak = run_soak(self.environment, winner, seconds, request.writers, lag_bound_ms, self.study)
        self.listener.tell(f"soak test failed: {soak.why_not}" if soak.why_not else "soak test passed")
        return soak

    def _soak_seconds(self) -> float:
        """How long to soak-test: as asked for, or what the blocks have left of the time; 0.0: too little."""
        asked = self.request.soak_seconds
        besides = soak_seconds(self.request, ()) - asked
        left = min(asked, self.ends - time.monotonic() - besides)
        return left if left >= min(asked, _LEAST_SOAK_SECONDS) else 0.0

    def _time_is_up(self, needed_seconds: float = 0.0) -> bool:
        """Whether to end, so that as much time as needed is left."""
        return self.stop() or time.monotonic() + needed_seconds > self.ends

    def _in_preflight(self, trials: list[Trial]) -> bool:
        """Whether runs of the preflight are still to come, or one had a fault and is repeated."""
        references = preflight.reference_trials(trials)
        nothing_else = len(references) == sum(not trial.outcome.fault for trial in trials)
        return nothing_else and len(references) < preflight.reference_runs(self.request, trials)

    def _ask_why(self) -> list[SuggestedConfiguration]:
        """What `why` recommends under this load; nothing when it cannot diagnose it."""
        from advisor.why.diagnose import diagnose

        target, events = self.environment.target, self.listener.trial_events
        events.tell("`why` is looking for the bottleneck of the current configuration, under load")
        try:
            evidence = evidence_under_load(target.cluster, bench_plan(self.request), events.second, events.tell)
            diagnosis = diagnose(evidence, (target.release,))
            return suggested_configurations(diagnosis, target.space, self.plan.running, self.rules)
        except AdvisorError as error:
            events.tell(f"`why` could not diagnose the current configuration: {error.message}")
            return []

    def _one_more_trial(self, ledger: Ledger, trials: list[Trial]) -> list[Trial]:
        """All trials, with the next; the same when there is none. The time that validation needs is estimated again."""
        ended = trials[:]

        def report(task: Task, trial: Trial | None) -> None:
            if trial:
                ended.append(trial)
            self.listener.trial(task, trial, self.plan, ended)

        plan = replace(
            self.plan,
            seconds=search_seconds(self.request, trials) - self._seconds_between(trials),
            references=preflight.reference_runs(self.request, trials),
        )
        return run_study(plan, self.environment, ledger, proposer(self.request.sampler), report, self.stop, most=1)

    def _seconds_between(self, trials: list[Trial]) -> float:
        """Time that passed outside of trials; 0.0 where time is not limited."""
        spent = self.request.for_seconds - (self.ends - time.monotonic())
        return spent - elapsed_seconds(trials) if self.request.for_seconds else 0.0

    def _append_to_prior_runs(self, trials: list[Trial]) -> None:
        """Add to the file of prior runs; one that cannot be written does not end the session."""
        request, plan = self.request, self.plan
        if not request.experience:
            return
        about = {"workload": request.workload, "threads": str(request.threads)}
        try:
            append_rows(request.experience, rows_of_study(plan.space, trials, plan.lag_bound_ms, about))
        except MachineError as error:
            self.listener.tell(f"the trials could not be added to {request.experience}: {error.message}")

    def _with_fewer_changes(self, best: Settings, trials: list[Trial]) -> Minimised | None:
        """The best without the changes it does not need; None where there is no time to find out."""
        request, plan = self.request, self.plan
        reserved = seconds_after_search(request, trials)
        if not request.blocks or not request.shorten or self._time_is_up(reserved):
            return None
        self.listener.stage("fewer changes")
        self.listener.tell("finding out which changes the best configuration needs")
        shares = importances(plan.space, scored_trials(trials, plan.lag_bound_ms))
        one_run = run_seconds(request, trials, fresh=False)

        def runs_left() -> float:
            return 0.0 if self.stop() else max(0.0, (self.ends - reserved - time.monotonic()) / one_run)

        return minimise(self.environment, plan.space, plan.running, best, shares, plan.lag_bound_ms, runs_left)
