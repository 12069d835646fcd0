"""What does a tuning session do, from its first look to its recommendation? However it ends, the cluster is restored.

survey (nothing is changed) → journal → phases → restore → recommendation
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
from advisor.model.recommendation import BASELINE, Recommendation, Soak
from advisor.model.record import record, replace
from advisor.model.tuning import Objective, Settings, Trial, TrialKind, elapsed_seconds
from advisor.tune.distributed import join
from advisor.tune.phases import Phases, plan_of
from advisor.tune.phases import SessionListener as SessionListener
from advisor.tune.request.maintenance_window import MaintenanceWindow
from advisor.tune.request.request import AUTO, Request, as_data, bench_plan, from_data
from advisor.tune.request.time_budget import deadline, run_seconds
from advisor.tune.results.recommendation import StudyContext, StudyResults, recommend
from advisor.tune.search.initial_configurations import rule_advice
from advisor.tune.search.policy import StudyPlan, best_confirmed
from advisor.tune.space.encoding import difference
from advisor.tune.space.member_values import place_settings, running_settings
from advisor.tune.space.round_values import in_digits, in_unit
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal, read_journal
from advisor.tune.state.lock import locked
from advisor.tune.trial import restart
from advisor.tune.trial.apply_configuration import apply_configuration
from advisor.tune.trial.data_commands import PREPARE, RESTORE, DataCommands, environment_of, run_command
from advisor.tune.trial.guards import DiskGuard, ErrorGuard, local_folders
from advisor.tune.trial.read_settings import same_value
from advisor.tune.trial.restore import restore
from advisor.tune.trial.run_trial import ClusterTrials, TuningTarget
from advisor.tune.trial.survey import survey
from advisor.tune.validation import preflight
from advisor.tune.validation.blocks import BlockRun
from advisor.tune.validation.client_count import with_client_count
from advisor.tune.validation.minimise import Minimised
from advisor.tune.validation.soak import with_soak


def begin(request: Request, listener: SessionListener) -> Recommendation:
    """A new study, or one that another clone began. UsageError while an earlier one is not restored."""
    cluster = read_cluster(request.cluster)
    request = join.with_study_name(request, cluster)
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        journal = read_journal(study_folder.journal_path(folder))
        if journal.open and not journal.applied:
            raise UsageError(
                f"{cluster.name} was not restored after the previous run",
                hint="`advisor tune resume` continues that run, `advisor tune rollback` restores the cluster",
            )
        if not MaintenanceWindow(request.between).open_now():
            raise UsageError(f"it is {time.strftime('%H:%M')}, outside --between {request.between}")
        study_folder.stop_path(folder).unlink(missing_ok=True)
        target = survey(cluster, request, listener.tell)
        if request.threads == AUTO:
            listener.stage("number of clients")
            with _data_for_a_load(target, request, study_folder.journal_path(folder), listener.tell):
                request = with_client_count(cluster, request, listener.trial_events.second, listener.tell)
            listener.stage("")
            target = survey(cluster, request, lambda line: None)
        join.check_admission(target, request, listener.tell)
        study = study_folder.new_study(folder, as_data(request))
        return _run(_session(target, request, study, listener))


def resume(cluster: ClusterFile, listener: SessionListener) -> Recommendation:
    """The last study, from where it stopped; the cluster is restored first."""
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        study, journal = study_folder.last_study(folder), read_journal(study_folder.journal_path(folder))
        if journal.applied:
            hint = "begin a new study with `advisor tune`, or undo it first with `advisor tune rollback`"
            raise UsageError("the recommendation of the last study was applied", hint=hint)
        for difference_left in restore(cluster, study_folder.journal_path(folder), listener.tell):
            listener.tell(difference_left)
        request = from_data(study_folder.request_of(study), str(study))
        study_folder.stop_path(folder).unlink(missing_ok=True)
        target = survey(cluster, request, lambda line: None)
        return _run(_session(target, request, study, listener))


def rollback(cluster: ClusterFile, tell: Callable[[str], None]) -> list[str]:
    """Restore the cluster as it was before the last run; the settings that still differ, in words."""
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        return restore(cluster, study_folder.journal_path(folder), tell)


@record
class Forecast:
    """What a study would do; `trial_seconds` is how long a trial takes without and with a restart."""

    target: TuningTarget
    plan: StudyPlan
    request: Request
    trial_seconds: tuple[float, float]


def forecast(request: Request, tell: Callable[[str], None]) -> Forecast:
    """Everything that is known before the first trial; changes nothing."""
    cluster = read_cluster(request.cluster)
    target = survey(cluster, request, tell)
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    plan = plan_of(target, request, running, rule_advice(target.cluster, target.space, running))
    return Forecast(target, plan, request, (run_seconds(request, (), False), run_seconds(request, (), True)))


def apply(cluster: ClusterFile, recommendation: Recommendation, tell: Callable[[str], None]) -> None:
    """Make the recommended settings permanent; `rollback` undoes it. Everything is restored if a server refuses."""
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name):
        study = study_folder.last_study(folder)
        request = from_data(study_folder.request_of(study), str(study))
        path = study_folder.journal_path(folder)
        if read_journal(path).open:
            raise UsageError(f"{cluster.name} is not restored", hint="advisor tune rollback")
        target = survey(cluster, request, lambda line: None)
        running = running_settings(target.space, target.cluster.members, target.originals.values)
        contenders = {contender.name: contender.settings for contender in recommendation.contenders}
        refuse_changed_settings(contenders.get(BASELINE, running), running)
        space, changes = target.space, recommendation.changes
        recommended = {**running, **{change.name: in_digits(space, change.name, change.after) for change in changes}}
        _apply(target, recommended, path, tell)


def _apply(target: TuningTarget, recommended: Settings, path: Path, tell: Callable[[str], None]) -> None:
    values, journal = target.originals.values, Journal(path)
    wanted = place_settings(target.space, target.cluster.members, values, recommended, target.untouched)
    journal.begin(target.originals)
    try:
        journal.note("files")
        apply_configuration(target.cluster, target.release, wanted, target.originals, journal, fresh=False)
        for member in target.cluster.members:
            own = values[member.name]
            lasting = {name: value for name, value in wanted[member.name].items() if not same_value(value, own[name])}
            restart.write_settings(member, {})
            lines = {name: in_unit(target.space, name, value) for name, value in lasting.items()}
            restart.write_settings(member, lines, restart.APPLIED)
        journal.note("applied")
    except BaseException:
        with undisturbed():
            restore(target.cluster, path, tell)
        raise


@record
class _Session:
    """A study, the cluster it tunes, and the current configuration of that cluster."""

    target: TuningTarget
    request: Request
    study: Path
    listener: SessionListener
    running: Settings

    @property
    def journal_path(self) -> Path:
        """Where everything that is changed is announced."""
        return study_folder.journal_path(self.study.parent)


@record
class _Results:
    """What the phases measured. `validated_on` is the clone that validates instead of this one, "" for this one."""

    trials: list[Trial]
    finalists: dict[str, Settings]
    minimised: Minimised | None
    block_runs: list[BlockRun]
    soak: Soak | None
    validated_on: str


def _session(target: TuningTarget, request: Request, study: Path, listener: SessionListener) -> _Session:
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    return _Session(target, request, study, listener, running)


def _run(session: _Session) -> Recommendation:
    """From the first trial to the recommendation."""
    target, request, study = session.target, session.request, session.study
    begun = time.monotonic()
    with join.participation(target, request, study, session.running, session.listener.tell) as participation:
        earlier = participation.ledger.trials()
        refuse_changed_settings(_baseline_of(earlier, session.running), session.running)
        journal = Journal(session.journal_path)
        phases = _phases(session, journal, earlier)
        journal.begin(target.originals)
        with _restored_at_the_end(target.cluster, session.journal_path, session.listener.tell) as differences:
            results = _go_through(phases, participation)
        seconds = elapsed_seconds(earlier) + time.monotonic() - begun
        return _recommendation(session, phases, results, differences, seconds)


@contextmanager
def _data_for_a_load(target: TuningTarget, request: Request, path: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Before the study begins: the user's commands for a load beside its trials; the data is brought back after it."""
    commands = _data_commands(request)
    if not commands.prepare and not commands.restore:
        yield
        return
    journal, told = Journal(path), environment_of(target.cluster, request.writers[0])
    journal.begin(target.originals)
    with _restored_at_the_end(target.cluster, path, tell):
        for name, text in ((RESTORE, commands.restore), (PREPARE, commands.prepare)):
            if text:
                run_command(name, text, commands.limit_seconds, told, journal)
                restart.wait_until_ready(target.cluster)
        journal.note_load()
        yield


