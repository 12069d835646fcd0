"""Which option does a written name mean to a server, and with which prefix?"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from advisor.catalog import Catalog, load
from advisor.catalog.table import rows
from advisor.model.catalog import Variable, VariableType
from advisor.model.record import record
from advisor.model.server import Family, Release

_MYSQL_PREFIXES = ("skip_", "disable_", "enable_", "maximum_", "loose_")
PREFIXES = (*_MYSQL_PREFIXES, "autoset_")
_KEY_CACHE = frozenset(
    "key_buffer_size key_cache_block_size key_cache_division_limit key_cache_age_threshold key_cache_segments"
    " key_cache_file_hash_size".split()
)
_BUILT_IN_PLUGINS = ("innodb", "mysqlx", "aria", "feedback", "ndb")


class Found(StrEnum):
    """How sure it is that the name means something."""

    YES = "yes"
    ABBREVIATED = "abbreviated"
    AMBIGUOUS = "ambiguous"
    IGNORED = "ignored"  # MariaDB takes it and does nothing
    PERHAPS = "perhaps"
    NO = "no"


@record
class Name:
    """A written name as a server understands it.

    `plain` is the name without prefixes, with "_". `variable` is there for YES and ABBREVIATED. `others` lists
    what an ambiguous beginning could mean. `cache` is the key cache of `cache.key_buffer_size`, `dropped` a
    "word." that MySQL 5.7 and MariaDB cut off unnoticed.
    """

    plain: str
    found: Found
    variable: Variable | None = None
    prefix: str = ""  # the one that decides: skip, disable, enable, maximum, autoset
    loose: bool = False
    cache: str = ""
    dropped: str = ""
    others: tuple[str, ...] = ()


@lru_cache(maxsize=16384)
def understand(written: str, release: Release, abbreviations: bool = True) -> Name:
    """What `written` (a name as in the file, without value) means to a server of this release."""
    catalog = load(release)
    name = written.replace("-", "_")
    mariadb = release.family is Family.MARIADB
    if mariadb:
        name = name.lower()
    cache = dropped = ""
    before, dot, after = name.partition(".")
    if dot and before and after:
        if after in _KEY_CACHE:
            cache, name = before, after
        elif mariadb or release.version < (8, 0, 0):
            dropped, name = before, after
    short = mariadb and abbreviations
    loose = False
    prefix = ""
    found, variable, others = _look_up(name, catalog, short)
    perhaps = name if found is Found.PERHAPS else ""
    prefixes = PREFIXES if mariadb else _MYSQL_PREFIXES
    while found in (Found.NO, Found.PERHAPS) and name.startswith(prefixes):
        start = next(start for start in prefixes if name.startswith(start))
        name = name[len(start) :]
        loose = loose or start == "loose_"
        found, variable, others = _look_up(name, catalog, short)
        perhaps = perhaps or (name if found is Found.PERHAPS else "")
        prefix = "" if start == "loose_" or found is Found.NO else start[:-1]
    if perhaps and found is Found.NO:
        name, found, prefix = perhaps, Found.PERHAPS, ""
    if variable is not None:
        name = variable.name
    return Name(name, found, variable, prefix, loose, "" if cache == "default" else cache, dropped, others)


def split_loose(written: str) -> tuple[str, str]:
    """The `loose-` in front ("" when there is none) and the rest."""
    end = len("loose-") if written[:6].lower() in ("loose-", "loose_") else 0
    return written[:end], written[end:]


def plain_name(written: str, family: Family) -> str:
    """The name as variables are called, without `loose-`; MariaDB does not mind the case, MySQL does."""
    name = split_loose(written)[1].replace("-", "_")
    return name.lower() if family is Family.MARIADB else name


def _look_up(name: str, catalog: Catalog, short: bool) -> tuple[Found, Variable | None, tuple[str, ...]]:
    variable = catalog.get(name)
    if variable is not None and variable.option:
        return Found.YES, variable, ()
    if variable is not None and catalog.release.vendor:
        return (
            Found.PERHAPS,
            None,
            (),
        )  # facts of other vendors' builds come from manuals: wsrep_on, which files do hold
    if name.startswith("plugin_"):
        plugin = catalog.get(name[7:])
        if plugin is not None and plugin.option and of_plugin(plugin):
            return Found.YES, plugin, ()
    if catalog.ignored(name) is not None:
        return Found.IGNORED, None, ()
    if variable is None and catalog.maybe(name):
        return Found.PERHAPS, None, ()
    return _abbreviation(name, catalog) if short and name else (Found.NO, None, ())


def _abbreviation(name: str, catalog: Catalog) -> tuple[Found, Variable | None, tuple[str, ...]]:
    """MariaDB: a unique beginning, sought among the server's own options first, then plugin by plugin."""
    places: dict[str, list[str]] = {}
    for option in beginning_with(name):
        if _bare_option(option, catalog):
            variable = catalog.get(option)
            place = option.split("_")[0] if variable is not None and of_plugin(variable) else ""
            places.setdefault(place, []).append(option)
    if not places:
        return Found.NO, None, ()
    options = places.get("") or min(places.values(), key=len)
    if len(options) > 1:
        return Found.AMBIGUOUS, None, tuple(options)
    variable = catalog.get(options[0])
    return (Found.ABBREVIATED, variable, ()) if variable is not None else (Found.IGNORED, None, (options[0],))


@lru_cache(maxsize=1)
def _every_name() -> tuple[str, ...]:
    """Of every release, in order."""
    return tuple(sorted(rows("presence")))


def beginning_with(start: str) -> tuple[str, ...]:
    """The names, of every release, that begin with `start`."""
    from bisect import bisect_left

    names = _every_name()
    first = bisect_left(names, start)
    return names[first : bisect_left(names, start + "\x7f", first)]


def _bare_option(name: str, catalog: Catalog) -> bool:
    """Whether it may stand in an option file of a server with no plugin installed."""
    variable = catalog.get(name)
    if variable is None:
        return catalog.ignored(name) is not None
    return bool(variable.option) and not variable.owner.startswith("plugin")


def of_plugin(variable: Variable) -> bool:
    """Whether a plugin, built in or not, brings the option; such options may have `plugin-` before them."""
    if variable.type is VariableType.PLUGIN or variable.owner.startswith(("plugin", "engine")):
        return True
    return variable.name.split("_")[0] in _BUILT_IN_PLUGINS
