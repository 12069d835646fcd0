"""Which sessions are not those of the clients whose transactions are counted, and what do they take?

A report, a backup or a schema change may hold the locks that the clients wait for. Its sessions are none of those that
share the rate: when it is gone, its statements, its waits and its CPU time are gone, too. They are told by how often
their statements run: the clients' own run with every transaction or with every second one, the others' hardly ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Member
from advisor.model.record import record
from advisor.why.profile.aggregate import moments_of
from advisor.why.profile.classify import Recogniser

# Times per transaction. On the open plays the clients' own statements run at least 0.5 times, others at most 0.07.
_SELDOM: Final = 0.1
_WHOLE_SECONDS: Final = 500.0  # ms; whoever takes less for a transaction does not sleep for a second in between
_COUNTERS: Final = {  # of a verb, where they are not called after it
    "insert": ("insert", "insert_select"), "replace": ("replace", "replace_select"),
    "update": ("update", "update_multi"), "delete": ("delete", "delete_multi"),
    "alter": ("alter_table",), "create": ("create_table", "create_index"), "drop": ("drop_table", "drop_index"),
    "set": ("set_option",), "call": ("call_procedure",), "lock": ("lock_tables",), "unlock": ("unlock_tables",),
    "rename": ("rename_table",),
}  # fmt: skip


class Sighting(NamedTuple):
    """What a thread was seen doing: its kind, the verb of its statement ("" between two), and its class.

    `runs`: it runs, or queues for a CPU; `commits`: it does so inside a commit.
    """

    kind: str
    verb: str
    wait_class: str
    runs: bool
    commits: bool = False


@record
class Sightings:
    """How many threads were seen so on average; and how many sessions sleep for whole seconds, counted as active."""

    threads: Mapping[Sighting, float]
    long_asleep: float


@record
class OtherSessions:
    """Those on one member: how many, and of the clients' threads how many are in which class because of them.

    `cpu_share` is theirs of the CPU time of clients' sessions, `applied_cpu_share` of that of appliers. `between`: how
    many of the clients' own sessions are between two statements, those that queue for a CPU there left out.
    """

    threads: float
    waiting: Mapping[str, float]
    cpu_share: float
    applied_cpu_share: float
    between: float


def sightings_of(member: Member, recogniser: Recogniser) -> Sightings:
    """The threads of all process lists of a member."""
    moments = moments_of(member)
    counted: Counter[Sighting] = Counter()
    for moment in moments:
        for thread, number in moment.threads:
            asleep = thread.kind == "client" and thread.command == "sleep"
            verb = "" if asleep else thread.verb
            seen, runs = recogniser.classify(thread), thread.os == "r"
            commits = runs and (seen.commits or verb == "commit")
            counted[Sighting(thread.kind, verb, seen.wait_class, runs, commits)] += number
    lists = max(1, len(moments))
    return Sightings({seen: number / lists for seen, number in counted.items()}, _long_asleep(member) / lists)


def _long_asleep(member: Member) -> float:
    """Sightings of sessions that pass the first two seconds of a longer sleep: in the second one as often as before."""
    rows = (row for table in member.tables if table.table == "processlist" for row in table.rows)
    second = (row for row in rows if str(row.get("command")).lower() == "sleep" and row.get("time") == 1)
    numbers = (row.get("count", 1) for row in second if row.get("kind") == "client")
    return 2.0 * sum(number for number in numbers if isinstance(number, int))


def other_sessions(seen: Sightings, per_transaction: Mapping[str, float], client_ms: float) -> OtherSessions:
    """The other sessions of a member; `per_transaction`: verb → how often it runs for each transaction."""
    clients = {each: number for each, number in seen.threads.items() if each.kind == "client"}
    waiting: Counter[str] = Counter()
    for each, number in clients.items():
        if _is_other(each, per_transaction):
            waiting[each.wait_class] += number  # type: ignore[assignment]
    asleep = sum(number for each, number in clients.items() if not each.verb and not each.runs)
    long_asleep = seen.long_asleep if client_ms < _WHOLE_SECONDS else 0.0
    return OtherSessions(
        threads=float(sum(waiting.values())),
        waiting=waiting,
        cpu_share=_share_of_runs(clients.items(), per_transaction),
        applied_cpu_share=_share_of_runs(
            ((each, number) for each, number in seen.threads.items() if each.kind == "applier"), per_transaction
        ),
        between=max(0.0, asleep - long_asleep),
    )


def runs_per_transaction(members: Iterable[MemberFacts], verbs: Iterable[str], rate: float) -> dict[str, float]:
    """How often the statements of these verbs run for each transaction; verbs that no counter counts are left out."""
    members = list(members)
    found: dict[str, float] = {}
    for verb in verbs:
        names = _COUNTERS.get(verb, (verb,))
        counted = [member.get(f"rate.Com_{name}", None) for name in names for member in members]
        known = [float(number) for number in counted if isinstance(number, int | float)]
        if known and verb:
            found[verb] = sum(known) / rate
    return found


def _is_other(seen: Sighting, per_transaction: Mapping[str, float]) -> bool:
    return per_transaction.get(seen.verb, 1.0) < _SELDOM


def _share_of_runs(seen: Iterable[tuple[Sighting, float]], per_transaction: Mapping[str, float]) -> float:
    """Of the threads that run or queue for a CPU, the share that are others'; they take CPU time in this proportion."""
    running = [(each, number) for each, number in seen if each.runs]
    total = sum(number for _, number in running)
    return sum(number for each, number in running if _is_other(each, per_transaction)) / total if total else 0.0
