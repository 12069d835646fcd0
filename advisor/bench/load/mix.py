"""What does a user's own mix of transactions define? A YAML file of weighted SQL with placeholders (docs/workloads.md).

Every error in the file is reported with its line before a server is touched; only the SQL itself is left for the
server to check. Values are numbers, or letters in quotes, so that none can end a statement early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from advisor.bench.load.placeholders import NAME, PLAIN, Column, Pieces, PlaceholderError, Value, pieces_of
from advisor.data import line_of, read_yaml
from advisor.errors import InputError
from advisor.model.record import field, record
from advisor.model.workload.fidelity import FIGURES

_KEYS: Final = (
    "format", "database", "ignore_errors", "prepared", "threads", "spreads", "prepare", "reset", "transactions",
    "observed",
)  # fmt: skip
_TRANSACTION_KEYS: Final = ("name", "weight", "values", "statements")
_STATEMENT_KEYS: Final = ("sql", "times", "each", "values")
_FILL_KEYS: Final = ("sql", "rows")
_DATABASE: Final = re.compile(r"[A-Za-z0-9_$]{1,64}")
_NUMBER: Final = re.compile(r"\d{1,15}(\.\d{1,9})?")
_MOST_TIMES: Final = 100_000
_MOST_ROWS: Final = 100_000_000
_FILLED_AT_ONCE: Final = 10_000  # rows in a statement, which is a transaction
_EACH: Final = "{each}"
_ALL: Final = 0.999999  # a last share of this much is 1: shares may be rounded


@record
class SpreadPart:
    """Numbers above those of the part before, up to `most`, together drawn until this `share` of all draws."""

    most: int
    share: float


@record
class Repeated:
    """Statements that are executed several times, or one that repeats a part: `each`, in the place of value -1.

    How often is `times`, or where that is 0 the number that the value `drawn` gives. The values `again` are drawn for
    each repetition.
    """

    texts: tuple[Pieces, ...]
    times: int
    drawn: int
    again: tuple[int, ...]
    each: Pieces = ()


Statement = Pieces | Repeated


@record
class Transaction:
    """One kind: its weight, the values it draws, its statements as pieces.

    Values are counted from 0. One statement is autocommitted, several are one transaction.
    """

    name: str
    weight: float
    values: tuple[Value, ...]
    statements: tuple[Statement, ...]


@record
class Mix:
    """The file. `database` "" is advisor_bench; `prepare` is executed there once, and `reset` before every run.

    `prepared`: statements are prepared, and their values sent apart. `threads` are those of the load that the mix was
    made from, 0 where they are not stated. `observed` are figures of that load (advisor/model/workload/fidelity.py).
    """

    transactions: tuple[Transaction, ...]
    database: str = ""
    ignore_errors: tuple[int, ...] = ()
    prepare: tuple[str, ...] = ()
    reset: tuple[str, ...] = ()
    spreads: Mapping[str, tuple[SpreadPart, ...]] = field(default_factory=dict)
    threads: int = 0
    prepared: bool = False
    observed: Mapping[str, float] = field(default_factory=dict)


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
    spreads = _spreads(data.get("spreads") or {}, path)
    return Mix(
        transactions=tuple(_transaction(row, spreads, ["transactions", place], path) for place, row in enumerate(rows)),
        database=database,
        ignore_errors=tuple(_error_numbers(data.get("ignore_errors", []), path)),
        prepare=tuple(_prepared(data.get("prepare", []), path)),
        reset=tuple(_texts(data.get("reset", []), ["reset"], path)),
        spreads=spreads,
        prepared=_yes_or_no(data.get("prepared", "no"), path),
        threads=int(_number(data.get("threads", "0"), ["threads"], path)),
        observed=_observed(data.get("observed") or {}, path),
    )


def columns_of(mix: Mix) -> list[Column]:
    """The columns that a mix draws from, each once."""
    values = [value for transaction in mix.transactions for value in transaction.values]
    return list(dict.fromkeys(value.column for value in values if value.column))


def _spreads(data: Any, path: str) -> dict[str, tuple[SpreadPart, ...]]:
    """Names → parts, of which shares and numbers rise to a share of 1."""
    if not isinstance(data, dict):
        _refuse("spreads: must be a mapping of names to numbers and shares", ["spreads"], path)
    spreads = {}
    for name, parts in data.items():
        here = ["spreads", name]
        if not NAME.fullmatch(name):
            _refuse(f"{name!r}: a name begins with a letter and contains only a-z, 0-9 and _", here, path)
        if not isinstance(parts, dict) or not parts:
            _refuse(f"{name}: must be a mapping of numbers to shares, such as {{1: 0.5, 20: 1}}", here, path)
        numbers = [_number(most, [*here, most], path) for most in parts]
        shares = [_number(share, [*here, most], path) for most, share in parts.items()]
        rises = numbers == sorted(set(numbers)) and shares == sorted(shares)
        if not rises or not _ALL <= shares[-1] <= 1 or numbers[-1] >= 2**32 or any(each % 1 for each in numbers):
            _refuse(f"{name}: whole numbers and shares must rise, and the last share must be 1", here, path)
        spreads[name] = tuple(SpreadPart(int(most), share) for most, share in zip(numbers, shares, strict=True))
    return spreads


def _transaction(data: Any, spreads: Mapping[str, object], keys: list[str | int], path: str) -> Transaction:
    if not isinstance(data, dict):
        _refuse("a transaction must be a mapping with the key `statements`", keys, path)
    _known(data, _TRANSACTION_KEYS, keys, path)
    values: list[Value] = []
    numbers = _named(data.get("values") or {}, values, spreads, [*keys, "values"], path)
    here = [*keys, "statements"]
    texts = _texts(data.get("statements"), here, path, mapping_with="sql")
    if not texts:
        _refuse("statements: must have at least one statement", here, path)
    statements = tuple(
        _statement(text, values, numbers, spreads, [*here, place], path) for place, text in enumerate(texts)
    )
    name = data.get("name", f"transaction {keys[-1]}")
    return Transaction(str(name), _weight(data.get("weight", "1"), keys, path), tuple(values), statements)


def _named(
    data: Any, values: list[Value], spreads: Mapping[str, object], keys: list[str | int], path: str
) -> dict[str, int]:
    """Named values: name → number."""
    if not isinstance(data, dict):
        _refuse("values: must be a mapping of names to placeholders", keys, path)
    numbers: dict[str, int] = {}
    for name, text in data.items():
        here = [*keys, name]
        if not NAME.fullmatch(name) or name in (*PLAIN, "each"):
            _refuse(
                f"{name!r} cannot be the name of a value: it must begin with a letter, "
                "contain only a-z, 0-9 and _, and not be the name of a placeholder",
                here,
                path,
            )
        pieces = _pieces(text, values, {}, spreads, here, path)
        if len(pieces) != 1 or not isinstance(pieces[0], int):
            _refuse(f"{name}: must be a single placeholder, such as {{int:1:100}}", here, path)
        numbers[name] = pieces[0]
    return numbers


def _statement(
    data: Any, values: list[Value], numbers: dict[str, int], spreads: Mapping[str, object], keys: list[str | int],
    path: str,
) -> Statement:  # fmt: skip
    """A text, or a mapping that says what is repeated and how often."""
    if not isinstance(data, dict):
        return _pieces(data, values, numbers, spreads, keys, path)
    _known(data, _STATEMENT_KEYS, keys, path)
    if "times" not in data:
        _refuse("a statement with `sql` also needs `times`: how often it is executed", keys, path)
    times = _pieces(data["times"], values, numbers, spreads, [*keys, "times"], path)
    drawn = times[0] if len(times) == 1 else ""
    number = int(drawn) if isinstance(drawn, str) and drawn.isdecimal() else 0
    if isinstance(drawn, str) and not 0 < number <= _MOST_TIMES:
        _refuse(f"times: must be a number from 1 to {_MOST_TIMES}, or a placeholder", [*keys, "times"], path)
    first = len(values)
    numbers = {**numbers, **_named(data.get("values") or {}, values, spreads, [*keys, "values"], path)}
    here = [*keys, "sql"]
    texts = [data["sql"]] if isinstance(data["sql"], str) else _texts(data["sql"], here, path)
    if not texts or ("each" in data) != (len(texts) == 1 and texts[0].count(_EACH) == 1):
        _refuse("`each` needs one {each} in `sql`, which stands for its repetitions", here, path)
    each = _pieces(data["each"], values, numbers, spreads, [*keys, "each"], path) if "each" in data else ()
    again = range(first, len(values))
    bodies = []
    for text in texts:
        before, marked, after = text.partition(_EACH) if each else (text, "", "")
        parts = (_pieces(part, values, numbers, spreads, here, path) for part in (before, after))
        bodies.append((*next(parts), *((-1,) if marked else ()), *next(parts)))
    if not each:
        again = range(first, len(values))
    return Repeated(tuple(bodies), number, drawn if isinstance(drawn, int) else -1, tuple(again), each)


def _pieces(
    text: Any, values: list[Value], numbers: Mapping[str, int], spreads: Mapping[str, object], keys: list[str | int],
    path: str,
) -> Pieces:  # fmt: skip
    """The pieces of a text; what its placeholders draw is added to `values`."""
    if not isinstance(text, str):
        _refuse("must be a string", keys, path)
    try:
        return pieces_of(text, values, numbers, spreads)
    except PlaceholderError as error:
        _refuse(str(error), keys, path)


def _prepared(data: Any, path: str) -> Iterator[str]:
    """The statements; one that fills a table becomes a statement for each 10,000 rows."""
    for place, each in enumerate(_texts(data, ["prepare"], path, mapping_with="rows")):
        here: list[str | int] = ["prepare", place]
        if not isinstance(each, dict):
            yield each
            continue
        _known(each, _FILL_KEYS, here, path)
        sql, rows = each.get("sql"), each.get("rows")
        if not isinstance(sql, str) or "{first}" not in sql or "{last}" not in sql:
            _refuse("sql: must have {first} and {last}, which stand for the numbers of rows", here, path)
        if not isinstance(rows, str) or not rows.isdecimal() or not 0 < int(rows) <= _MOST_ROWS:
            _refuse(f"rows: must be a number from 1 to {_MOST_ROWS}", here, path)
        for first in range(1, int(rows) + 1, _FILLED_AT_ONCE):
            last = min(first + _FILLED_AT_ONCE - 1, int(rows))
            yield sql.replace("{first}", str(first)).replace("{last}", str(last))


def _observed(data: Any, path: str) -> dict[str, float]:
    if not isinstance(data, dict):
        _refuse("observed: must be a mapping of figures to numbers", ["observed"], path)
    _known(data, tuple(FIGURES), ["observed"], path)
    return {name: _number(value, ["observed", name], path) for name, value in data.items()}


def _yes_or_no(data: Any, path: str) -> bool:
    if data not in ("yes", "no"):
        _refuse("prepared: must be yes or no", ["prepared"], path)
    return bool(data == "yes")


def _number(data: Any, keys: list[str | int], path: str) -> float:
    if not isinstance(data, str) or not _NUMBER.fullmatch(data):
        _refuse(f"{keys[-1]}: {data!r} is not a number", keys, path)
    return float(data)


def _weight(data: Any, keys: list[str | int], path: str) -> float:
    if not isinstance(data, str) or not re.fullmatch(r"\d{1,9}(\.\d{1,6})?", data) or float(data) == 0:
        _refuse(f"weight: {data!r} is not a number above 0", [*keys, "weight"], path)
    return float(data)


def _error_numbers(data: Any, path: str) -> list[int]:
    texts = _texts(data, ["ignore_errors"], path)
    for place, text in enumerate(texts):
        if not re.fullmatch(r"[1-9]\d{3,4}", text):
            _refuse(f"ignore_errors: {text!r} is not a server error number", ["ignore_errors", place], path)
    return [int(text) for text in texts]


def _texts(data: Any, keys: list[str | int], path: str, mapping_with: str = "") -> list[Any]:
    """A list of strings, or of mappings too that have a certain key."""
    if not isinstance(data, list):
        _refuse(f"{keys[-1]}: must be a list of strings", keys, path)
    for place, text in enumerate(data):
        if isinstance(text, dict) and mapping_with in text:
            continue
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
