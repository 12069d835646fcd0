"""Which server releases does a text mean?

A point release (`mysql-8.0.36`) is one `Release`. A bare series (`mysql-8.0`) is one per *era*: a range of releases
alike in what rules look at. The eras and the reason for each boundary are in `data/eras.tsv`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from itertools import takewhile

from advisor.errors import UsageError
from advisor.model.record import record, replace
from advisor.model.server import Family, Release, Version

DATA = os.path.join(os.path.dirname(__file__), "data")

# Feature releases led to the next long-term release: 8.1 to 8.4, 10.7 to 10.11. First and last (major, minor) of each.
# After 9.7 MySQL numbers them by year and month; the long-term release that ends that line is not out yet.
_LINES: dict[Family, tuple[tuple[str, tuple[int, int], tuple[int, int]], ...]] = {
    Family.MYSQL: (
        ("5.7", (5, 7), (5, 7)),
        ("8.0", (8, 0), (8, 0)),
        ("8.4", (8, 1), (8, 4)),
        ("9.7", (9, 0), (9, 7)),
        ("26.10", (26, 1), (26, 10)),
    ),
    Family.MARIADB: (
        ("10.5", (10, 5), (10, 5)),
        ("10.6", (10, 6), (10, 6)),
        ("10.11", (10, 7), (10, 11)),
        ("11.4", (11, 0), (11, 4)),
        ("11.8", (11, 5), (11, 8)),
        ("12.3", (12, 0), (12, 3)),
    ),
}
_WORDS = {
    "mysql": (Family.MYSQL, ""),
    "mariadb": (Family.MARIADB, ""),
    "percona": (Family.MYSQL, "percona"),
    "pxc": (Family.MYSQL, "pxc"),
}
_HINT = (
    "examples: mysql-8.0.36, mysql-8.4, mariadb-10.11, percona-8.0, pxc-8.4.8; "
    "known: MySQL 5.7, 8.0, 8.4, 9.7, 26.10 and MariaDB 10.5, 10.6, 10.11, 11.4, 11.8, 12.3"
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NUMBER = r"(\d+)\.(\d+)(?:\.(\d+))?"


@record
class Era:
    """A contiguous range of releases of one series. `last` None: goes on; `reason`: what its first release changed."""

    family: Family
    series: str
    first: Version
    last: Version | None
    shown: str
    representative: Version
    reason: str

    def release(self, vendor: str = "") -> Release:
        """The one release that stands for the range."""
        return Release(self.family, self.representative, self.series, vendor, self.shown)


def version(text: str) -> Version:
    """Three numbers of "8.0.36" or "8.0"; what is missing counts as 0."""
    numbers = [int(part) for part in text.split(".")]
    return (numbers[0], numbers[1] if len(numbers) > 1 else 0, numbers[2] if len(numbers) > 2 else 0)


@cache
def eras() -> tuple[Era, ...]:
    """Every era of every series, oldest first within a family."""
    with open(os.path.join(DATA, "eras.tsv"), encoding="utf-8") as file:
        return tuple(_era(*row.rstrip("\n").split("\t")) for row in file if row[0] != "#")


def _era(family: str, series: str, first: str, last: str, shown: str, representative: str, reason: str) -> Era:
    return Era(
        Family(family), series, version(first), version(last) if last else None, shown, version(representative), reason
    )


@cache
def all_releases() -> tuple[Release, ...]:
    """One release for every era of every series, vendor ""."""
    return tuple(era.release() for era in eras())


def as_pxc(release: Release) -> Release:
    """The same MySQL release as Percona XtraDB Cluster builds it."""
    return replace(release, vendor="pxc")


def as_percona(release: Release) -> Release:
    """The same MySQL release as Percona builds it."""
    return replace(release, vendor="percona")


def series_of(family: Family, number: Version) -> str:
    """The catalogue series whose line holds this version, "" when none does."""
    for series, first, last in _LINES[family]:
        if first <= number[:2] <= last:
            return series
    return ""


def line_starts(family: Family) -> dict[str, Version]:
    """Series → the first version number of its line, feature releases included."""
    return {series: (*first, 0) for series, first, _ in _LINES[family]}


def parse_release(text: str) -> tuple[Release, ...]:
    """Releases meant by `text` as `--server` or a bundle states them: "mysql-8.0.36", "mariadb 10.6.23-MariaDB-log".

    Raises UsageError when no server family or no version of that family is recognised.
    """
    word, number, tail = _parts(text.strip().lower())
    if word not in _WORDS:
        raise UsageError(f"not a server release: {text!r}", hint=_HINT)
    family, vendor = _WORDS[word]
    if tail and not (number.count(".") == 2 and tail[0] in "-.+~ "):
        raise UsageError(f"not a server release: {text!r}", hint=_HINT)
    if not number:
        return tuple(era.release(vendor) for era in eras() if era.family is family)
    asked = version(number)
    if not _belongs(family, asked):
        raise UsageError(f"there is no {family} {number}", hint=_HINT)
    if number.count(".") == 2:
        return (Release(family, asked, series_of(family, asked), vendor),)
    if number.count(".") == 0:
        raise UsageError(f"{text!r} does not name a release series", hint=_HINT)
    return tuple(_bare(family, asked, number, vendor))


def _parts(text: str) -> tuple[str, str, str]:
    """The word a text in small letters begins with, the number behind it with up to two dots, and the rest.

    "mysql-8.0.36-log": "mysql", "8.0.36", "-log". Between word and number there may be blanks, -, _ and a v.
    """
    rest = text.lstrip(_LETTERS)
    word = text[: len(text) - len(rest)]
    rest = rest.lstrip("-_ ").removeprefix("v")
    numbers: list[str] = []
    while len(numbers) < 3 and (rest.startswith(".") or not numbers):
        digits = "".join(takewhile(str.isdecimal, rest[1:] if numbers else rest))
        if not digits:
            break
        rest = rest[len(digits) + bool(numbers) :]
        numbers.append(digits)
    return word, ".".join(numbers), rest


def _bare(family: Family, asked: Version, number: str, vendor: str) -> Iterator[Release]:
    ranges = [era for era in eras() if era.family is family and era.series == number]
    yield from (era.release(vendor) for era in ranges)
    if not ranges:
        yield Release(family, asked, series_of(family, asked), vendor, number)


def _belongs(family: Family, number: Version) -> bool:
    """Whether this family could have such a version: MySQL 5, 8, 9 and years from 26; MariaDB 5, 10 and up."""
    if family is Family.MARIADB:
        return number[0] == 5 or number[0] >= 10
    return number[0] in (5, 8, 9) or number[0] >= 26


def detect_release(version_text: str, version_comment: str = "") -> Release | None:
    """The release of a server by its `version` and `version_comment`; None when they do not tell.

    The family is decided by words, never by the major number: MySQL went from 9.7 to 26.7. MariaDB may show
    itself to replicas as "5.5.5-10.6.23-MariaDB".
    """
    words = f"{version_text} {version_comment}".lower()
    family = Family.MARIADB if "mariadb" in words else Family.MYSQL
    if family is Family.MARIADB:
        version_text = version_text.removeprefix("5.5.5-")
    import re

    match = re.match(_NUMBER, version_text.strip())
    if not match:
        return None
    number = (int(match[1]), int(match[2]), int(match[3] or 0))
    if not _belongs(family, number):
        return None
    vendor = _vendor(words, version_text if not version_comment else "") if family is Family.MYSQL else ""
    shown = "" if match[3] else match[0]
    return Release(family, number, series_of(family, number), vendor, shown)


def _vendor(words: str, version_text: str) -> str:
    """Percona's builds are named 8.0.36-28, XtraDB Cluster's 8.0.36-28.1; a distribution's -0ubuntu1 has letters.

    The number decides only where no comment does: Debian's own build of 9.7.4 is 9.7.4-2, with the comment "(Debian)".
    """
    if "xtradb cluster" in words or "wsrep" in words:
        return "pxc"
    if "percona" in words:
        return "percona"
    import re

    build = re.fullmatch(r"\d+\.\d+\.\d+-\d+(\.\d+)?(?:-(?:log|debug))*", version_text.strip())
    return "" if not build else "pxc" if build[1] else "percona"
