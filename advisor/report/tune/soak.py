"""What did the winner do under load for long? In one sentence."""

from __future__ import annotations

from advisor.model.recommendation import Soak
from advisor.report.words.amounts import UNKNOWN, duration, rate


def in_words(soak: Soak) -> str:
    """Rate, lag, errors and trend; what is not known is said so."""
    mean = rate(sum(soak.rates) / len(soak.rates)) if soak.rates else UNKNOWN
    failed = UNKNOWN if soak.error_share is None else f"{soak.error_share:.1%}"
    said = f"{soak.name} ran for {soak.seconds / 60:.0f} min: {mean} tx/s sustained, lag {duration(soak.lag_ms)} (95 %)"
    said += f", {failed} of the transactions failed, {_trend(soak)}"
    return f"{said}. " + (f"It did not stand it: {soak.why_not}." if soak.why_not else "It kept what it promised.")


def _trend(soak: Soak) -> str:
    slope, by = soak.trend_per_hour, soak.trend_uncertain_by
    if slope is None or by is None:
        return "too short for a trend"
    if abs(slope) <= by:
        return "no trend that could be told from noise"
    return f"{slope:+.0%} an hour (± {by:.0%})"
