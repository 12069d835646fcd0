"""Which kinds of transactions are there? Transactions with the same statements on the same tables are one kind.

Tables whose names differ only in digits and that have the same columns form a group. A sequence of statements that is
repeated becomes a body with a number of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from advisor.annotations import Final
from advisor.binlog.events.table_map import TableMap
from advisor.model.workload.transaction import Kind, RowChange, Step, Transaction
from advisor.workload.maker.histogram import Histogram
from advisor.workload.maker.row_choice import RowChoice

_DIGITS: Final = re.compile(r"\d+")
_MOST_KINDS: Final = 2_000  # that are counted; later ones are left out
_LONGEST_BODY: Final = 6
_MOST_BODIES: Final = 8  # of a kind; with more, statements on one table are gathered
_LOOKED_AT: Final = 200  # steps of a transaction by which its kind is known


class StepShape(NamedTuple):
    """A statement without its numbers: the group of its table, what it does, the columns that an UPDATE changes.

    `back` says how many steps before it the same rows were changed, 0 for never.
    """

    group: int
    change: RowChange
    columns: tuple[int, ...]
    back: int


Body = tuple[StepShape, ...]


class KindTally:
    """What the transactions of one kind have in common: how often each body is repeated, rows of each statement."""

    def __init__(self, bodies: tuple[Body, ...]) -> None:
        self.bodies = bodies
        self.count = self.size_bytes = 0
        self.times = [Histogram() for _ in bodies]
        self.rows = [[Histogram() for _ in body] for body in bodies]

    def take(self, other: KindTally) -> None:
        """Add a kind that has the same steps, each of them once."""
        self.count += other.count
        self.size_bytes += other.size_bytes
        for times in self.times:
            times.add(1, other.count)
        own = [rows for body in self.rows for rows in body]
        for rows, more in zip(own, (rows for body in other.rows for rows in body), strict=True):
            rows.counts.update(more.counts)


class GroupTally:
    """A group of like tables: their names, how long values are, which rows are changed, and how often each table is.

    `lengths` are those of all values, `new_lengths` of inserted rows, `changed_lengths` of what an UPDATE wrote.
    """

    def __init__(self, table_map: TableMap) -> None:
        self.table_map = table_map
        self.tables: Counter[str] = Counter()
        self.lengths = [Histogram() for _ in table_map.types]
        self.new_lengths = [Histogram() for _ in table_map.types]
        self.changed_lengths = [Histogram() for _ in table_map.types]
        self.nulls = [0] * len(table_map.types)
        self.choice = RowChoice()
        self.changes: Counter[RowChange] = Counter()


class KindsTally:
    """Takes the transactions of a log. `tables` are the table maps read so far; the caller's reader adds to them."""

    def __init__(self, tables: Mapping[str, TableMap]) -> None:
        self._tables = tables
        self._group_of: dict[tuple[str, int], int] = {}
        self._by_like: dict[object, int] = {}
        self._bodies: dict[tuple[StepShape, ...], tuple[tuple[Body, ...], list[int]]] = {}
        self.groups: list[GroupTally] = []
        self.kinds: dict[tuple[Body, ...], KindTally] = {}
        self.left_out: Counter[Kind] = Counter()
        self.statements = 0
        self.several_statements = 0  # transactions with more than one

    def add(self, transaction: Transaction) -> None:
        """One more transaction; those without row events are only counted."""
        steps = [step for step in transaction.steps if step.table in self._tables]
        if not steps or transaction.kind is Kind.DDL:
            self.left_out[transaction.kind] += 1
            return
        self.statements += len(steps)
        self.several_statements += len(steps) > 1
        shapes = self._shapes(steps)
        bodies, times = _folded(shapes)
        tally = self.kinds.get(bodies)
        if tally is None:
            if len(self.kinds) >= _MOST_KINDS:
                self.left_out[transaction.kind] += 1
                return
            tally = self.kinds[bodies] = KindTally(bodies)
        tally.count += 1
        tally.size_bytes += transaction.size_bytes
        scale = len(steps) / len(shapes)
        place = 0
        for number, (body, repeated) in enumerate(zip(bodies, times, strict=True)):
            tally.times[number].add(max(round(repeated * scale), 1))
            for _ in range(repeated):
                for at in range(len(body)):
                    if place < len(steps):
                        tally.rows[number][at].add(steps[place].rows or 1)
                    place += 1

    def merge(self) -> list[KindTally]:
        """The kinds, after each that another repeats has become a part of that: its bodies are there once."""
        repeating = {
            tuple(step for body in kind.bodies for step in body): kind
            for kind in self.kinds.values()
            if any(times.only != 1 for times in kind.times)
        }
        found = []
        for kind in self.kinds.values():
            steps = tuple(step for body in kind.bodies for step in body)
            other = repeating.get(steps)
            if other is None or other is kind or any(times.only != 1 for times in kind.times):
                found.append(kind)
            else:
                other.take(kind)
        self.kinds = {kind.bodies: kind for kind in found}
        return found

    def _shapes(self, steps: list[Step]) -> list[StepShape]:
        seen: dict[object, int] = {}
        shapes = []
        for place, step in enumerate(steps[:_LOOKED_AT]):
            group = self._group(step)
            rows = (step.table, step.key_hashes) if step.key_hashes else None
            back = place - seen[rows] if rows in seen else 0
            if rows:
                seen[rows] = place
            if step.change is not RowChange.INSERT and not back:
                self.groups[group].choice.add(step.key_hashes[:_LOOKED_AT])
            shapes.append(StepShape(group, step.change, step.columns, back))
        for step in steps[_LOOKED_AT:]:
            self._group(step)
        return shapes

    def _group(self, step: Step) -> int:
        """The number of the group of a step's table, whose lengths and names are taken."""
        made = (step.table, len(step.lengths))  # a table may get other columns
        number = self._group_of.get(made)
        if number is None:
            table_map = self._tables[step.table]
            like = (_DIGITS.sub("#", step.table), table_map.types, table_map.metadata)
            number = self._by_like.setdefault(like, len(self.groups))
            if number == len(self.groups):
                self.groups.append(GroupTally(table_map))
            self._group_of[made] = number
        group = self.groups[number]
        group.tables[step.table] += 1
        group.changes[step.change] += 1
        for column, length in enumerate(step.lengths[: len(group.lengths)]):
            if length >= 0:
                group.lengths[column].add(length)
                if step.change is RowChange.INSERT:
                    group.new_lengths[column].add(length)
                elif column in step.columns:
                    group.changed_lengths[column].add(length)
            elif length == -1:
                group.nulls[column] += 1
        return number


