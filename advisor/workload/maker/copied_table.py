"""How is a group of tables copied, and how do statements address its rows? Rows are numbered from 1 by their key."""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.workload.made_load import Points
from advisor.model.workload.transaction import RowChange
from advisor.workload.maker.column_types import ColumnType, drawn, filled, numbered
from advisor.workload.maker.definitions import TableDefinition, TableKey
from advisor.workload.maker.histogram import Histogram
from advisor.workload.maker.transaction_kinds import GroupTally

_MOSTLY: Final = 0.5  # NULLs, from which a new row has NULL
_VARIES: Final = 0.1  # of the mean, from which lengths are drawn
_ROW: Final = "(SELECT n + {first} - 1 AS n FROM numbers WHERE n <= {last} - {first} + 1) AS numbered_rows"
_MOST_NEW: Final = 4_000_000_000  # number of a new row
_BIG: Final = 1_000_000


class CopiedTable:
    """The copy of a group. `number` names it, `rows` is how many each of its tables has at first.

    `spreads` gets what its values and rows are drawn from.
    """

    def __init__(
        self, number: int, group: GroupTally, definition: TableDefinition, rows: int, spreads: dict[str, Points]
    ) -> None:
        self.group, self.definition, self.rows = group, definition, rows
        self.name = f"a{number}"
        self.tables = sorted(group.tables)
        self._new = [self._length(at, group.new_lengths[at], "new", spreads) for at in self._all()]
        self._changed = [self._length(at, group.changed_lengths[at], "set", spreads) for at in self._all()]
        self._key = definition.primary.columns if definition.primary else self._first_key()
        self.number_column = self._number_column()
        self._chosen = f"{{int:1:{rows}}}"
        points = group.choice.points(rows * len(self.tables))
        if points:
            ranks = [(max(rank // len(self.tables), 1), share) for rank, share in points]
            spreads[f"rows_of_{self.name}"] = tuple(dict(ranks).items())
            self._chosen = f"{{spread:rows_of_{self.name}}}"

    @property
    def any_row(self) -> str:
        """The placeholder of a row's number."""
        return self._chosen

    @property
    def new_row(self) -> str:
        """The placeholder of the number of a row that is not there yet."""
        most = self.definition.types[self.number_column].most or _MOST_NEW
        return f"{{int:{min(self.rows + 1, most)}:{most}}}"

    @property
    def member(self) -> str:
        """The placeholder of a table's number, "" of a group of one."""
        return f"{{int:1:{len(self.tables)}}}" if len(self.tables) > 1 else ""

    def named(self, member: str) -> str:
        """The name of a table of the group."""
        return f"{self.name}_{member}" if member else self.name

    def prepared(self) -> list[str | tuple[str, int]]:
        """Statements that create and fill the tables; a tuple is one to fill so many rows."""
        statements: list[str | tuple[str, int]] = []
        for place in range(len(self.tables)):
            name = self.named(str(place + 1) if len(self.tables) > 1 else "")
            statements += [f"DROP TABLE IF EXISTS {name}", f"CREATE TABLE {name} ({', '.join(self._declared())})"]
            if self.rows:
                columns, values = zip(*((_column(at), self._filled(at)) for at in self._all()), strict=True)
                fill = f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {_ROW}"
                statements.append((fill, self.rows))
        return statements

    def reset(self) -> list[str]:
        """Statements that remove the rows of earlier runs, where that is possible."""
        if not self.group.changes[RowChange.INSERT] or self.definition.counter is None:
            return []
        names = [self.named(str(place + 1) if len(self.tables) > 1 else "") for place in range(len(self.tables))]
        return [f"DELETE FROM {name} WHERE {_column(self.definition.counter)} > {self.rows}" for name in names]

    def insert(self, member: str, row: str = "") -> tuple[str, str]:
        """The statement up to VALUES, and one row; `row` is the number of a row that was deleted before."""
        columns = [at for at in self._all() if row or at != self.definition.counter]
        values = ", ".join(self._inserted(at, row) for at in columns)
        return f"INSERT INTO {self.named(member)} ({', '.join(map(_column, columns))}) VALUES ", f"({values})"

    def update(self, member: str, where: str, columns: tuple[int, ...]) -> str:
        """Change those columns of the rows."""
        changed = [at for at in columns if at not in self._key] or [self._plain_column()]
        values = ", ".join(f"{_column(at)} = {self._value(at, self._changed[at])}" for at in changed)
        return f"UPDATE {self.named(member)} SET {values} WHERE {where}"

    def delete(self, member: str, where: str) -> str:
        """Delete the rows."""
        return f"DELETE FROM {self.named(member)} WHERE {where}"

    def delete_following(self, member: str, row: str, rows: str) -> str:
        """Delete the next rows that are there: rows that a load deletes do not come back by themselves."""
        column = _column(self.number_column)
        beginning = f"{column} >= {self._at(row)}"
        return f"DELETE FROM {self.named(member)} WHERE {beginning} ORDER BY {column} LIMIT {rows}"

    def where(self, row: str) -> str:
        """One row, by its number."""
        return " AND ".join(f"{_column(at)} = {self._of_key(at, row)}" for at in self._key or (self.number_column,))

    def where_new(self) -> str:
        """The row that this transaction has inserted last."""
        return f"{_column(self.definition.counter or 0)} = LAST_INSERT_ID()"

    def where_range(self, row: str, rows: str) -> str:
        """So many rows from that number on, or the last ones."""
        first = f"LEAST({row}, GREATEST({self.rows} - {rows} + 1, 1))"
        return f"{_column(self.number_column)} BETWEEN {self._at(first)} AND {self._at(f'{first} + {rows} - 1')}"

    def select(self, member: str, where: str, words: str, locks: bool) -> str:
        """A read; `words`: "row", "rows", "sorted", "distinct" or "sum"."""
        text = next(
            (at for at in self._all() if self._type(at).group in ("text", "bytes") and at not in self._key), None
        )
        column = _column(self._plain_column() if text is None else text)
        what = {"row": "*", "rows": column, "sorted": column, "distinct": f"DISTINCT {column}"}.get(
            words, f"SUM({_column(self._plain_column())})"
        )
        order = f" ORDER BY {column}" if words in ("sorted", "distinct") else ""
        return f"SELECT {what} FROM {self.named(member)} WHERE {where}{order}" + (" FOR UPDATE" if locks else "")

    def _all(self) -> range:
        return range(len(self.definition.types))

    def _type(self, at: int) -> ColumnType:
        return self.definition.types[at]

    def _declared(self) -> list[str]:
        lines = []
        for at in self._all():
            words = [_column(at), self._type(at).sql]
            if character_set := self.definition.character_sets[at]:
                words.append(f"CHARACTER SET {character_set}")
            words.append("NOT NULL" if at in self._key and self.definition.primary else "NULL")
            if at == self.definition.counter:
                words.append("AUTO_INCREMENT")
            lines.append(" ".join(words))
        if self.definition.primary:
            lines.append(f"PRIMARY KEY {_parts(self.definition.primary)}")
        lines += [f"{'UNIQUE ' if key.unique else ''}KEY {_parts(key)}" for key in self.definition.keys]
        return lines

    def _length(self, column: int, lengths: Histogram, name: str, spreads: dict[str, Points]) -> str:
        """How long texts of a column are: a number, or the name of a spread; like all of them without any own."""
        kind = self.definition.types[column]
        own = bool(lengths.counts)
        lengths = lengths if own else self.group.lengths[column]
        if kind.group not in ("text", "bytes", "json") or not lengths.counts:
            return str(min(kind.length, 10) or 1)
        low, high, mean = min(lengths.counts), max(lengths.counts), lengths.mean
        most = kind.length or _BIG
        if high - low <= _VARIES * mean or high <= 1:
            return str(min(round(mean), most))
        name = f"{name if own else 'length'}_{self.name}_c{column + 1}"
        spreads[name] = tuple((min(length, most), share) for length, share in lengths.points())
        return name

    def _mean(self, at: int) -> int:
        kind, lengths = self._type(at), self.group.lengths[at]
        mean = round(lengths.mean) if lengths.counts else 10
        return int(min(mean, kind.length or mean))

    def _first_key(self) -> tuple[int, ...]:
        """Without a primary key, rows are found by the first index."""
        return self.definition.keys[0].columns[:1] if self.definition.keys else ()

    def _number_column(self) -> int:
        """The column that tells rows apart."""
        candidates = self._key or tuple(self._all())
        whole = [at for at in candidates if self._type(at).group == "integer" and self._type(at).most >= self.rows]
        wide = [at for at in candidates if self._type(at).length >= len(str(self.rows))]
        return (whole or wide or list(candidates))[0]

    def _plain_column(self) -> int:
        """An integer outside of every key, or else any column that is not in the primary key."""
        outside = [at for at in self._all() if at not in self._key]
        keyed = {at for key in self.definition.keys for at in key.columns}
        plain = [at for at in outside if at not in keyed and self._type(at).group == "integer"]
        return (plain or [at for at in outside if self._type(at).group == "integer"] or outside or [0])[0]

    def _at(self, row: str) -> str:
        return numbered(self._type(self.number_column), row, self._mean(self.number_column))

    def _of_key(self, at: int, row: str) -> str:
        return self._at(row) if at == self.number_column else numbered(self._type(at), "1", self._mean(at))

    def _filled(self, at: int) -> str:
        if at in self._key or at == self.number_column:
            return self._of_key(at, "n")
        unique = [key for key in self.definition.keys if key.unique and key.columns[0] == at]
        if unique:
            return numbered(self._type(at), "n", self._mean(at))
        return filled(self._type(at), self._mean(at), self.rows if self._in_key(at) else 0)

    def _inserted(self, at: int, row: str) -> str:
        """A value of a new row."""
        if row and at in self._key:
            return self._of_key(at, row)
        nulls, known = self.group.nulls[at], self.group.lengths[at].total
        if at not in self._key and nulls > _MOSTLY * (nulls + known):
            return "NULL"
        return self._value(at, self._new[at])

    def _value(self, at: int, length: str) -> str:
        narrow = self._in_key(at) and at not in self._key
        return drawn(self._type(at), length, self.rows if narrow else 0)

    def _in_key(self, at: int) -> bool:
        """Whether a column is in an index that may have one value several times."""
        return any(at in key.columns for key in self.definition.keys) and not any(
            key.unique and key.columns[0] == at for key in self.definition.keys
        )


def _column(at: int) -> str:
    return f"c{at + 1}"


def _parts(key: TableKey) -> str:
    parts = (
        f"{_column(at)}({prefix})" if prefix else _column(at)
        for at, prefix in zip(key.columns, key.prefixes, strict=True)
    )
    return f"({', '.join(parts)})"
