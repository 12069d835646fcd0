"""What does a user's own mix of transactions define? A YAML file of weighted SQL with placeholders (docs/workloads.md).

Every error in the file is reported with its line before a server is touched; only the SQL itself is left for the
server to check. Values are numbers, or letters in quotes, so that none can end a statement early.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from advisor.data import line_of, read_yaml
from advisor.errors import InputError
from advisor.model.record import record

_KEYS: Final = ("format", "database", "ignore_errors", "prepare", "reset", "transactions")
_TRANSACTION_KEYS: Final = ("name", "weight", "values", "statements")
_PLACEHOLDER: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_DATABASE: Final = re.compile(r"[A-Za-z0-9_$]{1,64}")
_DISTRIBUTIONS: Final = ("uniform", "gaussian", "pareto", "special")  # those of sysbench 1.0
_GREATEST: Final = 2**32 - 1  # its random numbers have 32 bits
_LONGEST: Final = 10_000  # letters of a string
_COLUMN: Final = re.compile(r"([A-Za-z0-9_$]{1,64})\.([A-Za-z0-9_$]{1,64})")
_PLAIN: Final = ("id", "table", "thread", "writer")
_FORMS: Final = (
    "{id} {table} {thread} {writer} {int:LOW:HIGH} {int:LOW:HIGH:DISTRIBUTION} {string:LETTERS} {row:TABLE.COLUMN}, or "
    "a name of `values`"
)


@record
class Column:
    """A column of the mix's database whose values are drawn from."""

    table: str
    name: str


@record
class Value:
    """A value drawn once per transaction: of an "int" bounds and distribution, of a "string" its length, of a "row" the
    column.
    """

    kind: str
    low: int = 0
    high: int = 0
    distribution: str = ""
    length: int = 0
    column: Column | None = None


@record
class Transaction:
    """One kind: its weight, the values it draws, its statements as pieces: text, or the number of a value.

    Values are counted from 0. One statement is autocommitted, several are one transaction.
    """

    name: str
    weight: float
    values: tuple[Value, ...]
    statements: tuple[tuple[str | int, ...], ...]


@record
class Mix:
    """The file. `database` "" is advisor_bench; `prepare` is executed there once, and `reset` before every run."""

    transactions: tuple[Transaction, ...]
    database: str = ""
    ignore_errors: tuple[int, ...] = ()
    prepare: tuple[str, ...] = ()
    reset: tuple[str, ...] = ()


class _PlaceholderError(Exception):
    """What is wrong with a placeholder; the caller, who knows its line, makes an InputError of it."""


def read_mix(path: str) -> Mix:
    """The mix in a file; InputError with the line of what is wrong."""
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise InputError("must be a mapping with the key `transactions`", file=path)
    _known(data, _KEYS, [], path)
    if data.get("format") != "1":
        _refuse("format: must be 1, the only format that this release reads", ["format"], path)
    database = data.get("database", "")
    if not isinstance(database, str) or (database and not _DATABASE.fullmatch(database)):
        _refuse("database: must be the name of a database", ["database"], path)
    rows = data.get("transactions")
    if not isinstance(rows, list) or not rows:
        _refuse("transactions: must be a list with at least one transaction", ["transactions"], path)
    return Mix(
        transactions=tuple(_transaction(row, ["transactions", place], path) for place, row in enumerate(rows)),
        database=database,
        ignore_errors=tuple(_numbers(data.get("ignore_errors", []), path)),
        prepare=tuple(_texts(data.get("prepare", []), ["prepare"], path)),
        reset=tuple(_texts(data.get("reset", []), ["reset"], path)),
    )


def columns_of(mix: Mix) -> list[Column]:
    """The columns that a mix draws from, each once."""
    values = [value for transaction in mix.transactions for value in transaction.values]
    return list(dict.fromkeys(value.column for value in values if value.column))


def lua_data(mix: Mix, column_values: Mapping[Column, Sequence[str]] | None = None) -> str:
    """The mix as experiments/workloads/lib/mix.lua reads it; `column_values` are literals for every column it has."""
    columns = columns_of(mix)
    # Each in a function of its own: Lua limits how many constants one may have.
    lists = [
        f"local column{number} = (function() return {{{', '.join(map(_lua, (column_values or {})[column]))}}} end)()\n"
        for number, column in enumerate(columns)
    ]
    transactions = []
    for transaction in mix.transactions:
        values = ", ".join(
            f"{{kind = {_lua(value.kind)}, low = {value.low}, high = {value.high}, "
            f"distribution = {_lua(value.distribution)}, length = {value.length}"
            f"{f', column = column{columns.index(value.column)}' if value.column else ''}}}"
            for value in transaction.values
        )
        statements = ", ".join(
            "{" + ", ".join(str(piece + 1) if isinstance(piece, int) else _lua(piece) for piece in pieces) + "}"
            for pieces in transaction.statements
        )
        weight = repr(transaction.weight)
        transactions.append(f"{{weight = {weight}, values = {{{values}}}, statements = {{{statements}}}}}")
    return "".join(lists) + "return {\n" + ",\n".join(transactions) + "\n}\n"


