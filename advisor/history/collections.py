"""What do bundles and collections of pt-stalk say over time? Their samples, settings and tables as series.

A folder of pt-stalk collections has one for each time it triggered; their names tell when, in the zone of the server,
which is taken to be that of this machine. Of settings, numbers and switches are compared, as exporters show them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from advisor.errors import InputError
from advisor.evidence.formats.json_dump import load_json
from advisor.evidence.formats.pt_stalk import is_collection, read_collection
from advisor.evidence.read import read_path
from advisor.evidence.source.archive import Tree, open_tree
from advisor.history.assemble import Reading, assemble
from advisor.model.evidence import Fact, Member, Sample, Scalar
from advisor.model.monitoring.history import History

_COLLECTION: Final = re.compile(r"(\d{4}(?:_\d\d){5})-")
_EPOCH_SECONDS: Final = 1e9
_SWITCHES: Final = {"on": 1.0, "yes": 1.0, "off": 0.0, "no": 0.0}
_TEXTS: Final = ("version", "version_comment")


def read_collections(path: str) -> History:
    """Everything that a bundle, or a folder or archive of collections, holds. InputError when it has no times."""
    found, problems = _members(path)
    readings = [reading for member, offset in found for reading in _readings(member, offset)]
    if not readings:
        hint = "collections of pt-stalk, a bundle that `advisor collect` wrote, or metrics"
        raise InputError("has no counters with time stamps", file=path, hint=hint)
    members, remarks = assemble(readings)
    moments = [at for reading in readings for at in (reading.at_seconds[0], reading.at_seconds[-1])]
    return History(path, min(moments), max(moments), members, (), (*problems, *remarks))


def _members(path: str) -> tuple[list[tuple[Member, float]], list[str]]:
    """Each member of each collection, with what its times count from (0 for not known)."""
    try:
        tree = open_tree(path)
    except InputError:
        tree = Tree(path)  # neither a folder nor an archive
    flat = _flat(tree)
    if is_collection(flat.files):
        return _of_pt_stalk(flat)
    cluster = read_path(path)
    created = _created(flat)
    return [(member, created) for member in cluster.members], list(cluster.problems)


def _created(tree: Tree) -> float:
    """When a bundle was begun, by its bundle.json; 0 where that does not tell."""
    try:
        stated = load_json(tree.read("bundle.json"), "bundle.json")
        return datetime.fromisoformat(str(stated["created"])).timestamp()
    except (InputError, KeyError, TypeError, ValueError):
        return 0.0


def _of_pt_stalk(flat: Tree) -> tuple[list[tuple[Member, float]], list[str]]:
    found: list[tuple[Member, float]] = []
    problems: list[str] = []
    for prefix in sorted({match[1] for name in flat.files if (match := _COLLECTION.match(name))}):
        part = Tree(flat.path, {name: data for name, data in flat.files.items() if name.startswith(prefix)})
        try:
            begin = datetime.strptime(prefix, "%Y_%m_%d_%H_%M_%S").astimezone().timestamp()
            name, builder = read_collection(part)
            member, remarks = builder.member(name)
        except (InputError, ValueError, IndexError) as error:
            problems.append(f"{prefix}: {getattr(error, 'message', 'not a collection')}; not used")
            continue
        found.append((member, begin))
        problems += remarks
    return found, problems


def _flat(tree: Tree) -> Tree:
    """The folder itself, or the one that everything was packed in."""
    folders = {name.split("/", 1)[0] for name in tree.files if "/" in name}
    return tree.under(folders.pop()) if len(folders) == 1 and all("/" in name for name in tree.files) else tree


def _readings(member: Member, offset: float) -> Iterator[Reading]:
    """The member's samples, settings and replication as an exporter would have shown them."""
    labels = {"instance": member.name}
    at = [_moment(sample.at_seconds, offset) for sample in member.samples]
    first = at[0] if at else offset
    if first < _EPOCH_SECONDS:
        return  # counters that nothing dates
    for name in dict.fromkeys(name for sample in member.samples for name in sample.values):
        pairs = list(_numbers(member.samples, at, name))
        if pairs:
            named = {**labels, "__name__": f"mysql_global_status_{name.lower()}"}
            yield Reading(named, [moment for moment, _ in pairs], [value for _, value in pairs])
    yield from _settings(member.variables, labels, first)
    for snapshot in member.tables:
        if snapshot.table == "replica_status":
            moment = _moment(snapshot.at_seconds, offset)
            yield from _replication(snapshot.rows, labels, moment)


def _moment(at_seconds: float, offset: float) -> float:
    """Times that do not count from 1970 count from the begin of the collection."""
    return at_seconds if at_seconds >= _EPOCH_SECONDS else offset + at_seconds


def _numbers(samples: Sequence[Sample], at: Sequence[float], name: str) -> Iterator[tuple[float, float]]:
    """Each reading of a counter. A bundle leaves one that never changed out of all samples but the first and last."""
    values = [number_of(sample.values.get(name)) for sample in samples]
    never_changed = len(values) > 2 and values[0] == values[-1] and not any(name in one.values for one in samples[1:-1])
    for moment, value in zip(at, values[:1] * len(values) if never_changed else values, strict=True):
        if value is not None:
            yield moment, value


def _settings(variables: Mapping[str, Fact], labels: Mapping[str, str], at: float) -> Iterator[Reading]:
    texts = {name: str(variables[name].value) for name in _TEXTS if name in variables}
    if texts:
        yield Reading({**labels, **texts, "__name__": "mysql_version_info"}, (at,), (1.0,))
    for name, fact in variables.items():
        value = number_of(fact.value)
        if value is not None:
            yield Reading({**labels, "__name__": f"mysql_global_variables_{name}"}, (at,), (value,))


def _replication(rows: Iterable[Mapping[str, Scalar]], labels: Mapping[str, str], at: float) -> Iterator[Reading]:
    for row in rows:
        columns = {name.lower(): value for name, value in row.items()}
        channel = str(columns.get("channel_name") or columns.get("connection_name") or "")
        for name, cell in columns.items():
            value = number_of(cell)
            if value is not None:
                named = {**labels, "__name__": f"mysql_slave_status_{name}", "channel_name": channel}
                yield Reading(named, (at,), (value,))


def number_of(value: object) -> float | None:
    """A value as exporters see it: numbers, and switches as 1 and 0."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value)
    text = str(value).strip().lower() if value is not None else ""
    try:
        return float(text) if text not in ("nan", "inf", "infinity") else None
    except ValueError:
        return _SWITCHES.get(text)