def _baseline_of(trials: list[Trial], running: Settings) -> Settings:
    """The configuration that ran when the study began; the present one where nothing was measured yet."""
    return next((trial.task.settings for trial in trials if trial.task.kind is TrialKind.BASELINE), running)


def refuse_changed_settings(began: Settings, running: Settings) -> None:
    """UsageError when the settings are no longer those the study began with: its trials would not apply to them."""
    if changed := difference(began, running):
        changes = ", ".join(f"{name} from {before} to {after}" for name, (before, after) in changed.items())
        raise UsageError(
            f"settings changed since the study began: {changes}", hint="begin a new study with `advisor tune`"
        )


def _data_commands(request: Request) -> DataCommands:
    """The user's own commands of a request."""
    return DataCommands(request.prepare_command, request.restore_command, request.command_seconds)


def _phases(session: _Session, journal: Journal, earlier: list[Trial]) -> Phases:
    target, request, study, listener = session.target, session.request, session.study, session.listener
    rules = rule_advice(target.cluster, target.space, session.running)
    window, ends = MaintenanceWindow(request.between), deadline(request.for_seconds, earlier)

    def stop() -> bool:
        return study_folder.stop_path(study.parent).exists() or not window.open_now()

    guards = (ErrorGuard(), DiskGuard(local_folders(target.cluster)))
    listener.begun(request, ends)
    return Phases(
        environment=ClusterTrials(
            target,
            bench_plan(request),
            journal,
            guards,
            listener.trial_events,
            Objective(request.objective),
            _data_commands(request),
            request.latency_percentile,
        ),
        plan=plan_of(target, request, session.running, rules, preflight.read_advice(study) or ()),
        rules=rules,
        request=request,
        study=study,
        listener=listener,
        stop=stop,
        ends=ends,
    )


