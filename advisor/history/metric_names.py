"""What does a metric of an exporter hold? The names of `rules/monitoring/names/`, in every release's spelling."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from advisor.data import folder, read_yaml
from advisor.errors import RuleError
from advisor.model.record import record
from advisor.yaml_shapes import mapping, refuse_unknown, require

_KEYS: Final = ("metric", "gives", "texts", "where", "item", "scale", "brings", "matters_if")
_COUNTERS: Final = os.path.join(os.path.dirname(__file__), "..", "catalog", "data", "counters.txt")
# What SHOW REPLICA STATUS calls its columns (MySQL from 8.0.22 on); exporters write them in small letters.
_COLUMNS: Final = (
    "Replica_IO_Running Replica_SQL_Running Seconds_Behind_Source Read_Source_Log_Pos Exec_Source_Log_Pos Relay_Log_Pos"
    " Relay_Log_Space Last_Errno Last_IO_Errno Last_SQL_Errno Skip_Counter SQL_Delay SQL_Remaining_Delay Auto_Position"
    " Source_Server_Id Source_Port Until_Log_Pos Connect_Retry Source_Retry_Count Get_Source_public_key Using_Gtid"
    " Retried_transactions Slave_DDL_Groups Slave_Transactional_Groups Slave_Non_Transactional_Groups"
).split()
_OLD_WORDS: Final = (("master", "source"), ("slave_io", "replica_io"), ("slave_sql", "replica_sql"))


@record
class Metric:
    """One entry of a file: which names and labels it matches, and what such a series is."""

    pattern: re.Pattern[str]
    gives: str
    texts: Mapping[str, str]
    where: Mapping[str, str]
    item: tuple[str, ...]
    scale: float
    brings: str
    matters_if: str


@record
class Meaning:
    """What one series holds: `quantity` times `scale` ("" for none), and texts in its labels."""

    quantity: str
    item: str
    scale: float
    texts: Mapping[str, str]


@cache
def load_metrics() -> tuple[Metric, ...]:
    """Every entry of every file, in order; the first that matches counts. RuleError when one is wrong."""
    place = os.path.join(folder("rules"), "monitoring", "names")
    found: list[Metric] = []
    for name in sorted(os.listdir(place)):
        path = os.path.join(place, name)
        data = mapping(read_yaml(path), "the file", path)
        require(data, ("see", "metrics"), "the file", path)
        found += [_metric(mapping(entry, "an entry", path), path) for entry in data["metrics"]]
    return tuple(found)


def _metric(data: Mapping[str, Any], path: str) -> Metric:
    refuse_unknown(dict(data), _KEYS, "an entry", path)
    require(dict(data), ("metric",), "an entry", path)
    if not data.get("gives") and not data.get("texts"):
        raise RuleError(f"{data['metric']}: neither `gives` nor `texts`", file=path)
    try:
        pattern = re.compile(data["metric"])
    except re.error as error:
        raise RuleError(f"{data['metric']}: not a regular expression: {error}", file=path) from None
    return Metric(
        pattern,
        data.get("gives", ""),
        data.get("texts") or {},
        data.get("where") or {},
        tuple(data.get("item") or ()),
        float(data.get("scale", 1)),
        data.get("brings") or "",
        data.get("matters_if") or "",
    )


def meaning(labels: Mapping[str, str]) -> Meaning | None:
    """What a series with these labels (its name under `__name__`) holds; None for nothing that we read."""
    name = labels.get("__name__", "")
    for metric in load_metrics():
        match = metric.pattern.fullmatch(name)
        if match and all(labels.get(label) == value for label, value in metric.where.items()):
            words = dict(labels)
            words.update({str(number): text or "" for number, text in enumerate(match.groups(), 1)})
            item = " ".join(filter(None, (labels.get(label, "") for label in metric.item)))
            texts = {key: labels[label] for key, label in metric.texts.items() if labels.get(label)}
            return Meaning(_spelt(_filled(metric.gives, words)), item, metric.scale, texts)
    return None


def metrics_that_give(quantities: Sequence[str]) -> list[str]:
    """Regular expressions of the names under which these quantities may be found; "status.*" are all of a kind."""
    wanted: list[str] = []
    for metric in load_metrics():
        if any(quantity.endswith("*") and metric.gives.startswith(quantity[:-1]) for quantity in quantities):
            wanted.append(metric.pattern.pattern)
            continue
        template = re.escape(metric.gives).replace(r"\{", "{").replace(r"\}", "}")
        fits = re.compile(re.sub(r"\{(\w+)\}", r"(?P<p_\1>.+)", template), re.IGNORECASE)
        for quantity in quantities:
            if (match := fits.fullmatch(quantity)) and metric.gives:
                wanted += _names(metric.pattern.pattern, match.groupdict())
    return list(dict.fromkeys(wanted))


def texts_metrics() -> list[str]:
    """The names of metrics whose labels hold texts, such as the version."""
    return [metric.pattern.pattern for metric in load_metrics() if metric.texts and not metric.gives]


def metric_of(quantity: str) -> Metric | None:
    """The entry that brings a quantity and names the exporter's flag for it; None for no flag."""
    for metric in load_metrics():
        head = metric.gives.partition("{")[0]
        if metric.brings and (metric.gives == quantity or ("{" in metric.gives and head and quantity.startswith(head))):
            return metric
    return None


def _names(pattern: str, found: Mapping[str, str]) -> list[str]:
    """The pattern with what the quantity says in place of its group; replica columns in both spellings."""
    if "(.+)" not in pattern or "p_1" not in found:
        return [pattern]
    plain = found["p_1"].lower()
    spellings = [plain]
    for old, new in _OLD_WORDS:
        spellings += [each.replace(new, old) for each in spellings if new in each]
    return [pattern.replace("(.+)", each) for each in dict.fromkeys(spellings)]


def _filled(template: str, words: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], ""), template)


def _spelt(quantity: str) -> str:
    """As the server spells it: exporters write counters and columns in small letters."""
    kind, dot, name = quantity.partition(".")
    if kind == "status":
        return kind + dot + (_counter_spellings().get(name.lower()) or _capital(name))
    if kind == "replica":
        for old, new in _OLD_WORDS:
            name = name.replace(old, new)
        return kind + dot + (_COLUMN_SPELLINGS.get(name) or _capital(name))
    if kind.startswith("collector"):
        return kind + dot + name.removeprefix("collect.")
    return quantity


def _capital(name: str) -> str:
    return name if name.startswith("wsrep") else name[:1].upper() + name[1:]


@cache
def _counter_spellings() -> dict[str, str]:
    with open(_COUNTERS, encoding="utf-8") as stream:
        return {line.strip().lower(): line.strip() for line in stream if line.strip()}


_COLUMN_SPELLINGS: Final = {column.lower(): column for column in _COLUMNS}
