"""Which releases know a name?

`data/presence.tsv` answers for every era at once: per name the eras that certainly and that perhaps have it, as bits.
"""

from __future__ import annotations

from functools import cache

from advisor.catalog.releases import all_releases
from advisor.catalog.table import rows
from advisor.catalog.variables import load
from advisor.model.server import Release


def _bits(name: str) -> tuple[int, int]:
    sure, _, perhaps = rows("presence").get(name, "0\t0").partition("\t")
    return int(sure, 16), int(perhaps, 16)


@cache
def _position(release: Release) -> int | None:
    return next((position for position, era in enumerate(all_releases()) if era == release), None)


def knows(release: Release, name: str) -> bool | None:
    """Whether the release takes the name in an option file, ignored ones included; None when it cannot be told."""
    position = _position(release)
    if position is None:
        catalog = load(release)
        if catalog.get(name) is not None or catalog.ignored(name) is not None:
            return True
        return None if catalog.maybe(name) else False
    sure, perhaps = _bits(name)
    return True if sure >> position & 1 else None if perhaps >> position & 1 else False


def known_somewhere(name: str) -> tuple[str, ...]:
    """The series that know the name: ("mysql 8.4", "mariadb 10.11", …), oldest first within a family."""
    sure, _ = _bits(name)
    there = [r for i, r in enumerate(all_releases()) if sure >> i & 1]
    found = [f"{r.family} {r.series}" for r in there if load(r).ignored(name) is None]
    return tuple(dict.fromkeys(found))


def near(name: str, release: Release) -> tuple[str, ...]:
    """At most three names of the release that look like `name`; the same words in another order come first."""
    from difflib import get_close_matches

    names = load(release).names()
    words = sorted(name.split("_"))
    same = [other for other in names if sorted(other.split("_")) == words]
    close = get_close_matches(name, names, n=3, cutoff=0.8)
    return tuple(dict.fromkeys(same + close))[:3]
