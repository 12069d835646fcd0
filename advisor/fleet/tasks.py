"""What is judged together? The option files and dumps of one cluster, or one path alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from advisor.fleet.inventory.entries import Entry
from advisor.model.record import record


@record
class Task:
    """Evidence to judge in one go: `names` are what its servers are called, `paths` where each one's evidence is."""

    cluster: str
    names: tuple[str, ...]
    paths: tuple[str, ...]


def of_paths(targets: Sequence[str], tops: Sequence[str]) -> list[Task]:
    """Each target alone; its folder is taken for its cluster, as seen from the folder that was named."""
    shortest = os.path.commonpath([os.path.abspath(top) for top in tops]) if tops else ""
    shortest = shortest if os.path.isdir(shortest) else os.path.dirname(shortest)
    return [
        Task(os.path.relpath(os.path.dirname(os.path.abspath(path)), shortest), (os.path.basename(path),), (path,))
        for path in targets
    ]


def of_entries(entries: Iterable[Entry]) -> list[Task]:
    """The evidence of each cluster's members, in the order of the inventory."""
    clusters: dict[str, list[Entry]] = {}
    for entry in entries:
        clusters.setdefault(entry.cluster, []).append(entry)
    return [
        Task(name, tuple(entry.name for entry in members), tuple(entry.path for entry in members))
        for name, members in clusters.items()
    ]
