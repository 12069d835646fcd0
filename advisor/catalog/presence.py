"""Which releases know a name?

`data/presence.tsv` answers for every era at once: per name the eras that certainly and that perhaps have it, as bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from advisor.catalog.releases import all_releases
from advisor.catalog.table import rows
from advisor.catalog.variables import load
from advisor.model.server import Family, Release

_MISFITS = 5  # at most one letter in so many of two names may be without its like, for one to be meant by the other


def _bits(name: str) -> tuple[int, int]:
    sure, _, perhaps = rows("presence").get(name, "0 0").partition(" ")
    return int(sure, 16), int(perhaps, 16)


@cache
def position(release: Release) -> int | None:
    """The place of an era in `all_releases()`, which is its bit in `takers`; None for any other release."""
    return next((place for place, era in enumerate(all_releases()) if era == release), None)


def takers(name: str) -> int:
    """The eras that certainly or perhaps take the name in an option file, as bits by their position."""
    sure, perhaps = _bits(name)
    return sure | perhaps


def knows(release: Release, name: str) -> bool | None:
    """Whether the release takes the name in an option file, ignored ones included; None when it cannot be told."""
    place = position(release)
    if place is None:
        catalog = load(release)
        if catalog.get(name) is not None or catalog.ignored(name) is not None:
            return True
        return None if catalog.maybe(name) else False
    sure, perhaps = _bits(name)
    return True if sure >> place & 1 else None if perhaps >> place & 1 else False


def known_somewhere(name: str) -> tuple[str, ...]:
    """The series that know the name: ("mysql 8.4", "mariadb 10.11", …), oldest first within a family."""
    return tuple(series for family in Family for series in known_in(name, family))


def known_in(name: str, family: Family) -> Iterator[str]:
    """The series of one family that know the name, oldest first; names that MariaDB only ignores are not known.

    One by one: to tell whether a name is ignored, the series' file is read, which takes 1 ms.
    """
    sure, _ = _bits(name)
    if not sure:
        return
    told = ""
    for place, era in enumerate(all_releases()):
        if era.family is not family or not sure >> place & 1 or era.series == told:
            continue
        if family is Family.MYSQL or load(era).ignored(name) is None:  # MySQL ignores no name
            told = era.series
            yield f"{family} {era.series}"


def near(name: str, release: Release) -> tuple[str, ...]:
    """At most three names of the release that look like `name`; the same words in another order come first."""
    from difflib import get_close_matches

    words, letters = sorted(name.split("_")), set(name)
    # Letters that only one of two names has are never matched: with more of them than the cutoff leaves, the slow
    # comparison cannot succeed. Nine names in ten go this way.
    likely = [o for o, others in _letters(release) if len(letters ^ others) * _MISFITS <= len(name) + len(o)]
    same = [other for other in likely if sorted(other.split("_")) == words]
    close = get_close_matches(name, likely, n=3, cutoff=1 - 1 / _MISFITS)
    return tuple(dict.fromkeys(same + close))[:3]


@lru_cache(maxsize=4)
def _letters(release: Release) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((name, frozenset(name)) for name in load(release).names())
