"""What makes an HTML file of a report's sections? Styles, scripts and data inside, so that nothing is ever fetched."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Sequence
from typing import Final

from advisor.report.html.chart import Chart, Curve
from advisor.report.html.markup import Safe, join, tag

_ASSETS: Final = os.path.join(os.path.dirname(__file__), "assets")
_DIGITS: Final = 6  # significant ones: what a chart can show, and exact for whole numbers below a million


def page(title: str, sections: Sequence[Safe], charts: Sequence[Chart] = ()) -> str:
    """A whole document. The policy in it lets browsers run the two scripts inside, and load nothing from anywhere."""
    scripts = [_asset("uPlot.iife.min.js"), _asset("report.js")] if charts else []
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(scripts)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Safe(_asset("uPlot.min.css") if charts else ""), Safe(_asset("report.css"))),
    )
    data = tag("script", _embedded(charts), type="application/json", id="charts") if charts else None
    code = [tag("script", Safe(script)) for script in scripts]
    body = tag("body", tag("main", *sections), data, *code)
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _asset(name: str) -> str:
    with open(os.path.join(_ASSETS, name), encoding="utf-8") as stream:
        return stream.read()


def _policy(scripts: Sequence[str]) -> str:
    """Scripts by their digests: one that got in by way of a name or a value would not run."""
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; base-uri 'none'; form-action 'none'"


def _embedded(charts: Sequence[Chart]) -> Safe:
    """The charts as JSON in which no `<` is left, so that no text can end the element it stands in."""
    text = json.dumps([_plain(chart) for chart in charts], separators=(",", ":"), allow_nan=False)
    return join([Safe(text.replace("<", "\\u003c"))])


def _plain(chart: Chart) -> dict[str, object]:
    return {
        "id": chart.id,
        "title": chart.title,
        "unit": chart.unit,
        "curves": [_curve(curve, members(chart)) for curve in chart.curves],
        "spans": [[span.name, _short(span.begin_seconds), _short(span.end_seconds)] for span in chart.spans],
    }


def members(chart: Chart) -> list[str]:
    """The members of a chart in the order of their first curves."""
    return list(dict.fromkeys(curve.member for curve in chart.curves))


def _curve(curve: Curve, names: list[str]) -> dict[str, object]:
    return {
        "name": curve.name,
        "member": curve.member,
        "steps": curve.steps,
        "dashed": curve.dashed,
        "x": [round(at, 3) for at in curve.at_seconds],
        "y": [None if value is None else _short(value) for value in curve.values],
    }


def _short(value: float) -> float | int:
    """Without digits nobody can see; whole numbers stay whole."""
    return int(value) if value == int(value) else float(f"{value:.{_DIGITS}g}")
