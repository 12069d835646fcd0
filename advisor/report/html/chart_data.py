"""What do the scripts of a page get to draw? Charts as JSON that cannot end the element around it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from advisor.report.html.chart import Axis, Chart, Curve, Group, Scatter
from advisor.report.html.markup import Safe, join

_DIGITS: Final = 6  # significant ones: what a chart can show, and exact for whole numbers below a million


def as_json(charts: Sequence[Chart | Scatter]) -> Safe:
    """The charts, without any `<`: no text in them can end the script element."""
    plain = [_over_time(chart) if isinstance(chart, Chart) else _scatter(chart) for chart in charts]
    text = json.dumps(plain, separators=(",", ":"), allow_nan=False)
    return join([Safe(text.replace("<", "\\u003c"))])


def members(chart: Chart) -> list[str]:
    """The members of a chart in the order of their first curves."""
    return list(dict.fromkeys(curve.member for curve in chart.curves))


def _over_time(chart: Chart) -> dict[str, object]:
    return {
        "id": chart.id,
        "title": chart.title,
        "unit": chart.unit,
        "curves": [_curve(curve) for curve in chart.curves],
        "clock": chart.clock_seconds,
        "spans": [[span.name, _short(span.begin_seconds), _short(span.end_seconds)] for span in chart.spans],
    }


def _curve(curve: Curve) -> dict[str, object]:
    return {
        "name": curve.name,
        "member": curve.member,
        "steps": curve.steps,
        "dashed": curve.dashed,
        "x": [round(at, 3) for at in curve.at_seconds],
        "y": [_known(value) for value in curve.values],
    }


def _scatter(chart: Scatter) -> dict[str, object]:
    return {
        "id": chart.id,
        "title": chart.title,
        "x": _axis(chart.x),
        "y": _axis(chart.y),
        "groups": [_group(group) for group in chart.groups],
        "limit": [_short(chart.limit[0]), chart.limit[1]] if chart.limit else None,
    }


def _axis(axis: Axis) -> dict[str, object]:
    return {"name": axis.name, "log": axis.logarithmic, "whole": axis.whole, "rows": list(axis.rows)}


def _group(group: Group) -> dict[str, object]:
    return {
        "name": group.name,
        "colour": group.colour,
        "mark": str(group.mark),
        "points": [
            [_short(point.x), _short(point.y), point.label, _known(point.low), _known(point.high)]
            for point in group.points
        ],
    }


def _known(value: float | None) -> float | int | None:
    return None if value is None else _short(value)


def _short(value: float) -> float | int:
    """Without digits nobody can see; whole numbers stay whole."""
    return int(value) if value == int(value) else float(f"{value:.{_DIGITS}g}")
