"""What did the runs before anything was tried tell? In sentences, for the log and the reports."""

from __future__ import annotations

from advisor.model.recommendation import SMALL_GAIN, Preflight
from advisor.report.words.amounts import rate


def preflight_sentences(found: Preflight) -> list[str]:
    """What is known of noise, drift and what can be shown; what `why` advises; doubts are the caller's."""
    if found.rate is None:
        return ["As it runs, nothing could be measured."]
    runs = "1 run" if found.runs == 1 else f"{found.runs} runs"
    said = [f"As it runs: {rate(found.rate)} tx/s sustained, from {runs}."]
    if found.between is None:
        said.append("Too few runs to tell noise from gains beforehand.")
    else:
        within = "" if found.within is None else f", the parts of one run by {found.within:.1%}"
        said.append(f"Equal runs differ by {found.between:.1%} (standard deviation, with restarts){within}.")
        said.append(_drift(found))
    if found.detectable is not None:
        said.append(
            f"{found.blocks} blocks show gains from about {found.detectable:.1%} on{_at_worst(found)}; one of "
            f"{SMALL_GAIN:.0%} takes about {found.blocks_for_small}."
        )
    return [*said, *(f"Advised by {words}." for words in found.advised)]


def _at_worst(found: Preflight) -> str:
    worst = found.detectable_at_worst
    if worst is None:
        return ""
    how = f"at worst {worst:.0%}" if worst < 1 else "or far greater ones"
    return f" ({how}: {found.runs} runs know the spread no better)"


def _drift(found: Preflight) -> str:
    slope, by = found.drift_per_hour, found.drift_uncertain_by
    if slope is None or by is None or abs(slope) <= by:
        return "No drift that could be told from noise."
    return f"Drift: {slope:+.0%} an hour (± {by:.0%})."
