"""Who holds what others wait for, and what does he do meanwhile? From the lock tables, read once a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row

_LONG_SECONDS: Final = 2


@fact("share")
def lock_holder_idle_share(e: MemberFacts) -> float:
    """Share of the waits for a lock whose holder is asleep between two statements, its transaction open."""
    return _share(e, lambda row: row.get("blocker_command") == "Sleep")


@fact("share")
def lock_holder_in_commit_share(e: MemberFacts) -> float:
    """Share of the waits for a lock whose holder is in its commit."""
    return _share(e, lambda row: "commit" in str(row.get("blocker_state") or "").lower())


@fact("share")
def lock_holder_long_share(e: MemberFacts) -> float:
    """Share of the waits for a lock whose holder has been in its statement, or asleep, for at least 2 seconds."""
    return _share(e, lambda row: _seconds(row) >= _LONG_SECONDS)


@fact("share")
def appliers_blocked_by_sessions_share(e: MemberFacts) -> float:
    """Share of the readings of the lock tables in which an applier waits for a lock that a client's session holds."""
    moments = [table.rows for table in e.member.tables if table.table == "lock_waits"]
    if not moments and not any(row.get("kind") for table in e.member.tables for row in table.rows[:1]):
        raise NeedsError(Missing(("tables.lock_waits",)))  # read before lock tables were
    blocked = sum(any(_is_applier_behind_client(row) for row in rows) for rows in moments)
    return blocked / max(len(moments), _readings(e))


@fact()
def lock_holder_in_words(e: MemberFacts) -> str:
    """The holder that most others wait for: what it is, what it does, for how long."""
    counted: dict[tuple[str, ...], int] = {}
    for row in _waits(e):
        doing = str(row.get("blocker_state") or row.get("blocker_command") or "unknown")
        words = (str(row.get("blocker") or "a session"), doing, str(row.get("blocker_info") or ""))
        counted[words] = counted.get(words, 0) + _count(row)
    kind, doing, statement = max(counted, key=lambda words: counted[words])
    what = f"{statement.removesuffix(' …')}, " if statement else ""
    return f"a {kind} thread ({what}{'idle in its transaction' if doing == 'Sleep' else doing})"


def _share(e: MemberFacts, holds: Callable[[Row], bool]) -> float:
    waits = list(_waits(e))
    return sum(_count(row) for row in waits if holds(row)) / sum(map(_count, waits))


def _waits(e: MemberFacts) -> Iterator[Row]:
    """Every pair that was seen; NeedsError without one."""
    rows = [row for table in e.member.tables if table.table == "lock_waits" for row in table.rows]
    if not rows:
        raise NeedsError(Missing(("tables.lock_waits",)))
    yield from rows


def _readings(e: MemberFacts) -> int:
    """How often the lock tables were read: with every sample of the counters."""
    return max(1, len(e.member.samples))


def _is_applier_behind_client(row: Mapping[str, object]) -> bool:
    return row.get("waiter") == "applier" and row.get("blocker") == "client"


def _count(row: Row) -> int:
    number = row.get("count")
    return number if isinstance(number, int) else 1


def _seconds(row: Row) -> float:
    seconds = row.get("blocker_seconds")
    return float(seconds) if isinstance(seconds, int | float) else 0.0
