"""How values with units are written for people, and how sizes are read."""

from __future__ import annotations

import pytest

from advisor.units import as_option, parse_size, show


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1, "clients", "1 client"),
        (1.0, "seconds", "1 second"),
        (2, "workers", "2 workers"),
        (0, "rows", "0 rows"),
        (1, "write sets", "1 write set"),
        (1, "times", "1 time"),
        (1, "ms", "1 ms"),
        (1, "us", "1 µs"),
        (1, "s", "1 s"),
        (1, "per_second", "1 /s"),
        (536870912, "bytes", "512 MiB"),
        (0.1234, "share", "12.3 %"),
        (True, "", "ON"),
        (None, "", "(no value)"),
    ],
)
def test_a_value_is_written_with_its_unit(value: object, unit: str, text: str) -> None:
    assert show(value, unit) == text


@pytest.mark.parametrize(
    ("text", "size"),
    [("128M", 128 << 20), ("1g", 1 << 30), ("4096", 4096), ("", None), ("K", None), ("1.5G", None), ("-1", None),
     ("16MB", None), ("1P", None), ("9" * 40, None)],
)  # fmt: skip
def test_a_size_is_a_whole_number_with_at_most_one_suffix(text: str, size: int | None) -> None:
    assert parse_size(text) == size


def test_a_size_that_is_written_is_read_back() -> None:
    for size in (1, 1023, 1024, 3 << 20, 5 << 30):
        assert parse_size(as_option(size)) == size
