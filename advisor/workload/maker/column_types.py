"""Which type has a column of the copy, and how are its values made? Same width as the original, never its values."""

from __future__ import annotations

import re

from advisor.annotations import Final
from advisor.model.record import record

_DECLARED: Final = re.compile(r"([a-z]+[0-9]?)(?: precision)?\s*(?:\(([^)]*)\))?\s*(unsigned)?", re.IGNORECASE)
_BITS: Final = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "integer": 32, "bigint": 64}
_GREATEST: Final = 4_000_000_000  # the whole range of 32 bits cannot be drawn
_LONGEST: Final = {"tinytext": 255, "tinyblob": 255, "text": 65_535, "blob": 65_535}
_LONG: Final = 100_000  # letters that are drawn at most
_OF_BYTES: Final = {"uuid": 16, "inet6": 16, "inet4": 4}
_SECONDS: Final = 2_000_000_000
_BY_CODE: Final = {
    1: "tinyint unsigned", 2: "smallint unsigned", 9: "mediumint unsigned", 3: "int unsigned", 8: "bigint unsigned",
    4: "float", 5: "double", 13: "year", 10: "date", 14: "date", 11: "time", 7: "timestamp", 12: "datetime",
}  # fmt: skip
_FRACTIONAL: Final = {17: "timestamp", 18: "datetime", 19: "time"}
_BLOBS: Final = {1: "tinyblob", 2: "blob", 3: "mediumblob", 4: "longblob"}


@record
class ColumnType:
    """The type as SQL and its group: "integer", "text", "bytes", "json", "year", "date", "datetime" or "time".

    `most` is its greatest integer, `length` its longest text in characters.
    """

    sql: str
    group: str
    most: int = 0
    length: int = 0


