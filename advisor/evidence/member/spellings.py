"""One spelling for columns and counters that servers spell in two ways (Seconds_Behind_Master, …_Source)."""

from __future__ import annotations

from functools import lru_cache

_NEW = (("Master", "Source"), ("master", "source"), ("Slave", "Replica"), ("slave", "replica"))


@lru_cache(maxsize=512)
def replica_column(column: str) -> str:
    """A column of SHOW SLAVE STATUS as SHOW REPLICA STATUS spells it (MySQL 8.0.22)."""
    for old, new in _NEW:
        column = column.replace(old, new)
    return column


@lru_cache(maxsize=512)
def counter_spellings(counter: str) -> tuple[str, ...]:
    """The spellings under which servers print a counter; the semi-sync ones follow the plugin that is loaded."""
    if not counter.startswith("Rpl_semi_sync_"):
        return (counter,)
    old = counter.replace("_source_", "_master_").replace("_replica_", "_slave_")
    return (counter, old)
