"""How is a value with a unit written for people, and how is a value written into an option file?"""

from __future__ import annotations

_BYTES = ((1024**4, "TiB"), (1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB"))
_SUFFIXES = ((1024**3, "G"), (1024**2, "M"), (1024, "K"))


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
    word = unit.replace("per_second", "/s")
    return f"{_number(value)} {word}".rstrip()


def as_option(value: object) -> str:
    """A value as an option file takes it: whole multiples of 1024 with the server's suffix, ON/OFF, plain text."""
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
