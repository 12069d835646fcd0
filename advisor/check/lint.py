"""Does every name in a rule mean something? Misspelt names are errors, never silence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from advisor.catalog import all_releases, known_somewhere, load, near, spelling
from advisor.check.message import holes
from advisor.conditions import names
from advisor.errors import RuleError
from advisor.evidence.facts import derived_facts
from advisor.evidence.member_facts import PREFIXES
from advisor.model.rules import Rule

# What host.json, observations.yaml and --host may say (docs/why.md, docs/collecting.md).
HOST = frozenset(
    """cpus memory_bytes cpu_util iowait disk_util iops swap_in_per_second disk_free_bytes fsync_ms rtt_ms link_mbit
    storage open_files_limit swappiness filesystem threads_running threads_starved
    appliers_running appliers_starved server_cpus reader_cpus nice_cpus machine.cpus memory_available_bytes
    swap_used_bytes coordinator_cpu""".split()
)
OBSERVED = frozenset(
    """throughput_per_second clients rows_per_transaction transaction_bytes latency_ms latency_ms.mean latency_ms.p50
    latency_ms.p95 latency_ms.p99 fsync_ms rtt_ms link_mbit cpus memory_bytes storage dips_every_seconds lag_seconds
    states scaling tried""".split()
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
_WORDS = frozenset({"role", "topology", "family", "vendor", "version"})


def lint(rule: Rule) -> None:
    """Raise RuleError for the first name of a rule that nothing can ever give."""
    used = [*names(rule.tree), *holes(rule.finding)]
    for advice in rule.advice:
        used += [*holes(advice.do), *holes(advice.costs), *_expression_names(advice.set.values())]
        for name in (*advice.set, *advice.remove):
            if name != "item" and not _settable(name):
                raise RuleError(f"advice: no server has the setting {name!r}", file=rule.file, line=_line(rule, name))
    for name in used:
        _check_name(name, rule)
    if rule.each and rule.each not in derived_facts():
        raise RuleError(f"each: there is no derived fact {rule.each!r}", file=rule.file)


def _expression_names(values: object) -> Iterator[str]:
    from advisor.expressions import parse

    for value in values:  # type: ignore[attr-defined]
        if value.startswith("="):
            yield from names(parse(value[1:]))


def _settable(name: str) -> bool:
    if name.startswith("galera."):
        return name[7:] in provider_names()
    return _is_variable(name)


def known_name(name: str) -> bool:
    """Whether a name of a condition means something on some server; items of `each:` do not."""
    head, _, rest = name.partition(".")
    if name in _WORDS:
        return True
    if head == "source" and rest:
        return known_name(rest)
    return _is_variable(name) if head not in PREFIXES or not rest else _known_below(head, rest)


def _check_name(name: str, rule: Rule) -> None:
    head, _, rest = name.partition(".")
    if name in _WORDS:
        return
    if head == "source" and rest:
        _check_name(rest, rule)
        return
    if head == "item" and rest:
        if not rule.each:
            raise RuleError(f"{name}: only a rule with `each` has items", file=rule.file, line=_line(rule, name))
        return
    if not known_name(name):
        hint = f"did you mean {alike}?" if (alike := _alike(name)) else "see docs/rule-format.md for the prefixes"
        raise RuleError(f"unknown name {name!r}", file=rule.file, line=_line(rule, name), hint=hint)


def _line(rule: Rule, name: str) -> int:
    """The line the name stands on, 0 when that cannot be told."""
    wanted = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    try:
        lines = Path(rule.file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return 0
    return next((number for number, line in enumerate(lines, 1) if wanted.search(line)), 0)


def _alike(name: str) -> str:
    """The name somebody may have meant."""
    import difflib

    head, dot, rest = name.partition(".")
    if not dot:
        return next((found[0] for release in reversed(all_releases()) if (found := near(name, release))), "")
    known = {"fact": derived_facts(), "host": HOST, "observed": OBSERVED, "replica": REPLICA_COLUMNS}.get(head, ())
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
        return _is_variable(name)
    return name in {"host": HOST, "observed": OBSERVED, "replica": REPLICA_COLUMNS}[prefix]


@lru_cache(maxsize=2048)
def _is_variable(name: str) -> bool:
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
