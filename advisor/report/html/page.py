"""What makes an HTML file of a report's sections? Styles, scripts and data inside, so that nothing is ever fetched."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from typing import Final

from advisor.report.html.chart import Chart, Scatter
from advisor.report.html.chart_data import as_json
from advisor.report.html.markup import Safe, tag

_ASSETS: Final = os.path.join(os.path.dirname(__file__), "assets")


def page(
    title: str, sections: Sequence[Safe], charts: Sequence[Chart | Scatter] = (), scripts: Sequence[str] = ()
) -> str:
    """A whole document, with `scripts` of the assets besides those that charts need.

    The policy in it lets browsers run the scripts inside, and load nothing from anywhere.
    """
    scripts = [_asset(name) for name in (*_scripts(charts), *scripts)]
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
    data = tag("script", as_json(charts), type="application/json", id="charts") if charts else None
    code = [tag("script", Safe(script)) for script in scripts]
    body = tag("body", tag("main", *sections), data, *code)
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _scripts(charts: Sequence[Chart | Scatter]) -> list[str]:
    """The library, what all charts share, and what draws the kinds that are there."""
    drawing = {"over_time.js": Chart, "scatter.js": Scatter}
    used = [name for name, kind in drawing.items() if any(isinstance(chart, kind) for chart in charts)]
    return ["uPlot.iife.min.js", "axes.js", *used] if used else []


def _asset(name: str) -> str:
    with open(os.path.join(_ASSETS, name), encoding="utf-8") as stream:
        return stream.read()


def _policy(scripts: Sequence[str]) -> str:
    """Scripts by their digests: one that got in by way of a name or a value would not run."""
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; base-uri 'none'; form-action 'none'"


def without_folder(text: str, path: str) -> str:
    """A text that names files relative to the folder that was read: a reader has the report, not the folder."""
    return text.replace(os.path.join(path, ""), "") if path else text
