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
from advisor.model.recommendation import Recommendation
from advisor.model.record import record
from advisor.model.tuning import Settings, Task, Trial
from advisor.tune import nights
from advisor.tune.advice import rule_advice, seeds, space_advice
from advisor.tune.answering import Answer, recommend
from advisor.tune.clock import Window, deadline
from advisor.tune.deciding import Plan, best_sure
from advisor.tune.encoding import identity
from advisor.tune.ground import survey
from advisor.tune.guards import DiskGuard, ErrorGuard, local_folders
from advisor.tune.journal import Journal, read_journal
from advisor.tune.ledger import OptunaLedger, open_ledger
from advisor.tune.lock import locked
from advisor.tune.placing import running_settings
from advisor.tune.request import Request, as_data, bench_plan, from_data
from advisor.tune.restoring import restore
from advisor.tune.samplers import proposer
from advisor.tune.study import run_study
from advisor.tune.trial import Ground, Hearer, LiveEnvironment
from advisor.tune.validating import ORIGINAL, validate

SEARCH_SHARE: Final = 0.65  # of the time; the rest proves the answer
MOST_TRIALS: Final = 10_000
RULES: Final = "rules"
WINNER: Final = "tuned"
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
        if read_journal(nights.journal_path(folder)).open:
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
        study = nights.last_study(folder)
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


def _run(ground: Ground, request: Request, study: Path, folder: Path, ears: Ears) -> Recommendation:
    tell = ears.hearer.tell
    begun, began = time.monotonic(), time.strftime("%Y-%m-%d %H:%M:%S")
    running = running_settings(ground.space, ground.cluster.members, ground.originals.values)
    rules = rule_advice(ground.cluster, ground.space, running)
    journal_path = nights.journal_path(folder)
    ledger = open_ledger(
        request.storage or f"sqlite:///{study / 'study.db'}", study.name, ground.space, running, request.lag_bound_ms
    )
    plan = Plan(
        space=ground.space,
        running=running,
        seeds=seeds(ground.space, running, rules, space_advice(ground.space, running)),
        lag_bound_ms=request.lag_bound_ms,
        trials=request.trials or MOST_TRIALS,
        seed=request.seed,
        seconds=request.for_seconds * SEARCH_SHARE,
    )
    window = Window(request.between)
    ends = deadline(request.for_seconds, ledger.trials())

    def stop() -> bool:
        return (study / STOP_FILE).exists() or not window.open_now()

    journal = Journal(journal_path)
    guards = (ErrorGuard(), DiskGuard(local_folders(ground.cluster)))
    environment = LiveEnvironment(ground, bench_plan(request), journal, guards, ears.hearer)
    answer = Answer(ground, request, plan, began, rules)
    journal.begin(ground.originals)
    left: list[str] = []
    with _put_back(ground.cluster, journal_path, left, tell):
        trials = _search(plan, environment, ledger, request, ears, stop)
        finalists = _finalists(plan, trials, running, rules)
        measured = []
        if request.blocks and len(finalists) > 1 and not stop():
            tell(f"{', '.join(finalists)}: {request.blocks} blocks, each run after a fresh restart")
            measured = validate(
                environment, finalists, request.blocks, study / "finalists.jsonl", request.seed, tell,
                lambda: stop() or time.monotonic() > ends,
            )  # fmt: skip
    unfinished = stop()
    return recommend(answer, trials, finalists, measured, time.monotonic() - begun, left, not unfinished)


def _search(
    plan: Plan, environment: LiveEnvironment, ledger: OptunaLedger, request: Request, ears: Ears,
    stop: Callable[[], bool],
) -> list[Trial]:  # fmt: skip
    heard: list[Trial] = ledger.trials()

    def tell(task: Task, trial: Trial | None) -> None:
        if trial:
            heard.append(trial)
        ears.trial(task, trial, plan, heard)

    return run_study(plan, environment, ledger, proposer(request.sampler), tell, stop)


def _finalists(plan: Plan, trials: list[Trial], running: Settings, rules: Settings) -> dict[str, Settings]:
    """The original, what the rules advise, and the best that was measured more than once."""
    found: dict[str, Settings] = {ORIGINAL: running}
    if identity(rules) != identity(running):
        found[RULES] = rules
    best = best_sure(plan, trials)
    if best and identity(best.settings) not in map(identity, found.values()):
        found[WINNER] = best.settings
    return found


@contextmanager
def _put_back(cluster: ClusterFile, journal: Path, left: list[str], tell: Callable[[str], None]) -> Iterator[None]:
    """Whatever happens inside, the cluster is put back; what could not be is added to `left`."""
    try:
        yield
    finally:
        with undisturbed():
            try:
                left += restore(cluster, journal, tell)
            except AdvisorError as error:
                tell(f"NOT PUT BACK: {error.message}; `advisor tune rollback` tries again")
                raise
