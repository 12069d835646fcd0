"""What did an experiment come to? Figures of each round, their medians, ratios between cells, and what was expected."""

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

COMPARED: Final = ("peak", "sustained", "catch_up_per_second", "p95_ms")  # what a ratio means something for


def figures(found: Measurement) -> dict[str, Figure]:
    """The figures of one measured round: rates per second, lag and latency in milliseconds, shares from 0 to 1."""
    alone = found.load.writers if len(found.load.writers) == 1 else ()  # who alone writes has nothing to apply
    applying = [member for member in found.members if member.member not in alone]
    applied = [member.applied_per_second for member in applying if member.applied_per_second is not None]
    slopes = [m.backlog_slope_per_second.mid for m in found.members if m.backlog_slope_per_second.mid is not None]
    drains = [m.drain_seconds for m in found.members]
    return {
        "peak": found.peak_per_second,
        "sustained": sustained_rate(found),
        "slowest_apply": min(applied, default=None),
        "throttled": found.throttled_share,
        "backlog_growth": max(slopes, default=None),
        "lag_ms": worst_lag(found),
        "drain_seconds": None if None in drains else max((d for d in drains if d is not None), default=None),
        "p95_ms": found.latency_ms.get("p95"),
        "within_bound": found.sustained_within_bound,
    }


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
            middle={name: _middle([one.get(name) for one in rounds[cell.name]]) for name in experiment.figures},
            ratios={} if cell.name == experiment.against else _ratios(base, rounds[cell.name], experiment.figures),
        )
        for cell in experiment.cells
    )
    medians = {
        f"{name}.{figure}": _middle([one.get(figure) for one in tries])
        for name, tries in rounds.items()
        for figure in {key for one in tries for key in one}
    }
    expectations = tuple(Expectation(text, _held(text, medians)) for text in experiment.expect)
    return ExperimentResult(experiment.id, experiment.title, began, cells, expectations, tuple(dict.fromkeys(warnings)))


def _middle(values: Sequence[Figure]) -> Figure:
    """The median; of yes and no, what most rounds said; None when a round does not know."""
    known = [value for value in values if value is not None]
    if len(known) < len(values) or not known:
        return None
    if all(isinstance(value, bool) for value in known):
        yes = sum(map(bool, known))
        return None if 2 * yes == len(known) else 2 * yes > len(known)
    return float(median(known))


def _ratios(
    base: Sequence[Mapping[str, Figure]], tries: Sequence[Mapping[str, Figure]], wanted: Sequence[str]
) -> dict[str, Interval]:
    found = {}
    for figure in (name for name in COMPARED if name in wanted):
        pairs = [(one.get(figure), other.get(figure)) for one, other in zip(base, tries, strict=False)]
        known = [(float(one), float(other)) for one, other in pairs if one is not None and other is not None]
        if known and len(known) == len(pairs):
            found[figure] = ratio_interval([one for one, _ in known], [other for _, other in known])
    return {name: interval for name, interval in found.items() if interval is not NOTHING}


def _held(text: str, medians: Mapping[str, Figure]) -> bool | None:
    def lookup(name: str) -> float | bool | Missing:
        value = medians.get(name)
        return Missing((name,)) if value is None else value

    answer = decide(bind(parse(text)), lookup)
    return None if isinstance(answer, Missing) else answer
