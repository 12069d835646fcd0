"""A night of tuning from its beginning to its answer. However it ends, the cluster is put back as it was found.

survey (nothing touched) → journal → preflight → search → fewer changes → finalists in blocks → put back → answer
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from advisor.cluster_file import read_cluster
from advisor.errors import AdvisorError, UsageError
from advisor.lab.processes import undisturbed
from advisor.model.lab import ClusterFile
from advisor.model.recommendation import Recommendation, Reverted
from advisor.model.record import record, replace
from advisor.model.tuning import Ledger, Settings, Task, Trial, TrialKind
from advisor.report.tuning_preflight import in_words
from advisor.tune import joining, nights, preflight, restarting
from advisor.tune.advice import rule_advice, seeds, space_advice
from advisor.tune.answering import Answer, recommend
from advisor.tune.asking_why import Advised, advice_of, look
from advisor.tune.budget import proof_seconds, run_seconds, search_seconds, trials_expected
from advisor.tune.changing import bring
from advisor.tune.clock import Window, deadline
from advisor.tune.deciding import Plan, best_sure
from advisor.tune.encoding import difference, identity
from advisor.tune.experience import append_rows, read_rows, rows_of_study, seeds_from
from advisor.tune.ground import survey
from advisor.tune.guards import DiskGuard, ErrorGuard, local_folders
from advisor.tune.history import tried
from advisor.tune.importance import importances
from advisor.tune.journal import Journal, read_journal
from advisor.tune.lock import locked
from advisor.tune.placing import placed, running_settings
from advisor.tune.reading import alike
from advisor.tune.request import Request, as_data, bench_plan, from_data
from advisor.tune.restoring import restore
from advisor.tune.samplers import proposer
from advisor.tune.shortening_live import shortened
from advisor.tune.study import run_study
from advisor.tune.trial import Ground, Hearer, LiveEnvironment
from advisor.tune.validating import ORIGINAL, RULES, Measured, validate

MOST_TRIALS: Final = 10_000
WINNER: Final = "tuned"
FEWER: Final = "tuned, fewer changes"
STOP_FILE: Final = "stop"
_FEWEST_SEEDS: Final = 2


@record
class Ears:
    """Who hears: the environment's states and seconds, words, and every trial before (None) and after it is run.

    `begun` hears until when the night may go on (by the monotonic clock), `stage` which part of it begins, "" the search.
    """

    hearer: Hearer
    trial: Callable[[Task, Trial | None, Plan, list[Trial]], None] = lambda task, trial, plan, trials: None
    begun: Callable[[Request, float], None] = lambda request, ends: None
    stage: Callable[[str], None] = lambda words: None


def begin(request: Request, ears: Ears) -> Recommendation:
    """A new study. UsageError while an earlier one has left the cluster changed."""
    cluster = read_cluster(request.cluster)
    request = joining.named(request, cluster)
    folder = nights.folder_of(cluster)
    with locked(folder, cluster.name):
        account = read_journal(nights.journal_path(folder))
        if account.open and not account.applied:
            raise UsageError(
                f"{cluster.name} was not put back by the run before",
                hint="advisor tune resume (goes on) or advisor tune rollback",
            )
        ground = survey(cluster, request, ears.hearer.tell)
        joining.admit(ground, request, ears.hearer.tell)
        study = nights.new_study(folder, as_data(request))
        return _run(ground, request, study, folder, ears)


def resume(cluster: ClusterFile, ears: Ears) -> Recommendation:
    """The last study again, from where it was; first the cluster is put back as it was found."""
    folder = nights.folder_of(cluster)
    with locked(folder, cluster.name):
        study, account = nights.last_study(folder), read_journal(nights.journal_path(folder))
        if account.applied:
            raise UsageError("its answer was applied", hint="a new study: advisor tune; or first advisor tune rollback")
        for line in restore(cluster, nights.journal_path(folder), ears.hearer.tell):
            ears.hearer.tell(line)
        request = from_data(nights.request_of(study), str(study))
        (study / STOP_FILE).unlink(missing_ok=True)
        ground = survey(cluster, request, lambda line: None)
        return _run(ground, request, study, folder, ears)


def rollback(cluster: ClusterFile, tell: Callable[[str], None]) -> list[str]:
    """Put the cluster back as it was found before the last run; what still differs, in words."""
    folder = nights.folder_of(cluster)
    with locked(folder, cluster.name):
        return restore(cluster, nights.journal_path(folder), tell)


@record
class Foreseen:
    """What a study would do: its ground and plan, and the seconds that a trial takes without and with a restart."""

    ground: Ground
    plan: Plan
    request: Request
    trial_seconds: tuple[float, float]


def foresee(request: Request, tell: Callable[[str], None]) -> Foreseen:
    """Everything that is known before the first trial; only looks."""
    cluster = read_cluster(request.cluster)
    ground = survey(cluster, request, tell)
    running = running_settings(ground.space, ground.cluster.members, ground.originals.values)
    plan = _plan(ground, request, running, rule_advice(ground.cluster, ground.space, running))
    return Foreseen(ground, plan, request, (run_seconds(request, (), False), run_seconds(request, (), True)))


def apply(cluster: ClusterFile, found: Recommendation, tell: Callable[[str], None]) -> None:
    """Make what was proved stay; `rollback` takes it back. Refused, with everything back, when the servers refuse."""
    folder = nights.folder_of(cluster)
    with locked(folder, cluster.name):
        study = nights.last_study(folder)
        request = from_data(nights.request_of(study), str(study))
        path = nights.journal_path(folder)
        if read_journal(path).open:
            raise UsageError(f"{cluster.name} is not as it was found", hint="advisor tune rollback")
        ground = survey(cluster, request, lambda line: None)
        _apply(ground, {change.name: change.after for change in found.changes}, Journal(path), path, tell)


def _apply(ground: Ground, changed: Settings, journal: Journal, path: Path, tell: Callable[[str], None]) -> None:
    running = running_settings(ground.space, ground.cluster.members, ground.originals.values)
    values = ground.originals.values
    wanted = placed(ground.space, ground.cluster.members, values, {**running, **changed}, ground.untouched)
    journal.begin(ground.originals)
    try:
        journal.note("files")
        bring(ground.cluster, ground.release, wanted, ground.originals, journal, fresh=False)
        for member in ground.cluster.members:
            own = values[member.name]
            lasting = {name: value for name, value in wanted[member.name].items() if not alike(value, own[name])}
            restarting.write_settings(member, {})
            restarting.write_settings(member, lasting, restarting.APPLIED)
        journal.note("applied")
    except BaseException:
        with undisturbed():
            restore(ground.cluster, path, tell)
        raise


def _run(ground: Ground, request: Request, study: Path, folder: Path, ears: Ears) -> Recommendation:
    running = running_settings(ground.space, ground.cluster.members, ground.originals.values)
    with joining.part_in(ground, request, study, running, ears.hearer.tell) as part:
        return _run_part(ground, request, study, folder, ears, part, running)


def _run_part(
    ground: Ground, request: Request, study: Path, folder: Path, ears: Ears, part: joining.Part, running: Settings
) -> Recommendation:
    tell, begun, began = ears.hearer.tell, time.monotonic(), time.strftime("%Y-%m-%d %H:%M:%S")
    rules = rule_advice(ground.cluster, ground.space, running)
    plan = _plan(ground, request, running, rules, preflight.kept_advice(study) or ())
    ledger = part.ledger
    _check_same(ledger.trials(), running)
    window, ends = Window(request.between), deadline(request.for_seconds, ledger.trials())
    ears.begun(request, ends)

    def stop() -> bool:
        return (study / STOP_FILE).exists() or not window.open_now()

    journal = Journal(nights.journal_path(folder))
    guards = (ErrorGuard(), DiskGuard(local_folders(ground.cluster)))
    environment = LiveEnvironment(ground, bench_plan(request), journal, guards, ears.hearer)
    course = _Course(environment, plan, request, study, ears, stop, ends)
    left: list[str] = []
    journal.begin(ground.originals)
    with _put_back(ground.cluster, nights.journal_path(folder), left, tell):
        course = course.prepared(ledger, rules)
        trials = course.search(ledger)
        proves, prover = part.proves(stop)
        finalists, steps = course.finalists(trials, rules) if proves else ({}, [])
        measured = course.prove(finalists)
        ears.stage("putting back")
        if proves and not stop():
            part.answered()
    answer, seconds = Answer(ground, request, plan, began, rules), time.monotonic() - begun
    told = preflight.preflight_of(request, trials, preflight.kept_advice(study) or ()) if request.preflight else None
    found = recommend(answer, trials, finalists, measured, seconds, left, not stop(), steps, environment.doubts)
    if prover:
        found = replace(found, because=f"the search is over, and {prover} proves its answer")
    alone = joining.doubts_of(best_sure(plan, trials), trials)
    return replace(found, preflight=told, notes=(*found.notes, *alone))


def _check_same(trials: list[Trial], running: Settings) -> None:
    """UsageError when the settings are no longer those the study began with: it would be about another server."""
    began = next((trial.task.settings for trial in trials if trial.task.kind is TrialKind.BASELINE), running)
    if changed := difference(began, running):
        words = ", ".join(f"{name} from {before} to {after}" for name, (before, after) in changed.items())
        raise UsageError(f"since the study began, somebody changed {words}", hint="a new study: advisor tune")


def _plan(
    ground: Ground, request: Request, running: Settings, rules: Settings, advised: Sequence[Advised] = ()
) -> Plan:
    """The surest seeds first: they take a quarter of the trials at most."""
    file, space = request.experience, ground.space
    earlier = seeds_from(space, read_rows(file)) if file and Path(file).exists() else []
    first, *variants = [one.settings for one in advised] or [rules]
    found = seeds(space, running, first, *earlier, rules, *variants, space_advice(space, running))
    most = max(_FEWEST_SEEDS, trials_expected(request, ()) // 4)
    return Plan(
        space=space,
        running=running,
        seeds=found[:most],
        lag_bound_ms=request.lag_bound_ms,
        trials=request.trials or MOST_TRIALS,
        seed=request.seed,
        seconds=search_seconds(request, ()),
        references=preflight.reference_runs(request, ()),
    )


@record
class _Course:
    """A night on its way. `stop` says that it shall end, `ends` is when its time is used up, by the monotonic clock."""

    environment: LiveEnvironment
    plan: Plan
    request: Request
    study: Path
    ears: Ears
    stop: Callable[[], bool]
    ends: float

    def over(self, besides_seconds: float = 0.0) -> bool:
        """Whether to end, so that so much time is left."""
        return self.stop() or time.monotonic() + besides_seconds > self.ends

    def prepared(self, ledger: Ledger, rules: Settings) -> _Course:
        """After the preflight: what the night can show is told, and what `why` advises is among the seeds."""
        request, tell = self.request, self.ears.hearer.tell
        trials = ledger.trials()
        self.ears.stage("preflight")
        while not self.stop() and self._still_preparing(trials):
            before = len(trials)
            trials = self._one_more(ledger, trials)
            if len(trials) == before:
                return self
        advised = preflight.kept_advice(self.study)
        if advised is None and preflight.has_time_to_look(request, trials) and not self.over():
            advised = self._ask_why(rules)
            preflight.keep_advice(self.study, advised)
        if request.preflight:
            told = preflight.preflight_of(request, trials, advised or ())
            for line in (*in_words(told), *(f"! {doubt}" for doubt in told.doubts)):
                tell(line)
        ground, running = self.environment.ground, self.plan.running
        return replace(self, plan=_plan(ground, request, running, rules, advised or ()))

    def _still_preparing(self, trials: list[Trial]) -> bool:
        """Whether runs of the preflight are to come, or one had a fault and is run again."""
        first = preflight.references(trials)
        only = len(first) == sum(not trial.outcome.fault for trial in trials)
        return only and len(first) < preflight.reference_runs(self.request, trials)

    def _ask_why(self, rules: Settings) -> list[Advised]:
        """What `why` advises under this load; nothing when it cannot look."""
        from advisor.why.diagnose import diagnose

        ground, hearer = self.environment.ground, self.ears.hearer
        hearer.tell("what limits it as it runs? `why` looks on under load")
        try:
            seen = look(ground.cluster, bench_plan(self.request), hearer.second, hearer.tell)
            return advice_of(diagnose(seen, (ground.release,)), ground.space, self.plan.running, rules)
        except AdvisorError as error:
            hearer.tell(f"`why` cannot tell: {error.message}")
            return []

    def _one_more(self, ledger: Ledger, trials: list[Trial]) -> list[Trial]:
        """All trials, with the next; the same when there is none. What the proof will take is reckoned anew."""
        heard = trials[:]

        def tell(task: Task, trial: Trial | None) -> None:
            if trial:
                heard.append(trial)
            self.ears.trial(task, trial, self.plan, heard)

        plan = replace(
            self.plan,
            seconds=search_seconds(self.request, trials) - self._between(trials),
            references=preflight.reference_runs(self.request, trials),
        )
        return run_study(plan, self.environment, ledger, proposer(self.request.sampler), tell, self.stop, most=1)

    def _between(self, trials: list[Trial]) -> float:
        """Seconds that went by outside of trials; 0.0 where time is not limited."""
        spent = self.request.for_seconds - (self.ends - time.monotonic())
        return spent - max((trial.at_seconds for trial in trials), default=0.0) if self.request.for_seconds else 0.0

    def search(self, ledger: Ledger) -> list[Trial]:
        """All trials; those of earlier runs included."""
        trials = ledger.trials()
        begun, before = len(trials), -1
        self.ears.stage("")
        while not self.stop() and len(trials) > before:
            before = len(trials)
            trials = self._one_more(ledger, trials)
        if file := self.request.experience:
            about = {"workload": self.request.workload, "threads": str(self.request.threads)}
            append_rows(file, rows_of_study(self.plan.space, trials[begun:], self.plan.lag_bound_ms, about))
        return trials

    def finalists(self, trials: list[Trial], rules: Settings) -> tuple[dict[str, Settings], list[Reverted]]:
        """The original, what the rules advise, the best that was measured more than once, and it with fewer changes."""
        plan = self.plan
        found: dict[str, Settings] = {ORIGINAL: plan.running}
        if identity(rules) != identity(plan.running):
            found[RULES] = rules
        best = best_sure(plan, trials)
        if not best or identity(best.settings) in map(identity, found.values()):
            return found, []
        found[WINNER] = best.settings
        if not self.request.blocks or not self.request.shorten or self.over(proof_seconds(self.request, trials)):
            return found, []
        self.ears.stage("fewer changes")
        self.ears.hearer.tell("which of its changes does the best need?")
        shares = importances(plan.space, tried(trials, plan.lag_bound_ms))
        proof = proof_seconds(self.request, trials)
        fewer, steps = shortened(
            self.environment, plan.space, plan.running, best.settings, shares, plan.lag_bound_ms,
            lambda: self.over(proof),
        )  # fmt: skip
        if identity(fewer) not in map(identity, found.values()):
            del found[WINNER]
            found[FEWER] = fewer
        return found, steps

    def prove(self, finalists: dict[str, Settings]) -> list[Measured]:
        """The finalists in blocks."""
        blocks, tell = self.request.blocks, self.ears.hearer.tell
        if not blocks or len(finalists) < 2 or self.over():
            return []
        tell(f"{', '.join(finalists)}: {blocks} blocks, each run after a fresh restart")
        self.ears.stage("proof")
        file = self.study / "finalists.jsonl"
        return validate(self.environment, finalists, blocks, file, self.request.seed, tell, self.over)


@contextmanager
def _put_back(cluster: ClusterFile, journal: Path, left: list[str], tell: Callable[[str], None]) -> Iterator[None]:
    """Whatever happens inside, the cluster is put back; what could not be is added to `left`."""
    try:
        yield
    finally:
        with undisturbed():
            try:
                left += restore(cluster, journal, tell)
                tell("the settings are as they were found" if not left else "NOT everything is as it was found")
            except AdvisorError as error:
                tell(f"NOT PUT BACK: {error.message}; `advisor tune rollback` tries again")
                raise