def _go_through(phases: Phases, participation: join.Participation) -> _Results:
    """Preflight, search, validation and soak test; only one clone of a shared study validates."""
    prepared = phases.preflight(participation.ledger)
    trials = prepared.search(participation.ledger)
    ours, validated_on = participation.claim_validation(phases.stop)
    finalists, minimised = prepared.finalists(trials) if ours else ({}, None)
    block_runs = prepared.validate(finalists)
    soak = prepared.soak_test(finalists, block_runs)
    phases.listener.stage("restoring")
    if ours and not phases.stop():
        participation.note_validated()
    return _Results(trials, finalists, minimised, block_runs, soak, validated_on)


@contextmanager
def _restored_at_the_end(cluster: ClusterFile, path: Path, tell: Callable[[str], None]) -> Iterator[list[str]]:
    """Whatever happens inside, the cluster is restored; the list gets the settings that could not be."""
    differences: list[str] = []
    try:
        yield differences
    finally:
        with undisturbed():
            try:
                differences += restore(cluster, path, tell)
                tell("every setting is restored" if not differences else "NOT every setting is restored")
            except AdvisorError as error:
                tell(f"NOT RESTORED: {error.message}; `advisor tune rollback` tries again")
                raise


def _recommendation(
    session: _Session, phases: Phases, results: _Results, differences: list[str], seconds: float
) -> Recommendation:
    """What the phases measured amounts to."""
    request, study, trials = session.request, session.study, results.trials
    context = StudyContext(session.target, request, phases.plan, study_folder.began_at(study))
    recommendation = recommend(
        context,
        StudyResults(
            trials, results.finalists, results.block_runs, results.minimised, phases.environment.warnings, seconds,
            differences, not phases.stop(),
        ),
    )  # fmt: skip
    if results.validated_on:
        because = f"{results.validated_on} validates the finalists; its report has the recommendation"
        recommendation = replace(recommendation, because=because)
    if request.preflight and trials:
        suggested = preflight.read_advice(study) or ()
        recommendation = replace(recommendation, preflight=preflight.preflight_of(request, trials, suggested))
    single_clone = join.single_clone_note(best_confirmed(phases.plan, trials), trials)
    fidelity = study_folder.kept_fidelity(study, phases.environment.fidelity)
    recommendation = replace(recommendation, notes=(*recommendation.notes, *single_clone), fidelity=fidelity)
    return with_soak(recommendation, results.soak) if results.soak else recommendation
