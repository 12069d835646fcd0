"""Where does a history come from? An address is asked, a file of metrics is read."""

from __future__ import annotations

import math
import os

from advisor.errors import InputError
from advisor.history.absence import absent, failed
from advisor.history.assemble import Reading, assemble
from advisor.history.export import is_export, read_export
from advisor.history.http_api import open_api
from advisor.history.metric_names import meaning
from advisor.history.prometheus import Wanted, read_prometheus
from advisor.model.monitoring.history import History, Series
from advisor.model.record import record, replace
from advisor.ring.folder import is_ring

_ALWAYS = ("variable.", "collector")
_MACHINE = "host."


@record
class Source:
    """An address or a path, the secret of its user ("" for none), and how long a request may take."""

    place: str
    secret: str = ""
    seconds: float = 60.0

    @property
    def is_address(self) -> bool:
        """Whether it is an HTTP API."""
        return self.place.startswith(("http://", "https://"))


def read_history(source: Source, wanted: Wanted) -> History:
    """What the source holds. A time of 0 to 0 is everything a file holds; InputError when there is nothing."""
    if source.is_address:
        return read_prometheus(open_api(source.place, source.secret, source.seconds), wanted)
    if not os.path.exists(source.place):
        hint = "an address (http://prometheus:9090), a recording of `advisor watch`, a bundle, or a pmm-dump archive"
        raise InputError("no such file", file=source.place, hint=hint)
    if is_export(source.place):
        return _of_file(source.place, wanted)
    if is_ring(source.place):
        from advisor.history.ring_series import read_ring_history

        return read_ring_history(source.place, wanted)
    from advisor.history.collections import read_collections

    return _inside(read_collections(source.place), wanted)


def _inside(history: History, wanted: Wanted) -> History:
    """The part in the time asked for; InputError when it has nothing then."""
    begin = wanted.begin_seconds or history.begin_seconds
    end = wanted.end_seconds or history.end_seconds
    if begin > history.end_seconds or end < history.begin_seconds:
        hint = _held(history.begin_seconds, history.end_seconds)
        raise InputError("has no data for this time", file=history.source, hint=hint)
    members = tuple(
        replace(member, series={name: _cut_series(found, begin, end) for name, found in member.series.items()})
        for member in history.members
    )
    lacking = absent(members, [each for each in wanted.quantities if each.startswith(_MACHINE)])
    return replace(history, begin_seconds=begin, end_seconds=end, members=members, absent=lacking)


def _cut_series(series: tuple[Series, ...], begin: float, end: float) -> tuple[Series, ...]:
    found = []
    for one in series:
        pairs = [(at, value) for at, value in zip(one.at_seconds, one.values, strict=True) if begin <= at <= end]
        if pairs:
            found.append(replace(one, at_seconds=[at for at, _ in pairs], values=[value for _, value in pairs]))
    return tuple(found)


def _of_file(path: str, wanted: Wanted) -> History:
    quantities = frozenset(wanted.quantities)
    prefixes = (*_ALWAYS, *(quantity[:-1] for quantity in quantities if quantity.endswith("*")))

    def keeps(labels: dict[str, str]) -> bool:
        means = meaning(labels)
        return means is not None and (
            means.quantity in quantities or means.quantity.startswith(prefixes) or bool(means.texts)
        )

    readings, problems = read_export(path, keeps)
    if not any(reading.at_seconds for reading in readings):
        hint = "metrics of mysqld_exporter are needed"
        raise InputError("has no data of a MySQL or MariaDB server", file=path, hint=hint)
    begin, end = _span(readings, wanted)
    inside = [part for reading in readings if (part := _cut(reading, begin, end)).at_seconds]
    if wanted.steps:
        step = max(1.0, (end - begin) / wanted.steps)
        inside = [_stepped(reading, begin, step) for reading in inside]
    members, remarks = assemble(inside)
    if not members:
        hint = _held(*_span(readings, Wanted(0, 0, ())))
        raise InputError("has no data of a MySQL or MariaDB server for this time", file=path, hint=hint)
    lacking = absent(members, wanted.quantities)
    return History(path, begin, end, members, lacking, (*problems, *remarks, *failed(members)))


def _span(readings: list[Reading], wanted: Wanted) -> tuple[float, float]:
    """What was asked for, and where nothing was, all there is."""
    known = [reading.at_seconds for reading in readings if reading.at_seconds]
    begin = wanted.begin_seconds or min(at[0] for at in known)
    return begin, wanted.end_seconds or max(at[-1] for at in known)


def _held(begin: float, end: float) -> str:
    from datetime import datetime

    times = [datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M %Z") for at in (begin, end)]
    return f"it has data from {times[0]} to {times[1]}"


def _stepped(reading: Reading, begin: float, step: float) -> Reading:
    """The last reading of each step, at the step's end, as a range query of Prometheus gives it."""
    last = {math.ceil((at - begin) / step): value for at, value in zip(reading.at_seconds, reading.values, strict=True)}
    return replace(reading, at_seconds=[begin + number * step for number in last], values=list(last.values()))


def _cut(reading: Reading, begin: float, end: float) -> Reading:
    if reading.at_seconds and begin <= reading.at_seconds[0] and reading.at_seconds[-1] <= end:
        return reading
    pairs = [(at, value) for at, value in zip(reading.at_seconds, reading.values, strict=True) if begin <= at <= end]
    return replace(reading, at_seconds=[at for at, _ in pairs], values=[value for _, value in pairs])
