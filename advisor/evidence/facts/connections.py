"""Are there enough files, table handles and threads for the connections that the server accepts?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN

_FEWEST_TABLES: Final = 400  # TABLE_OPEN_CACHE_MIN of both families
_OTHER_FILES: Final = 10


@fact("files")
def open_files_wanted(e: MemberFacts) -> int:
    """The fewest open files that the settings ask for: 10 + max_connections + 2 × table_open_cache.

    The formula of both families at start (mysqld.cc); MariaDB asks for the tables once per cache instance and
    lowers the instances first. The file's values count: those of a running server may have been lowered already.
    """
    connections = _asked(e, "max_connections") + int(e.get("extra_max_connections", 0))
    return _OTHER_FILES + connections + 2 * _asked(e, "table_open_cache")


@fact("files")
def open_files_allowed(e: MemberFacts) -> int:
    """The open files the server may have: open_files_limit of the running server, else the limit of its process."""
    running = e.running.get("open_files_limit")
    if running is not None and isinstance(running.value, int):
        return running.value
    return int(e["host.open_files_limit"])


@fact("tables")
def table_open_cache_left(e: MemberFacts) -> Any:
    """What the server makes of table_open_cache with this limit: (limit - 10 - max_connections) / 2, at least 400."""
    limit = e["fact.open_files_allowed"]
    connections = min(_asked(e, "max_connections"), limit - _OTHER_FILES - 2 * _FEWEST_TABLES)
    return min(max((limit - _OTHER_FILES - connections) // 2, _FEWEST_TABLES), _asked(e, "table_open_cache"))


@fact("share")
def table_cache_miss_share(e: MemberFacts) -> Any:
    """Share of the lookups of open tables that found none in the cache: Δmisses / (Δmisses + Δhits)."""
    misses, hits = e["delta.Table_open_cache_misses"], e["delta.Table_open_cache_hits"]
    return misses / (misses + hits) if misses + hits > 0 else UNKNOWN


@fact()
def table_cache_full(e: MemberFacts) -> bool:
    """Whether the open tables fill the table cache to nine tenths, so that a larger one would be used."""
    return bool(e["status.Open_tables"] >= 0.9 * e["table_open_cache"])


@fact("share")
def thread_created_share(e: MemberFacts) -> Any:
    """Share of the new connections for which a thread was created instead of one taken from the cache."""
    connections = e["delta.Connections"]
    return e["delta.Threads_created"] / connections if connections > 0 else UNKNOWN


@fact()
def has_thread_per_connection(e: MemberFacts) -> bool:
    """Whether each connection has a thread of its own: no thread pool is in use."""
    return str(e["thread_handling"]).lower() in ("one-thread-per-connection", "0")


def _asked(e: MemberFacts, name: str) -> int:
    """What the option file asks for, which may be more than what runs; the value in force where it says nothing."""
    setting = e.setting(name)
    value = setting.value if setting is not None and setting.value is not None else e[name]
    if not isinstance(value, int | float):
        raise NeedsError(Missing((name,)))
    return int(value)