def _transaction(data: Any, keys: list[str | int], path: str) -> Transaction:
    if not isinstance(data, dict):
        _refuse("a transaction must be a mapping with the key `statements`", keys, path)
    _known(data, _TRANSACTION_KEYS, keys, path)
    named = data.get("values") or {}
    if not isinstance(named, dict):
        _refuse("values: must be a mapping of names to placeholders", [*keys, "values"], path)
    values: list[Value] = []
    numbers: dict[str, int] = {}
    for name, text in named.items():
        here = [*keys, "values", name]
        if not _NAME.fullmatch(name) or name in _PLAIN:
            _refuse(
                f"{name!r} cannot be the name of a value: it must begin with a letter, "
                "contain only a-z, 0-9 and _, and not be the name of a placeholder",
                here,
                path,
            )
        pieces = _pieces(text, values, {}, here, path)
        if len(pieces) != 1 or not isinstance(pieces[0], int):
            _refuse(f"{name}: must be a single placeholder, such as {{int:1:100}}", here, path)
        numbers[name] = pieces[0]
    texts = _texts(data.get("statements"), [*keys, "statements"], path)
    if not texts:
        _refuse("statements: must have at least one statement", [*keys, "statements"], path)
    statements = tuple(
        _pieces(text, values, numbers, [*keys, "statements", place], path) for place, text in enumerate(texts)
    )
    name = data.get("name", f"transaction {keys[-1]}")
    return Transaction(str(name), _weight(data.get("weight", "1"), keys, path), tuple(values), statements)


def _pieces(
    text: Any, values: list[Value], numbers: dict[str, int], keys: list[str | int], path: str
) -> tuple[str | int, ...]:
    """The pieces of a text; what its placeholders draw is added to `values`."""
    if not isinstance(text, str):
        _refuse("must be a string", keys, path)
    pieces: list[str | int] = []
    at = 0
    for match in _PLACEHOLDER.finditer(text):
        pieces.append(text[at : match.start()])
        at = match.end()
        if match[0] in ("{{", "}}"):
            pieces.append(match[0][0])
        elif match[1] in numbers:
            pieces.append(numbers[match[1]])
        else:
            try:
                values.append(_value(match[1]))
            except _PlaceholderError as error:
                _refuse(str(error), keys, path)
            pieces.append(len(values) - 1)
    return tuple(piece for piece in [*pieces, text[at:]] if piece != "")


def _value(text: str | None) -> Value:
    kind, *rest = (text or "").split(":")
    if kind in _PLAIN and not rest:
        return Value(kind)
    if kind == "string" and len(rest) == 1 and rest[0].isdecimal() and 0 < int(rest[0]) <= _LONGEST:
        return Value(kind, length=int(rest[0]))
    if kind == "row" and len(rest) == 1 and (column := _COLUMN.fullmatch(rest[0])):
        return Value(kind, column=Column(column[1], column[2]))
    if kind == "int" and len(rest) in (2, 3) and rest[0].isdecimal() and rest[1].isdecimal():
        distribution = rest[2] if len(rest) == 3 else "uniform"
        low, high = int(rest[0]), int(rest[1])
        if distribution not in _DISTRIBUTIONS:
            raise _PlaceholderError(
                f"{distribution!r} is not one of the known distributions: {', '.join(_DISTRIBUTIONS)}"
            )
        if not low <= high <= _GREATEST:
            raise _PlaceholderError(f"{{{text}}}: LOW must not exceed HIGH, and HIGH must not exceed {_GREATEST}")
        return Value(kind, low, high, distribution)
    shown = "a single brace" if text is None else f"{{{text}}}"
    raise _PlaceholderError(f"{shown} is not a placeholder; use {_FORMS}; write a literal brace twice")


def _weight(data: Any, keys: list[str | int], path: str) -> float:
    if not isinstance(data, str) or not re.fullmatch(r"\d{1,9}(\.\d{1,6})?", data) or float(data) == 0:
        _refuse(f"weight: {data!r} is not a number above 0", [*keys, "weight"], path)
    return float(data)


def _numbers(data: Any, path: str) -> list[int]:
    texts = _texts(data, ["ignore_errors"], path)
    for place, text in enumerate(texts):
        if not re.fullmatch(r"[1-9]\d{3,4}", text):
            _refuse(f"ignore_errors: {text!r} is not a server error number", ["ignore_errors", place], path)
    return [int(text) for text in texts]


def _texts(data: Any, keys: list[str | int], path: str) -> list[str]:
    if not isinstance(data, list):
        _refuse(f"{keys[-1]}: must be a list of strings", keys, path)
    for place, text in enumerate(data):
        if not isinstance(text, str) or not text.strip():
            hint = "put text with a colon and a space in quotes, or on separate lines below `- |`"
            _refuse(f"{keys[-1]}: this is not a string", [*keys, place], path, hint)
    return list(data)


def _known(data: dict[str, Any], known: tuple[str, ...], keys: list[str | int], path: str) -> None:
    for key in data:
        if key not in known:
            _refuse(f"unknown key {key!r}; known: {', '.join(known)}", [*keys, key], path)


def _refuse(message: str, keys: list[str | int], path: str, hint: str = "") -> NoReturn:
    raise InputError(message, file=path, line=line_of(path, keys), hint=hint)


def _lua(text: str) -> str:
    """A Lua string: letters, digits and blanks as they are, every other byte by its number."""
    plain = re.compile(rb"[A-Za-z0-9 _]")
    characters = (bytes([byte]) for byte in text.encode())
    return '"' + "".join(byte.decode() if plain.match(byte) else f"\\{byte[0]:03d}" for byte in characters) + '"'
