"""How are the tables made? From SHOW CREATE TABLE as printed or dumped, else from the table maps of the log.

Only types, lengths, keys and character sets are read: defaults, comments and the members of ENUM may be users' data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.binlog.events.table_map import TableMap
from advisor.model.record import record
from advisor.workload.maker.column_types import ColumnType, declared, logged

_TABLE: Final = re.compile(
    r"CREATE TABLE (?:IF NOT EXISTS )?((?:`[^`]+`\.)?`[^`]+`) \(\n(.*?)\n\)([^\n]*(?:\n */\*!\d+ PARTITION BY)?)",
    re.DOTALL,
)
_DATABASE: Final = re.compile(r"^(?:USE `([^`]+)`;|-- Host: .*Database: (\S+))", re.MULTILINE)
_COLUMN: Final = re.compile(r"\s*`((?:[^`]|``)+)` (.*)")
_KEY: Final = re.compile(r"\s*(PRIMARY KEY|UNIQUE KEY|KEY)(?: `(?:[^`]|``)+`)? \((.*?)\)(?: USING \w+)?,?\s*$")
_PART: Final = re.compile(r"`((?:[^`]|``)+)`(?:\((\d+)\))?")
_CHARACTER_SET: Final = re.compile(r"CHARACTER SET (\w+)|\bCHARSET=(\w+)")
_OTHER_KEYS: Final = ("FULLTEXT KEY", "SPATIAL KEY", "CONSTRAINT", "VECTOR KEY")


@record
class TableKey:
    """An index: the positions of its columns, from 0, and how much of each is in it, 0 for all."""

    columns: tuple[int, ...]
    prefixes: tuple[int, ...]
    unique: bool


@record
class TableDefinition:
    """A table: types and character sets ("" for the default) by position, its primary key, other keys.

    `counter`: the position of the column with AUTO_INCREMENT, None without one. `stated` is False where the definition
    is only what the log tells. `left_out` has words for what the copy lacks.
    """

    types: tuple[ColumnType, ...]
    character_sets: tuple[str, ...]
    primary: TableKey | None
    keys: tuple[TableKey, ...]
    counter: int | None
    stated: bool
    left_out: tuple[str, ...] = ()


def stated_definitions(text: str) -> dict[str, TableDefinition]:
    """Every CREATE TABLE in a text, by "database.table"; "table" alone where the text does not tell the database.

    `mysql -B` prints line ends as \\n.
    """
    text = text.replace("\r\n", "\n").replace("\\n", "\n")
    databases = [(match.start(), match[1] or match[2]) for match in _DATABASE.finditer(text)]
    found = {}
    for match in _TABLE.finditer(text):
        name = match[1].replace("`", "")
        if "." not in name:
            database = [each for at, each in databases if at < match.start()]
            name = f"{database[-1]}.{name}" if database else name
        found[name] = _definition(match[2], match[3])
    return found


def logged_definition(table: TableMap, key_columns: tuple[int, ...]) -> TableDefinition:
    """What a table map tells. A key of one integer is taken for a counter; other keys are not in the log."""
    types = tuple(logged(code, metadata) for code, metadata in zip(table.types, table.metadata, strict=True))
    columns = key_columns or table.key_columns
    primary = TableKey(columns, (0,) * len(columns), unique=True) if columns else None
    counter = columns[0] if len(columns) == 1 and types[columns[0]].group == "integer" else None
    return TableDefinition(types, ("",) * len(types), primary, (), counter, stated=False)


def definition_of(name: str, stated: Mapping[str, TableDefinition]) -> TableDefinition | None:
    """The stated definition of "database.table"."""
    return stated.get(name) or stated.get(name.partition(".")[2])


class KeyColumns(dict[str, tuple[int, ...]]):
    """The positions of the columns of primary keys by table; definitions may not tell the database of a table.

    `stated` by the user counts more.
    """

    def __init__(self, definitions: Mapping[str, TableDefinition], stated: Mapping[str, Sequence[int]]) -> None:
        known = {name: each.primary.columns for name, each in definitions.items() if each.primary}
        super().__init__({**known, **{name: tuple(columns) for name, columns in stated.items()}})

    def get(self, name: str, default: object = None) -> tuple[int, ...] | None:  # type: ignore[override]
        """The key of "database.table"."""
        return super().get(name) or super().get(name.partition(".")[2])


def _definition(body: str, options: str) -> TableDefinition:
    default = _character_set(options)
    names: list[str] = []
    types, character_sets, left_out = [], [], []
    counter = None
    keys: list[tuple[str, str]] = []
    for line in body.split("\n"):
        if column := _COLUMN.match(line):
            kind = declared(column[2])
            names.append(column[1])
            types.append(kind)
            character_sets.append(_character_set(column[2]) or default if kind.group == "text" else "")
            if "AUTO_INCREMENT" in column[2]:
                counter = len(names) - 1
        elif key := _KEY.match(line):
            keys.append((key[1], key[2]))
        elif words := next((each for each in _OTHER_KEYS if line.lstrip().startswith(each)), ""):
            left_out.append("foreign keys and checks" if words == "CONSTRAINT" else words.lower() + "s")
    if "PARTITION BY" in options:
        left_out.append("partitions")
    made = [(words, _key(words, parts, names)) for words, parts in keys]
    primary = next((key for words, key in made if words == "PRIMARY KEY" and key), None)
    others = tuple(key for words, key in made if words != "PRIMARY KEY" and key)
    if len(others) + (primary is not None) < len(keys):
        left_out.append("keys on expressions")
    return TableDefinition(
        tuple(types), tuple(character_sets), primary, others, counter, True, tuple(dict.fromkeys(left_out))
    )


def _key(words: str, parts: str, names: list[str]) -> TableKey | None:
    """None for a key on an expression."""
    found = _PART.findall(parts)
    if not found or any(name not in names for name, _ in found):
        return None
    columns = tuple(names.index(name) for name, _ in found)
    return TableKey(columns, tuple(int(prefix or 0) for _, prefix in found), words != "KEY")


def _character_set(text: str) -> str:
    match = _CHARACTER_SET.search(text)
    return (match[1] or match[2]) if match else ""
