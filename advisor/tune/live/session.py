"""What does a live tuning run do, from its first look to its answer? However it ends, the former values are back.

connect → watch, meanwhile ask `why` → plan → journal → second process → pairs of turns, one candidate after the other
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from advisor.bench.measure.host import HERE
from advisor.bench.open_cluster import OpenCluster, open_cluster
from advisor.cluster_file import read_cluster
from advisor.errors import ServerError, UsageError
from advisor.model.diagnosis import Diagnosis
from advisor.model.lab import ClusterFile
from advisor.model.record import record, replace
from advisor.model.server import Release
from advisor.model.tuning import SearchSpace
from advisor.tune.live.candidate_plan import PlannedCandidate, plan_candidates, plan_together
from advisor.tune.live.candidates import Candidate, candidates, live_space
from advisor.tune.live.dead_man import armed
from advisor.tune.live.limit_bounds import with_bounds
from advisor.tune.live.limits import Limits, unset_limits
from advisor.tune.live.live_settings import differing, merged
from advisor.tune.live.outcome import Ending, LiveOutcome, Tried, recommended
from advisor.tune.live.request import LiveRequest, watch_seconds
from advisor.tune.live.run_turns import LimitTouched, TurnListener, TurnRunner, Unsettled
from advisor.tune.live.statistics.turn_plan import detectable_effect, orders
from advisor.tune.live.statistics.verdict import Answer, Verdict, judge
from advisor.tune.live.traffic.diagnosis import TrafficDiagnosis, reading_target
from advisor.tune.live.traffic.headroom import headroom_in
from advisor.tune.live.traffic.reader import LiveReader, open_reader
from advisor.tune.live.watch import Watch, describe, watch
from advisor.tune.space.host import host_from_options, this_host
from advisor.tune.space.member_values import ValuesByMember, left_alone, running_settings
from advisor.tune.space.resolve import load_space, restrict
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal, Originals, read_journal
from advisor.tune.state.lock import locked
from advisor.tune.trial.read_settings import values_by_member
from advisor.tune.trial.survey import may_set


@record
class _Run:
    """What a run works with."""

    request: LiveRequest
    cluster: OpenCluster
    space: SearchSpace
    values: ValuesByMember
    reader: LiveReader
    listener: TurnListener
    begun: float


def begin(request: LiveRequest, listener: TurnListener) -> LiveOutcome:
    """The whole run. UsageError or ServerError, with nothing changed, where the cluster does not permit it."""
    cluster = read_cluster(request.cluster)
    folder = study_folder.folder_of(cluster)
    with locked(folder, cluster.name), ExitStack() as stack:
        opened = stack.enter_context(open_cluster(cluster))
        _refuse_unrestored(opened, folder)
        if problems := opened.module.problems(opened.nodes):
            raise ServerError(
                f"{cluster.name} is not healthy: {'; '.join(problems)}", hint="run `advisor check` or `advisor why`"
            )
        space, values = _space(opened, request)
        if not request.only_watch:
            may_set(opened.nodes)
        reader = stack.enter_context(open_reader(cluster, _stated_memory(request)))
        run = _Run(request, opened, space, values, reader, listener, time.monotonic())
        return _watched(run)


def _refuse_unrestored(opened: OpenCluster, folder: Path) -> None:
    """UsageError after a run that was not restored; one that only its second process restored is noted as such."""
    path = study_folder.journal_path(folder)
    journal = read_journal(path)
    if not journal.open or journal.applied or journal.originals is None:
        return
    former = journal.originals.values
    if journal.restart or any(differing(node, former.get(node.name, {})) for node in opened.nodes):
        raise UsageError(f"{opened.cluster.name} was not restored after the previous run", hint="advisor tune rollback")
    Journal(path).note("restored")


def _watched(run: _Run) -> LiveOutcome:
    """Watch, choose, and try."""
    request = run.request
    limits = unset_limits(request.lag_bound_ms, request.latency_bound_ms, request.error_bound, request.memory_bound)
    limits = replace(limits, given_up=request.given_up, applies=run.reader.applies)
    seconds = watch_seconds(request)
    run.listener.tell(f"watching the traffic for {_length(seconds)}; nothing is changed meanwhile")
    asking = TrafficDiagnosis(run.cluster.cluster)
    traffic = watch(run.reader, limits, seconds, lambda reading: run.listener.reading("watching", reading))
    limits = with_bounds(limits, traffic)
    left = max(0.0, request.for_seconds - seconds)
    diagnosis = asking.diagnosis()
    found = _candidates(run, diagnosis)
    headroom = headroom_in(diagnosis) if diagnosis else None
    seen = describe(traffic.readings, left, min((each.left_out_seconds for each in found), default=0), headroom)
    outcome = LiveOutcome(
        cluster=run.cluster.cluster.name, server=_release(run.cluster).label,
        topology=str(run.cluster.cluster.topology), watch=seen, limits=limits, statements=run.reader.statements,
        tried=_untried(found), ending=Ending.ONLY_WATCHED, seconds=time.monotonic() - run.begun,
        notes=(asking.failure,) if asking.failure else (),
    )  # fmt: skip
    if request.only_watch:
        return outcome
    plans = plan_candidates(found, seen, left)
    if not plans:
        return replace(outcome, ending=Ending.NO_TIME if found else Ending.NO_CANDIDATE)
    return _tried(run, limits, outcome, plans)


def _tried(run: _Run, limits: Limits, outcome: LiveOutcome, plans: Sequence[PlannedCandidate]) -> LiveOutcome:
    """Every planned candidate in its pairs of turns."""
    former = merged([planned.candidate.former for planned in plans])
    journal = Journal(study_folder.journal_path(study_folder.folder_of(run.cluster.cluster)))
    tried: list[Tried] = []
    ending, kept = Ending.FINISHED, False
    journal.begin(Originals(run.cluster.cluster.path, former))
    try:
        with armed(run.cluster.nodes, former) as switch:
            source = reading_target(run.cluster.cluster) if outcome.watch.figures.headroom else None
            runner = TurnRunner(run.cluster.nodes, run.reader, limits, switch, run.listener, source)
            try:
                for planned in plans:
                    tried.append(_one(run, runner, planned, outcome.watch, len(plans)))
                tried += _together(run, runner, tried, outcome.watch)
                kept = _keep(run, runner, tried)
            except KeyboardInterrupt:
                ending = Ending.INTERRUPTED
            except (LimitTouched, Unsettled) as touched:
                ending = Ending.TRAFFIC
                run.listener.tell(touched.message)
        journal.note("applied" if kept else "restored")
    except ServerError as error:
        raise ServerError(
            error.message, hint=error.hint or "`advisor tune rollback` restores the former values"
        ) from None
    begun = [each.candidate for each in tried]
    waiting = tuple(each for each in outcome.tried if each.candidate not in begun)
    return replace(
        outcome, tried=(*tried, *waiting), ending=ending, kept=kept,
        seconds=time.monotonic() - run.begun, detectable=max(detectable_effect(one.plan, one.tests) for one in plans),
    )  # fmt: skip


def _one(run: _Run, runner: TurnRunner, planned: PlannedCandidate, seen: Watch, changes: int) -> Tried:
    """One candidate. A server that refuses it is an answer, too."""
    candidate, plan = planned.candidate, planned.plan
    shown = ", ".join(f"{name} = {value}" for name, value in candidate.settings.items())
    run.listener.tell(
        f"trying {shown} ({candidate.because}):"
        f" {plan.pairs} pairs of turns of {plan.turn_seconds} s, {_length(plan.seconds)}"
    )
    dice = random.Random(f"{run.request.seed} {shown}")
    try:
        done = runner.run(candidate, plan, orders(plan.pairs, dice))
    except ServerError as error:
        if not 1000 <= error.number < 2000:
            raise
        return Tried(candidate, Verdict(Answer.REFUSED, (), error.message), plan)
    if done.ended_by:
        run.listener.tell(f"former values restored: {done.ended_by.message}")
        verdict = Verdict(Answer.LIMIT_TOUCHED, (), done.ended_by.message)
        runner.wait_for_calm()
        return Tried(candidate, verdict, plan, done.disturbed, done.ended_by.seconds)
    verdict = judge(done.pairs, seen.slope, changes, run.request.seed)
    run.listener.tell(f"{shown}: {str(verdict.answer).replace('_', ' ')}")
    return Tried(candidate, verdict, plan, done.disturbed)


def _together(run: _Run, runner: TurnRunner, tried: Sequence[Tried], seen: Watch) -> list[Tried]:
    """What helps alone, measured together if there is time."""
    left = run.request.for_seconds - (time.monotonic() - run.begun)
    helpful = [each.candidate for each in recommended(tried)]
    planned = plan_together(helpful, seen, left, len(tried) + 1)
    return [_one(run, runner, planned, seen, len(tried) + 1)] if planned else []


def _keep(run: _Run, runner: TurnRunner, tried: Sequence[Tried]) -> bool:
    """Put what helps into force, if that was asked for: of several changes not measured together, the first."""
    helpful = recommended(tried)
    if not run.request.keep or not helpful:
        return False
    runner.keep(helpful[0].candidate)
    return True


def _candidates(run: _Run, diagnosis: Diagnosis | None) -> list[Candidate]:
    everyone = run.cluster.cluster.members
    untouched = left_alone(everyone, run.request.not_primary)
    members = [member for member in everyone if member.name not in untouched]
    running = running_settings(run.space, everyone, run.values)
    return candidates(run.space, members, run.values, running, diagnosis.causes if diagnosis else ())


def _space(opened: OpenCluster, request: LiveRequest) -> tuple[SearchSpace, ValuesByMember]:
    """The knobs that may change on this cluster, and the members' values of them."""
    release = _release(opened)
    machine = host_from_options(request.host, _machine(opened.cluster))
    space = restrict(
        load_space(str(opened.cluster.topology), release, machine, request.folders), {}, request.excluded, []
    )
    space = live_space(space)
    values = values_by_member(opened.nodes, [knob.name for knob in space.knobs])
    everywhere = [knob for knob in space.knobs if all(knob.name in own for own in values.values())]
    if not everywhere:
        raise UsageError(f"{release.label}: no knob is left that takes effect at once and can be restored at once")
    return replace(space, knobs=tuple(everywhere)), values


def _release(opened: OpenCluster) -> Release:
    releases = {node.release for node in opened.nodes if node.release}
    if len(releases) != 1:
        names = ", ".join(sorted(release.name for release in releases))
        raise UsageError(f"the members run different releases ({names})", hint="upgrade all members first")
    return releases.pop()


def _machine(cluster: ClusterFile) -> dict[str, float]:
    """One member's share of this machine, if all run here; that of other machines must be stated."""
    if not all(member.start or member.host in HERE for member in cluster.members):
        return {}
    machine = this_host()
    shared = {name: machine[name] / len(cluster.members) for name in ("memory_bytes", "disk_free_bytes")}
    return {**machine, **shared}


def _stated_memory(request: LiveRequest) -> float | None:
    return host_from_options(request.host, {}).get("memory_bytes")


def _untried(found: Sequence[Candidate]) -> tuple[Tried, ...]:
    return tuple(Tried(candidate, Verdict(Answer.NOT_TRIED)) for candidate in found)


def _length(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
