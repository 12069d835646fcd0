"""Which values have the columns that a mix draws from? Those of the user's own tables, read once per column.

Keys that have gaps, or are no numbers, cannot be drawn from a range: an UPDATE would mostly meet no row. `VALUES` rows
chosen at random stand for all; the server reads the column's index once for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.bench.load.mix import Mix, columns_of
from advisor.bench.load.placeholders import Column
from advisor.client import Session, connect
from advisor.errors import UsageError
from advisor.model.lab import Address

VALUES: Final = 10_000  # of a column, at most
_ANSWER_SECONDS: Final = 600.0
_READ: Final[dict[tuple[str, int, str, str, Column], tuple[str, ...]]] = {}


def column_values(mix: Mix, database: str, address: Address) -> Mapping[Column, Sequence[str]]:
    """The values of every column that a mix draws from, as literals of SQL; what was read before is not read again.

    ServerError for a column that is not there, UsageError for one without values.
    """
    wanted = {column: (address.host, address.port, address.socket, database, column) for column in columns_of(mix)}
    if any(key not in _READ for key in wanted.values()):
        with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
            for column, key in wanted.items():
                if key not in _READ:
                    _READ[key] = _read(session, database, column)
    return {column: _READ[key] for column, key in wanted.items()}


def _read(session: Session, database: str, column: Column) -> tuple[str, ...]:
    name = f"`{column.name}`"
    rows = session.rows(
        f"SELECT {name} AS value FROM `{database}`.`{column.table}` WHERE {name} IS NOT NULL ORDER BY RAND() LIMIT %s",
        VALUES,
    )
    if not rows:
        raise UsageError(
            f"{{row:{column.table}.{column.name}}}: the column has no values to draw from",
            hint=f"fill {database}.{column.table} first, e.g. with --prepare or `prepare:`",
        )
    return tuple(literal(row["value"]) for row in rows)


def literal(value: object) -> str:
    """A value as SQL has it: digits of a number, else its bytes, so that none can end a statement early."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    return f"_utf8mb4 X'{str(value).encode().hex()}'"
