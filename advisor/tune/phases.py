"""How does a night go, from its first trial to what stood the proof? Part by part, as time allows.

preflight → search → fewer changes → finalists in blocks → soak
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from advisor.errors import AdvisorError, MachineError
from advisor.model.recommendation import BASELINE, Reverted, Soak
from advisor.model.record import record, replace
from advisor.model.tuning import Ledger, Settings, Task, Trial
from advisor.report.tune.preflight import preflight_sentences
from advisor.tune.report.importance import importances
from advisor.tune.report.recommendation import best_accepted
from advisor.tune.request.maintenance_window import elapsed_seconds
from advisor.tune.request.request import Request, bench_plan
from advisor.tune.request.time_budget import FINALISTS, proof_seconds, search_seconds, soak_seconds, trials_expected
from advisor.tune.search.history import scored_trials
from advisor.tune.search.initial_configurations import space_advice, usable_configurations
from advisor.tune.search.loop import run_study
from advisor.tune.search.policy import StudyPlan, best_confirmed, runner_up, stalled
from advisor.tune.search.prior_runs import append_rows, best_prior_configurations, read_rows, rows_of_study
from advisor.tune.search.samplers import proposer
from advisor.tune.space.encoding import identity
from advisor.tune.trial.environment import LiveEnvironment, TrialListener, TuningTarget
from advisor.tune.validation import preflight
from advisor.tune.validation.blocks import RULES, BlockRun, contenders, run_blocks
from advisor.tune.validation.minimise import minimise_live
from advisor.tune.validation.soak import ValidatedWinner, run_soak
from advisor.tune.validation.why_advice import SuggestedConfiguration, evidence_under_load, suggested_configurations

MOST_TRIALS: Final = 10_000
WINNER: Final = "tuned"
FEWER: Final = "tuned, fewer changes"
RUNNER_UP: Final = "runner-up"
_FEWEST_SEEDS: Final = 2


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
    advised: Sequence[SuggestedConfiguration] = (),
) -> StudyPlan:
    """What a study is asked to do. The surest seeds first; they take a quarter of the trials at most."""
    file, space = request.experience, target.space
    earlier = best_prior_configurations(space, read_rows(file)) if file and Path(file).exists() else []
    first, *variants = [one.settings for one in advised] or [rules]
    found = usable_configurations(space, running, first, *earlier, rules, *variants, space_advice(space, running))
    most = max(_FEWEST_SEEDS, trials_expected(request, ()) // 4)
    return StudyPlan(
        space=space,
        running=running,
        seeds=found[:most],
        lag_bound_ms=request.lag_bound_ms,
        trials=request.trials or MOST_TRIALS,
        seed=request.seed,
        seconds=search_seconds(request, ()),
        patience=request.patience,
        references=preflight.reference_runs(request, ()),
    )


@record
class Phases:
    """A night on its way. `stop` says that it shall end, `ends` is when its time is used up, by the monotonic clock."""

    environment: LiveEnvironment
    plan: StudyPlan
    request: Request
    study: Path
    listener: SessionListener
    stop: Callable[[], bool]
    ends: float

    def over(self, besides_seconds: float = 0.0) -> bool:
        """Whether to end, so that so much time is left."""
        return self.stop() or time.monotonic() + besides_seconds > self.ends

    def prepared(self, ledger: Ledger, rules: Settings) -> Phases:
        """After the preflight: what the night can show is told, and what `why` advises is among the seeds."""
        request, tell = self.request, self.listener.tell
        trials = ledger.trials()
        self.listener.stage("preflight")
        while not self.stop() and self._still_preparing(trials):
            before = len(trials)
            trials = self._one_more(ledger, trials)
            if len(trials) == before:
                return self
        advised = preflight.read_advice(self.study)
        if advised is None and preflight.has_time_to_look(request, trials) and not self.over():
            advised = self._ask_why(rules)
            preflight.save_advice(self.study, advised)
        if request.preflight and trials:
            told = preflight.preflight_of(request, trials, advised or ())
            for line in (*preflight_sentences(told), *(f"! {doubt}" for doubt in told.doubts)):
                tell(line)
        target, running = self.environment.target, self.plan.running
        return replace(self, plan=plan_of(target, request, running, rules, advised or ()))

    def _still_preparing(self, trials: list[Trial]) -> bool:
        """Whether runs of the preflight are to come, or one had a fault and is run again."""
        first = preflight.reference_trials(trials)
        only = len(first) == sum(not trial.outcome.fault for trial in trials)
        return only and len(first) < preflight.reference_runs(self.request, trials)

    def _ask_why(self, rules: Settings) -> list[SuggestedConfiguration]:
        """What `why` advises under this load; nothing when it cannot look."""
        from advisor.why.diagnose import diagnose

        target, listener = self.environment.target, self.listener.trial_events
        listener.tell("what limits it as it runs? `why` looks on under load")
        try:
            seen = evidence_under_load(target.cluster, bench_plan(self.request), listener.second, listener.tell)
            return suggested_configurations(diagnose(seen, (target.release,)), target.space, self.plan.running, rules)
        except AdvisorError as error:
            listener.tell(f"`why` cannot tell: {error.message}")
            return []

    def _one_more(self, ledger: Ledger, trials: list[Trial]) -> list[Trial]:
        """All trials, with the next; the same when there is none. What the proof will take is reckoned anew."""
        heard = trials[:]

        def tell(task: Task, trial: Trial | None) -> None:
            if trial:
                heard.append(trial)
            self.listener.trial(task, trial, self.plan, heard)

        plan = replace(
            self.plan,
            seconds=search_seconds(self.request, trials) - self._between(trials),
            references=preflight.reference_runs(self.request, trials),
        )
        return run_study(plan, self.environment, ledger, proposer(self.request.sampler), tell, self.stop, most=1)

    def _between(self, trials: list[Trial]) -> float:
        """Seconds that went by outside of trials; 0.0 where time is not limited."""
        spent = self.request.for_seconds - (self.ends - time.monotonic())
        return spent - elapsed_seconds(trials) if self.request.for_seconds else 0.0

    def search(self, ledger: Ledger) -> list[Trial]:
        """All trials; those of earlier runs included."""
        trials = ledger.trials()
        begun, before = len(trials), -1
        self.listener.stage("")
        while not self.stop() and len(trials) > before:
            before = len(trials)
            trials = self._one_more(ledger, trials)
        if stalled(self.plan, scored_trials(trials, self.plan.lag_bound_ms)):
            self.listener.tell(f"{self.plan.patience} trials in a row confirmed no gain: the search is done")
        self._remember(trials[begun:])
        return trials

    def _remember(self, trials: list[Trial]) -> None:
        """Add to the experience; a file that cannot be written costs no proof."""
        request, plan = self.request, self.plan
        if not request.experience:
            return
        about = {"workload": request.workload, "threads": str(request.threads)}
        try:
            append_rows(request.experience, rows_of_study(plan.space, trials, plan.lag_bound_ms, about))
        except MachineError as error:
            self.listener.tell(f"the experience is not kept: {error.message}")

    def finalists(self, trials: list[Trial], rules: Settings) -> tuple[dict[str, Settings], list[Reverted]]:
        """The original, what the rules advise, the best, and if there is room the runner-up: the best may not hold."""
        found, steps = self._best_and_rules(trials, rules)
        second = runner_up(self.plan, trials, found.values())
        if second and 1 < len(found) < FINALISTS:
            found[RUNNER_UP] = second.settings
        return found, steps

    def _best_and_rules(self, trials: list[Trial], rules: Settings) -> tuple[dict[str, Settings], list[Reverted]]:
        """The original, what the rules advise, and the best that was measured more than once, with fewer changes."""
        plan = self.plan
        found: dict[str, Settings] = {BASELINE: plan.running}
        if identity(rules) != identity(plan.running):
            found[RULES] = rules
        best = best_confirmed(plan, trials)
        if not best or identity(best.settings) in map(identity, found.values()):
            return found, []
        found[WINNER] = best.settings
        if not self.request.blocks or not self.request.shorten or self.over(proof_seconds(self.request, trials)):
            return found, []
        self.listener.stage("fewer changes")
        self.listener.tell("which of its changes does the best need?")
        shares = importances(plan.space, scored_trials(trials, plan.lag_bound_ms))
        proof = proof_seconds(self.request, trials)
        fewer, steps = minimise_live(
            self.environment, plan.space, plan.running, best.settings, shares, plan.lag_bound_ms,
            lambda: self.over(proof),
        )  # fmt: skip
        if identity(fewer) not in map(identity, found.values()):
            del found[WINNER]
            found[FEWER] = fewer
        return found, steps

    def prove(self, finalists: dict[str, Settings]) -> list[BlockRun]:
        """The finalists in blocks."""
        blocks, tell = self.request.blocks, self.listener.tell
        if not blocks or len(finalists) < 2 or self.over():
            return []
        tell(f"{', '.join(finalists)}: {blocks} blocks, each run after a fresh restart")
        self.listener.stage("proof")
        file = self.study / "finalists.jsonl"
        return run_blocks(
            self.environment, finalists, blocks, file, self.request.seed, tell,
            lambda: self.over(soak_seconds(self.request, ())),
        )  # fmt: skip

    def soak(self, finalists: dict[str, Settings], measured: list[BlockRun]) -> Soak | None:
        """The best of what was accepted, for long; None where that was not asked for, or there is nothing."""
        request, bound = self.request, self.plan.lag_bound_ms
        if not request.soak_seconds or not measured or self.stop():
            return None
        field = contenders(finalists, measured, request.blocks, bound)
        best = best_accepted(field)
        before = [value for one in field if one.name == BASELINE for value in one.rates if value is not None]
        if best is None or not before:
            return None
        self.listener.stage("soak")
        self.listener.tell(f"{best.name} under load for {request.soak_seconds / 60:.0f} min")
        promise = ValidatedWinner(best.name, best.settings, sum(before) / len(before))
        found = run_soak(self.environment, promise, request.soak_seconds, request.writers, bound, self.study)
        self.listener.tell(f"soak: {found.why_not or 'it keeps what it promised'}")
        return found
