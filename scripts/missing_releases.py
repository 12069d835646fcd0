"""Which releases of MySQL and MariaDB came out that the catalogue was not read from?

`python scripts/missing_releases.py` asks the package lists of the machine's distribution, every suite of it. A release
that is newer than all readings of its series is named, and so is a series that the catalogue does not have. Exit code
1 when there is one, 2 when no package list could be read.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from advisor.catalog import detect_release
from advisor.catalog.coverage import remark
from advisor.errors import AdvisorError
from advisor.lab.servers import apt
from advisor.lab.servers.install import ALL_SUITES
from advisor.model.server import Release

PRODUCTS = {"mysql": "mysql-server-core", "mariadb": "mariadb-server-core"}


def offered() -> Iterator[tuple[str, str, Release]]:
    """(suite, package version, release) of every server that a suite of the distribution has."""
    for suite in ALL_SUITES.get(apt.distribution(), ()):
        with tempfile.TemporaryDirectory() as work:
            versions = apt.versions(tuple(PRODUCTS.values()), suite, Path(work))
        for product, package in PRODUCTS.items():
            release = detect_release(versions.get(package, ""), product)
            if release is not None:
                yield suite or apt.codename(), versions[package], release


def main() -> int:
    """Print what is missing, and what is known."""
    if not apt.here():
        print("only Debian and Ubuntu have package lists that can be asked", file=sys.stderr)
        return 2
    missing = found = 0
    try:
        for suite, version, release in offered():
            found += 1
            told = remark(release)
            missing += bool(told)
            print(f"{'MISSING' if told else 'known  '}  {release.label} ({version} in {suite})")
    except AdvisorError as error:
        print(f"{error}", file=sys.stderr)
        return 2
    return 2 if not found else 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
