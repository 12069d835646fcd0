"""What do the last ten seconds of a member's readings say? Waits by class, time of a statement, running clients."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.evidence.member.scalars import scalar
from advisor.model.diagnosis import Threads
from advisor.model.evidence import Member, Row, Sample, Scalar, TableSnapshot
from advisor.model.monitoring.now import WaitNow
from advisor.model.record import replace
from advisor.model.server import APPLYING_ROLES, Role
from advisor.watch.rounds import Piece
from advisor.why.profile.aggregate import count, moments_of
from advisor.why.profile.classify import Lookup, recogniser

_SECONDS: Final = 10.0
_LISTS: Final = ("processlist", "background_threads")
_TOTALS: Final = "statement_totals"
_LEAST_STATEMENTS: Final = 5
_OF_CLIENTS: Final = (Threads.WRITERS, Threads.CLIENTS)
_IDLE_CLASS: Final = "client_time"


class LatestReadings:
    """Keeps what was read of a member in the last ten seconds; of each table at least the newest rows."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._samples: deque[tuple[float, Mapping[str, str]]] = deque()
        self._tables: deque[tuple[float, Mapping[str, Sequence[Row]]]] = deque()
        self._newest: dict[str, tuple[float, Sequence[Row]]] = {}

    def add(self, pieces: Sequence[Piece]) -> None:
        """Add what is new, and forget what is too old. After a lost connection everything before it is."""
        for piece in pieces:
            self._samples.extend(piece.samples)
            self._tables.extend(piece.tables)
            self._newest.update((name, (at, rows)) for at, tables in piece.tables for name, rows in tables.items())
            if piece.ended is not None and piece.ended.failure:
                self._samples.clear()
                self._tables.clear()
        for kept in (self._samples, self._tables):
            while kept and kept[0][0] < kept[-1][0] - _SECONDS:
                kept.popleft()

    def seconds_old(self, now: float) -> float | None:
        """How long ago the newest counters were read; None where there are none."""
        return now - self._samples[-1][0] if self._samples else None

    def waits(self, lookup: Lookup, role: Role | None = None) -> tuple[WaitNow, ...]:
        """Where the threads were, by class, the most threads first; `lookup` gives the member's settings."""
        snapshots = tuple(
            TableSnapshot(name, tables[name], at) for at, tables in self._tables for name in _LISTS if name in tables
        )
        if not snapshots:
            return ()
        known = recogniser(lookup)
        counted = count(moments_of(Member(self._name, tables=snapshots)), known)
        return tuple(
            WaitNow(_group(group, role), name, known.classes[name].title, number / counts.moments)
            for group, counts in counted.items()
            for name, number in sorted(counts.counts.items(), key=lambda pair: -pair[1])
            if number
        )

    def running_clients(self, waits: Sequence[WaitNow]) -> float | None:
        """Clients inside a statement, on average; None where no process list was read."""
        if not any("processlist" in tables for _, tables in self._tables):
            return None
        return sum(each.threads for each in waits if each.group in _OF_CLIENTS and each.wait_class != _IDLE_CLASS)

    def statement_ms(self, running_clients: float | None) -> float | None:
        """The mean time of a statement: as performance_schema measured it, else clients divided by statements a second.

        The second is Little's law, with what few process lists show: it is an estimate.
        """
        totals = [(at, tables[_TOTALS][0]) for at, tables in self._tables if tables.get(_TOTALS)]
        if len(totals) > 1:
            (_, first), (_, last) = totals[0], totals[-1]
            statements = _grown(first.get("statements"), last.get("statements"))
            seconds = _grown(first.get("seconds"), last.get("seconds"))
            if statements is not None and seconds is not None and statements >= _LEAST_STATEMENTS:
                return 1000 * seconds / statements
        rate = self.per_second("Questions")
        if rate is None or not running_clients or rate < 1:
            return None  # so few process lists saw no statement: that does not mean that it took no time
        return 1000 * running_clients / rate

    def per_second(self, counter: str) -> float | None:
        """The rate of a counter; None where it is unknown, or fell."""
        if len(self._samples) < 2:
            return None
        (begin, first), (end, last) = self._samples[0], self._samples[-1]
        grown = _grown(first.get(counter), last.get(counter))
        return grown / (end - begin) if grown is not None and end > begin else None

    def as_member(self, member: Member) -> Member:
        """The evidence of a member, with these readings in the place of older ones."""
        samples = tuple(
            Sample(at, {name: scalar(text) for name, text in values.items()}, "SHOW GLOBAL STATUS")
            for at, values in ([self._samples[0], self._samples[-1]] if len(self._samples) > 1 else self._samples)
        )
        tables = tuple(TableSnapshot(name, rows, at, name) for name, (at, rows) in self._newest.items())
        newer = {table.table for table in tables}
        older = tuple(table for table in member.tables if table.table not in newer)
        return replace(member, samples=samples or member.samples, tables=older + tables)


def _group(group: Threads, role: Role | None) -> Threads:
    """Clients of a member that only applies do not write."""
    return Threads.CLIENTS if group is Threads.WRITERS and role in APPLYING_ROLES else group


def _grown(first: Scalar, last: Scalar) -> float | None:
    try:
        grown = float(str(last)) - float(str(first))
    except ValueError:
        return None
    return grown if grown >= 0 else None
