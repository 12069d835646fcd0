"""Which series belong to which member? By their labels: PMM's `service_name`, else `instance`.

Two series that say the same of one member (two jobs that scrape it, two Prometheus that watch each other's targets) are
one: the one with more readings. A machine belongs to the members whose `node_name` it has, or whose host its own
`instance` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from advisor.history.metric_names import Meaning, meaning
from advisor.model.monitoring.history import MemberHistory, Series
from advisor.model.record import record

_MACHINE = "host."
_NODE_LABELS = ("node_name", "node", "nodename", "host", "hostname")


@record
class Reading:
    """One series as the source has it: labels with its name under `__name__`, moments and values."""

    labels: Mapping[str, str]
    at_seconds: Sequence[float]
    values: Sequence[float]


@record
class _Place:
    """Where a series comes from."""

    member: str
    node: str
    host: str


def assemble(readings: Iterable[Reading]) -> tuple[tuple[MemberHistory, ...], tuple[str, ...]]:
    """The members by name with their series, those of their machines included; and what could not be used."""
    members: dict[str, dict[tuple[str, str], Series]] = {}
    texts: dict[str, dict[str, tuple[float, str]]] = {}
    places: dict[str, _Place] = {}
    machines: dict[_Place, dict[tuple[str, str], Series]] = {}
    twice: set[str] = set()
    for reading in readings:
        means = meaning(reading.labels)
        if means is None or not reading.at_seconds:
            continue
        place = _place(reading.labels)
        if means.quantity.startswith(_MACHINE):
            _add(machines.setdefault(place, {}), means, reading)
            continue
        places.setdefault(place.member, place)
        _add_texts(texts.setdefault(place.member, {}), means, reading.at_seconds[-1])
        if means.quantity and _add(members.setdefault(place.member, {}), means, reading):
            twice.add(place.member)
    found = tuple(
        MemberHistory(name, _by_quantity(_with_machine(members[name], places[name], machines)), _newest(texts[name]))
        for name in sorted(members)
    )
    problems = [
        f"{name}: is scraped more than once; for each metric, the series with more samples is used"
        for name in sorted(twice)
    ]
    return found, tuple(problems)


def _place(labels: Mapping[str, str]) -> _Place:
    instance = labels.get("instance", "")
    member = labels.get("service_name") or instance or "server"
    node = next((labels[name] for name in _NODE_LABELS if labels.get(name)), "")
    return _Place(member, node, instance.rpartition(":")[0] or instance)


def _add(series: dict[tuple[str, str], Series], means: Meaning, reading: Reading) -> bool:
    """Whether there was one already whose readings overlap; the longer one stays, and parts in a row are joined."""
    key = (means.quantity, means.item)
    values = [value * means.scale for value in reading.values] if means.scale != 1 else reading.values
    new = Series(means.quantity, means.item, reading.at_seconds, values, reading.labels.get("__name__", ""))
    old = series.get(key)
    if old is None:
        series[key] = new
        return False
    if old.at_seconds[-1] < new.at_seconds[0] or new.at_seconds[-1] < old.at_seconds[0]:
        first, second = (old, new) if old.at_seconds[-1] < new.at_seconds[0] else (new, old)
        joined = ([*first.at_seconds, *second.at_seconds], [*first.values, *second.values])
        series[key] = Series(means.quantity, means.item, *joined, second.source)
        return False
    if len(new.at_seconds) > len(old.at_seconds):
        series[key] = new
    return True


def _add_texts(known: dict[str, tuple[float, str]], means: Meaning, at_seconds: float) -> None:
    for name, text in means.texts.items():
        if name not in known or known[name][0] <= at_seconds:
            known[name] = (at_seconds, text)


def _newest(known: Mapping[str, tuple[float, str]]) -> dict[str, str]:
    return {name: text for name, (_, text) in known.items()}


def _with_machine(
    own: Mapping[tuple[str, str], Series], place: _Place, machines: Mapping[_Place, Mapping[tuple[str, str], Series]]
) -> Iterable[Series]:
    """The member's own series and those of its machine, where that is told."""
    for machine, series in machines.items():
        same_node = bool(place.node) and place.node == machine.node
        if same_node or (not machine.node and place.host and place.host == machine.host):
            return [*own.values(), *series.values()]
    return list(own.values())


def _by_quantity(series: Iterable[Series]) -> dict[str, tuple[Series, ...]]:
    grouped: dict[str, list[Series]] = {}
    for one in series:
        grouped.setdefault(one.quantity, []).append(one)
    return {quantity: tuple(found) for quantity, found in grouped.items()}
