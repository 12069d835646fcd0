"""Which defaults did releases have that are older than the catalogue?

`data/older-mariadb.tsv` and `data/older-mysql.tsv` list the few defaults that decide about durability, replication
and sizes, as the manuals give them for the stable releases of each series: `ds` holds pairs of a series and the default
from that series on, oldest first.
"""

from __future__ import annotations

from advisor.catalog.releases import line_starts, version
from advisor.catalog.table import row
from advisor.model.catalog import NO_DEFAULT, Value, _NoDefault
from advisor.model.server import Release


def is_older(release: Release) -> bool:
    """Whether the release came before all series of the catalogue, and its number is known."""
    return not release.series and (0, 0, 0) < release.version < min(line_starts(release.family).values())


def older_default(name: str, release: Release) -> Value | _NoDefault:
    """The default in a release before the catalogue; NO_DEFAULT where its manual was not read."""
    facts = row(f"older-{release.family}", name) if is_older(release) else None
    held: list[Value] = [value for since, value in facts["ds"] if version(since) <= release.version] if facts else []
    return held[-1] if held else NO_DEFAULT
