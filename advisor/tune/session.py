"""A night of tuning from its beginning to its answer. However it ends, the cluster is put back as it was found.

survey (nothing touched) → journal → the night's course → put back → answer
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.cluster_file import read_cluster
from advisor.errors import AdvisorError, UsageError
from advisor.lab.processes import undisturbed
from advisor.model.lab import ClusterFile
from advisor.model.recommendation import BASELINE, Recommendation
from advisor.model.record import record, replace
from advisor.model.tuning import Settings, Trial, TrialKind
from advisor.tune.distributed import join
from advisor.tune.phases import Phases, plan_of
from advisor.tune.phases import SessionListener as SessionListener
from advisor.tune.report.recommendation import Answer, recommend
from advisor.tune.request.maintenance_window import MaintenanceWindow, deadline, elapsed_seconds
from advisor.tune.request.request import AUTO, Request, as_data, bench_plan, from_data
from advisor.tune.request.time_budget import run_seconds
from advisor.tune.search.initial_configurations import rule_advice
from advisor.tune.search.policy import StudyPlan, best_confirmed
from advisor.tune.space.encoding import difference
from advisor.tune.space.placement import place_settings, running_settings
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal, read_journal
from advisor.tune.state.lock import locked
from advisor.tune.trial import restart
from advisor.tune.trial.apply_settings import apply_configuration
from advisor.tune.trial.environment import LiveEnvironment, TuningTarget
from advisor.tune.trial.guards import DiskGuard, ErrorGuard, local_folders
from advisor.tune.trial.read_settings import same_value
from advisor.tune.trial.restore import restore
from advisor.tune.trial.survey import survey
from advisor.tune.validation import preflight
from advisor.tune.validation.client_count import with_client_count
from advisor.tune.validation.soak import with_soak


def begin(request: Request, listener: SessionListener) -> Recommendation:
    """A new study. UsageError while an earlier one has left the cluster changed."""
    cluster = read_cluster(request.cluster)
    request = join.with_study_name(request, cluster)
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        account = read_journal(study_folder.journal_path(folder))
        if account.open and not account.applied:
            raise UsageError(
                f"{cluster.name} was not put back by the run before",
                hint="advisor tune resume (goes on) or advisor tune rollback",
            )
        if not MaintenanceWindow(request.between).open_now():
            raise UsageError(f"it is {time.strftime('%H:%M')}, outside {request.between}", hint="begin it then")
        study_folder.stop_path(folder).unlink(missing_ok=True)
        target = survey(cluster, request, listener.tell)
        if request.threads == AUTO:
            listener.stage("how many clients?")
            request = with_client_count(cluster, request, listener.trial_events.second, listener.tell)
            listener.stage("")
            target = survey(cluster, request, lambda line: None)
        join.check_admission(target, request, listener.tell)
        study = study_folder.new_study(folder, as_data(request))
        return _run(target, request, study, folder, listener)


def resume(cluster: ClusterFile, listener: SessionListener) -> Recommendation:
    """The last study again, from where it was; first the cluster is put back as it was found."""
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        study, account = study_folder.last_study(folder), read_journal(study_folder.journal_path(folder))
        if account.applied:
            raise UsageError("its answer was applied", hint="a new study: advisor tune; or first advisor tune rollback")
        for line in restore(cluster, study_folder.journal_path(folder), listener.tell):
            listener.tell(line)
        request = from_data(study_folder.request_of(study), str(study))
        study_folder.stop_path(folder).unlink(missing_ok=True)
        target = survey(cluster, request, lambda line: None)
        return _run(target, request, study, folder, listener)


def rollback(cluster: ClusterFile, tell: Callable[[str], None]) -> list[str]:
    """Put the cluster back as it was found before the last run; what still differs, in words."""
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        return restore(cluster, study_folder.journal_path(folder), tell)


@record
class Forecast:
    """What a study would do: its ground and plan, and the seconds that a trial takes without and with a restart."""

    target: TuningTarget
    plan: StudyPlan
    request: Request
    trial_seconds: tuple[float, float]


def forecast(request: Request, tell: Callable[[str], None]) -> Forecast:
    """Everything that is known before the first trial; only looks."""
    cluster = read_cluster(request.cluster)
    target = survey(cluster, request, tell)
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    plan = plan_of(target, request, running, rule_advice(target.cluster, target.space, running))
    return Forecast(target, plan, request, (run_seconds(request, (), False), run_seconds(request, (), True)))


def apply(cluster: ClusterFile, found: Recommendation, tell: Callable[[str], None]) -> None:
    """Make what was proved stay; `rollback` takes it back. Refused, with everything back, when the servers refuse."""
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        study = study_folder.last_study(folder)
        request = from_data(study_folder.request_of(study), str(study))
        path = study_folder.journal_path(folder)
        if read_journal(path).open:
            raise UsageError(f"{cluster.name} is not as it was found", hint="advisor tune rollback")
        target = survey(cluster, request, lambda line: None)
        running = running_settings(target.space, target.cluster.members, target.originals.values)
        refuse_changed_settings(
            next((one.settings for one in found.contenders if one.name == BASELINE), running), running
        )
        proved = {**running, **{change.name: change.after for change in found.changes}}
        _apply(target, proved, Journal(path), path, tell)


def _apply(target: TuningTarget, proved: Settings, journal: Journal, path: Path, tell: Callable[[str], None]) -> None:
    values = target.originals.values
    wanted = place_settings(target.space, target.cluster.members, values, proved, target.untouched)
    journal.begin(target.originals)
    try:
        journal.note("files")
        apply_configuration(target.cluster, target.release, wanted, target.originals, journal, fresh=False)
        for member in target.cluster.members:
            own = values[member.name]
            lasting = {name: value for name, value in wanted[member.name].items() if not same_value(value, own[name])}
            restart.write_settings(member, {})
            restart.write_settings(member, lasting, restart.APPLIED)
        journal.note("applied")
    except BaseException:
        with undisturbed():
            restore(target.cluster, path, tell)
        raise


def _run(
    target: TuningTarget, request: Request, study: Path, folder: Path, listener: SessionListener
) -> Recommendation:
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    with join.participation(target, request, study, running, listener.tell) as part:
        return _run_part(target, request, study, folder, listener, part, running)


def _run_part(
    target: TuningTarget,
    request: Request,
    study: Path,
    folder: Path,
    listener: SessionListener,
    part: join.Participation,
    running: Settings,
) -> Recommendation:
    tell, begun = listener.tell, time.monotonic()
    rules = rule_advice(target.cluster, target.space, running)
    plan = plan_of(target, request, running, rules, preflight.read_advice(study) or ())
    ledger = part.ledger
    earlier = ledger.trials()
    refuse_changed_settings(_began_with(earlier, running), running)
    window, ends, before = (
        MaintenanceWindow(request.between),
        deadline(request.for_seconds, earlier),
        elapsed_seconds(earlier),
    )
    listener.begun(request, ends)

    def stop() -> bool:
        return study_folder.stop_path(folder).exists() or not window.open_now()

    journal = Journal(study_folder.journal_path(folder))
    guards = (ErrorGuard(), DiskGuard(local_folders(target.cluster)))
    environment = LiveEnvironment(target, bench_plan(request), journal, guards, listener.trial_events)
    course = Phases(environment, plan, request, study, listener, stop, ends)
    left: list[str] = []
    journal.begin(target.originals)
    with _put_back(target.cluster, study_folder.journal_path(folder), left, tell):
        course = course.prepared(ledger, rules)
        trials = course.search(ledger)
        proves, prover = part.proves(stop)
        finalists, steps = course.finalists(trials, rules) if proves else ({}, [])
        measured = course.prove(finalists)
        soak = course.soak(finalists, measured)
        listener.stage("putting back")
        if proves and not stop():
            part.answered()
    answer, seconds = Answer(target, request, plan, study_folder.began_at(study)), before + time.monotonic() - begun
    told = preflight.preflight_of(request, trials, preflight.read_advice(study) or ())
    found = recommend(answer, trials, finalists, measured, seconds, left, not stop(), steps, environment.warnings)
    if prover:
        found = replace(found, because=f"the proof is made on {prover}, whose report has the answer")
    alone = join.single_clone_note(best_confirmed(plan, trials), trials)
    found = replace(found, preflight=told if request.preflight and trials else None, notes=(*found.notes, *alone))
    return with_soak(found, soak) if soak else found


def _began_with(trials: list[Trial], running: Settings) -> Settings:
    """The running configuration when the study began; the present one where nothing was run yet."""
    return next((trial.task.settings for trial in trials if trial.task.kind is TrialKind.BASELINE), running)


def refuse_changed_settings(began: Settings, running: Settings) -> None:
    """UsageError when the settings are no longer those the study began with: it would be about another server."""
    if changed := difference(began, running):
        words = ", ".join(f"{name} from {before} to {after}" for name, (before, after) in changed.items())
        raise UsageError(f"since the study began, somebody changed {words}", hint="a new study: advisor tune")


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
