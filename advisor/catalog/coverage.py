"""How far are the facts about a release known from servers that were read, and what stands for the rest?"""

from __future__ import annotations

import os
from functools import cache

from advisor.annotations import Any
from advisor.catalog.older import is_older
from advisor.catalog.releases import DATA, eras, version
from advisor.catalog.table import parsed
from advisor.catalog.variables import nearest_series
from advisor.model.server import Release, Version


def remark(release: Release) -> str:
    """The sentence that says with what a release is judged; "" where servers of it, or around it, were read.

    Releases between two readings of a long-term series count as read: what changed between these two is dated.
    """
    if not release.series:
        known = "its options and defaults are not known"
        checks = "does not check whether the server accepts its options"
        if is_older(release):
            known = "only its defaults for durability, replication and sizes are known, from its manual"
            checks = "reports only those options that it certainly lacks"
        return (
            f"{release.label} is not covered: {known}. advisor {checks}, "
            f"and reads values as in the nearest series, {release.family} {nearest_series(release)}"
        )
    head = _head(f"{release.family}-{release.series}")
    readings = sorted(map(version, head["readings"]))
    if not readings:
        return (
            f"advisor has not read a server of {release.label}: it is judged as {release.family} {head['from']}, "
            "with the changes that its manual names"
        )
    if release.stands_for and release.version[:2] == version(release.series)[:2]:
        return ""
    return _between(release, readings)


def _between(release: Release, readings: list[Version]) -> str:
    """The sentence for a release outside the readings of its series."""
    newest = _text(readings[-1])
    ranges = [era for era in eras() if (era.family, era.series) == (release.family, release.series)]
    if release.version > max(readings[-1], ranges[-1].last or readings[-1]):
        return f"{release.label} is newer than all servers that advisor has read: it is judged as {newest}"
    if release.version < ranges[0].first:
        return (
            f"advisor has not read a server of {release.label}: it is judged as {release.family} {release.series}, "
            "without changes that its manual dates to later releases; settings without a date there are unknown"
        )
    return ""


def _text(number: Version) -> str:
    return ".".join(map(str, number))


@cache
def _head(stem: str) -> Any:
    """The first line of a data file: which servers it was read from, and where from otherwise."""
    with open(os.path.join(DATA, f"{stem}.tsv"), encoding="utf-8") as file:
        return parsed(file.readline().partition("\t")[2])
