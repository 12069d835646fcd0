"""Which releases is this option file for? Those in which every option of it is accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from advisor.catalog import all_releases, as_percona, as_pxc, of_percona
from advisor.catalog.other_builds import of_ndb, of_windows
from advisor.catalog.presence import position, takers
from advisor.model.options import REFUSED_ALONE, NoteKind, Reading, Settings
from advisor.model.server import Family, Release
from advisor.options.groups import select
from advisor.options.names import PREFIXES, beginning_with
from advisor.options.plugins import loaded, may_be_unread
from advisor.options.settings import resolve

_MARIADB_GROUPS = ("mariadb", "galera", "client-server")
_GALERA_NAMES = ("wsrep_", "pxc_")

_EVERY_ERA = -1  # all bits

Score = tuple[int, int]
"""Options refused, options of which it cannot be told; fewer is better."""


def infer(reading: Reading) -> tuple[tuple[Release, ...], str]:
    """The releases, and one sentence on how they were found.

    Where no release accepts every option: those that refuse the fewest.
    """
    candidates, hint = _from_groups(reading, _candidates(reading))
    chosen, best = _best(reading, candidates)
    if best[0] and (percona := _percona(reading, candidates, best[0])):
        chosen, best = percona, (0, 1)
    options = max(len(select(reading, release)) for release in chosen)
    if not options:
        return chosen, f"no server option is set{hint}, so the release may be any of {_listed(chosen)}"
    what = "every option is accepted" if best == (0, 0) else "no option is known to be refused"
    if best[0]:
        what = f"the fewest server options ({best[0]} of {options}) are refused"
    return chosen, f"inferred: {what} by {_listed(chosen)}{hint}"


def _best(reading: Reading, candidates: tuple[Release, ...]) -> tuple[tuple[Release, ...], Score]:
    """The candidates with the best score, in their order.

    Names alone, looked up in the one small table of all releases, give a score that can only get worse when values
    are looked at too; so only the releases that can still win are resolved.
    """
    bounds = _bounds(reading, candidates)
    scores: dict[Release, Score] = {}
    best: Score | None = None
    for release in sorted(candidates, key=lambda r: bounds[r]):
        if best is not None and bounds[release] > best:
            break
        scores[release] = _score(resolve(reading, release))
        best = min(best or scores[release], scores[release])
    assert best is not None
    return tuple(r for r in candidates if scores.get(r) == best), best


def _bounds(reading: Reading, candidates: Iterable[Release]) -> dict[Release, Score]:
    """The scores by names alone, never worse than the true ones; each name is looked up once for all releases."""
    readings = [reading] if reading.cut is None else [reading, reading.cut]
    names = {argument.name for way in readings for argument in way.arguments}
    plugins = loaded((a.name.lower().replace("-", "_"), a.value) for way in readings for a in way.arguments)
    takers: dict[tuple[Family, bool], dict[str, int]] = {}
    bounds: dict[Release, Score] = {}
    for release in candidates:
        build = release.family, release.vendor == "pxc"
        if build not in takers:
            unread = {n for n in names if may_be_unread(n.lower().replace("-", "_"), release.family, plugins)}
            takers[build] = {name: _EVERY_ERA if name in unread else _takers(name, *build) for name in names}
        bounds[release] = _bound(reading, release, takers[build])
    return bounds


def _bound(reading: Reading, release: Release, takers: Mapping[str, int]) -> Score:
    place = position(_plain(release))
    if place is None:
        return (0, 0)
    written = Counter(argument.name for argument in select(reading, release))
    missing = sum(count for name, count in written.items() if not takers[name] >> place & 1)
    return (0, missing) if release.vendor == "pxc" else (missing, 0)


@lru_cache(maxsize=8192)
def _takers(written: str, family: Family, pxc: bool) -> int:
    """The eras of a family that perhaps take the name, with any prefix or (MariaDB) abbreviated, as bits."""
    name = written.replace("-", "_")
    mariadb = family is Family.MARIADB
    name = name.lower() if mariadb else name
    of_mariadb = sum(1 << place for place, era in enumerate(all_releases()) if era.family is Family.MARIADB)
    found = 0
    while True:
        if "." in name or (pxc and name.startswith(_GALERA_NAMES)) or of_windows(name) or of_ndb(name, family):
            return _EVERY_ERA
        found |= takers(name)
        if mariadb and found & of_mariadb != of_mariadb:
            for longer in beginning_with(name):
                found |= takers(longer)
        start = next((prefix for prefix in (*PREFIXES, "plugin_") if name.startswith(prefix)), "")
        if start in ("", "loose_"):
            return _EVERY_ERA if start else found
        name = name[len(start) :]


@lru_cache(maxsize=64)
def _plain(release: Release) -> Release:
    """The release of the plain server a Galera build is made from."""
    same = (r for r in all_releases() if (r.family, r.version) == (release.family, release.version))
    return next(same, release) if release.vendor else release


def _candidates(reading: Reading) -> tuple[Release, ...]:
    """Every era; where the file speaks of Galera: MariaDB, XtraDB Cluster, or both where nothing tells them apart."""
    written = {a.name.lower().replace("-", "_").removeprefix("loose_"): a.value or "" for a in reading.arguments}
    if not any(name.startswith(_GALERA_NAMES) for name in written):
        return all_releases()
    mariadb = tuple(release for release in all_releases() if release.family is Family.MARIADB)
    cluster = tuple(as_pxc(r) for r in all_releases() if r.family is Family.MYSQL and r.series != "9.7")
    told = _build_told(written)
    if told == "mariadb" and (0, 0) in _bounds(reading, mariadb).values():
        return mariadb
    if told == "pxc" and (0, 0) in _bounds(reading, cluster).values():
        return cluster
    return (*cluster, *mariadb)


def _build_told(written: Mapping[str, str]) -> str:
    """ "mariadb" or "pxc" where names of programs and packages, or a switch that only one of them needs, tell."""
    provider, method = written.get("wsrep_provider", "").lower(), written.get("wsrep_sst_method", "").lower()
    cluster = (
        "pxc" in written.get("wsrep_cluster_name", "").lower()
        or any("percona" in value.lower() for value in written.values())
        or method == "xtrabackup-v2"
        or any(folder in provider for folder in ("/galera3/", "/galera4/"))
    )
    # MariaDB needs wsrep_on since 10.1, XtraDB Cluster has it on by itself; MariaDB's packages use /usr/lib/galera.
    mariadb = "wsrep_on" in written or method == "mariabackup" or any(f in provider for f in ("/galera/", "/galera-4/"))
    return "" if cluster == mariadb else "pxc" if cluster else "mariadb"


def _percona(reading: Reading, candidates: tuple[Release, ...], refused: int) -> tuple[Release, ...]:
    """Percona's builds, where they refuse less than the plain ones, options that only they have being the reason.

    Of a vendor's build every name may be an option, so only names it is known to have added speak for it.
    """
    added = [a for a in reading.arguments if of_percona(a.name.replace("-", "_"))]
    wanted = [as_percona(release) for release in candidates if release.family is Family.MYSQL]
    if not added or not wanted:
        return ()
    scores = {release: _unexplained(reading, release) for release in wanted}
    fewest = min(scores.values())
    return tuple(release for release in wanted if scores[release] == fewest) if fewest < refused else ()


def _unexplained(reading: Reading, release: Release) -> int:
    """How many options the release refuses or is not known to have, those of Percona left out."""
    settings = resolve(reading, release).all
    refused = sum(any(note.kind in REFUSED_ALONE for note in setting.notes) for setting in settings)
    strange = [s for s in settings if not s.name and any(n.kind is NoteKind.UNDECIDED for n in s.notes)]
    return refused + sum(not of_percona(s.argument.name.replace("-", "_")) for s in strange)


def _from_groups(reading: Reading, candidates: tuple[Release, ...]) -> tuple[tuple[Release, ...], str]:
    """The candidates that group names such as [mariadb] or [mysqld-8.0] leave, and the hint in words."""
    names = {group.lower() for group in reading.groups}
    mariadb = sorted(name for name in names if name.startswith("mariadb") or name in _MARIADB_GROUPS)
    of_mariadb = tuple(r for r in candidates if r.family is Family.MARIADB)
    if mariadb and of_mariadb:  # none where the options are those of XtraDB Cluster, which does not read such a group
        candidates = of_mariadb
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
        refused += bool(kinds & REFUSED_ALONE)
        unsure += not setting.name and NoteKind.UNDECIDED in kinds
    return refused, unsure


def _listed(releases: tuple[Release, ...]) -> str:
    """The labels, eras of one series joined: "mysql 5.7, 8.0; mariadb 10.6"."""
    series: dict[str, dict[str, None]] = {}
    for release in releases:
        series.setdefault(release.vendor or release.family, {})[release.series] = None
    return "; ".join(f"{family} {', '.join(numbers)}" for family, numbers in series.items())
