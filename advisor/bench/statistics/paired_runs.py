"""How do two configurations compare? Pairs of runs made in turns, and the ratio of B to A with its interval.

Neighbouring runs make a pair, and the order within it alternates (A B, B A, A B …), so that what drifts evenly
cancels. Ratios are averaged as logarithms; the interval is Student's over the pairs: two pairs say little, and say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt

from advisor.bench.statistics.bootstrap import NOTHING, student_975
from advisor.model.measurement import Interval, Measurement


def order(pairs: int) -> str:
    """The turns: "ABBAAB" for 3 pairs."""
    return "".join("AB" if number % 2 == 0 else "BA" for number in range(pairs))


def ratio_interval(a: Sequence[float], b: Sequence[float]) -> Interval:
    """B to A over pairs, with the 95 % interval; no interval from one pair, nothing where a value is not above 0."""
    if not a or len(a) != len(b) or min([*a, *b]) <= 0:
        return NOTHING
    logs = [log(new / old) for old, new in zip(a, b, strict=True)]
    mean = sum(logs) / len(logs)
    if len(logs) < 2:
        return Interval(None, exp(mean), None)
    deviation = sqrt(sum((value - mean) ** 2 for value in logs) / (len(logs) - 1))
    half = student_975(len(logs) - 1) * deviation / sqrt(len(logs))
    return Interval(exp(mean - half), exp(mean), exp(mean + half))


def ratios(a: Sequence[Measurement], b: Sequence[Measurement]) -> dict[str, Interval]:
    """Of everything both sides know in every run: "peak", "sustained", "latency_p95", "lag_p95"."""
    measures = {"peak": _peak, "sustained": sustained_rate, "latency_p95": _latency, "lag_p95": worst_lag}
    found = {}
    for name, measure in measures.items():
        old, new = [measure(one) for one in a], [measure(one) for one in b]
        known_old = [value for value in old if value is not None]
        known_new = [value for value in new if value is not None]
        if len(known_old) == len(a) and len(known_new) == len(b):
            found[name] = ratio_interval(known_old, known_new)
    return {name: interval for name, interval in found.items() if interval is not NOTHING}


def sustained_rate(found: Measurement) -> float | None:
    """The rate of the first method there is: the slowest member's, as a rule; None when no method knows."""
    return found.sustained[0].per_second if found.sustained else None


def worst_lag(found: Measurement) -> float | None:
    """The greatest 95th percentile of lag among the members, in milliseconds; None when none is known."""
    return max((member.lag_ms["p95"] for member in found.members if member.lag_ms), default=None)


def _peak(found: Measurement) -> float | None:
    return found.peak_per_second


def _latency(found: Measurement) -> float | None:
    return found.latency_ms.get("p95")
