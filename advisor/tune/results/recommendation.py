"""What follows from the trials and blocks of a tuning run? A recommendation, from what was measured alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.model.recommendation import BASELINE, Contender, Recommendation, TriedSetting, TunedSetting, Worth
from advisor.model.record import record, replace
from advisor.model.tuning import Knob, Objective, SearchSpace, Settings, Task, Trial, TrialKind, elapsed_seconds
from advisor.topologies import application
from advisor.tune.request.request import Request, bench_plan
from advisor.tune.results.fronts import fronts
from advisor.tune.results.importance import effects, importances
from advisor.tune.results.other_limits import at_other_limits
from advisor.tune.search.policy import StudyPlan
from advisor.tune.search.scored_trials import scored_trials
from advisor.tune.search.scoring import log_rate, score
from advisor.tune.space.encoding import difference, identity, share_of_range
from advisor.tune.space.member_values import applies_to_role, place_settings
from advisor.tune.space.round_values import in_unit
from advisor.tune.trial.run_trial import TuningTarget
from advisor.tune.validation.acceptance import best_accepted, inverse
from advisor.tune.validation.blocks import BlockRun, contenders
from advisor.tune.validation.minimise import Minimised
from advisor.tune.validation.noise import FEWEST_RUNS, detectable_gain, noise_of

EDGE: Final = 0.04  # of the range: nearer to an end counts as the end
_SHOWN_EFFECTS: Final = 6
_FIGURE: Final = re.compile(r"(?<!\w)\d[\d.,]*")  # not that of a member's name


@record
class StudyContext:
    """What is known before anything is measured."""

    target: TuningTarget
    request: Request
    plan: StudyPlan
    began: str


@record
class StudyResults:
    """What a tuning run measured. `minimised`: which changes the winner needs, None where that was not measured.

    `warnings` are those of every run, `left` values that could not be restored, in words.
    """

    trials: Sequence[Trial]
    finalists: Mapping[str, Settings]
    block_runs: Sequence[BlockRun]
    minimised: Minimised | None = None
    warnings: Sequence[Sequence[str]] = ()
    seconds: float = 0.0
    left: Sequence[str] = ()
    finished: bool = True


def recommend(context: StudyContext, results: StudyResults) -> Recommendation:
    """The recommendation; nothing is chosen that was not accepted in blocks."""
    target, plan, request = context.target, context.plan, context.request
    trials, block_runs = results.trials, results.block_runs
    judged = contenders(results.finalists, block_runs, request.blocks, plan.lag_bound_ms) if block_runs else []
    chosen, because = _choose(judged, trials, plan)
    history = scored_trials(trials, plan.lag_bound_ms)
    best = next((contender.settings for contender in judged if contender.name == chosen), plan.running)
    shown, minimised = effects(plan.space, history)[:_SHOWN_EFFECTS], results.minimised
    return Recommendation(
        cluster=target.cluster.name,
        topology=target.cluster.topology,
        server=target.release.name,
        began=context.began,
        seconds=results.seconds,
        load=bench_plan(request).load,
        lag_bound_ms=plan.lag_bound_ms,
        chosen=chosen,
        because=because,
        changes=tuple(changes_of(target, plan.running, best, _worth(minimised, best, request))),
        contenders=tuple(judged),
        trials=tuple(_trial_row(trial, plan) for trial in trials),
        steps=minimised.steps if minimised else (),
        at_limits=at_other_limits(history, plan.lag_bound_ms, judged),
        fronts=fronts(history, plan.lag_bound_ms, judged) if request.objective != Objective.APPLY_RATE else (),
        importance=importances(plan.space, history),
        effects=tuple((effect.name, effect.settings, effect.rates) for effect in shown),
        edges=tuple(edges(plan.space, best)) if chosen else (),
        noise=_noise(trials, block_runs, request),
        relied=target.originals.relied,
        given_up=tuple(request.allowed),
        host=plan.space.host,
        files=_files(target),
        sampler=request.sampler,
        seed=request.seed,
        notes=tuple(frequent_warnings(results.warnings)),
        left=tuple(results.left),
        finished=results.finished,
        objective=request.objective,
        latency_percentile=request.latency_percentile,
    )


def _worth(minimised: Minimised | None, best: Settings, request: Request) -> Mapping[str, Worth]:
    """What each change of the best gives, where that was measured."""
    if minimised is None or identity(minimised.settings) != identity(best):
        return {}
    if request.objective != Objective.LATENCY:
        return minimised.worth
    return {name: replace(each, ratio=each.ratio and inverse(each.ratio)) for name, each in minimised.worth.items()}


def frequent_warnings(warnings: Sequence[Sequence[str]]) -> list[str]:
    """The warnings of at least a third of the runs, figures aside: they limit the worth of the whole tuning run."""
    latest: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for of_run in warnings:
        by_kind = {_FIGURE.sub("", warning): warning for warning in of_run}
        latest |= by_kind
        counts.update(by_kind.keys())
    runs = len(warnings)
    return [f"{latest[kind]} (in {count} of {runs} runs)" for kind, count in counts.items() if 3 * count >= runs]


def edges(space: SearchSpace, best: Settings) -> Sequence[str]:
    """Knobs of the best that are at an end of their range."""
    return [knob.name for knob in space.knobs if _at_edge(knob, best.get(knob.name, ""))]


def _at_edge(knob: Knob, text: str) -> bool:
    """Choices and special values have no end."""
    if knob.choices or not text or text in knob.special:
        return False
    share = share_of_range(knob, float(text))
    return share <= EDGE or share >= 1.0 - EDGE


def _choose(judged: Sequence[Contender], trials: Sequence[Trial], plan: StudyPlan) -> tuple[str, str]:
    if best := best_accepted(judged):
        return best.name, ""
    if not trials:
        return "", "nothing was tried"
    baselines = [trial for trial in trials if trial.task.kind is TrialKind.BASELINE and trial.outcome.windows]
    violating = [trial for trial in baselines if not score(trial.outcome, plan.lag_bound_ms).feasible]
    if not judged:
        why = "no configuration was confirmed as better than the baseline"
        return "", f"{why}; the baseline already exceeds the lag limit" if violating and len(violating) == len(
            baselines
        ) else why
    return "", "; ".join(
        f"{contender.name}: {contender.why_not}"
        for contender in judged
        if contender.name != BASELINE and contender.why_not
    )


def changes_of(
    target: TuningTarget, running: Settings, settings: Settings, worth: Mapping[str, Worth]
) -> list[TunedSetting]:
    """What differs from the baseline, what is worth most first; sizes as option files have them."""
    knobs, space = {knob.name: knob for knob in target.space.knobs}, target.space
    changes = []
    order = list(worth)
    placed = place_settings(space, target.cluster.members, target.originals.values, settings, target.untouched)
    changed = difference(running, settings)
    for name in sorted(changed, key=lambda name: order.index(name) if name in order else len(order)):
        after = changed[name][1]
        knob = knobs[name]
        members = [
            member for member in target.cluster.members
            if applies_to_role(knob, member.role) and member.name not in target.untouched
        ]  # fmt: skip
        afters = tuple(in_unit(space, name, placed[member.name][name]) for member in members)
        changes.append(
            TunedSetting(
                name=name,
                members=tuple(member.name for member in members),
                before=tuple(in_unit(space, name, target.originals.values[member.name][name]) for member in members),
                after=in_unit(space, name, after),
                how=str(application(name, target.release, target.cluster.topology)),
                risk=tuple(map(str, knob.risk)),
                why=knob.why,
                worth=worth.get(name),
                after_by_member=afters if len({*afters}) > 1 else (),
            )
        )
    return changes


def _trial_row(trial: Trial, plan: StudyPlan) -> TriedSetting:
    result, outcome = score(trial.outcome, plan.lag_bound_ms), trial.outcome
    reasons = [outcome.infeasible or outcome.fault]
    if outcome.windows and not result.feasible:
        reasons = [name for name, bound in result.constraints.items() if bound > 0]
    return TriedSetting(
        number=trial.number,
        kind=str(trial.task.kind),
        at_seconds=trial.at_seconds,
        seconds=outcome.seconds,
        changed={name: after for name, (_, after) in difference(plan.running, trial.task.settings).items()},
        rate=math.exp(log_rate(outcome.windows)) if outcome.windows else None,
        lag_ms=outcome.lag_ms,
        within=result.feasible,
        because=", ".join(filter(None, reasons)),
        restarted=outcome.restarted,
        truncated=outcome.truncated,
        clone=trial.clone,
        latency_ms=outcome.latency_ms,
        cpu_ms=outcome.cpu_ms,
        redo_bytes=outcome.redo_bytes,
    )


def _noise(trials: Sequence[Trial], block_runs: Sequence[BlockRun], request: Request) -> dict[str, float]:
    noise = noise_of(baseline_runs(trials, block_runs))
    if noise is None:
        return {}
    figures = {
        "runs": noise.runs,
        "drift_per_hour": noise.drift_per_hour,
        "drift_uncertain_by": noise.drift_uncertain_by,
    }
    if noise.windows is not None:
        figures["windows"] = noise.windows
    return {**figures, "detectable": detectable_gain(noise.runs, request.blocks)} if request.blocks else figures


def baseline_runs(trials: Sequence[Trial], block_runs: Sequence[BlockRun]) -> list[Trial]:
    """Runs of the baseline: those of validation, each after a fresh restart, or, while they are few, of the search,
    where the trial before may still have an influence."""
    validation, at_seconds = list[Trial](), elapsed_seconds(trials)
    for run in block_runs:
        at_seconds += run.outcome.seconds
        if run.name == BASELINE and run.outcome.windows:
            validation.append(Trial(len(validation), Task(TrialKind.BASELINE, {}), run.outcome, at_seconds))
    search = [trial for trial in trials if trial.task.kind is TrialKind.BASELINE]
    return validation if len(validation) >= FEWEST_RUNS else search


def _files(target: TuningTarget) -> dict[str, str]:
    """Each member's option file, where that is known."""
    return {member: Path(option_file.path).name for member, option_file in target.originals.files.items()}
