"""How is what a Prometheus saw kept? As JSON lines of VictoriaMetrics' export, which `advisor timeline` reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from advisor.history.http_api import ask, open_api
from advisor.history.metric_names import metrics_that_give, texts_metrics
from advisor.timeline.build import wanted_quantities

_VARIABLES = "mysql_global_variables_.+"
_SECONDS_OF_A_PIECE = 120.0


def keep(url: str, begin: float, end: float, path: Path) -> None:
    """Everything a timeline looks at, between two epoch times; of variables only the moments around a change."""
    api = open_api(url)
    names = [*metrics_that_give([*wanted_quantities(), "collector*"]), *texts_metrics(), _VARIABLES]
    selector = '{__name__=~"' + "|".join(names).replace("\\", "\\\\") + '"}'
    series: dict[str, tuple[dict[str, str], list[tuple[float, float]]]] = {}
    at = begin
    while at < end:
        until = min(at + _SECONDS_OF_A_PIECE, end)
        asked = {"query": f"{selector}[{round((until - at) * 1000) - 1}ms]", "time": f"{until:.3f}"}
        for each in ask(api, "/api/v1/query", asked)["result"]:
            labels, pairs = series.setdefault(json.dumps(each["metric"], sort_keys=True), (each["metric"], []))
            pairs += [(float(moment), float(value)) for moment, value in each["values"]]
        at = until
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        for labels, pairs in series.values():
            kept = _changes(pairs) if labels["__name__"].startswith("mysql_global_variables_") else pairs
            moments, values = [round(moment * 1000) for moment, _ in kept], [value for _, value in kept]
            stream.write(json.dumps({"metric": labels, "values": values, "timestamps": moments}) + "\n")


def _changes(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The first, the last, and those on both sides of a change."""
    return [
        pair
        for place, pair in enumerate(pairs)
        if place in (0, len(pairs) - 1) or pair[1] != pairs[place - 1][1] or pair[1] != pairs[place + 1][1]
    ]
