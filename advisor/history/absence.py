"""What does the source not hold, and which flag of the exporter would bring it? Only of what was asked for.

The exporter says of each collector whether it could read: a collector that is on and finds nothing (a server that is no
replica) misses nothing, one that fails may be older than the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.history.metric_names import metric_of
from advisor.model.monitoring.history import Absent, MemberHistory, Series

_MACHINE: Final = "host."
_COLLECTOR: Final = "collector."
_ERRORS: Final = "collector_errors."
_ON: Final = "collector_seconds."
_RUNS: Final = "collector_runs"
_FLAG: Final = "--collect."
_MOST_SUCCESS: Final = 0.1
_WORDS: Final = {
    "global_status": "counters of the server",
    "global_variables": "settings",
    "slave_status": "the state of replication",
    "perf_schema.eventsstatementssum": "latency of statements",
    "perf_schema.file_events": "how long syncs of the logs take",
    "perf_schema.replication_group_members": "roles in the group",
    "perf_schema.replication_group_member_stats": "queues of the group",
    "info_schema.innodb_metrics": "the length of the history list",
}


def absent(members: Sequence[MemberHistory], quantities: Sequence[str]) -> tuple[Absent, ...]:
    """For each collector that brought nothing of what was asked: the members it is not known for."""
    found = []
    for flag, asked in _by_flag(quantities).items():
        lacking = tuple(member.name for member in members if _lacks(member, flag, asked))
        if lacking:
            collector = flag.removeprefix(_FLAG)
            found.append(Absent(_WORDS.get(collector, collector) if flag else "CPU, memory and disks", lacking, flag))
    return tuple(found)


def failed(members: Sequence[MemberHistory]) -> tuple[str, ...]:
    """Collectors that are on and hardly ever could read their server, in one line for each member."""
    lines = []
    for member in members:
        names = sorted(
            {_plain(quantity) for quantity, series in member.series.items() if _fails(member, quantity, series)}
        )
        if names:
            exporter = f"mysqld_exporter {member.texts.get('exporter_version', '')}".strip()
            what = ", ".join(_WORDS.get(name, name) for name in names)
            lines.append(f"{member.name}: {exporter} cannot read {what}{_why(member, names)}")
    return tuple(lines)


def _fails(member: MemberHistory, quantity: str, series: Sequence[Series]) -> bool:
    if quantity.startswith(_ERRORS):
        runs = _grown(member.series.get(_RUNS, ()))
        return runs > 0 and _grown(series) > (1 - _MOST_SUCCESS) * runs
    values = [value for one in series for value in one.values] if quantity.startswith(_COLLECTOR) else []
    return bool(values) and sum(values) < _MOST_SUCCESS * len(values)


def _grown(series: Sequence[Series]) -> float:
    return sum(max(0.0, one.values[-1] - one.values[0]) for one in series)


def _why(member: MemberHistory, collectors: Sequence[str]) -> str:
    """MySQL 8.4 removed SHOW SLAVE STATUS; mysqld_exporter knows the new statement since 0.16."""
    if "slave_status" not in collectors or "mariadb" in member.texts.get("version", "").lower():
        return ""
    return ": replication of MySQL from 8.4 on needs release 0.16 or later"


def _by_flag(quantities: Sequence[str]) -> dict[str, list[str]]:
    """What was asked, by the flag that brings it; "" for the machine's."""
    by_flag: dict[str, list[str]] = {}
    for quantity in quantities:
        metric = metric_of(quantity)
        if metric is not None:
            by_flag.setdefault(metric.brings, []).append(quantity)
        elif quantity.startswith(_MACHINE):
            by_flag.setdefault("", []).append(quantity)
    return by_flag


def _lacks(member: MemberHistory, flag: str, asked: Sequence[str]) -> bool:
    if any(_holds(member, quantity) for quantity in asked):
        return False
    if flag and flag.removeprefix(_FLAG) in {_plain(name) for name in member.series}:
        return False
    conditions = {metric.matters_if for quantity in asked if (metric := metric_of(quantity))}
    return not flag or any(not condition or condition in member.series for condition in conditions)


def _plain(quantity: str) -> str:
    """The collector's name."""
    prefix = next((each for each in (_COLLECTOR, _ERRORS, _ON) if quantity.startswith(each)), None)
    return quantity.removeprefix(prefix) if prefix else ""


def _holds(member: MemberHistory, quantity: str) -> bool:
    if quantity.endswith("*"):
        return any(name.startswith(quantity[:-1]) for name in member.series)
    return quantity in member.series
