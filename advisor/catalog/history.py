"""Did a fact hold in a release, given when it changed?

A change is dated "8.0.26" (the first release with it), "(8.0.23,8.0.28]" (after the first, by the second: undated in
between) or "?10.11.14" (by that release, in none or some of those before: a back-port from the series before). A
question is about one release or, for an era, about a range of them.
"""

from __future__ import annotations

from enum import Enum

from advisor.catalog.releases import eras, version
from advisor.model.record import record
from advisor.model.server import Release, Version

_ENDLESS: Version = (9999, 0, 0)


class When(Enum):
    """How a change stands to the releases asked about."""

    BEFORE = "before"  # all of them are older than the change
    AFTER = "after"  # all of them have it
    EITHER = "either"  # some have it, or it is not known which


@record
class Span:
    """The releases asked about: `first` to `last`, equal for a point release; `start`: the series' first stable one."""

    first: Version
    last: Version
    start: Version

    @property
    def point(self) -> bool:
        """Whether it is one release."""
        return self.first == self.last


def span(release: Release) -> Span:
    """The range a release stands for."""
    ranges = [era for era in eras() if era.family is release.family and era.series == release.series]
    start = ranges[0].first if ranges else release.version
    if release.stands_for:
        for era in ranges:
            if era.shown == release.stands_for:
                return Span(era.first, era.last or _ENDLESS, start)
        major, minor, _ = release.version
        return Span((major, minor, 0), (major, minor, 9999), start)
    return Span(release.version, release.version, start)


def dated(when: str, asked: Span) -> When:
    """How the change dated `when` stands to the releases asked about.

    A range begins with its series: a change seen between the last reading of the series before and the first of this
    one counts as made with the series. For a point release before that first reading it stays open.
    """
    if when[0] == "?":
        return When.AFTER if asked.first >= version(when[1:]) else When.EITHER
    if when[0] != "(":
        first = version(when)
        return When.AFTER if asked.first >= first else When.BEFORE if asked.last < first else When.EITHER
    after, by = when[1:-1].split(",")
    latest_without = version(after)
    earliest_with = version(by) if by else _ENDLESS
    if asked.first >= earliest_with or (not asked.point and latest_without < asked.start):
        return When.AFTER
    return When.BEFORE if asked.last <= latest_without else When.EITHER
