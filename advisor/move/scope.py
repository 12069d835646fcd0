"""Which release is the target, where does it lie, and which claims are about such a move?"""

from __future__ import annotations

import re

from advisor.annotations import Final
from advisor.catalog import parse_release
from advisor.catalog.releases import line_starts
from advisor.catalog.releases import version as number
from advisor.conditions import satisfies
from advisor.errors import UsageError
from advisor.model.move import Direction, Releases
from advisor.model.server import Family, Release, Version

_MYSQL: Final = ("mysql", "percona", "pxc")


def target_release(text: str) -> Release:
    """The release that `--to` names; of a series the newest. UsageError, with the nearest ones, when no facts of it."""
    try:
        release = parse_release(text)[-1]
    except UsageError as error:
        near = _nearest(*_number_in(text))
        told = f"the nearest that are known: {', '.join(near)}" if near else error.hint
        raise UsageError(f"--to {text}: {error.message}", hint=told) from None
    if not release.series:
        near = _nearest(release.vendor or str(release.family), release.version)
        told = f"the nearest that are known: {', '.join(near)}"
        raise UsageError(f"--to {text}: this release is not known", hint=told)
    return release


def _number_in(text: str) -> tuple[str, Version]:
    """The word and the version in a text such as "mysql 12"; the word is "" where they are not there."""
    found = re.fullmatch(r"([a-z]+)[-_ ]*v?(\d+)(?:\.(\d+))?.*", text.strip().lower(), re.DOTALL)
    return (found[1], (int(found[2]), int(found[3] or 0), 0)) if found else ("", (0, 0, 0))


def _nearest(word: str, version: Version) -> list[str]:
    """The known series next below and next above, as `--to` takes them; [] where the word is not a server's."""
    family = {"mariadb": Family.MARIADB}.get(word, Family.MYSQL if word in _MYSQL else None)
    known = {number(series): series for series in line_starts(family)} if family else {}
    below = [series for found, series in known.items() if found < version][-1:]
    above = [series for found, series in known.items() if found > version][:1]
    return [f"{word}-{series}" for series in (*below, *above)]


def direction_of(origin: Release, target: Release) -> Direction:
    """Where the target lies, seen from the release of now."""
    if origin.family is not target.family:
        return Direction.ACROSS
    if target.version < origin.version and not (origin.series == target.series and _is_era(origin, target)):
        return Direction.DOWN
    return Direction.SAME if origin.series == target.series else Direction.UP


def _is_era(*releases: Release) -> bool:
    """Whether one of them stands for a range, so that their order within the series is not known."""
    return any(release.stands_for for release in releases)


def covers(releases: Releases, release: Release) -> bool:
    """Whether a claim's mapping of families to constraints includes the release."""
    if not releases:
        return True
    asked = releases.get(str(release.family))
    return asked is not None and (not asked or satisfies(release.version, asked))
