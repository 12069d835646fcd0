"""Which plugins do the option files themselves load, and does an option belong to one of them?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from advisor.catalog import load
from advisor.catalog.releases import line_starts, version
from advisor.catalog.table import row, rows
from advisor.model.catalog import Variable, VariableType
from advisor.model.server import Family, Release

_LIBRARIES = {
    "semisync_master": "rpl_semi_sync_master",
    "semisync_slave": "rpl_semi_sync_slave",
    "semisync_source": "rpl_semi_sync_source",
    "semisync_replica": "rpl_semi_sync_replica",
    "mysql_clone": "clone",
    "libmemcached": "daemon_memcached",
    "libpluginmecab": "mecab",
}


_SWITCHES = ("loose_", "plugin_", "enable_", "disable_", "skip_")


def loaded(options: Iterable[tuple[str, str | None]]) -> frozenset[str]:
    """The plugins and libraries of all (name, value) options, in small letters, without ".so" and "ha_".

    Their place in the files does not matter: plugins are loaded before their options are looked at. `plugin_load`
    replaces what was listed before it.
    """
    early: list[str] = []
    listed: list[str] = []
    for name, value in options:
        if name == "plugin_load":
            listed = [value or ""]
        elif name == "plugin_load_add":
            listed.append(value or "")
        elif name == "early_plugin_load":
            early = [value or ""]
    out = set()
    for item in ";".join(early + listed).lower().split(";"):
        for word in item.split("="):
            stem = word.strip().removesuffix(".so").removesuffix(".dll").removeprefix("ha_")
            out.add(_LIBRARIES.get(stem, stem))
    return frozenset(out - {""})


def provided(variable: Variable, plugins: frozenset[str]) -> bool:
    """Whether one of the loaded plugins brings the option."""
    owner = variable.owner.partition(":")[2].lower()
    name = variable.name.lower()
    return any(name == p or name.startswith(f"{p}_") or owner == p for p in plugins)


def owner_of(variable: Variable, release: Release) -> str:
    """Who brings the option, in words: "plugin server_audit", "component validate_password".

    Where the catalogue has only the first word of the plugin's name, the option that switches the plugin on has all.
    """
    kind, _, word = variable.owner.partition(":")
    stem = variable.name
    while kind == "plugin" and stem:
        switch = load(release).get(stem)
        if switch is not None and switch.type is VariableType.PLUGIN and switch.owner.startswith(kind):
            return f"{kind} {stem}"
        stem = stem.rpartition("_")[0]
    return f"{kind} {word}".strip()


def unread(name: str, release: Release, plugins: frozenset[str]) -> str:
    """The plugin whose options no reading has and to which the name would belong; "" where there is none.

    `data/unread-plugins.tsv` lists those that come with a server (`u`: up to which release); a plugin that the files
    load may be anybody's.
    """
    name = next((name[len(switch) :] for switch in _SWITCHES if name.startswith(switch)), name)
    if _is_read(name, release.family):
        return ""
    for plugin in rows("unread-plugins"):
        facts = row("unread-plugins", plugin)
        shipped = facts["family"] == release.family and ("u" not in facts or release.version < version(facts["u"]))
        if shipped and _belongs(name, plugin):
            return plugin
    return next((plugin for plugin in sorted(plugins) if _belongs(name, plugin) and not _has_read(plugin, release)), "")


def may_be_unread(name: str, family: Family, plugins: frozenset[str]) -> bool:
    """Whether `unread` names a plugin in any release; costs less than to ask for each."""
    name = next((name[len(switch) :] for switch in _SWITCHES if name.startswith(switch)), name)
    return not _is_read(name, family) and any(_belongs(name, plugin) for plugin in (*rows("unread-plugins"), *plugins))


def _belongs(name: str, plugin: str) -> bool:
    return name == plugin or name.startswith(f"{plugin}_")


@cache
def _is_read(name: str, family: Family) -> bool:
    """Whether any series of the family has facts on the name."""
    return any(name in rows(f"{family}-{series}") for series in line_starts(family))


@cache
def _has_read(plugin: str, release: Release) -> bool:
    """Whether the catalogue has options of the plugin in this series, and so all of them."""
    return any(_belongs(name, plugin) for name in rows(f"{release.family}-{release.series}"))
