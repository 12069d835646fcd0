"""Which releases is this option file for? Those in which every option of it is accepted."""

from __future__ import annotations

import re
from functools import lru_cache

from advisor.catalog import all_releases, as_pxc, knows
from advisor.model.options import STOPS_START, NoteKind, Reading, Settings
from advisor.model.server import Family, Release
from advisor.options.groups import select
from advisor.options.names import PREFIXES, beginning_with
from advisor.options.settings import resolve

_MARIADB_GROUPS = ("mariadb", "galera", "client-server")
_GALERA_NAMES = ("wsrep_", "pxc_")
_GALERA = re.compile(r"(?:loose[-_])?(?:wsrep|pxc)[-_]", re.IGNORECASE)

Score = tuple[int, int]
"""Options refused, options of which it cannot be told; fewer is better."""


def infer(reading: Reading) -> tuple[tuple[Release, ...], str]:
    """The releases, and one sentence on how they were found.

    Where no release accepts every option: those that refuse the fewest.
    """
    candidates, hint = _from_groups(reading, _candidates(reading))
    chosen, best = _best(reading, candidates)
    options = max(len(select(reading, release)) for release in chosen)
    if not options:
        return chosen, f"no server option is set{hint}, so {_listed(chosen)} are possible"
    what = "every option is accepted" if best == (0, 0) else "no option is certainly refused"
    if best[0]:
        what = f"the fewest options are refused ({best[0]} of {options})"
    return chosen, f"inferred: {what} by {_listed(chosen)}{hint}"


def _best(reading: Reading, candidates: tuple[Release, ...]) -> tuple[tuple[Release, ...], Score]:
    """The candidates with the best score, in their order.

    Names alone, looked up in the one small table of all releases, give a score that can only get worse when values
    are looked at too; so only the releases that can still win are resolved.
    """
    bounds = {release: _bound(reading, release) for release in candidates}
    scores: dict[Release, Score] = {}
    best: Score | None = None
    for release in sorted(candidates, key=lambda r: bounds[r]):
        if best is not None and bounds[release] > best:
            break
        scores[release] = _score(resolve(reading, release))
        best = min(best or scores[release], scores[release])
    assert best is not None
    return tuple(r for r in candidates if scores.get(r) == best), best


def _bound(reading: Reading, release: Release) -> Score:
    """The score by names alone, never worse than the true one."""
    missing = sum(not _may_take(argument.name, release) for argument in select(reading, release))
    return (0, missing) if release.vendor == "pxc" else (missing, 0)


@lru_cache(maxsize=8192)
def _may_take(written: str, release: Release) -> bool:
    """Whether the release perhaps takes the name, with any prefix or (MariaDB) abbreviated; False only when certain."""
    name = written.replace("-", "_")
    mariadb = release.family is Family.MARIADB
    name = name.lower() if mariadb else name
    plain = _plain(release)
    while True:
        if "." in name or knows(plain, name) is not False:
            return True
        if release.vendor == "pxc" and name.startswith(_GALERA_NAMES):
            return True
        if mariadb and any(knows(plain, longer) is not False for longer in beginning_with(name)):
            return True
        start = next((prefix for prefix in (*PREFIXES, "plugin_") if name.startswith(prefix)), "")
        if start in ("", "loose_"):
            return bool(start)
        name = name[len(start) :]


@lru_cache(maxsize=64)
def _plain(release: Release) -> Release:
    """The release of the plain server a Galera build is made from."""
    same = (r for r in all_releases() if (r.family, r.version) == (release.family, release.version))
    return next(same, release) if release.vendor else release


def _candidates(reading: Reading) -> tuple[Release, ...]:
    """Every era; where the file speaks of Galera: MariaDB, and XtraDB Cluster if MariaDB lacks a name of it."""
    if not any(_GALERA.match(argument.name) for argument in reading.arguments):
        return all_releases()
    mariadb = tuple(release for release in all_releases() if release.family is Family.MARIADB)
    if any(_bound(reading, release) == (0, 0) for release in mariadb):
        return mariadb
    return (*(as_pxc(r) for r in all_releases() if r.family is Family.MYSQL and r.series != "9.7"), *mariadb)


def _from_groups(reading: Reading, candidates: tuple[Release, ...]) -> tuple[tuple[Release, ...], str]:
    """The candidates that group names such as [mariadb] or [mysqld-8.0] leave, and the hint in words."""
    names = {group.lower() for group in reading.groups}
    mariadb = sorted(name for name in names if name.startswith("mariadb") or name in _MARIADB_GROUPS)
    if mariadb:
        candidates = tuple(r for r in candidates if r.family is Family.MARIADB)
        hint = f" (group [{mariadb[0]}])"
    else:
        hint = ""
    fitting = tuple(r for r in candidates if names & _version_groups(r))
    if fitting:
        wanted = sorted(names & {name for release in fitting for name in _version_groups(release)})
        return fitting, f" (group [{wanted[0]}])"
    return candidates, hint


def _version_groups(release: Release) -> set[str]:
    programs = ("mysqld", "mariadb", "mariadbd") if release.family is Family.MARIADB else ("mysqld",)
    return {f"{program}-{release.series}" for program in programs}


def _score(settings: Settings) -> Score:
    """Options of plugins that would have to be installed count as accepted."""
    refused = unsure = 0
    for setting in settings.all:
        kinds = {note.kind for note in setting.notes}
        refused += bool(kinds & STOPS_START)
        unsure += not setting.name and NoteKind.UNDECIDED in kinds
    return refused, unsure


def _listed(releases: tuple[Release, ...]) -> str:
    """The labels, eras of one series joined: "mysql 5.7, 8.0; mariadb 10.6"."""
    series: dict[str, dict[str, None]] = {}
    for release in releases:
        series.setdefault(release.vendor or release.family, {})[release.series] = None
    return "; ".join(f"{family} {', '.join(numbers)}" for family, numbers in series.items())
