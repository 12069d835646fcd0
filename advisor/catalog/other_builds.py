"""Which options has only a server built for Windows, or one of MySQL NDB Cluster?

The catalogue was read from Linux builds of the plain servers. Names from the manuals: "Server Option, System Variable,
and Status Variable Reference" (options that say "Windows"), and "MySQL Server Options for NDB Cluster".
"""

from __future__ import annotations

from collections.abc import Iterable

from advisor.annotations import Final
from advisor.model.server import Family

_OF_WINDOWS: Final = frozenset(
    "shared_memory shared_memory_base_name named_pipe named_pipe_full_access_group slow_start_timeout no_monitor"
    " standalone console".split()
)
_METHODS_OF_WINDOWS: Final = frozenset({"normal", "unbuffered", "async_unbuffered"})
_SWITCHES: Final = ("enable_", "disable_", "skip_")


def is_for_windows(values: Iterable[str | None]) -> bool:
    """Whether any of the values is a path with a drive letter, as in C:/ProgramData."""
    return any(value and value[1:2] == ":" and value[2:3] in ("/", "\\") and value[0].isalpha() for value in values)


def of_windows(name: str) -> bool:
    """Whether only builds for Windows have the option. `name` with "_", with or without a switch before it."""
    return _without_switch(name) in _OF_WINDOWS


def method_of_windows(name: str, value: str | None) -> bool:
    """Whether the value is one that innodb_flush_method has on Windows."""
    return name == "innodb_flush_method" and (value or "").lower() in _METHODS_OF_WINDOWS


def of_ndb(name: str, family: Family) -> bool:
    """Whether MySQL NDB Cluster has the option in releases in which the plain server has none of its options."""
    plain = _without_switch(name)
    return family is Family.MYSQL and (plain == "ndbcluster" or plain.startswith(("ndb_", "ndbinfo_")))


def _without_switch(name: str) -> str:
    return next((name[len(switch) :] for switch in _SWITCHES if name.startswith(switch)), name)
