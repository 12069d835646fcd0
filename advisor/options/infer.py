"""Which releases is this option file for? Those in which every option of it is accepted."""

from __future__ import annotations

from advisor.catalog import all_releases, as_pxc
from advisor.model.options import STOPS_START, NoteKind, Reading, Settings
from advisor.model.server import Family, Release
from advisor.options.settings import resolve

_MARIADB_GROUPS = ("mariadb", "galera", "client-server")


def infer(reading: Reading) -> tuple[tuple[Release, ...], str]:
    """The releases, and one sentence on how they were found.

    Where no release accepts every option: those that refuse the fewest.
    """
    candidates, hint = _from_groups(reading, _candidates(reading))
    scores = {release: _score(resolve(reading, release)) for release in candidates}
    best = min(scores.values())
    chosen = tuple(release for release, score in scores.items() if score == best)
    options = max(len(resolve(reading, release).all) for release in chosen)
    if not options:
        return chosen, f"no server option is set{hint}, so every release is possible"
    what = "every option is accepted" if best[0] == 0 else f"the fewest options are refused ({best[0]} of {options})"
    return chosen, f"inferred: {what} by {_listed(chosen)}{hint}"


def _candidates(reading: Reading) -> tuple[Release, ...]:
    """Every era; MySQL with Galera instead of plain MySQL when the file speaks of Galera."""
    galera = any(a.name.replace("-", "_").lower().startswith(("wsrep_", "loose_wsrep_")) for a in reading.arguments)
    if not galera:
        return all_releases()
    return tuple(r if r.family is Family.MARIADB else as_pxc(r) for r in all_releases() if r.series != "9.7")


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


def _score(settings: Settings) -> tuple[int, int]:
    """Refused options, then those of which it cannot be told; fewer is better. Plugins to be installed do not count."""
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
