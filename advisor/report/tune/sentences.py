"""How is a tuning run put into sentences? The same ones in every form: result, noise and drift, how to repeat it."""

from __future__ import annotations

from advisor.model.measurement import Interval
from advisor.model.recommendation import (
    SMALL_GAIN,
    Preflight,
    Recommendation,
    Soak,
    TunedSetting,
    Worth,
    contender_label,
)
from advisor.model.tuning import Objective
from advisor.model.workload.fidelity import PROVES_LITTLE_BELOW
from advisor.report.tune.aims import Aim, aim_of
from advisor.report.words.amounts import UNKNOWN, duration, rate
from advisor.report.words.fidelity import fidelity_sentence
from advisor.units import show


def headline(found: Recommendation) -> str:
    """The result in one sentence."""
    if not found.finished and not found.chosen:
        return "Stopped early: nothing is validated yet. `advisor tune resume` continues."
    best = next((contender for contender in found.contenders if contender.name == found.chosen), None)
    if best is None or best.ratio is None:
        return f"No improvement was validated: {found.because}."
    aim = aim_of(found)
    if found.objective == Objective.APPLY_RATE:
        return f"{times(best.ratio)} {aim.improved}."
    within = f"within the lag limit of {duration(found.lag_bound_ms)}"
    if aim.lower_is_better:
        at = f"at {rate(found.load.rate_per_second)} tx/s: {duration(best.latency_ms)}"
        return f"{times(best.ratio)} the {aim.improved} {at}, {within}."
    return f"{times(best.ratio)} the sustained throughput, {within}."


def caveats(found: Recommendation) -> list[str]:
    """What limits the worth of the recommendation, and what could not be restored."""
    stopped = found.chosen and not found.finished
    early = ["The tuning run was stopped early; `advisor tune resume` continues."] if stopped else []
    unlike = found.fidelity and (found.fidelity.score or 0.0) < PROVES_LITTLE_BELOW
    doubts = [f"{fidelity_sentence(found.fidelity).capitalize()}."] if found.fidelity and unlike else []
    return [*early, *doubts, *(found.preflight.doubts if found.preflight else ()), *found.notes, *found.left]


def against_rules(found: Recommendation) -> str:
    """What the search gains beyond what the rules advise; "" where that was not measured."""
    aim = aim_of(found)
    what = f"the {aim.improved} with the rules' advice" if aim.lower_is_better else "what the rules' advice sustains"
    gains = [f"{contender_label(contender.name)}: {times(contender.against_rules)} {what}"
             for contender in found.contenders
             if contender.against_rules and contender.against_rules.mid is not None]  # fmt: skip
    return "; ".join(gains) + "." if gains else ""


def times(ratio: Interval | None) -> str:
    """2.31 times (95 %: 2.20 to 2.43)."""
    if ratio is None or ratio.mid is None:
        return UNKNOWN
    if ratio.low is None or ratio.high is None:
        return f"{ratio.mid:.2f} times"
    return f"{ratio.mid:.2f} times (95 %: {ratio.low:.2f} to {ratio.high:.2f})"


def measured_on(found: Recommendation) -> str:
    """The cluster, its release and the load."""
    load = found.load
    offered = f", {rate(load.rate_per_second)} tx/s offered" if load.rate_per_second else ""
    cluster = f"{found.cluster}, {str(found.topology).replace('_', ' ')}, {found.server}"
    return f"{cluster}; {load.workload} with {show(load.threads, 'clients')} on {', '.join(load.writers)}{offered}."


def change_sentence(change: TunedSetting) -> str:
    """A setting, its value before, on which members, how it takes effect, at which risk."""
    before, members = "/".join(dict.fromkeys(change.before)), ", ".join(change.members)
    effect, risk = change.how.replace("_", " "), ", ".join(change.risk)
    if change.after_by_member:
        members = ", ".join(f"{after} on {name}" for name, after in zip(change.members, change.afters, strict=True))
        return f"{change.name} = {members} (was {before}); {effect}, risk {risk}"
    return f"{change.name} = {change.after} (was {before}) on {members}; {effect}, risk {risk}"


def purpose_and_worth(change: TunedSetting, aim: Aim) -> str:
    """What a change does and what it gives, in sentences."""
    purpose = change.why and f"{change.why[0].upper()}{change.why[1:].rstrip('.')}."
    return " ".join(part for part in (purpose, worth_sentence(change.worth, aim)) if part)


def worth_sentence(worth: Worth | None, aim: Aim) -> str:
    """What a change gives, and how that is known; "" where it was not measured."""
    if worth is None:
        return ""
    needed = f"{worth.needed_because[0].upper()}{worth.needed_because[1:]}." if worth.needed_because else ""
    if worth.ratio is None or worth.ratio.mid is None:
        return needed
    pairs = show(worth.pairs, "pairs")
    gives = f"With this change, {aim.improved} is {times(worth.ratio)} what it is without, in {pairs} of runs."
    return " ".join(part for part in (gives, needed) if part)


