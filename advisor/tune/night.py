"""A night of tuning from its beginning to its answer. However it ends, the cluster is put back as it was found.

survey (nothing touched) → journal → search → fewer changes → finalists in blocks → put back → recommendation
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from advisor.cluster_file import read_cluster
from advisor.errors import AdvisorError, UsageError
from advisor.lab.processes import undisturbed
from advisor.model.lab import ClusterFile
from advisor.model.recommendation import Recommendation, Reverted
from advisor.model.record import record, replace
from advisor.model.tuning import Settings, Task, Trial, TrialKind
from advisor.tune import nights, restarting
from advisor.tune.advice import rule_advice, seeds, space_advice
from advisor.tune.answering import Answer, recommend
from advisor.tune.budget import proof_seconds, run_seconds, search_seconds
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
from advisor.tune.ledger import OptunaLedger, open_ledger
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


@record
class Ears:
    """Who hears: the environment's states and seconds, words, and every trial before (None) and after it is run."""

    hearer: Hearer
    trial: Callable[[Task, Trial | None, Plan, list[Trial]], None] = lambda task, trial, plan, trials: None


def begin(request: Request, ears: Ears) -> Recommendation:
    """A new study. UsageError while an earlier one has left the cluster changed."""
    cluster = read_cluster(request.cluster)
    folder = nights.folder_of(cluster)
    with locked(folder, cluster.name):
        account = read_journal(nights.journal_path(folder))
        if account.open and not account.applied:
            raise UsageError(
                f"{cluster.name} was not put back by the run before",
                hint="advisor tune resume (goes on) or advisor tune rollback",
            )
        ground = survey(cluster, request, ears.hearer.tell)
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
    tell, begun, began = ears.hearer.tell, time.monotonic(), time.strftime("%Y-%m-%d %H:%M:%S")
    running = running_settings(ground.space, ground.cluster.members, ground.originals.values)
    rules = rule_advice(ground.cluster, ground.space, running)
    plan = _plan(ground, request, running, rules)
    ledger = open_ledger(f"sqlite:///{study / 'study.db'}", study.name, ground.space, running, request.lag_bound_ms)
    _check_same(ledger.trials(), running)
    window, ends = Window(request.between), deadline(request.for_seconds, ledger.trials())

    def stop() -> bool:
        return (study / STOP_FILE).exists() or not window.open_now()

    journal = Journal(nights.journal_path(folder))
    guards = (ErrorGuard(), DiskGuard(local_folders(ground.cluster)))
    environment = LiveEnvironment(ground, bench_plan(request), journal, guards, ears.hearer)
    course = _Course(environment, plan, request, study, ears, stop, ends)
    left: list[str] = []
    journal.begin(ground.originals)
    with _put_back(ground.cluster, nights.journal_path(folder), left, tell):
        trials = course.search(ledger)
        finalists, steps = course.finalists(trials, rules)
        measured = course.prove(finalists)
    answer, seconds = Answer(ground, request, plan, began, rules), time.monotonic() - begun
    return recommend(answer, trials, finalists, measured, seconds, left, not stop(), steps, environment.doubts)


def _check_same(trials: list[Trial], running: Settings) -> None:
    """UsageError when the settings are no longer those the study began with: it would be about another server."""
    began = next((trial.task.settings for trial in trials if trial.task.kind is TrialKind.BASELINE), running)
    if changed := difference(began, running):
        words = ", ".join(f"{name} from {before} to {after}" for name, (before, after) in changed.items())
        raise UsageError(f"since the study began, somebody changed {words}", hint="a new study: advisor tune")


def _plan(ground: Ground, request: Request, running: Settings, rules: Settings) -> Plan:
    file = request.experience
    earlier = seeds_from(ground.space, read_rows(file)) if file and Path(file).exists() else []
    return Plan(
        space=ground.space,
        running=running,
        seeds=seeds(ground.space, running, rules, space_advice(ground.space, running), *earlier),
        lag_bound_ms=request.lag_bound_ms,
        trials=request.trials or MOST_TRIALS,
        seed=request.seed,
        seconds=search_seconds(request, ()),
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

    def search(self, ledger: OptunaLedger) -> list[Trial]:
        """All trials; those of earlier runs included. What the proof will take is reckoned anew after each."""
        heard: list[Trial] = ledger.trials()

        def tell(task: Task, trial: Trial | None) -> None:
            if trial:
                heard.append(trial)
            self.ears.trial(task, trial, self.plan, heard)

        propose = proposer(self.request.sampler)
        trials, earlier = heard[:], len(heard)
        while not self.stop():
            before = len(trials)
            plan = replace(self.plan, seconds=search_seconds(self.request, trials))
            trials = run_study(plan, self.environment, ledger, propose, tell, _after_one())
            if len(trials) == before:
                break
        if file := self.request.experience:
            about = {"workload": self.request.workload, "threads": str(self.request.threads)}
            append_rows(file, rows_of_study(self.plan.space, trials[earlier:], self.plan.lag_bound_ms, about))
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
        file = self.study / "finalists.jsonl"
        return validate(self.environment, finalists, blocks, file, self.request.seed, tell, self.over)


def _after_one() -> Callable[[], bool]:
    """A stop that comes after one trial."""
    asked = iter((False,))
    return lambda: next(asked, True)


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
