"""Which tables do Markdown and HTML show of a tuning run? Titles, what is said below them, headings and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.recommendation import AtLimit, Contender, Recommendation, Reverted, TriedSetting, TunedSetting, Worth
from advisor.model.recommendation import contender_label as label
from advisor.report.tune.sentences import mean_rate
from advisor.report.words.amounts import duration, rate, ratio

Row = tuple[str, ...]

WARNING: Final = "Warning"
CHANGES: Final = "What to change"
CHANGE_HEADINGS: Final = ("setting", "members", "from", "to", "takes effect", "risk", "gives", "what it does")
VALIDATION: Final = "Validation"
VALIDATION_METHOD: Final = (
    "Every block runs every configuration once, in random order, each after a fresh restart. Ratios are to the "
    "baseline, with 95 % intervals."
)
FINALIST_HEADINGS: Final = (
    "configuration", "tx/s", "vs baseline", "lag p95", "latency p95", "tx/s of each block", "verdict",
)  # fmt: skip
WORTH: Final = "What each change gives"
WORTH_METHOD: Final = (
    "Throughput with all changes, as a multiple of that without this one, from pairs of runs, with 95 % intervals. "
    "The line is at 1: no effect."
)
SOAK: Final = "Soak test"
PREFLIGHT: Final = "Preflight"
IMPORTANCE: Final = "Which settings matter"
IMPORTANCE_HEADINGS: Final = ("setting", "share of the variance (PED-ANOVA)", "predicted loss at its worst value")
LIMITS: Final = "With another lag limit"
LIMITS_METHOD: Final = (
    "The fastest configuration of all trials that kept the limit. The search aimed at the limit of this run, and a "
    "single run may be lucky: tune again with `--lag-bound` before you rely on another one."
)
LIMIT_HEADINGS: Final = ("lag limit", "tx/s", "lag p95, worst run", "runs", "trial", "proved")
STEPS: Final = "Which changes are needed"
STEP_HEADINGS: Final = ("change removed", "loss", "", "verdict")
TRIALS: Final = "All trials"
TRIAL_HEADINGS: Final = ("trial", "kind", "tx/s", "lag p95", "seconds", "changes", "verdict")
PROTECTED: Final = "Protected settings"
PROTECTED_METHOD: Final = (
    "Read from every member before and after every trial; a trial was discarded if a value had changed."
)
_SHOWN_SETTINGS: Final = 10


def change_row(change: TunedSetting) -> Row:
    """A change, as `CHANGE_HEADINGS`."""
    before = "/".join(dict.fromkeys(change.before))
    effect, risk = change.how.replace("_", " "), ", ".join(change.risk)
    return change.name, ", ".join(change.members), before, change.after, effect, risk, gives(change.worth), change.why


def gives(worth: Worth | None) -> str:
    """The rate with a change, in times that without it; "–" where that was not measured."""
    if worth is None:
        return "–"
    return "; ".join(part for part in (worth.ratio and ratio(worth.ratio), worth.needed_because) if part)


def finalist_row(contender: Contender) -> Row:
    """A finalist, as `FINALIST_HEADINGS`."""
    against = "1" if contender.ratio is None else ratio(contender.ratio)
    verdict = "accepted" if contender.accepted else contender.why_not or "–"
    blocks = ", ".join(map(rate, contender.rates))
    lag, latency = duration(contender.lag_ms), duration(contender.latency_ms)
    return label(contender.name), rate(mean_rate(contender)), against, lag, latency, blocks, verdict


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


def limit_row(at: AtLimit) -> Row:
    """What a lag limit allows, as `LIMIT_HEADINGS`."""
    proved = "in blocks" if at.proved else "no"
    return duration(at.limit_ms), rate(at.rate), duration(at.lag_ms), str(at.runs), str(at.trial + 1), proved


def step_row(step: Reverted) -> Row:
    """A step of minimising the changes, as `STEP_HEADINGS`."""
    loss = "not usable" if step.cost is None else f"{step.cost:+.1%}"
    uncertain_by = "–" if step.uncertain_by is None else f"± {step.uncertain_by:.1%}"
    return ", ".join(step.names), loss, uncertain_by, "not needed" if step.left_out else "needed"


def trial_row(trial: TriedSetting) -> Row:
    """A trial, as `TRIAL_HEADINGS`."""
    kind = f"{trial.kind}, on {trial.clone}" if trial.clone else trial.kind
    changes = ", ".join(f"{name}={value}" for name, value in trial.changed.items()) or "none"
    seconds = f"{trial.seconds:.0f}"
    return str(trial.number + 1), kind, rate(trial.rate), duration(trial.lag_ms), seconds, changes, _verdict(trial)


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
