"""What does a history say of a cluster? The same as a bundle: samples, settings, replication, the machine.

Counters become samples, all members at the same moments; settings are those at the end. What an exporter cannot show
(texts, process lists) stays unknown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from advisor.data import folder, read_yaml
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.topology import recognise
from advisor.history.machine import add_machine
from advisor.history.variable_text import variable_text
from advisor.model.evidence import Cluster, Scalar
from advisor.model.monitoring.history import History, MemberHistory, Series
from advisor.model.record import record, replace

# What `why` and `check` can use; a hundred moments tell as much as a thousand.
QUANTITIES: Final = (
    "status.*", "replica.*", "redo_file.syncs", "redo_file.sync_seconds", "innodb.history_list_length",
    "host.cpu_user_seconds", "host.cpu_nice_seconds", "host.cpu_system_seconds", "host.cpu_idle_seconds",
    "host.cpu_iowait_seconds", "host.cpu_irq_seconds", "host.cpu_softirq_seconds", "host.cpu_steal_seconds",
    "host.memory_bytes", "host.memory_available_bytes", "host.disk_busy_seconds",
)  # fmt: skip
STEPS: Final = 90
_HISTORY_LIST: Final = "Innodb_history_list_length"
_REPLICATION: Final = "collector.slave_status"


@record
class _Words:
    """What exporters turned into numbers: counters and columns by 0 and 1, states by their number."""

    counters: Mapping[str, tuple[str, str]]
    columns: Mapping[str, tuple[str, str]]
    states: Mapping[str, tuple[str, Mapping[int, str]]]


def cluster_of(history: History) -> Cluster:
    """The evidence of every member, as of a bundle. `problems` say what is unknown for want of a collector."""
    problems = list(history.problems)
    members = []
    for member in history.members:
        found, remarks = _builder(member, history).member(member.name)
        members.append(found)
        problems += remarks
    recognised = recognise(members)
    named = tuple(
        replace(member, role=role.value, role_source=role.source)
        if (role := recognised.roles.get(member.name))
        else member
        for member in members
    )
    problems += [
        f"{', '.join(absent.members)}: {absent.what} are not known"
        + (f": mysqld_exporter needs {absent.flag}" if absent.flag else ": no node_exporter of their machine was found")
        for absent in history.absent
    ]
    topology = recognised.topology
    return Cluster(
        history.source,
        named,
        topology.value if topology else None,
        tuple(dict.fromkeys(problems)),
        topology_source=topology.source if topology else "",
    )


def _builder(member: MemberHistory, history: History) -> MemberBuilder:
    label = history.source
    builder = MemberBuilder()
    for name in ("version", "version_comment"):
        if name in member.texts:
            builder.add_variable(name, member.texts[name], label)
    for quantity, series in member.series.items():
        kind, _, name = quantity.partition(".")
        if kind == "variable":
            text = variable_text(name, series[0].values[-1], member.texts)
            builder.add_variable(name, text, f"{label} ({series[0].source})")
    for at_seconds, values in _moments(member):
        builder.add_moment(values, at_seconds, label)
    _add_replication(builder, member, label)
    _add_sync_time(builder, member)
    add_machine(builder, member)
    return builder


def _moments(member: MemberHistory) -> Iterator[tuple[float, dict[str, Scalar]]]:
    """The counters of each moment; a counter that was not read then is not in it."""
    words = _words()
    by_time: dict[float, dict[str, Scalar]] = {}
    for quantity, series in member.series.items():
        kind, _, name = quantity.partition(".")
        counter = _HISTORY_LIST if quantity == "innodb.history_list_length" else name if kind == "status" else ""
        for at_seconds, value in _readings(series[0]) if counter else ():
            values = by_time.setdefault(at_seconds, {})
            values[counter] = _worded(words.counters.get(counter), value)
            if counter in words.states:
                comment, states = words.states[counter]
                values[comment] = states.get(int(value), "unknown")
    yield from ((at_seconds, by_time[at_seconds]) for at_seconds in sorted(by_time))


def _add_replication(builder: MemberBuilder, member: MemberHistory, label: str) -> None:
    """SHOW REPLICA STATUS of each moment, a row for each channel; empty where the collector read and found none."""
    words = _words()
    by_time: dict[float, dict[str, dict[str, Scalar]]] = {}
    for quantity, all_series in member.series.items():
        kind, _, column = quantity.partition(".")
        for series in all_series if kind == "replica" else ():
            for at_seconds, value in _readings(series):
                row = by_time.setdefault(at_seconds, {}).setdefault(series.item, {"Channel_Name": series.item})
                row[column] = _worded(words.columns.get(column), value)
    host = member.texts.get("source_host", "")
    for at_seconds, channels in sorted(by_time.items()):
        rows = [{**row, **({"Source_Host": host} if host else {}), **_lag(row)} for row in channels.values()]
        builder.add_rows("replica_status", rows, at_seconds, label)
    if not by_time and any(one.values[-1] for one in _collector(member)):
        builder.add_rows("replica_status", [], _collector(member)[0].at_seconds[-1], label)


def _lag(row: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """NULL is what a server says that does not apply; the exporter leaves it out."""
    return {} if "Seconds_Behind_Source" in row else {"Seconds_Behind_Source": None}


def _collector(member: MemberHistory) -> tuple[Series, ...]:
    return member.series.get(_REPLICATION) or ()


def _add_sync_time(builder: MemberBuilder, member: MemberHistory) -> None:
    """How long a sync of the redo log took on average, by performance_schema."""
    syncs, seconds = (member.series.get(f"redo_file.{name}") for name in ("syncs", "sync_seconds"))
    if not syncs or not seconds or len(syncs[0].values) < 2:
        return
    count = syncs[0].values[-1] - syncs[0].values[0]
    spent = seconds[0].values[-1] - seconds[0].values[0]
    if count > 0 and spent >= 0:
        builder.add_observed("fsync_ms", round(1000 * spent / count, 3), "ms", seconds[0].source)


def _readings(series: Series) -> Iterator[tuple[float, float]]:
    yield from ((round(at, 1), value) for at, value in zip(series.at_seconds, series.values, strict=True))


def _worded(words: tuple[str, str] | None, value: float) -> Scalar:
    return words[int(value)] if words and value in (0, 1) else _scalar(value)


def _scalar(value: float) -> int | float:
    return int(value) if value == int(value) else value


@cache
def _words() -> _Words:
    data: Any = read_yaml(os.path.join(folder("rules"), "monitoring", "words", "mysqld_exporter.yaml"))
    pair: Callable[[list[str]], tuple[str, str]] = lambda words: (words[0], words[1])  # noqa: E731
    return _Words(
        {name: pair(words) for name, words in data["counters"].items()},
        {name: pair(words) for name, words in data["columns"].items()},
        {
            name: (state["gives"], {int(number): word for number, word in state["words"].items()})
            for name, state in data["states"].items()
        },
    )
