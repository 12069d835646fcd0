"""How do two configurations compare? Pairs of alternating runs, and the ratio B/A with its interval.

Neighbouring runs make a pair, and the order within it alternates (A B, B A, A B …), so that even drift cancels out.
Ratios are averaged as logarithms; the interval is Student's t over the pairs, and so very wide for two pairs.
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
    """B/A over pairs, with the 95 % interval; no interval from one pair, nothing where a value is not above 0."""
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
    """The ratios of what is known in every run: "peak", "sustained", "latency_p95", "lag_p95"."""
    measures = {"peak": _peak, "sustained": sustained_rate, "latency_p95": _latency, "lag_p95": worst_lag}
    intervals = {}
    for name, measure in measures.items():
        old, new = [measure(measurement) for measurement in a], [measure(measurement) for measurement in b]
        known_old = [value for value in old if value is not None]
        known_new = [value for value in new if value is not None]
        if len(known_old) == len(a) and len(known_new) == len(b):
            intervals[name] = ratio_interval(known_old, known_new)
    return {name: interval for name, interval in intervals.items() if interval is not NOTHING}


def sustained_rate(measurement: Measurement) -> float | None:
    """The rate by the first method available, usually that of the slowest member; None when there is none."""
    return measurement.sustained[0].per_second if measurement.sustained else None


def worst_lag(measurement: Measurement) -> float | None:
    """The highest 95th percentile of lag among the members, in milliseconds; None when none is known."""
    return max((member.lag_ms["p95"] for member in measurement.members if member.lag_ms), default=None)


def _peak(measurement: Measurement) -> float | None:
    return measurement.peak_per_second


def _latency(measurement: Measurement) -> float | None:
    return measurement.latency_ms.get("p95")
