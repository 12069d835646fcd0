"""What does a ring of `advisor watch` say over time? Its counters, settings, replication and figures as series.

They get the names that exporters give them, so that a recording is read like any other monitoring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from advisor.history.assemble import Reading, assemble
from advisor.history.collections import number_of
from advisor.history.metric_names import meaning
from advisor.history.prometheus import Wanted
from advisor.model.evidence import Scalar
from advisor.model.monitoring.history import History
from advisor.ring.reading import RingReading, kept_time
from advisor.ring.seconds import MemberSecond

_TEXTS: Final = ("version", "version_comment")
_CHANNEL: Final = ("channel_name", "connection_name")
_STATUS: Final = "mysql_global_status_"
_STATEMENTS: Final = "mysql_perf_schema_events_statements_sum"
_AS_RECORDED_SECONDS: Final = 3 * 3600.0
_MOST_STEPS: Final = 3600
_LEAST_SECONDS: Final = 0.3  # the end of a round and the begin of the next one are read together


def read_ring_history(folder: str, wanted: Wanted) -> History:
    """What a ring holds of the quantities and the time wanted; InputError when that is nothing.

    More than three hours are read as the first reading of each of 3600 steps.
    """
    held = kept_time(folder)
    begin = max(wanted.begin_seconds, held.begin_seconds)
    end = min(wanted.end_seconds or held.end_seconds, held.end_seconds)
    step = (end - begin) / _MOST_STEPS if end - begin > _AS_RECORDED_SECONDS else 0.0
    reading = RingReading(folder, begin, end)
    members: dict[str, _Member] = {}
    for second in reading:
        members.setdefault(second.member, _Member(second.member, _wanted_names(wanted), step)).add(second)
    found, remarks = assemble(one for member in members.values() for one in member.readings())
    return History(folder, begin, end, found, (), (*reading.problems, *remarks))


def _wanted_names(wanted: Wanted) -> Callable[[str], bool]:
    """Whether a metric of this name is wanted. Settings are read always."""
    quantities = frozenset(wanted.quantities)
    prefixes = tuple(quantity[:-1] for quantity in quantities if quantity.endswith("*"))

    @cache
    def is_wanted(name: str) -> bool:
        means = meaning({"__name__": name})
        return means is not None and (means.quantity in quantities or means.quantity.startswith(prefixes))

    return is_wanted


@dataclass(slots=True)
class _Line:
    """One series while it is put together."""

    labels: Mapping[str, str]
    at_seconds: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


class _Member:
    """The series of one member while they are put together."""

    def __init__(self, name: str, is_wanted: Callable[[str], bool], step_seconds: float) -> None:
        self._name, self._is_wanted, self._step = name, is_wanted, step_seconds
        self._lines: dict[tuple[str, str], _Line] = {}
        self._texts: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def add(self, second: MemberSecond) -> None:
        """Add what a second says."""
        at = second.at_seconds
        self._reading("mysql_up", at, 0.0 if second.failure else 1.0)
        for sampled, values in second.samples:
            for counter, written in values.items():
                name = self._names.get(counter) or self._names.setdefault(counter, _STATUS + counter.lower())
                if self._is_wanted(name):
                    self._reading(name, sampled, written)
        for sampled, tables in second.tables:
            for row in tables.get("statement_totals", ()):
                self._reading(_STATEMENTS + "_total", sampled, row.get("statements"))
                self._reading(_STATEMENTS + "_timer_wait", sampled, row.get("seconds"))
            for row in tables.get("replica_status", ()):
                self._replication(row, sampled)
        for figure, value in second.figures.items():
            self._reading(f"advisor_{figure}", at, value)
        if second.setup:
            self._texts = {name: second.setup.variables[name] for name in _TEXTS if name in second.setup.variables}
            for variable, text in second.setup.variables.items():
                self._reading(f"mysql_global_variables_{variable}", at, text)

    def readings(self) -> Iterator[Reading]:
        """Every series."""
        yield from (Reading(line.labels, line.at_seconds, line.values) for line in self._lines.values())
        ends = self._lines["mysql_up", ""].at_seconds[-1]
        yield Reading({"instance": self._name, **self._texts, "__name__": "mysql_version_info"}, (ends,), (1.0,))

    def _replication(self, row: Mapping[str, Scalar], at_seconds: float) -> None:
        columns = {name.lower(): cell for name, cell in row.items()}
        channel = next((str(columns[name]) for name in _CHANNEL if columns.get(name)), "")
        for name, cell in columns.items():
            if self._is_wanted(f"mysql_slave_status_{name}"):
                self._reading(f"mysql_slave_status_{name}", at_seconds, cell, channel)

    def _reading(self, name: str, at_seconds: float, written: object, channel: str = "") -> None:
        line = self._lines.get((name, channel))
        if line is None:
            labels = {"instance": self._name, "__name__": name, **({"channel_name": channel} if channel else {})}
            line = self._lines[name, channel] = _Line(labels)
        if line.at_seconds and at_seconds < line.at_seconds[-1] + max(self._step, _LEAST_SECONDS):
            return
        if (value := number_of(written)) is not None:
            line.at_seconds.append(at_seconds)
            line.values.append(value)
