"""How much memory do these settings take, and how much is there?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family

_GIB: Final = 1024**3
_MIB: Final = 1024**2
_WHOLE: Final = ("my.cnf", "my.ini", ".my.cnf", "mysqld.cnf", "server.cnf", "50-server.cnf")  # packages' main files
_OF_A_WHOLE: Final = ("datadir", "socket", "port", "pid_file", "log_error", "tmpdir", "user", "basedir")
_SIZES: Final = ("max_connections", "innodb_log_file", "innodb_redo", "innodb_buffer", "table_open_cache")
_DEFAULT_QUERY_CACHE_BYTES: Final = 1024**2
_CACHES: Final = ("innodb_log_buffer_size", "key_buffer_size", "aria_pagecache_buffer_size")
_SESSION: Final = ("sort_buffer_size", "join_buffer_size", "read_buffer_size", "read_rnd_buffer_size")


@fact("instances")
def buffer_pool_instances(e: MemberFacts) -> Any:
    """How many instances the buffer pool is split into (MySQL); MariaDB has one since 10.5.

    Below 1 GiB always one. Else as set, or 8 (5.7, 8.0), or from 8.4 on the smaller of half the chunks and a quarter of
    the processors, 1 to 64 (manual of innodb_buffer_pool_instances).
    """
    if e.release.family is Family.MARIADB:
        return 1
    size = e["innodb_buffer_pool_size"]
    if size < _GIB:
        return 1
    if e["configured.innodb_buffer_pool_instances"]:
        return e["innodb_buffer_pool_instances"]
    if e.release.version < (8, 1, 0):
        return 8
    if size == _GIB:
        return 1
    chunks = size // e["innodb_buffer_pool_chunk_size"]
    return int(max(1, min(chunks // 2, e["host.cpus"] // 4, 64)))


@fact("bytes")
def buffer_pool_bytes(e: MemberFacts) -> Any:
    """The buffer pool that is really allocated: the size rounded up to whole chunks of every instance (MySQL).

    A chunk larger than its share of the pool is cut down to the share, in whole MiB, before (manual, "Configuring
    InnoDB Buffer Pool Size"; buf_pool_size_align). MariaDB rounds by at most one chunk, which is left out here.
    """
    size = e["innodb_buffer_pool_size"]
    if e.release.family is Family.MARIADB:
        return size
    unit = _allocation_unit(e, size)
    return -(-size // unit) * unit


@fact()
def buffer_pool_never_chosen(e: MemberFacts) -> bool:
    """Whether no file sets the size of the buffer pool, of files that the server can read to their end."""
    cut_short = e.settings is not None and any(problem.fatal for problem in e.settings.problems)
    return not cut_short and not e["configured.innodb_buffer_pool_size"]


@fact()
def unless_set_elsewhere(e: MemberFacts) -> str:
    """The reservation on what no file sets, "" where the files may be all that the server reads.

    A part of a configuration, such as wsrep.cnf of a node, sets no place, port or size of a server.
    """
    written = {s.name for s in e.settings.all if s.name} if e.settings else set()
    options = e.member.options
    named_as_whole = options is None or any(path.rpartition("/")[2] in _WHOLE for path in options.files)
    partial = bool(written) and not named_as_whole and not any(map(_is_of_a_whole, written))
    return ", unless another file that is not here sets it" if partial else ""


def _is_of_a_whole(name: str) -> bool:
    return name in _OF_A_WHOLE or name.startswith(_SIZES)


@fact("bytes")
def buffer_pool_least_bytes(e: MemberFacts) -> int:
    """The buffer pool as allocated, or the size as set where the number of instances is not known."""
    return int(e.get("fact.buffer_pool_bytes", 0) or e["innodb_buffer_pool_size"])


@fact("bytes")
def buffer_pool_to_set_bytes(e: MemberFacts) -> int:
    """A buffer pool for this much memory: 128 MiB below 1 GiB, half of it up to 4 GiB, else three quarters.

    These are the figures of innodb_dedicated_server (manual), rounded down to what is allocated without a remainder.
    """
    memory = e["host.memory_bytes"]
    if memory < _GIB:
        return 128 * _MIB
    size = int(memory * (0.5 if memory <= 4 * _GIB else 0.75))
    unit = _unit_to_set(e, size)
    return max(size // unit * unit, 128 * _MIB)


@fact()
def query_cache_on(e: MemberFacts) -> Any:
    """Whether the query cache works; releases without one make no sense of it.

    MariaDB switches it on at start for any size given in a file that is neither 0 nor the default, unless the file also
    gives the type (manual of query_cache_type).
    """
    if not e.exists("query_cache_type"):
        return NOT_HERE
    size = e["query_cache_size"]
    if e.release.family is Family.MARIADB and "query_cache_type" not in e.running:
        given = e.setting("query_cache_size") is not None and e.setting("query_cache_type") is None
        if given:
            return size not in (0, _DEFAULT_QUERY_CACHE_BYTES)
    return size > 0 and str(e["query_cache_type"]).upper() not in ("OFF", "0", "FALSE")


@fact("bytes")
def fixed_memory_bytes(e: MemberFacts) -> int:
    """Memory the server takes whatever its clients do: buffer pool, log buffer, key and page caches, message cache.

    Galera's gcache is a mapped file, which the system may write out at any time, and is left out; so is everything that
    cannot be known from settings (Performance Schema, dictionary, adaptive structures: some 10 % of the pool).
    """
    total = int(e["fact.buffer_pool_least_bytes"]) + sum(int(e.get(name, 0)) for name in _CACHES)
    if e.get("fact.query_cache_on", False) is True:
        total += int(e["query_cache_size"])
    if e["fact.is_group_member"]:
        total += int(e.get("group_replication_message_cache_size", _GIB))
    return total


@fact("bytes")
def session_memory_bytes(e: MemberFacts) -> int:
    """The buffers one session may allocate at once when it sorts, joins, scans and writes, one of each.

    A worst case: each is taken only while a statement needs it, some of them several times by one statement.
    """
    total = sum(int(e[name]) for name in _SESSION)
    return total + (int(e["binlog_cache_size"]) if e["fact.binlog_on"] else 0)


@fact("bytes")
def sessions_memory_bytes(e: MemberFacts) -> int:
    """The worst case of all sessions together: max_connections × what one of them may allocate."""
    return int(e["max_connections"] * e["fact.session_memory_bytes"])


@fact()
def disk_reads_per_transaction(e: MemberFacts) -> Any:
    """Pages read from disk for each committed write transaction: what the buffer pool did not hold."""
    commits = e["fact.transactions_per_second"]
    return e["rate.Innodb_buffer_pool_reads"] / commits if commits > 0 else UNKNOWN


def _unit_to_set(e: MemberFacts, size: int) -> int:
    known = e.release.family is Family.MYSQL and e.get("fact.buffer_pool_instances") is not UNKNOWN
    return _allocation_unit(e, size) if known else 128 * _MIB


def _allocation_unit(e: MemberFacts, size: int) -> int:
    instances = int(e["fact.buffer_pool_instances"]) if size >= _GIB else 1
    chunk = int(e["innodb_buffer_pool_chunk_size"])
    if chunk * instances > size:
        share = -(-size // instances)
        chunk = -(-share // _MIB) * _MIB
    return chunk * instances
