"""Does a search space name only what the servers have? Resolves it for every release it is for, on two machines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.catalog import all_releases, as_pxc
from advisor.conditions import names
from advisor.data import folder
from advisor.errors import RuleError, UsageError
from advisor.expressions import parse
from advisor.model.server import Family, Release, Topology
from advisor.model.tuning import SearchSpace
from advisor.tune.space.resolve import resolve
from advisor.tune.space.space_file import SpaceTemplate, read_space, space_files

FEWEST, MOST = 8, 25  # knobs: with fewer there is nothing to search, more need more trials than fit into eight hours
# A small virtual machine and a large server: bounds must make sense on both.
MACHINES: Final = (
    {"cpus": 2.0, "memory_bytes": 2.0 * 1024**3, "disk_free_bytes": 10.0 * 1024**3, "connections": 20.0},
    {"cpus": 64.0, "memory_bytes": 512.0 * 1024**3, "disk_free_bytes": 4096.0 * 1024**3, "connections": 1000.0},
)


def lint_spaces(folders: Sequence[str] = ()) -> list[str]:
    """What is wrong with the shipped spaces and those of the given folders, one line each; [] when nothing is."""
    parts = (os.path.join(folder("search_spaces"), "parts"),)
    problems: list[str] = []
    for stem, path in space_files(folders).items():
        for family in Family:
            try:
                template = read_space(path, family, parts)
            except RuleError as error:
                problems.append(str(error))
                continue
            if template.topology != stem:
                problems.append(f"{path}: the topology {template.topology!r} differs from the file's name")
            problems += _of_template(template, family, path)
    return list(dict.fromkeys(problems))


def _of_template(template: SpaceTemplate, family: Family, path: str) -> Iterator[str]:
    resolved = []
    for release in all_releases():
        if release.family is family:
            try:
                resolved += [resolve(template, _as_built(template, release), machine) for machine in MACHINES]
            except UsageError:
                continue  # not for this release
            except RuleError as error:
                yield f"{error} ({release.label})"
    for space in resolved:
        if not FEWEST <= len(space.knobs) <= MOST:
            yield f"{path}: {len(space.knobs)} knobs for {space.release.label}, {FEWEST} to {MOST} are expected"
    if str(family) in template.families and not resolved:
        yield f"{path}: the space is for {family} {template.families[str(family)]}, but no known release fits"
    yield from _unused(template, resolved, path)


def _as_built(template: SpaceTemplate, release: Release) -> Release:
    """Of the MySQL builds only Percona XtraDB Cluster has Galera."""
    galera = template.topology is Topology.GALERA and release.family is Family.MYSQL
    return as_pxc(release) if galera else release


def _unused(template: SpaceTemplate, resolved: Sequence[SearchSpace], path: str) -> Iterator[str]:
    """A name in a condition that no release turns into a knob is misspelt."""
    known = {knob.name for space in resolved for knob in (*space.knobs, *space.frozen)} | set(template.knobs)
    expressions = [(f"the rule {rule.must!r}", rule.tree) for rule in template.rules if rule.file == path]
    expressions += [
        (f"{knob.name}: the condition {knob.active!r}", parse(knob.active))
        for knob in template.knobs.values()
        if knob.active and knob.file == path
    ]
    for place, tree in expressions:
        for name in names(tree):
            if not name.startswith("host.") and name not in known:
                yield f"{path}: {place} names {name!r}, which is not a knob of this space"
