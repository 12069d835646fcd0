"""Which plugins do the option files themselves load, and does an option belong to one of them?"""

from __future__ import annotations

from collections.abc import Iterable

from advisor.catalog import load
from advisor.model.catalog import Variable, VariableType
from advisor.model.server import Release

_LIBRARIES = {
    "semisync_master": "rpl_semi_sync_master",
    "semisync_slave": "rpl_semi_sync_slave",
    "semisync_source": "rpl_semi_sync_source",
    "semisync_replica": "rpl_semi_sync_replica",
    "mysql_clone": "clone",
    "libmemcached": "daemon_memcached",
    "libpluginmecab": "mecab",
}


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
