"""How are a driver's values kept in a bundle's JSON? As the text or number that the server prints."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from advisor.model.evidence import Scalar


def cells(row: Mapping[str, object]) -> dict[str, Scalar]:
    """A row with every value as text, number or None."""
    return {name: cell(value) for name, value in row.items()}


def cell(value: object) -> Scalar:
    """One value. Times keep their microseconds; whole decimals (sums of PERFORMANCE_SCHEMA) become whole numbers."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, datetime):
        return value.isoformat(" ", "microseconds")
    return str(value)
