"""What is a variable in this release? The facts of every series, read from the compact files in `data/`.

`releases` what a text like mysql-8.0 means · `variables` those of one release · `names`, `spelling` the same thing
under several names · `presence`, `history`, `lifetime` which release knows what · `coverage` what stands for a release
that was not read · `older` defaults of releases before the catalogue · `galera` provider options · `percona`,
`other_builds` options that vendors and other systems add · `table` how a data file is read.
`scripts/build_catalog.py` writes those files.
"""

from advisor.catalog.names import Successor, canonical
from advisor.catalog.percona import of_percona
from advisor.catalog.presence import known_somewhere, knows, near
from advisor.catalog.releases import Era, all_releases, as_percona, as_pxc, detect_release, eras, parse_release
from advisor.catalog.spelling import spelling
from advisor.catalog.variables import Catalog, computed_from, load

__all__ = [
    "Catalog",
    "Era",
    "Successor",
    "all_releases",
    "as_percona",
    "as_pxc",
    "canonical",
    "computed_from",
    "detect_release",
    "eras",
    "known_somewhere",
    "knows",
    "load",
    "near",
    "of_percona",
    "parse_release",
    "spelling",
]