def search_summary(found: Recommendation) -> str:
    """What was tried, in one paragraph."""
    failed = sum(trial.rate is None for trial in found.trials)
    measured = len(found.trials) - failed
    parts = [f"{show(len(found.trials), 'trials')} in {found.seconds / 60:.0f} min, {measured} of them measured"]
    if failed:
        parts.append(f"{failed} refused or failed")
    if "runs" in found.noise:
        parts.append(f"noise between repeated runs {found.noise['runs']:.1%}")
    if found.noise.get("detectable"):
        parts.append(f"gains of {found.noise['detectable']:.0%} or more could be detected")
    protected = "Settings that guarantee durability, consistency and correctness were compared in every trial and kept."
    guarantees = f"Guarantees relaxed: {', '.join(found.given_up)}." if found.given_up else protected
    return f"{'; '.join(parts)}. {guarantees}"


def soak_sentence(soak: Soak) -> str:
    """Rate, lag, errors, trend and verdict; what is not known is shown as unknown."""
    mean = rate(sum(soak.rates) / len(soak.rates)) if soak.rates else UNKNOWN
    failed = UNKNOWN if soak.error_share is None else f"{soak.error_share:.1%}"
    figures = f"{mean} tx/s sustained, lag p95 {duration(soak.lag_ms)}, {failed} of the transactions failed"
    if soak.latency_ms is not None:
        figures = f"latency {duration(soak.latency_ms)} at {figures}"
    verdict = f"Soak test failed: {soak.why_not}." if soak.why_not else "Soak test passed."
    return f"{soak.name} ran for {soak.seconds / 60:.0f} min: {figures}, {_soak_trend(soak)}. {verdict}"


def _soak_trend(soak: Soak) -> str:
    slope, uncertain_by = soak.trend_per_hour, soak.trend_uncertain_by
    if slope is None or uncertain_by is None:
        return "too short to show a trend"
    if abs(slope) <= uncertain_by:
        return "no significant trend"
    return f"{slope:+.0%} per hour (± {uncertain_by:.0%})"


def preflight_sentences(preflight: Preflight) -> list[str]:
    """Noise, drift, the gains that can be detected, and what `why` suggests; the doubts are among the caveats."""
    if preflight.rate is None:
        return ["The baseline could not be measured."]
    runs = "1 run" if preflight.runs == 1 else f"{preflight.runs} runs"
    measured = f"{rate(preflight.rate)} tx/s sustained"
    if preflight.latency_ms is not None:
        measured = f"latency {duration(preflight.latency_ms)} at {rate(preflight.rate)} tx/s"
    sentences = [f"Baseline: {measured}, from {runs}."]
    if preflight.between is None:
        sentences.append("Too few runs to estimate the noise.")
    else:
        within = "" if preflight.within is None else f", windows within a run by {preflight.within:.1%}"
        between = f"{preflight.between:.1%} (standard deviation, with restarts)"
        sentences.append(f"Repeated runs differ by {between}{within}.")
        sentences.append(_drift(preflight))
    if preflight.detectable is not None:
        sentences.append(
            f"{preflight.blocks} blocks detect gains of about {preflight.detectable:.1%} or more"
            f"{_at_worst(preflight)}. Detecting {SMALL_GAIN:.0%} takes about {preflight.blocks_for_small} blocks."
        )
    return [*sentences, *(f"To be tried first, from {suggestion}." for suggestion in preflight.advised)]


def _at_worst(preflight: Preflight) -> str:
    worst = preflight.detectable_at_worst
    if worst is None:
        return ""
    gain = f"gains of {worst:.0%} or more" if worst < 1 else "only much larger gains are detected"
    return f" (in the worst case, {gain}; {preflight.runs} runs give only a rough estimate of the variance)"


def _drift(preflight: Preflight) -> str:
    slope, uncertain_by = preflight.drift_per_hour, preflight.drift_uncertain_by
    if slope is None or uncertain_by is None or abs(slope) <= uncertain_by:
        return "No significant drift."
    return f"Drift: {slope:+.0%} per hour (± {uncertain_by:.0%})."


def how_to_repeat(found: Recommendation) -> list[str]:
    """Start, sampler, seed, load, host and noise: what somebody needs who runs it again."""
    load, host = found.load, ", ".join(f"{name} {value:.0f}" for name, value in found.host.items())
    noise = ", ".join(f"{name} {value:.3f}" for name, value in found.noise.items()) or "too few baseline runs to tell"
    tables = f"{show(load.tables, 'tables')} of {show(load.rows_per_table, 'rows')}"
    return [
        f"Started {found.began}, took {found.seconds / 60:.0f} min. Sampler {found.sampler}, seed {found.seed}.",
        f"Load: {load.workload}, {show(load.threads, 'clients')} on {', '.join(load.writers)}, {tables}.",
        f"One member: {host}. Noise: {noise}.",
    ]
