"""How does sysbench get a mix? As Lua data that experiments/workloads/lib/mix.lua reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from advisor.bench.load.mix import Mix, Repeated, Statement, columns_of
from advisor.bench.load.placeholders import Column, Pieces, Value


def lua_data(mix: Mix, column_values: Mapping[Column, Sequence[str]] | None = None) -> str:
    """The mix as Lua; `column_values` are literals for every column it has."""
    columns = columns_of(mix)
    # Each in a function of its own: Lua limits how many constants one may have.
    lists = [
        f"local column{number} = (function() return {{{', '.join(map(_lua, (column_values or {})[column]))}}} end)()\n"
        for number, column in enumerate(columns)
    ]
    spreads = [
        f"local spread_{name} = {{{', '.join(f'{{{part.most}, {part.share!r}}}' for part in parts)}}}\n"
        for name, parts in mix.spreads.items()
    ]
    transactions = []
    for transaction in mix.transactions:
        values = ", ".join(_value(value, columns) for value in transaction.values)
        statements = ", ".join(map(_statement, transaction.statements))
        weight = repr(transaction.weight)
        transactions.append(f"{{weight = {weight}, values = {{{values}}}, statements = {{{statements}}}}}")
    return (
        "".join(lists + spreads)
        + f"return {{prepared = {str(mix.prepared).lower()},\n"
        + ",\n".join(transactions)
        + "\n}\n"
    )


def _value(value: Value, columns: list[Column]) -> str:
    numbers = f"low = {value.low}, high = {value.high}"
    parts = [
        f"kind = {_lua(value.kind)}, {numbers}, distribution = {_lua(value.distribution)}, length = {value.length}"
    ]
    if value.column:
        parts.append(f"column = column{columns.index(value.column)}")
    if value.spread:
        parts.append(f"spread = spread_{value.spread}")
    return "{" + ", ".join(parts) + "}"


def _statement(statement: Statement) -> str:
    if not isinstance(statement, Repeated):
        return _pieces(statement)
    times = f"times = {statement.times}" if statement.times else f"drawn = {statement.drawn + 1}"
    again = ", ".join(str(number + 1) for number in statement.again)
    each = f", each = {_pieces(statement.each)}" if statement.each else ""
    texts = ", ".join(map(_pieces, statement.texts))
    return f"{{texts = {{{texts}}}, {times}, again = {{{again}}}{each}}}"


def _pieces(pieces: Pieces) -> str:
    """Numbers of values count from 1 in Lua; 0 stands for what is repeated inside a statement."""
    return "{" + ", ".join(str(piece + 1) if isinstance(piece, int) else _lua(piece) for piece in pieces) + "}"


def _lua(text: str) -> str:
    """A Lua string: letters, digits and blanks as they are, every other byte by its number."""
    plain = re.compile(rb"[A-Za-z0-9 _]")
    characters = (bytes([byte]) for byte in text.encode())
    return '"' + "".join(byte.decode() if plain.match(byte) else f"\\{byte[0]:03d}" for byte in characters) + '"'