def _folded(shapes: list[StepShape]) -> tuple[tuple[Body, ...], list[int]]:
    """The bodies and how often each is repeated; of many different ones, a body for each table and change."""
    bodies: list[Body] = []
    times: list[int] = []
    at = 0
    while at < len(shapes):
        length, repeated = _repetition(shapes, at)
        bodies.append(tuple(shapes[at : at + length]))
        times.append(repeated)
        at += length * repeated
    if len(bodies) <= _MOST_BODIES:
        return tuple(bodies), times
    counted = Counter(shape._replace(back=0) for shape in shapes)
    return tuple((shape,) for shape in counted), list(counted.values())


def _repetition(shapes: list[StepShape], at: int) -> tuple[int, int]:
    """The length of the body that begins here and covers most, and how often it is repeated.

    A body repeats where the same shapes follow; references within it point to steps of the same repetition.
    """
    best = (1, 1)
    for length in range(1, _LONGEST_BODY + 1):
        body = shapes[at : at + length]
        if len(body) < length or any(shape.back > place for place, shape in enumerate(body)):
            break
        repeated = 1
        while shapes[at + repeated * length : at + (repeated + 1) * length] == body:
            repeated += 1
        if repeated > 1 and length * repeated > best[0] * best[1]:
            best = (length, repeated)
    return best
