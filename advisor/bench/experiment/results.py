"""What is the result of an experiment? Figures per round, medians, ratios between cells, and the expectations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from advisor.bench.statistics.bootstrap import NOTHING
from advisor.bench.statistics.paired_runs import ratio_interval, sustained_rate, worst_lag
from advisor.conditions import Missing, bind, decide
from advisor.expressions import parse
from advisor.model.experiment import CellResult, Expectation, Experiment, ExperimentResult, Figure
from advisor.model.measurement import Interval, Measurement

COMPARED: Final = ("peak", "sustained", "catch_up_per_second", "p95_ms")  # figures whose ratio is meaningful


def figures(measurement: Measurement) -> dict[str, Figure]:
    """The figures of one measured round: rates per second, lag and latency in milliseconds, shares from 0 to 1."""
    members = measurement.members
    applying = [member for member in members if member.member != measurement.load.sole_writer]
    applied = [member.applied_per_second for member in applying if member.applied_per_second is not None]
    slopes = [m.backlog_slope_per_second.mid for m in members if m.backlog_slope_per_second.mid is not None]
    drains = [member.drain_seconds for member in members]
    return {
        "peak": measurement.peak_per_second,
        "sustained": sustained_rate(measurement),
        "slowest_apply": min(applied, default=None),
        "throttled": measurement.throttled_share,
        "backlog_growth": max(slopes, default=None),
        "lag_ms": worst_lag(measurement),
        "drain_seconds": _longest(drains),
        "p95_ms": measurement.latency_ms.get("p95"),
        "within_bound": measurement.sustained_within_bound,
    }


def _longest(drains: Sequence[float | None]) -> float | None:
    """None when any member's is unknown."""
    known = [seconds for seconds in drains if seconds is not None]
    return max(known, default=None) if len(known) == len(drains) else None


def summarise(
    experiment: Experiment,
    servers: Mapping[str, str],
    rounds: Mapping[str, Sequence[Mapping[str, Figure]]],
    began: float,
    warnings: Sequence[str],
) -> ExperimentResult:
    """All rounds of all cells, by the cells' names, as one result."""
    base = rounds.get(experiment.against, ())
    cells = tuple(
        CellResult(
            cell=cell.name,
            server=servers[cell.name],
            rounds=tuple(rounds[cell.name]),
            middle={name: _median([figures.get(name) for figures in rounds[cell.name]]) for name in experiment.figures},
            ratios={} if cell.name == experiment.against else _ratios(base, rounds[cell.name], experiment.figures),
        )
        for cell in experiment.cells
    )
    medians = {
        f"{name}.{figure}": _median([figures.get(figure) for figures in results])
        for name, results in rounds.items()
        for figure in {key for figures in results for key in figures}
    }
    expectations = tuple(Expectation(text, _held(text, medians)) for text in experiment.expect)
    return ExperimentResult(experiment.id, experiment.title, began, cells, expectations, tuple(dict.fromkeys(warnings)))


def _median(values: Sequence[Figure]) -> Figure:
    """The median; of yes and no, the majority; None when a round does not know."""
    known = [value for value in values if value is not None]
    if len(known) < len(values) or not known:
        return None
    if all(isinstance(value, bool) for value in known):
        yes = sum(map(bool, known))
        return None if 2 * yes == len(known) else 2 * yes > len(known)
    return float(median(known))


def _ratios(
    base: Sequence[Mapping[str, Figure]], results: Sequence[Mapping[str, Figure]], wanted: Sequence[str]
) -> dict[str, Interval]:
    ratios = {}
    for figure in (name for name in COMPARED if name in wanted):
        pairs = [(before.get(figure), after.get(figure)) for before, after in zip(base, results, strict=False)]
        known = [(float(before), float(after)) for before, after in pairs if before is not None and after is not None]
        if known and len(known) == len(pairs):
            ratios[figure] = ratio_interval([before for before, _ in known], [after for _, after in known])
    return {name: interval for name, interval in ratios.items() if interval is not NOTHING}


def _held(text: str, medians: Mapping[str, Figure]) -> bool | None:
    def lookup(name: str) -> float | bool | Missing:
        value = medians.get(name)
        return Missing((name,)) if value is None else value

    answer = decide(bind(parse(text)), lookup)
    return None if isinstance(answer, Missing) else answer
