"""Which defaults did releases have that are older than the catalogue, and which options do they lack?

`data/older-mariadb.tsv` and `data/older-mysql.tsv` list the few defaults that decide about durability, replication
and sizes, as the manuals give them for the stable releases of each series: `ds` holds pairs of a series and the default
from that series on, oldest first. `data/older-names.tsv` has the options that were gone by the first series.
"""

from __future__ import annotations

from functools import cache, lru_cache

from advisor.annotations import Final
from advisor.catalog.releases import line_starts, version
from advisor.catalog.table import row, rows
from advisor.model.catalog import NO_DEFAULT, Value, _NoDefault
from advisor.model.server import Family, Release

_NAMES_FROM: Final = (5, 5, 0)  # the oldest release whose names were read
_PREFIXES: Final = ("skip_", "disable_", "enable_", "maximum_", "autoset_", "loose_", "plugin_", "wsrep_")
_MISSPELT_FROM: Final = 8  # letters: two wrong ones in a shorter name may make another name


def is_older(release: Release) -> bool:
    """Whether the release came before all series of the catalogue, and its number is known."""
    return not release.series and (0, 0, 0) < release.version < min(line_starts(release.family).values())


def older_default(name: str, release: Release) -> Value | _NoDefault:
    """The default in a release before the catalogue; NO_DEFAULT where its manual was not read."""
    facts = row(f"older-{release.family}", name) if is_older(release) else None
    held: list[Value] = [value for since, value in facts["ds"] if version(since) <= release.version] if facts else []
    return held[-1] if held else NO_DEFAULT


@lru_cache(maxsize=4096)
def is_lacking(name: str, release: Release) -> bool:
    """Whether an older release certainly lacks the option; False where it cannot be told.

    Names stay while a series lives and go to its successors: what neither the first series of the catalogue nor any
    read release before it has, came later or is another server's. A name that nobody knows may be a plugin's; only
    where it is nearly a known one is it misspelt.
    """
    family = release.family
    if not is_older(release) or release.version < _NAMES_FROM or release.vendor or "." in name:
        return False
    known = _known_until_first(family)
    if name.startswith(_PREFIXES) or any(other.startswith(name) for other in known):
        return False
    return _is_known_elsewhere(name, family) or (not _has_facts(name) and _is_misspelt(name, known))


@cache
def _known_until_first(family: Family) -> frozenset[str]:
    """Every name of the first series, options of plugins and names known from manuals too, and of those before it."""
    before = (name for name, families in rows("older-names").items() if family in families.split())
    return frozenset({*rows(f"{family}-{next(iter(line_starts(family)))}"), *before})


def _series() -> tuple[str, ...]:
    return tuple(f"{family}-{series}" for family in Family for series in line_starts(family))


def _is_known_elsewhere(name: str, family: Family) -> bool:
    """Whether a series has it as an option of the server itself; Galera and plugins may be older than that."""
    texts = (rows(stem).get(name, "") for stem in _series())
    return any('"t":' in text and '"ow":' not in text for text in texts) or (
        family is Family.MARIADB and "mysql" in rows("older-names").get(name, "")
    )


def _has_facts(name: str) -> bool:
    return name in rows("older-names") or any(name in rows(stem) for stem in _series())


def _is_misspelt(name: str, known: frozenset[str]) -> bool:
    """Whether at most two letters are wrong, missing or exchanged with their neighbour."""
    if len(name) < _MISSPELT_FROM:
        return False
    from difflib import get_close_matches

    near = [other for other in known if abs(len(other) - len(name)) <= 2]
    return bool(get_close_matches(name, near, n=1, cutoff=1 - 2 / len(name)))
