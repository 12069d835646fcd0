"""Which release is the target, where does it lie, and which claims are about such a move?"""

from __future__ import annotations

from advisor.catalog import all_releases, parse_release
from advisor.conditions import satisfies
from advisor.errors import UsageError
from advisor.model.move import Direction, Releases
from advisor.model.server import Family, Release


def target_release(text: str) -> Release:
    """The release that `--to` names; of a series the newest. UsageError, with the nearest ones, when no facts of it."""
    try:
        release = parse_release(text)[-1]
    except UsageError as error:
        raise UsageError(f"--to: {error.message}", hint=error.hint) from None
    if not release.series:
        names = ", ".join(_nearest(release))
        raise UsageError(f"--to {text}: nothing is known of this release", hint=f"the nearest that are known: {names}")
    return release


def _nearest(release: Release) -> list[str]:
    """The known series next below and next above, as `--to` takes them."""
    of_family = [known for known in all_releases() if known.family is release.family]
    below = [known for known in of_family if known.version < release.version][-1:]
    above = [known for known in of_family if known.version > release.version][:1]
    return list(dict.fromkeys(f"{release.vendor or known.family}-{known.series}" for known in (*below, *above)))


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


def other_family(release: Release) -> Family:
    """The family that the release does not belong to."""
    return Family.MARIADB if release.family is Family.MYSQL else Family.MYSQL
