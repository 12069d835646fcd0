"""Which statements does a kind of transaction become? Each step of it, with placeholders for rows and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from advisor.annotations import Final
from advisor.model.workload.made_load import MadeStatement, MadeTransaction, Points
from advisor.model.workload.transaction import RowChange
from advisor.workload.maker.copied_table import CopiedTable
from advisor.workload.maker.histogram import Histogram
from advisor.workload.maker.reads import Read
from advisor.workload.maker.transaction_kinds import Body, KindTally, StepShape

_MOST_WRITTEN_OUT: Final = 200  # rows of one INSERT that is itself repeated
_WHOLE: Final = 0.02  # how near a number of calls must be to a whole one


class _Placed(NamedTuple):
    """A step that was written: its table, the names of its row and its table, and whether it inserted a new row."""

    group: int
    row: str
    member: str
    inserted: bool


class KindWriter:
    """Writes one kind. `spreads` gets what its numbers are drawn from."""

    def __init__(self, name: str, kind: KindTally, tables: Sequence[CopiedTable], spreads: dict[str, Points]) -> None:
        self._name, self._kind, self._tables, self._spreads = name, kind, tables, spreads
        self._placed: list[_Placed | None] = []
        self._locked_first: set[str] = set()

    def transaction(self, weight: int, reads: Sequence[tuple[Read, float]]) -> MadeTransaction:
        """The whole transaction: its reads first, as far as they do not lock rows or follow changes."""
        values: dict[str, str] = {}
        statements: list[str | MadeStatement] = []
        for number, (read, calls) in enumerate(reads):
            times = _calls(calls, f"reads_{self._name}_{number}", self._spreads)
            place = self._changed_next(read) if times == "1" else ""
            self._locked_first.add(place)
            statements.append(read_statement(read, self._tables[read.group], times, place))
        for number, body in enumerate(self._kind.bodies):
            statements += self._body(number, body, values)
        return MadeTransaction(f"kind {self._name[1:]}", weight, tuple(statements), values)

    def _changed_next(self, read: Read) -> str:
        """The place of the update of one row that a locking read of that table precedes; "" where there is none.

        Who locks a row changes that row: two different ones would be twice the locks, and wait for each other.
        """
        if not read.locks or read.words != "row":
            return ""
        for number, body in enumerate(self._kind.bodies):
            for at, step in enumerate(body):
                one = self._kind.times[number].only == 1 and self._kind.rows[number][at].only == 1
                if one and not step.back and step.group == read.group and step.change is RowChange.UPDATE:
                    return f"{number}_{at}"
        return ""

    def _body(self, number: int, body: Body, values: dict[str, str]) -> list[str | MadeStatement]:
        once = self._kind.times[number].only == 1
        own = values if once else {}
        referenced = _referenced(self._kind.bodies, number, body)
        written: list[str | MadeStatement] = []
        before = self._placed if once else []
        for at, step in enumerate(body):
            rows = self._kind.rows[number][at]
            named = at in referenced or f"{number}_{at}" in self._locked_first
            written.append(self._step(f"{number}_{at}", step, rows, own, before, named, nested=not once))
        if once:
            return written
        self._placed = [None] * len(body)  # of a repetition nobody knows which row a later step means
        times = _number(self._kind.times[number], f"times_{self._name}_{number}", self._spreads)
        if len(written) == 1 and isinstance(written[0], MadeStatement):
            return [written[0]]
        return [MadeStatement(tuple(map(str, written)), times, values=own)]

    def _step(
        self, place: str, step: StepShape, rows: Histogram, values: dict[str, str], placed: list[_Placed | None],
        referenced: bool, nested: bool,
    ) -> str | MadeStatement:  # fmt: skip
        table = self._tables[step.group]
        target = placed[-step.back] if 0 < step.back <= len(placed) else None
        target = target if target and target.group == step.group else None
        several = rows.only != 1
        new = step.change is RowChange.INSERT
        if target:
            row, member = target.row, target.member
        else:
            inline = not referenced and (new or not several)
            drawn = table.new_row if new else table.any_row
            row = drawn if inline else _value(values, f"row_{place}", drawn)
            member = table.member if inline or not table.member else _value(values, f"member_{place}", table.member)
        counted = table.definition.counter is not None
        placed.append(_Placed(step.group, row, member, new and counted and (target is None or target.inserted)))
        count = _number(rows, f"rows_{self._name}_{place}", self._spreads)
        if new:
            again = row if (target and not target.inserted) or (referenced and not counted) else ""
            return self._insert(table, member, again, rows, count, nested)
        many = count if not several or count.isdecimal() else _value(values, f"count_{place}", count)
        where = table.where(row) if not several else table.where_range(row, many)
        if target and target.inserted:
            where = table.where_new()
        if step.change is RowChange.UPDATE:
            return table.update(member, where, step.columns)
        if referenced or target:
            return table.delete(member, where)
        return table.delete_following(member, row, many if many.isdecimal() else count)

    def _insert(
        self, table: CopiedTable, member: str, row: str, rows: Histogram, count: str, nested: bool
    ) -> str | MadeStatement:
        head, values = table.insert(member, row)
        if rows.only == 1:
            return head + values
        if nested:
            return head + ", ".join([values] * min(max(round(rows.mean), 1), _MOST_WRITTEN_OUT))
        return MadeStatement((head + "{each}",), count, each=values)


def read_statement(read: Read, table: CopiedTable, times: str, changed_next: str = "") -> str | MadeStatement:
    """A read, as often as that; `changed_next`: the place of the step that changes the row that is read."""
    values: dict[str, str] = {}
    if changed_next:
        member = f"{{member_{changed_next}}}" if table.member else ""
        return table.select(member, table.where(f"{{row_{changed_next}}}"), "row", read.locks)
    if read.words == "row":
        sql = table.select(table.member, table.where(table.any_row), "row", read.locks)
    else:
        where = table.where_range(_value(values, "row", table.any_row), str(min(read.rows, max(table.rows, 1))))
        sql = table.select(table.member, where, read.words, read.locks)
    return sql if times == "1" and not values else MadeStatement((sql,), times, values=values)


def _referenced(bodies: Sequence[Body], number: int, body: Body) -> set[int]:
    """The steps of a body whose rows later steps change again."""
    begin = sum(len(each) for each in bodies[:number])
    steps = [step for each in bodies for step in each]
    places = {place - step.back for place, step in enumerate(steps) if step.back}
    return {place - begin for place in places if 0 <= place - begin < len(body)}


def _value(values: dict[str, str], name: str, placeholder: str) -> str:
    """A named value, and how a statement names it."""
    values[name] = placeholder
    return f"{{{name}}}"


def _number(histogram: Histogram, name: str, spreads: dict[str, Points]) -> str:
    """A number, or the placeholder of a spread."""
    if histogram.only is not None:
        return str(max(histogram.only, 1))
    spreads[name] = histogram.points()
    return f"{{spread:{name}}}"


def _calls(mean: float, name: str, spreads: dict[str, Points]) -> str:
    """How often something happens that happens so often on average."""
    if round(mean) >= 1 and abs(mean - round(mean)) <= _WHOLE * mean:
        return str(round(mean))
    low = int(mean)
    parts = [(low, round(1 - (mean - low), 6)), (low + 1, 1.0)]
    spreads[name] = tuple(parts if low <= 0 else [(low - 1, 0.0), *parts])
    return f"{{spread:{name}}}"
