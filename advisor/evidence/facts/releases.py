"""Which release is this exactly, and is its series still maintained?"""

from __future__ import annotations

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.server import Family, Release

# Last month of maintenance. https://www.mysql.com/support/ (lifetime support policy) and
# https://mariadb.org/about/#maintenance-policy; series still maintained when this was written are not listed.
_END_OF_LIFE = {
    (Family.MYSQL, (5, 0)): "January 2012",
    (Family.MYSQL, (5, 1)): "December 2013",
    (Family.MYSQL, (5, 5)): "December 2018",
    (Family.MYSQL, (5, 6)): "February 2021",
    (Family.MYSQL, (5, 7)): "October 2023",
    (Family.MYSQL, (8, 0)): "April 2026",
    (Family.MARIADB, (5, 5)): "April 2020",
    (Family.MARIADB, (10, 0)): "March 2019",
    (Family.MARIADB, (10, 1)): "October 2020",
    (Family.MARIADB, (10, 2)): "May 2022",
    (Family.MARIADB, (10, 3)): "May 2023",
    (Family.MARIADB, (10, 4)): "June 2024",
    (Family.MARIADB, (10, 5)): "June 2025",
    (Family.MARIADB, (10, 6)): "July 2026",
}
# The last one of MySQL is the newest feature release: none has followed it yet.
_LAST_OF_LINE = {
    Family.MYSQL: {(5, 7), (8, 0), (8, 4), (9, 7), (26, 10)},
    Family.MARIADB: {(10, 5), (10, 6), (10, 11), (11, 4), (11, 8), (12, 3)},
}


@fact()
def point_release(e: MemberFacts) -> str:
    """The release with its point number, "8.0.38"; unknown where only the series is known."""
    return _exact(e).number


@fact()
def product(e: MemberFacts) -> str:
    """The family as its makers write it, "MySQL" or "MariaDB"."""
    return "MariaDB" if e.release.family is Family.MARIADB else "MySQL"


@fact()
def end_of_life(e: MemberFacts) -> str:
    """The month in which maintenance of the series ended; "" if it is maintained. Only for a release known exactly.

    Feature releases (MySQL 8.1–8.3, 9.0–9.6, 26.7; MariaDB between its long-term series) end with the next one.
    """
    release = _exact(e)
    series = release.version[:2]
    if release.series and series not in _LAST_OF_LINE[release.family]:
        return "when the next release came out"
    return _END_OF_LIFE.get((release.family, series), "")


@fact()
def ended_everywhere(e: MemberFacts) -> bool:
    """Whether the series has ended for other vendors too: Percona kept Oracle's dates up to 5.6 (its lifecycle)."""
    return e.release.family is Family.MYSQL and _exact(e).version < (5, 7, 0)


def _exact(e: MemberFacts) -> Release:
    if e.release.stands_for:
        raise NeedsError(Missing(("version",)))
    return e.release
