"""Which tables do Markdown and HTML show of a tuning run? Titles, what is said below them, headings and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.recommendation import (
    AtLimit,
    Contender,
    Front,
    FrontCost,
    Recommendation,
    Reverted,
    TriedSetting,
    TunedSetting,
    Worth,
)
from advisor.model.recommendation import contender_label as label
from advisor.model.workload.fidelity import FIGURES, Fidelity
from advisor.report.tune.aims import Aim, aim_of, mean_rate
from advisor.report.words.amounts import duration, rate, ratio
from advisor.report.words.fidelity import fidelity_cells
from advisor.units import show

Row = tuple[str, ...]

WARNING: Final = "Warning"
CHANGES: Final = "What to change"
CHANGE_HEADINGS: Final = ("setting", "members", "from", "to", "takes effect", "risk", "gives", "what it does")
TAKE_BACK: Final = "To undo a change, set its former value in the same way."
VALIDATION: Final = "Validation"
VALIDATION_METHOD: Final = (
    "Every block runs every configuration once, in random order, each after a fresh restart. Ratios are to the "
    "baseline, with 95 % intervals."
)
WORTH: Final = "What each change gives"
SOAK: Final = "Soak test"
PREFLIGHT: Final = "Preflight"
FIDELITY: Final = "How much the load resembles yours"
FIDELITY_HEADINGS: Final = ("figure", "theirs", "ours", "difference", "in tolerance")
IMPORTANCE: Final = "Which settings matter"
IMPORTANCE_HEADINGS: Final = ("setting", "share of the variance (PED-ANOVA)", "predicted loss at its worst value")
LIMITS: Final = "With another lag limit"
LIMITS_METHOD: Final = (
    "For each lag limit, the best configuration of all trials that stayed within it. The search aimed at the limit of "
    "this run, and a single run may be lucky. Tune again with `--lag-bound` before you rely on another limit."
)
FRONTS_METHOD: Final = (
    "These configurations stayed within the lag limit, and no cheaper one beats them. The search looked only for the "
    "best configuration, so it may have missed cheaper ones that are as good. A single run may be lucky."
)
_COST_HEADINGS: Final = {
    FrontCost.CPU_MS: "CPU time per transaction, all servers",
    FrontCost.REDO_BYTES: "redo since the last checkpoint, peak",
    FrontCost.RECOVERY_SECONDS: "recovery after a crash",
}
_COST_METHODS: Final = {
    FrontCost.REDO_BYTES: "A server that crashes applies this redo before it accepts connections. In a longer run "
    "there may be more of it, up to the size of the redo log.",
}
STEPS: Final = "Which changes are needed"
STEP_HEADINGS: Final = ("change removed", "loss", "", "verdict")
TRIALS: Final = "All trials"
PROTECTED: Final = "Protected settings"
PROTECTED_METHOD: Final = (
    "Read from every member before and after every trial; a trial was discarded if a value had changed."
)
_SHOWN_SETTINGS: Final = 10


def change_row(change: TunedSetting) -> Row:
    """A change, as `CHANGE_HEADINGS`."""
    before = "/".join(dict.fromkeys(change.before))
    effect, risk = change.how.replace("_", " "), ", ".join(change.risk)
    after, members = "/".join(dict.fromkeys(change.afters)), ", ".join(change.members)
    return change.name, members, before, after, effect, risk, gives(change.worth), change.why


def lines_of(change: TunedSetting) -> list[tuple[str, str, str]]:
    """The lines of option files that a change comes to: the value, the one before, and the member.

    One line for all, unless members get different values.
    """
    if not change.after_by_member:
        return [(change.after, "/".join(dict.fromkeys(change.before)), "")]
    rows = zip(change.afters, change.before, change.members, strict=True)
    return [(after, before, f", on {member}") for after, before, member in rows]


def gives(worth: Worth | None) -> str:
    """The rate with a change, in times that without it; "–" where that was not measured."""
    if worth is None:
        return "–"
    return "; ".join(part for part in (worth.ratio and ratio(worth.ratio), worth.needed_because) if part)


def worth_method(aim: Aim) -> str:
    """How the worth of a change was measured."""
    what = f"{aim.improved[0].upper()}{aim.improved[1:]}"
    better = " Below 1, the change makes it lower." if aim.lower_is_better else ""
    return (
        f"{what} with all changes, divided by that without this change, from pairs of runs, with 95 % intervals. "
        f"At 1, the change has no effect.{better}"
    )


def finalist_headings(found: Recommendation) -> Row:
    """The columns of the finalists: what was to be improved comes first."""
    latency = f"latency p{found.latency_percentile}"
    first, second = (latency, "tx/s") if aim_of(found).lower_is_better else ("tx/s", latency)
    return "configuration", first, "vs baseline", "lag p95", second, f"{first} of each block", "verdict"


def finalist_row(contender: Contender, aim: Aim) -> Row:
    """A finalist, as `finalist_headings`."""
    against = "1" if contender.ratio is None else ratio(contender.ratio)
    verdict = "accepted" if contender.accepted else contender.why_not or "–"
    other = rate(mean_rate(contender)) if aim.lower_is_better else duration(contender.latency_ms)
    lag, blocks = duration(contender.lag_ms), aim.of_blocks(contender)
    return label(contender.name), aim.of_contender(contender), against, lag, other, blocks, verdict


def fidelity_rows(found: Fidelity) -> list[Row]:
    """A row for each figure."""
    return [(FIGURES[each.name].words, *fidelity_cells(each)) for each in found.figures]


def importance_rows(found: Recommendation) -> list[Row]:
    """The settings that matter most, as `IMPORTANCE_HEADINGS`."""
    losses = {name: 1.0 - min(rates) for name, _, rates in found.effects if rates}
    return [
        (name, f"{share:.0%}", f"{losses[name]:.0%}" if name in losses else "–")
        for name, share in list(found.importance.items())[:_SHOWN_SETTINGS]
    ]


def edge_sentence(edges: Sequence[str]) -> str:
    """That the best may lie beyond the search space; "" where no setting is at an end of its range."""
    return (
        f"These settings are at an end of their range; a better value may lie outside: {', '.join(edges)}."
        if edges
        else ""
    )


def limit_headings(aim: Aim) -> Row:
    """The columns of other lag limits."""
    return "lag limit", aim.figure, "lag p95, worst run", "runs", "trial", "proved"


def limit_row(at: AtLimit, aim: Aim) -> Row:
    """What a lag limit allows, as `limit_headings`."""
    figure = duration(at.latency_ms) if aim.lower_is_better else rate(at.rate)
    return duration(at.limit_ms), figure, duration(at.lag_ms), str(at.runs), str(at.trial + 1), _proved(at.proved)


def fronts_title(aim: Aim) -> str:
    """What the fronts are about."""
    return "What a lower latency costs" if aim.lower_is_better else "What a higher rate costs"


def front_headings(front: Front, aim: Aim) -> Row:
    """The columns of a front."""
    return aim.figure, _COST_HEADINGS[front.cost], "runs", "trial", "proved"


def front_rows(front: Front, aim: Aim) -> list[Row]:
    """The points of a front, as `front_headings`."""
    return [
        (
            duration(point.latency_ms) if aim.lower_is_better else rate(point.rate),
            in_cost(front.cost, point.costs), str(point.runs), str(point.trial + 1), _proved(point.proved),
        )
        for point in front.points
    ]  # fmt: skip


def front_sentence(front: Front) -> str:
    """What is to be known of a front: how its cost is to be read, or why there is none and what would tell."""
    if front.unknown:
        heading = _COST_HEADINGS[front.cost]
        return f"{heading[0].upper()}{heading[1:]}: unknown, because {front.unknown}."
    return _COST_METHODS.get(front.cost, "")


def in_cost(cost: FrontCost, value: float) -> str:
    """What something costs, with its unit."""
    return f"{value:.3g} ms" if cost is FrontCost.CPU_MS else show(round(value), "bytes")


def _proved(proved: bool) -> str:
    return "in blocks" if proved else "no"


def step_row(step: Reverted) -> Row:
    """A step of minimising the changes, as `STEP_HEADINGS`."""
    loss = "not usable" if step.cost is None else f"{step.cost:+.1%}"
    uncertain_by = "–" if step.uncertain_by is None else f"± {step.uncertain_by:.1%}"
    return ", ".join(step.names), loss, uncertain_by, "not needed" if step.left_out else "needed"


def trial_headings(aim: Aim) -> Row:
    """The columns of the trials."""
    latency = (aim.figure,) if aim.lower_is_better else ()
    return "trial", "kind", *latency, "tx/s", "lag p95", "seconds", "changes", "verdict"


def trial_row(trial: TriedSetting, aim: Aim) -> Row:
    """A trial, as `trial_headings`."""
    latency = (duration(aim.of_trial(trial)),) if aim.lower_is_better else ()
    kind = f"{trial.kind}, on {trial.clone}" if trial.clone else trial.kind
    changes = ", ".join(f"{name}={value}" for name, value in trial.changed.items()) or "none"
    seconds = f"{trial.seconds:.0f}"
    figures = (*latency, rate(trial.rate), duration(trial.lag_ms))
    return str(trial.number + 1), kind, *figures, seconds, changes, _verdict(trial)


def _verdict(trial: TriedSetting) -> str:
    ended = ", ended early" if trial.truncated else ""
    if trial.within:
        return f"within the limits{ended}"
    if trial.rate is None:
        return trial.because or "not measured"
    return f"outside a limit: {trial.because}{ended}" if trial.because else f"outside a limit{ended}"


def protected_rows(relied: Mapping[str, Mapping[str, str]]) -> list[Row]:
    """Each protected setting with its value on every member."""
    names = dict.fromkeys(name for values in relied.values() for name in values)
    return [(name, *(values.get(name, "–") for values in relied.values())) for name in names]
