"""What does a Prometheus hold of these members in this time? Prometheus, VictoriaMetrics and PMM answer alike.

A short time is read as it was scraped (a range selector, which gives the moments of the scrapes), a long one as the
last reading of each step. Neither fills gaps: `query_range` alone would repeat the last reading for five minutes.
https://prometheus.io/docs/prometheus/latest/querying/api/
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from advisor.errors import InputError, UsageError
from advisor.history.absence import absent, failed
from advisor.history.assemble import Reading, assemble
from advisor.history.http_api import HttpApi, ask
from advisor.history.metric_names import metrics_that_give, texts_metrics
from advisor.model.monitoring.history import History
from advisor.model.record import record

_PIECE_SECONDS: Final = 1800.0
_MOST_MEMBERS: Final = 24
_AS_SCRAPED_SECONDS: Final = 3 * 3600.0
_MOST_STEPS: Final = 3600
_MOST_CHARACTERS: Final = 6000  # of names in one query; VictoriaMetrics takes 16384 bytes, and escapes make them longer
_VARIABLES: Final = "mysql_global_variables_"
_IDENTITY: Final = "mysql_global_status_uptime"
_MATCHERS: Final = re.compile(
    r'\s*\w+\s*(=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"\s*(,\s*\w+\s*(=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"\s*)*'
)


@record
class Wanted:
    """What to read. Epoch times; `quantities` by name, "status.*" for all of a kind; `select` as in PromQL's braces.

    `steps`: how many readings suffice; 0 for all there are (or 3600, when the time is longer than three hours).
    """

    begin_seconds: float
    end_seconds: float
    quantities: Sequence[str]
    select: str = ""
    steps: int = 0


def read_prometheus(api: HttpApi, wanted: Wanted) -> History:
    """Everything wanted that the source holds. Variables are read only where they changed, and once for each member.

    UsageError for a selection that is none or fits too many; InputError when there is nothing of MySQL or MariaDB.
    """
    if wanted.select and not _MATCHERS.fullmatch(wanted.select):
        raise UsageError(
            f"--select {wanted.select}: not a list of matchers", hint='--select \'job="mysql",env="prod"\''
        )
    found = _members(api, wanted)
    names = [each for each in metrics_that_give((*wanted.quantities, "collector*")) if not each.startswith("node_")]
    machine = [each for each in metrics_that_give(wanted.quantities) if each.startswith("node_")]
    readings = [
        *_read(api, wanted, [*names, *texts_metrics(), *_changed_variables(api, wanted)], wanted.select),
        *_newest_variables(api, wanted),
        *(_read(api, wanted, machine, "") if machine else ()),
    ]
    members, problems = assemble(_of_machines_of(found, readings))
    lacking = absent(members, wanted.quantities)
    return History(api.url, wanted.begin_seconds, wanted.end_seconds, members, lacking, (*problems, *failed(members)))


def _members(api: HttpApi, wanted: Wanted) -> list[Mapping[str, str]]:
    """The labels of every server that was scraped in this time."""
    asked = {
        "match[]": _selector([_IDENTITY], wanted.select),
        "start": f"{wanted.begin_seconds:.3f}",
        "end": f"{wanted.end_seconds:.3f}",
    }
    every = _listed(ask(api, "/api/v1/series", asked))
    found: list[Mapping[str, str]] = [labels for labels in every if isinstance(labels, dict)]
    if not found:
        hint = "is the time right, and does this server scrape mysqld_exporter? Times without a zone are local times"
        raise InputError("has no data of a MySQL or MariaDB server for this time", file=api.url, hint=hint)
    servers = sorted({labels.get("service_name") or labels.get("instance", "") for labels in found})
    if len(servers) > _MOST_MEMBERS:
        hint = f"name those of one cluster: --select 'instance=~\"{servers[0]}|{servers[1]}\"'"
        raise UsageError(f"{api.url} holds {len(servers)} servers, too many for one cluster", hint=hint)
    return found


def _of_machines_of(found: Sequence[Mapping[str, str]], readings: Sequence[Reading]) -> Iterator[Reading]:
    """Without machines that no member can be on: a Prometheus watches many."""
    hosts = {labels.get("instance", "").rpartition(":")[0] for labels in found} - {""}
    nodes = {value for labels in found for name, value in labels.items() if "node" in name or "host" in name}
    for reading in readings:
        labels = reading.labels
        if (
            not labels.get("__name__", "").startswith("node_")
            or labels.get("instance", "").rpartition(":")[0] in hosts
            or nodes & set(labels.values())
        ):
            yield reading


def _changed_variables(api: HttpApi, wanted: Wanted) -> list[str]:
    """The metrics of variables that had several values. (`changes` of VictoriaMetrics counts a series' first value.)"""
    seconds = wanted.end_seconds - wanted.begin_seconds
    step = max(1, math.ceil(seconds / _MOST_STEPS))
    named = f'label_replace({_selector([_VARIABLES + ".+"], wanted.select)},"variable","$1","__name__","(.+)")'
    spread = f"[{math.ceil(seconds)}s:{step}s]"
    asked = {
        "query": f"count by (variable) (max_over_time({named}{spread}) != min_over_time({named}{spread}))",
        "time": f"{wanted.end_seconds:.3f}",
    }
    found = _listed(_result(ask(api, "/api/v1/query", asked)))
    return [re.escape(str(each["metric"].get("variable", ""))) for each in found if isinstance(each, dict)]


def _newest_variables(api: HttpApi, wanted: Wanted) -> list[Reading]:
    """The last value of every variable, and where the time began: what did not change is known from one reading."""
    seconds = math.ceil(wanted.end_seconds - wanted.begin_seconds)
    named = _selector([_VARIABLES + ".+"], wanted.select)
    asked = {"query": f"last_over_time({named}[{seconds}s])", "time": f"{wanted.end_seconds:.3f}"}
    return [
        Reading(each["metric"], (wanted.end_seconds,), (float(each["value"][1]),))
        for each in _listed(_result(ask(api, "/api/v1/query", asked)))
        if isinstance(each, dict) and "value" in each
    ]


def _read(api: HttpApi, wanted: Wanted, names: Sequence[str], select: str) -> Iterator[Reading]:
    """Series by the names of their metrics; servers limit the length of a query."""
    batch: list[str] = []
    for name in names:
        if batch and len(name) + sum(map(len, batch)) > _MOST_CHARACTERS:
            yield from _read_batch(api, wanted, _selector(batch, select))
            batch = []
        batch.append(name)
    if batch:
        yield from _read_batch(api, wanted, _selector(batch, select))


def _read_batch(api: HttpApi, wanted: Wanted, selector: str) -> Iterator[Reading]:
    """In pieces of time, or as the last reading of each step."""
    seconds = wanted.end_seconds - wanted.begin_seconds
    steps = wanted.steps or (_MOST_STEPS if seconds > _AS_SCRAPED_SECONDS else 0)
    if steps:
        step = max(1, math.ceil(seconds / steps))
        asked = {
            "query": f"last_over_time({selector}[{step}s])",
            "start": f"{wanted.begin_seconds:.3f}",
            "end": f"{wanted.end_seconds:.3f}",
            "step": f"{step}s",
        }
        yield from _readings(ask(api, "/api/v1/query_range", asked))
        return
    begin = wanted.begin_seconds
    while begin < wanted.end_seconds:
        end = min(begin + _PIECE_SECONDS, wanted.end_seconds)
        milliseconds = max(1, round((end - begin) * 1000) - 1)  # the moment itself is in the piece before
        asked = {"query": f"{selector}[{milliseconds}ms]", "time": f"{end:.3f}"}
        yield from _readings(ask(api, "/api/v1/query", asked))
        begin = end


def _readings(data: Any) -> Iterator[Reading]:
    for series in _listed(_result(data)):
        if not isinstance(series, dict) or not isinstance(series.get("metric"), dict):
            continue
        pairs = [(float(at), number) for at, text in series.get("values", ()) if math.isfinite(number := float(text))]
        yield Reading(series["metric"], [at for at, _ in pairs], [number for _, number in pairs])


def _selector(names: Sequence[str], select: str) -> str:
    text = "|".join(names).replace("\\", "\\\\")
    return f'{{__name__=~"{text}"{f",{select}" if select else ""}}}'


def _result(data: Any) -> Any:
    return data.get("result") if isinstance(data, dict) else None


def _listed(data: Any) -> list[Any]:
    return data if isinstance(data, list) else []
