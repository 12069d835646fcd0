"""What does an inventory say of each server? Its cluster, its name, and where to read it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from advisor.model.record import record, replace

SCHEMES = ("mysql://", "mariadb://")


@record
class Entry:
    """One server: `path` of its evidence, or `dsn` of the running server. `line` is where the inventory names it."""

    cluster: str
    name: str
    path: str = ""
    dsn: str = ""
    line: int = 0


@record
class Inventory:
    """The servers in the order of the file, each once; `problems` are remarks with their place."""

    file: str
    entries: tuple[Entry, ...]
    problems: tuple[str, ...] = ()


def without_repeats(file: str, entries: Iterable[Entry], problems: Iterable[str] = ()) -> Inventory:
    """An inventory that names each server once; those named again are remarked on."""
    kept: dict[tuple[str, str], Entry] = {}
    remarks = list(problems)
    for entry in entries:
        key = (os.path.realpath(entry.path) if entry.path else "", entry.dsn.rpartition("@")[2])
        first = kept.setdefault(key, entry)
        if first is not entry:
            remarks.append(f"{file}:{entry.line}: {entry.name} is the same server as {first.name}; it is judged once")
    return Inventory(file, tuple(_names_of_their_own(kept.values())), tuple(remarks))


def _names_of_their_own(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Each with a name that no other member of its cluster has."""
    taken: set[tuple[str, str]] = set()
    for entry in entries:
        name, number = entry.name, 2
        while (entry.cluster, name) in taken:
            name, number = f"{entry.name}-{number}", number + 1
        taken.add((entry.cluster, name))
        yield replace(entry, name=name)
