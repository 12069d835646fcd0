"""Which names may a condition use? Everything that a member may have on some server, whatever the release."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from advisor.catalog import all_releases, known_somewhere, load, near, spelling
from advisor.evidence.facts import derived_facts
from advisor.evidence.member_facts import PREFIXES

# What host.json, observations.yaml and --host may say (docs/why.md, docs/collecting.md).
HOST_NAMES = frozenset(
    """cpus memory_bytes cpu_util iowait disk_util iops swap_in_per_second disk_free_bytes fsync_ms rtt_ms link_mbit
    storage open_files_limit swappiness filesystem threads_running threads_starved
    appliers_running appliers_starved server_cpus reader_cpus nice_cpus machine.cpus memory_available_bytes
    swap_used_bytes coordinator_cpu""".split()
)
OBSERVED_NAMES = frozenset(
    """throughput_per_second clients rows_per_transaction transaction_bytes latency_ms latency_ms.mean latency_ms.p50
    latency_ms.p95 latency_ms.p99 fsync_ms rtt_ms link_mbit cpus memory_bytes data_bytes storage dips_every_seconds
    lag_seconds states scaling tried notes workload log stack symptoms""".split()
)
REPLICA_COLUMNS = frozenset(
    """Replica_IO_State Source_Host Source_User Source_Port Connect_Retry Source_Log_File Read_Source_Log_Pos
    Relay_Log_File Relay_Log_Pos Relay_Source_Log_File Replica_IO_Running Replica_SQL_Running Last_Errno Last_Error
    Skip_Counter Exec_Source_Log_Pos Relay_Log_Space Until_Condition Seconds_Behind_Source Last_IO_Errno Last_IO_Error
    Last_SQL_Errno Last_SQL_Error Source_Server_Id Source_UUID SQL_Delay SQL_Remaining_Delay Replica_SQL_Running_State
    Source_Retry_Count Retrieved_Gtid_Set Executed_Gtid_Set Auto_Position Replicate_Do_DB Replicate_Ignore_DB Using_Gtid
    Gtid_IO_Pos Parallel_Mode Channel_Name Source_Info_File Replica_Transactional_Groups Replica_DDL_Groups
    Replica_Non_Transactional_Groups Retried_transactions Source_SSL_Allowed""".split()
)
_LISTED = {"host": HOST_NAMES, "observed": OBSERVED_NAMES, "replica": REPLICA_COLUMNS}
WORDS = frozenset({"role", "topology", "family", "vendor", "version"})


def known_name(name: str) -> bool:
    """Whether a name of a condition means something on some server; items of `each:` do not."""
    head, _, rest = name.partition(".")
    if name in WORDS:
        return True
    if head == "source" and rest:
        return known_name(rest)
    return is_variable(name) if head not in PREFIXES or not rest else _known_below(head, rest)


def alike(name: str) -> str:
    """The name somebody may have meant, "" when none is near."""
    import difflib

    head, dot, rest = name.partition(".")
    if not dot:
        return next((found[0] for release in reversed(all_releases()) if (found := near(name, release))), "")
    known = derived_facts() if head == "fact" else _LISTED.get(head, ())
    close = difflib.get_close_matches(rest, [*known, *(counters() if head in ("status", "rate", "delta") else ())], n=1)
    return f"{head}.{close[0]}" if close else ""


def _known_below(prefix: str, name: str) -> bool:
    if prefix in ("status", "rate", "delta"):
        return name in counters()
    if prefix == "fact":
        return name in derived_facts()
    if prefix == "galera":
        return name in provider_names()
    if prefix == "configured":
        return is_variable(name)
    return name in _LISTED[prefix]


@lru_cache(maxsize=2048)
def is_variable(name: str) -> bool:
    """Whether some release has a variable of this name, in any spelling."""
    return bool(known_somewhere(name)) or any(spelling(name, release) for release in all_releases())


@lru_cache(maxsize=1)
def provider_names() -> frozenset[str]:
    """Names of Galera's provider options in any version."""
    return frozenset(name for release in all_releases() for name in load(release).default_galera())


@lru_cache(maxsize=1)
def counters() -> frozenset[str]:
    """Names of the status counters that real servers print."""
    text = (Path(__file__).parents[1] / "catalog/data/counters.txt").read_text(encoding="utf-8")
    return frozenset(text.split())
