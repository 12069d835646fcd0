"""Which words of the field does a report contain? Registers one fact per group of words: the line that contains them.

A report is what people hand over beside counters: the free texts and states of `observations.yaml`, and, where nothing
was read over an interval, what one process list, one InnoDB monitor and one SHOW REPLICA STATUS say. "_" and " " are
the same here, so that `recv_queue` and "recv queue" are. A line that denies the words ("no slow query", "lock waits:
0") does not contain them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Row
from advisor.why.facts.reported.printed_tables import told_by_cells

FREE_TEXTS: Final = ("notes", "workload", "storage", "symptoms", "log", "stack", "perf", "states", "wait_events")
_SHOWN_CHARACTERS: Final = 100
_DENIED_BEFORE: Final = re.compile(
    r"(?:^|[\s:,(])0 $|\b(?:no|not|without|never|neither|nor|hardly any|instead of|rather than|n't)\b[^.;,:]{0,25}$"
)
_DENIED_AFTER: Final = re.compile(
    r"\w*(?:\s(?:waits?|count|time|avg|max|paused|total|current|length|sizes?|figures?|rate|util|share|settings?))*"
    r"\s*(?:is|are|was|were|stays?|stayed)?\s*[:=]?\s*"
    r"(?:no\s|never\b|equal\b|identical\b|unchanged\b|same(?:[.,;]|$)|0(?:\.0*)?(?![.\d])|none|nothing|"
    r"zero|absent|normal|not\b|low\b)"
)
# The lines of InnoDB's monitor that show one moment; the others are totals, or name things that do not wait.
_MONITOR: Final = re.compile(
    r"lock wait|has waited at|queries in queue|history list|hit rate|auto-inc|waiting|"
    r"active \d{3,} sec|pending",
    re.I,
)
# What servers write to their logs at every start or change of members, and a monitor's few waits since the start; it
# names no mechanism.
_ROUTINE: Final = re.compile(
    r"server socket created|event scheduler: (?:loaded|initiali[sz]ed)|ready for connections"
    r"|buffer pool\(s\) (?:load|dump)|\busing linux native aio|highest supported file format"
    r"|rollback segment\(s\) are active|compressed tables use zlib"
    r"|waiting for purge to start|(?:plugin|component) .{0,30}is disabled|ipv6 is available|x plugin ready"
    r"|flow[- ]control interval|quorum results|wsrep: (?:loading provider|initial position|gcache dir|passing config)"
    r"|(?:mutex spin waits|rw-\w+ spins) \d+, rounds \d+, os waits \d{1,4}\b|array info: reservation count \d{1,5}\b"
)
_REPLICA_TEXTS: Final = re.compile(r"state|error|running|delay|behind", re.I)
_HINT: Final = "_hint"
_FACTORS: Final = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mio": 1e6, "million": 1e6, "billion": 1e9}
_FACTOR: Final = re.compile(r"k\b|m\b| ?(?:thousand|mio|million|billion)\b")
_LEAST_COUNT: Final = 1000  # of words that count things; below it "5 m" may be metres or minutes


class Words(NamedTuple):
    """A pattern; with `least`, the number in its last group has to be that large (and at most `most`)."""

    pattern: str
    least: float | None = None
    most: float = float("inf")


# Groups that say in which circumstances something happens; none of them names a mechanism by itself.
_CIRCUMSTANCES: Final = frozenset(
    {"told_cpu_idle", "told_disk_idle", "told_batching", "told_defaults", "told_sleep_in_stack", "told_one_host_only"}
)
# A benchmark's description tells the sizes of its tables; these groups would take them for sizes of changes.
_NOT_OF_BENCHMARKS: Final = frozenset(
    {"told_large_transaction", "told_large_transaction_hint", "told_bulk_change", "told_many_sessions"}
)
_BENCHMARK: Final = re.compile(r"sysbench|oltp|tpc-?[cbh]|dbt-?2|mysqlslap|iibench|linkbench")
_patterns: Final[dict[str, list[Words]]] = {}  # of every group, by the name of its fact

Group = tuple[str, tuple[str | Words, ...]]


def register_words(groups: Mapping[str, Group]) -> None:
    """One fact `told_<name>` per group: its meaning, and the patterns any of which is enough."""
    for name, (meaning, patterns) in groups.items():
        add_words({name: patterns})
        _register(f"told_{name}", meaning)


def add_words(patterns_by_group: Mapping[str, tuple[str | Words, ...]]) -> None:
    """More patterns for groups that this or another module registers."""
    for name, patterns in patterns_by_group.items():
        known = _patterns.setdefault(f"told_{name}", [])
        known += [pattern if isinstance(pattern, Words) else Words(pattern) for pattern in patterns]


def groups_of_words() -> frozenset[str]:
    """The names of the facts for which there are words."""
    return frozenset(_patterns)


@lru_cache(maxsize=1 << 8)
def _patterns_of(name: str) -> tuple[Words, ...]:
    """Asked for only when every module of words is loaded."""
    return tuple(_patterns[name])


def _register(name: str, meaning: str) -> None:
    def derive(e: MemberFacts) -> object:
        e.get("observed.notes", None)  # what the signs of one report have in common: a single root
        lines = e["fact.report_lines"]
        if name in _NOT_OF_BENCHMARKS:
            lines = tuple(line for line in lines if not _BENCHMARK.search(line))
        if name.endswith(_HINT) and (decided := name.removesuffix(_HINT)) in _patterns:
            lines = tuple(line for line in lines if not _line_with((line,), _patterns_of(decided)))
        return found if (found := _line_with(lines, _patterns_of(name))) else NOT_HERE

    derive.__name__, derive.__doc__ = name, f"The line of the report that says: {meaning}"
    fact()(derive)


@fact()
def report_lines(e: MemberFacts) -> tuple[str, ...]:
    """Every line of what was reported of this member, in lower case, "_" as a space."""
    lines = told_by_cells([*_observed_lines(e)])
    if len(e.member.samples) < 2:
        lines += _moment_lines(e)
    plain = (line.replace("_", " ").lower().strip() for line in lines)
    return tuple(dict.fromkeys(line for line in plain if line and not _ROUTINE.search(line)))


@fact()
def reported_of(e: MemberFacts) -> object:
    """The topology that a report is about ("async" for both families) where its words name no mechanism at all."""
    e.get("observed.notes", None)
    lines = e["fact.report_lines"]
    mechanisms = groups_of_words() - _CIRCUMSTANCES
    if not lines or len(e.member.samples) > 1 or any(_line_with(lines, _patterns_of(name)) for name in mechanisms):
        return NOT_HERE
    return str(e.topology or "unknown").partition("_m")[0]


def _observed_lines(e: MemberFacts) -> Iterator[str]:
    for name, known in e.member.observed.items():
        head, _, rest = name.partition(".")
        if head not in FREE_TEXTS:
            continue
        values = known.value if isinstance(known.value, tuple) else (known.value,)
        for value in values:
            yield f"{rest}: {value}" if rest else str(value)


def _moment_lines(e: MemberFacts) -> Iterator[str]:
    """What one moment shows: states and verbs of a process list, waits in InnoDB's monitor, states of replication."""
    for sessions in e.get("fact.sessions_seen", ()):
        yield from _common_states(sessions)
    yield from (line for line in e.member.innodb_status.splitlines() if _MONITOR.search(line))
    for snapshot in e.member.tables:
        if snapshot.table == "replica_status":
            yield from (line for row in snapshot.rows for line in _texts_of(row))


