"""How are values with a unit written for people and into option files, and how is a size such as 128M read?"""

from __future__ import annotations

from advisor.annotations import Final

# Suffix of a size → by how many bits it shifts, as the servers, Galera and sysctl-like tools read it.
SHIFTS: Final = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}
_BYTES: Final = ((1024**4, "TiB"), (1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB"))
_SUFFIXES: Final = ((1024**3, "G"), (1024**2, "M"), (1024, "K"))
_MOST_DIGITS: Final = 30  # more is not a size
# Units that are counted: "1 client", "2 clients". Symbols such as ms have no plural.
_COUNTED: Final = frozenset(
    """appliers blocks clients commits connections CPUs files instances knobs members minutes nodes pages pauses reads
    replicas rows rules seconds sessions settings syncs tables threads times transactions trials waits
    workers""".split()
) | {"page reads", "write sets"}
_SYMBOLS: Final = {"us": "µs"}


def show(value: object, unit: str = "") -> str:
    """A value as people read it: 536870912 bytes → "512 MiB", True → "ON", 0.1234 share → "12 %"."""
    if value is None:
        return "(no value)"
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    if isinstance(value, tuple) and all(isinstance(part, int) for part in value) and value:
        return ".".join(map(str, value))  # a version
    if isinstance(value, tuple | list):
        return ", ".join(show(item) for item in value) or "(none)"
    if not isinstance(value, int | float):
        return str(value) if str(value) else "''"
    if unit == "bytes":
        return _bytes(value)
    if unit == "share":
        return f"{_number(value * 100)} %"
    number = _number(value)
    return f"{number} {_unit_word(number, unit)}".rstrip()


def _unit_word(number: str, unit: str) -> str:
    if number == "1" and unit in _COUNTED:
        return unit[:-1]
    return _SYMBOLS.get(unit) or unit.replace("per_second", "/s")


def parse_size(text: str, suffixes: str = "KMGT") -> int | None:
    """A whole number with at most one suffix letter, in either case: "128M" → 134217728; None for anything else."""
    letter = text[-1:].upper()
    digits = text[:-1] if letter in suffixes and letter else text
    if not digits.isdecimal() or len(digits) > _MOST_DIGITS:
        return None
    return int(digits) << (SHIFTS[letter] if digits is not text else 0)


def as_option(value: object) -> str:
    """A value as an option file takes it: whole multiples of 1024 with a suffix, ON or OFF, plain text."""
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    if isinstance(value, float) and value == int(value):
        value = int(value)
    if isinstance(value, int):
        for size, suffix in _SUFFIXES:
            if value and value % size == 0:
                return f"{value // size}{suffix}"
    return str(value)


def _bytes(value: float) -> str:
    for size, suffix in _BYTES:
        if abs(value) >= size:
            return f"{_number(value / size)} {suffix}"
    return f"{_number(value)} bytes"


def _number(value: float) -> str:
    """At most three significant decimals, no exponent, whole numbers without a point."""
    if value == int(value):
        return str(int(value))
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.2g}"
