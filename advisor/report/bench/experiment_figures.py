"""How are the figures of an experiment written? Each with its unit; unknown is a question mark."""

from __future__ import annotations

from typing import Final

from advisor.model.experiment import ExperimentResult, Figure, Published
from advisor.model.measurement import Interval

HEADS: Final = {
    "peak": "peak tx/s",
    "sustained": "sustained",
    "slowest_apply": "slowest apply",
    "throttled": "throttled",
    "backlog_growth": "backlog/s",
    "lag_ms": "lag p95",
    "drain_seconds": "drain",
    "p95_ms": "latency p95",
    "within_bound": "in limit",
    "catch_up_seconds": "catch-up",
    "catch_up_per_second": "applied tx/s",
    "left_behind": "left behind",
}
HELD: Final = {True: "held", False: "NOT held", None: "unknown"}


def rounds_in_words(result: ExperimentResult) -> str:
    """How often every cell ran: "1 round", "3 rounds"."""
    count = len(result.cells[0].rounds)
    return f"{count} round{'' if count == 1 else 's'}"


def ratio_in_words(interval: Interval | None) -> str:
    """A ratio with its 95 % interval."""
    if interval is None or interval.mid is None:
        return ""
    if interval.low is None or interval.high is None:
        return f"{interval.mid:.2f}"
    return f"{interval.mid:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def in_words(name: str, value: Figure) -> str:
    """A figure by its name."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "throttled":
        return f"{value:.0%}"
    if name in ("lag_ms", "p95_ms"):
        return f"{value:.3g} ms" if value < 1000 else f"{value / 1000:.3g} s"
    if name in ("drain_seconds", "catch_up_seconds"):
        return f"{value:.1f} s"
    return f"{value:.0f}"


def published_value(published: Published) -> str:
    """What others published, or the range they gave."""
    if published.low is None or published.high is None:
        return f"{published.value:,g}"
    return f"{published.low:,g} to {published.high:,g}"


def measured_here(published: Published, result: ExperimentResult) -> str:
    """The ratio that is comparable with it, and its cell; "" where there is none."""
    measured = next((cell.ratios.get(published.figure) for cell in result.cells if cell.cell == published.cell), None)
    return f"{ratio_in_words(measured)} ({published.cell})" if measured else ""
