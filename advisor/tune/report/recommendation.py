"""What do the trials and blocks of a night come to? A recommendation, from what was measured alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.model.recommendation import BASELINE, Contender, Recommendation, Reverted, TriedSetting, TunedSetting
from advisor.model.record import record
from advisor.model.tuning import Settings, Task, Trial, TrialKind
from advisor.topologies import application
from advisor.tune.report.importance import effects, importances
from advisor.tune.report.range_edges import edges
from advisor.tune.request.maintenance_window import elapsed_seconds
from advisor.tune.request.request import Request, bench_plan
from advisor.tune.search.history import scored_trials
from advisor.tune.search.policy import StudyPlan
from advisor.tune.search.scoring import log_rate, score
from advisor.tune.space.encoding import difference
from advisor.tune.space.placement import applies_to_role
from advisor.tune.trial.environment import TuningTarget
from advisor.tune.validation.blocks import BlockRun, contenders
from advisor.tune.validation.noise import FEWEST_RUNS, detectable_gain, noise_of

_SHOWN_EFFECTS: Final = 6
_FIGURE: Final = re.compile(r"(?<!\w)\d[\d.,]*")  # not that of a member's name


@record
class Answer:
    """What is known before anything is measured."""

    target: TuningTarget
    request: Request
    plan: StudyPlan
    began: str


def recommend(
    known: Answer, trials: Sequence[Trial], finalists: Mapping[str, Settings], measured: Sequence[BlockRun],
    seconds: float, left: Sequence[str], finished: bool, steps: Sequence[Reverted] = (),
    warnings: Sequence[Sequence[str]] = (),
) -> Recommendation:  # fmt: skip
    """The recommendation; nothing is chosen that was not accepted in blocks."""
    target, plan, request = known.target, known.plan, known.request
    field = contenders(finalists, measured, request.blocks, plan.lag_bound_ms) if measured else []
    chosen, because = _choose(field, trials, plan)
    history = scored_trials(trials, plan.lag_bound_ms)
    best = next((one.settings for one in field if one.name == chosen), plan.running)
    shown = effects(plan.space, history)[:_SHOWN_EFFECTS]
    return Recommendation(
        cluster=target.cluster.name,
        topology=target.cluster.topology,
        server=target.release.name,
        began=known.began,
        seconds=seconds,
        load=bench_plan(request).load,
        lag_bound_ms=plan.lag_bound_ms,
        chosen=chosen,
        because=because,
        changes=tuple(changes_of(target, plan.running, best)),
        contenders=tuple(field),
        trials=tuple(_row(trial, plan) for trial in trials),
        steps=tuple(steps),
        importance=importances(plan.space, history),
        effects=tuple((one.name, one.settings, one.rates) for one in shown),
        edges=tuple(edges(plan.space, best)) if chosen else (),
        noise=_noise(trials, measured, request),
        relied=target.originals.relied,
        given_up=tuple(request.allowed),
        host=plan.space.host,
        files=_files(target),
        sampler=request.sampler,
        seed=request.seed,
        notes=tuple(often(warnings)),
        left=tuple(left),
        finished=finished,
    )


def often(warnings: Sequence[Sequence[str]]) -> list[str]:
    """What was said of at least a third of the runs, figures aside: it limits the worth of the whole night."""
    last: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for said in warnings:
        alike = {_FIGURE.sub("", words): words for words in said}
        last |= alike
        counts.update(alike.keys())
    runs = len(warnings)
    return [f"{last[kind]} (alike in {count} of {runs} runs)" for kind, count in counts.items() if 3 * count >= runs]


def best_accepted(field: Sequence[Contender]) -> Contender | None:
    """The accepted contender with the highest ratio; None when none was accepted."""
    accepted = [one for one in field if one.accepted and one.ratio]
    return max(accepted, key=lambda one: one.ratio.mid or 0.0 if one.ratio else 0.0, default=None)


def _choose(field: Sequence[Contender], trials: Sequence[Trial], plan: StudyPlan) -> tuple[str, str]:
    if best := best_accepted(field):
        return best.name, ""
    if not trials:
        return "", "nothing was tried"
    base = [trial for trial in trials if trial.task.kind is TrialKind.BASELINE and trial.outcome.windows]
    over = [trial for trial in base if not score(trial.outcome, plan.lag_bound_ms).feasible]
    if not field:
        why = "no configuration was confirmed as better than the baseline"
        return "", f"{why}; the baseline already exceeds the lag limit" if over and len(over) == len(base) else why
    return "", "; ".join(f"{one.name}: {one.why_not}" for one in field if one.name != BASELINE and one.why_not)


def changes_of(target: TuningTarget, running: Settings, settings: Settings) -> list[TunedSetting]:
    """What differs from the running configuration, by knob."""
    knobs = {knob.name: knob for knob in target.space.knobs}
    found = []
    for name, (_, after) in difference(running, settings).items():
        knob = knobs[name]
        members = [
            member for member in target.cluster.members
            if applies_to_role(knob, member.role) and member.name not in target.untouched
        ]  # fmt: skip
        found.append(
            TunedSetting(
                name=name,
                members=tuple(member.name for member in members),
                before=tuple(target.originals.values[member.name][name] for member in members),
                after=after,
                how=str(application(name, target.release, target.cluster.topology)),
                risk=tuple(map(str, knob.risk)),
                why=knob.why,
            )
        )
    return found


def _row(trial: Trial, plan: StudyPlan) -> TriedSetting:
    found, outcome = score(trial.outcome, plan.lag_bound_ms), trial.outcome
    reasons = [outcome.infeasible or outcome.fault]
    if outcome.windows and not found.feasible:
        reasons = [name for name, bound in found.constraints.items() if bound > 0]
    return TriedSetting(
        number=trial.number,
        kind=str(trial.task.kind),
        at_seconds=trial.at_seconds,
        seconds=outcome.seconds,
        changed={name: after for name, (_, after) in difference(plan.running, trial.task.settings).items()},
        rate=math.exp(log_rate(outcome.windows)) if outcome.windows else None,
        lag_ms=outcome.lag_ms,
        within=found.feasible,
        because=", ".join(filter(None, reasons)),
        restarted=outcome.restarted,
        truncated=outcome.truncated,
        clone=trial.clone,
    )


def _noise(trials: Sequence[Trial], measured: Sequence[BlockRun], request: Request) -> dict[str, float]:
    noise = noise_of(baseline_runs(trials, measured))
    if noise is None:
        return {}
    found = {"runs": noise.runs, "drift_per_hour": noise.drift_per_hour, "drift_uncertain_by": noise.drift_uncertain_by}
    if noise.windows is not None:
        found["windows"] = noise.windows
    return {**found, "detectable": detectable_gain(noise.runs, request.blocks)} if request.blocks else found


def baseline_runs(trials: Sequence[Trial], measured: Sequence[BlockRun]) -> list[Trial]:
    """Runs of the running configuration: those of the proof, each after a fresh restart, or, while they are few, those
    of the search, where what was tried just before may still be felt."""
    proof, at_seconds = list[Trial](), elapsed_seconds(trials)
    for one in measured:
        at_seconds += one.outcome.seconds
        if one.name == BASELINE and one.outcome.windows:
            proof.append(Trial(len(proof), Task(TrialKind.BASELINE, {}), one.outcome, at_seconds))
    search = [trial for trial in trials if trial.task.kind is TrialKind.BASELINE]
    return proof if len(proof) >= FEWEST_RUNS else search


def _files(target: TuningTarget) -> dict[str, str]:
    """Where each member's settings stand, where that is known."""
    return {member: Path(found.path).name for member, found in target.originals.files.items()}