def _common_states(sessions: Collection[Any]) -> Iterator[str]:
    """The states that at least two sessions of a list share; also that of the only one at work, and of system threads.

    A replica has a single receiver, and often a single applier, so what they do is no coincidence.
    """
    states = Counter({seen.state: 0 for seen in sessions})
    for seen in sessions:
        states[seen.state] += 0 if seen.asleep else seen.times
    least = 1 if sum(states.values()) == 1 else 2
    of_system = {seen.state for seen in sessions if seen.system}
    return (state for state, count in states.items() if count >= least or state in of_system)


def _texts_of(row: Row) -> Iterator[str]:
    return (f"{key}: {value}" for key, value in row.items() if value not in (None, "") and _REPLICA_TEXTS.search(key))


@lru_cache(maxsize=1 << 12)
def _line_with(lines: tuple[str, ...], patterns: tuple[Words, ...]) -> str:
    for line in lines:
        for words in patterns:
            if any(_says(line, found, words) for found in _compiled(words.pattern).finditer(line)):
                return line if len(line) <= _SHOWN_CHARACTERS else f"{line[:_SHOWN_CHARACTERS]}…"
    return ""


@lru_cache(maxsize=1 << 10)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("_", " "))


def _says(line: str, found: re.Match[str], words: Words) -> bool:
    if words.least is not None:
        number = float(found[found.lastindex or 0].replace(",", ""))
        if words.least >= _LEAST_COUNT and (factor := _FACTOR.match(line, found.end(found.lastindex or 0))):
            number *= _FACTORS[factor[0].strip()]
        return words.least <= number <= words.most
    return not _DENIED_BEFORE.search(line[: found.start()]) and not _DENIED_AFTER.match(line[found.end() :])