def declared(text: str) -> ColumnType:
    """The type of a column that SHOW CREATE TABLE declares so, behind its name."""
    match = _DECLARED.match(text.strip())
    name, inside = (match[1].lower(), match[2] or "") if match else ("blob", "")
    unsigned = bool(match and match[3])
    if name in _BITS:
        return _integer("int" if name == "integer" else name, unsigned)
    if name in ("enum", "set"):
        members = len(re.findall(r"'(?:[^']|'')*'", text))
        return _of_octets((1 if members < 256 else 2) if name == "enum" else (members + 7) // 8)
    if name in ("decimal", "numeric"):
        digits, _, scale = inside.partition(",")
        return _decimal(int(digits or 10), int(scale or 0))
    if name in ("float", "double", "real"):
        return ColumnType("float" if name == "float" else "double", "integer", _GREATEST)
    if name in ("char", "varchar", "nchar", "nvarchar"):
        return ColumnType(f"{name.removeprefix('n')}({inside or 1})", "text", length=int(inside or 1))
    if name in ("binary", "varbinary"):
        return ColumnType(f"{name}({inside or 1})", "bytes", length=int(inside or 1))
    if name in _OF_BYTES:
        return ColumnType(f"binary({_OF_BYTES[name]})", "bytes", length=_OF_BYTES[name])
    if name.endswith(("text", "blob")):
        return ColumnType(name, "bytes" if name.endswith("blob") else "text", length=_LONGEST.get(name, _LONG))
    if name == "vector":
        return ColumnType(f"varbinary({4 * int(inside or 1)})", "bytes", length=4 * int(inside or 1))
    return _of_time(name, inside)


def logged(code: int, metadata: int) -> ColumnType:
    """The type of a column as a table map has it; the log does not tell signs and character sets."""
    if code in _BY_CODE:
        return declared(_BY_CODE[code])
    if code in _FRACTIONAL:
        return declared(f"{_FRACTIONAL[code]}({metadata})")
    if code in (15, 141):  # VARCHAR
        return ColumnType(f"varbinary({metadata})", "bytes", length=metadata)
    if code == 246:
        return _decimal(metadata >> 8, metadata & 255)
    if code == 16:
        return declared(f"bit({(metadata >> 8) * 8 + (metadata & 255)})")
    if code == 245:
        return declared("json")
    if code in (247, 248, 253, 254):
        return _of_text_code(metadata)
    return declared(_BLOBS.get(metadata, "longblob"))


def _of_text_code(metadata: int) -> ColumnType:
    """CHAR, ENUM and SET, as `row_images` explains their metadata."""
    real, length = metadata >> 8, metadata & 255
    if real in (247, 248):
        return _of_octets(length)
    longest = length | (real & 0x30 ^ 0x30) << 4
    return ColumnType(f"{'binary' if longest < 256 else 'varbinary'}({longest})", "bytes", length=longest)


def _integer(name: str, unsigned: bool) -> ColumnType:
    most = 2 ** (_BITS[name] - (not unsigned)) - 1
    return ColumnType(name + (" unsigned" if unsigned else ""), "integer", min(most, _GREATEST))


def _of_octets(octets: int) -> ColumnType:
    """An integer of that width."""
    name = {1: "tinyint", 2: "smallint", 3: "mediumint", 4: "int"}.get(octets, "bigint")
    return _integer(name, unsigned=True)


def _decimal(digits: int, scale: int) -> ColumnType:
    most = min(10 ** (digits - scale) - 1, _GREATEST) if digits > scale else 0
    return ColumnType(f"decimal({digits},{scale})", "integer", most)


def _of_time(name: str, inside: str) -> ColumnType:
    fraction = f"({inside})" if inside else ""
    if name == "bit":
        return ColumnType(f"bit({inside or 1})", "integer", min(2 ** int(inside or 1) - 1, _GREATEST))
    if name in ("datetime", "timestamp"):
        return ColumnType(name + fraction, "datetime")
    if name in ("time", "date", "year", "json"):
        return ColumnType(name + (fraction if name == "time" else ""), name)
    return ColumnType("longblob", "bytes", length=_LONG)  # GEOMETRY, and what is not known here


def drawn(kind: ColumnType, length: str, most: int = 0) -> str:
    """A new value in a statement, with placeholders. `length` is a number or the name of a spread, of texts.

    `most` bounds integers, 0 where only the type does.
    """
    if kind.group == "integer":
        return f"{{int:0:{min(most or kind.most, kind.most)}}}"
    if kind.group in ("text", "bytes"):
        return "''" if length == "0" else f"{{string:{length}}}"
    if kind.group == "json":
        return "JSON_QUOTE({string:" + (length if length != "0" else "1") + "})"
    if kind.group == "year":
        return "{int:1901:2155}"
    if kind.group == "date":
        return "DATE_ADD('2000-01-01', INTERVAL {int:0:9999} DAY)"
    return "SEC_TO_TIME({int:0:86399})" if kind.group == "time" else f"FROM_UNIXTIME({{int:1:{_SECONDS}}})"


def filled(kind: ColumnType, length: int, most: int = 0) -> str:
    """A value of a row that exists from the beginning, as an expression of SQL."""
    if kind.group == "integer":
        return f"FLOOR(RAND() * {min(most or kind.most, kind.most)})"
    if kind.group in ("text", "bytes"):
        return f"LEFT(REPEAT(SHA2(RAND(), 256), {length // 64 + 1}), {length})"
    if kind.group == "json":
        return f"JSON_QUOTE(LEFT(REPEAT(SHA2(RAND(), 256), {length // 64 + 1}), {max(length, 1)}))"
    if kind.group == "year":
        return "1901 + FLOOR(RAND() * 254)"
    if kind.group == "date":
        return "DATE_ADD('2000-01-01', INTERVAL FLOOR(RAND() * 9999) DAY)"
    return (
        "SEC_TO_TIME(FLOOR(RAND() * 86399))"
        if kind.group == "time"
        else f"FROM_UNIXTIME(1 + FLOOR(RAND() * {_SECONDS}))"
    )


def numbered(kind: ColumnType, number: str, length: int) -> str:
    """The value by which row `number` is found: another for each number, and in their order."""
    if kind.group == "integer":
        return number
    if kind.group == "bytes":
        return f"LPAD({number}, {min(length or kind.length, kind.length)}, '0')"
    if kind.group in ("text", "json"):
        return f"LPAD({number}, {min(length or kind.length, kind.length)}, '0')"
    if kind.group == "date":
        return f"DATE_ADD('1000-01-01', INTERVAL {number} DAY)"
    return f"SEC_TO_TIME({number})" if kind.group == "time" else f"FROM_UNIXTIME({number})"
