"""Which reads belong to a load, and are they inside its transactions? Digests tell the reads, counters the rest.

A digest tells how often a statement is executed, not in which transaction. With autocommit, a read is a transaction of
its own: as many reads are outside as the server committed transactions that are not in the binary log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.model.record import record, replace
from advisor.model.workload.transaction import RowChange
from advisor.workload.maker.digests import Digest
from advisor.workload.maker.transaction_kinds import KindsTally, KindTally

_OF_SERVER: Final = ("performance_schema", "information_schema", "mysql", "sys")
_BACKGROUND: Final = 0.02  # of the statements, that monitoring may read
_NEARLY: Final = 0.03  # of the reads
_SEVERAL: Final = 0.5  # of the transactions, for reads to be taken as inside of them
_POINT: Final = 1.5  # rows examined by a read of one row, at most
_SORTING: Final = 4.0  # times the rows sent, that a sort examines at most


@record
class Read:
    """A read of a group of tables: "row", "rows", "sorted", "distinct" or "sum", of so many rows, so many times."""

    group: int
    words: str
    rows: int
    locks: bool
    calls: float


@record
class Reads:
    """Reads by place; those inside of transactions have their calls in all of these together."""

    inside: tuple[Read, ...]
    outside: tuple[Read, ...]

    def of_kind(self, kind: KindTally, kinds: Sequence[KindTally]) -> list[tuple[Read, float]]:
        """The reads of one kind of transaction, with their calls for each."""
        found = []
        for read in self.inside:
            hosts = _hosts(read, kinds)
            if kind in hosts:
                found.append((read, read.calls / sum(host.count for host in hosts)))
        return found


def _hosts(read: Read, kinds: Sequence[KindTally]) -> list[KindTally]:
    """The kinds in which a read is: with several statements if there are such, on the same tables if there are such.

    A read that locks rows is where rows of that table are changed.
    """
    changing = [kind for kind in kinds if _changes(kind, read.group)]
    if read.locks and changing:
        return changing
    several = [kind for kind in kinds if sum(map(len, kind.bodies)) > 1 or (kind.times[0].only or 2) > 1]
    candidates = several or list(kinds)
    related = [kind for kind in candidates if any(step.group == read.group for body in kind.bodies for step in body)]
    return related or candidates


def _changes(kind: KindTally, group: int) -> bool:
    steps = (step for body in kind.bodies for step in body)
    return any(step.group == group and step.change is not RowChange.INSERT for step in steps)


def reads_of(
    kinds: KindsTally, digests: Sequence[Digest], transactions: int | None, selects: int | None, notes: list[str]
) -> Reads:
    """The reads that belong to the logged transactions; `notes` gets what is not known.

    `transactions` and `selects` are what the server counted in the time of the log, None where that is not known.
    """
    group_of = {name: number for number, group in enumerate(kinds.groups) for name in group.tables}
    logged = sum(kind.count for kind in kinds.kinds.values())
    scale = 1.0
    changes = sum(digest.calls for digest in digests if digest.is_change)
    if changes:
        scale = kinds.statements / changes
        reads = _by_group(digests, group_of, scale, notes)
    elif selects and selects > _BACKGROUND * kinds.statements:
        notes.append("which rows are read: without digests, every read is of one row by its key")
        reads = [Read(0, "row", 1, False, float(selects))] if kinds.groups else []
    else:
        if selects is None and not digests:
            notes.append("the reads: a binary log has none, and no digest or counter was named")
        return Reads((), ())
    if transactions is not None:
        others = max(transactions * scale - logged, 0)
        free = sum(read.calls for read in reads if not read.locks)
        outside = min(others / free, 1.0) if free else 0.0
    else:
        outside = 0.0 if kinds.several_statements >= _SEVERAL * logged else 1.0
        notes.append(
            f"whether reads are inside of transactions: in the load they are {'inside' if not outside else 'outside'}"
        )
    outside = 0.0 if outside < _NEARLY else 1.0 if outside > 1 - _NEARLY else outside
    placed = [(read, 0.0 if read.locks else outside) for read in reads]
    return Reads(
        tuple(replace(read, calls=read.calls * (1 - share)) for read, share in placed if share < 1),
        tuple(replace(read, calls=read.calls * share) for read, share in placed if share > 0),
    )


def _by_group(digests: Sequence[Digest], group_of: Mapping[str, int], scale: float, notes: list[str]) -> list[Read]:
    """Reads of the same kind on the same group, added up."""
    found: dict[tuple[int, str, int, bool], float] = {}
    elsewhere = joined = 0
    for digest in digests:
        if not digest.is_read or not digest.calls:
            continue
        if all(name.partition(".")[0] in _OF_SERVER for name in digest.tables):
            continue
        groups = [group for name in digest.tables if (group := _group(name, group_of)) is not None]
        if not groups:
            elsewhere += digest.calls
            continue
        joined += digest.calls if len(digest.tables) > 1 else 0
        words, rows = _shape(digest)
        place = (groups[0], words, rows, digest.locks)
        found[place] = found.get(place, 0.0) + digest.calls * scale
    if elsewhere * scale > _BACKGROUND * sum(found.values()):
        notes.append("tables that are only read: the log does not show their columns, so their reads are left out")
    if joined:
        notes.append("how reads join tables: in the load, each reads one table")
    return [Read(*place, calls) for place, calls in found.items()]


def _group(name: str, group_of: Mapping[str, int]) -> int | None:
    if name in group_of or "." in name:
        return group_of.get(name)
    return next((group for table, group in group_of.items() if table.partition(".")[2] == name), None)


def _shape(digest: Digest) -> tuple[str, int]:
    """What a read does, and of how many rows. Servers count rows again that are sorted or kept in between."""
    examined, sent = digest.rows_examined / digest.calls, digest.rows_sent / digest.calls
    if (digest.sorts or digest.distinct) and sent > 1 and examined <= _SORTING * sent:
        return "distinct" if digest.distinct else "sorted", round(sent)
    if examined <= _POINT:
        return "row", 1
    return ("sum" if sent <= _POINT else "rows"), max(round(examined), 1)
