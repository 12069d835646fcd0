"""How lengths of time are written on the command line; what is not one is refused under the option's name."""

from __future__ import annotations

import pytest

from advisor.cli.shared.duration import parse_seconds, parse_seconds_range, seconds_parser
from advisor.errors import UsageError


def test_the_parser_of_an_option_takes_text_and_a_default_in_seconds() -> None:
    parse = seconds_parser("--for")
    assert (parse("8h"), parse("45m"), parse("500ms"), parse("30"), parse(30.0)) == (28800, 2700, 0.5, 30, 30)
    with pytest.raises(UsageError, match="--for 8x: not a length of time"):
        parse("8x")


def test_a_range_has_a_shortest_and_a_longest() -> None:
    assert parse_seconds_range("10s:1m", "--warm-up") == (10, 60)
    assert parse_seconds_range("10s", "--warm-up") == (10, 10)
    with pytest.raises(UsageError, match="--warm-up 20s:10s: the first value must not exceed the second"):
        parse_seconds_range("20s:10s", "--warm-up")
    with pytest.raises(UsageError, match="--warm-up soon: not a length of time"):
        parse_seconds_range("10s:soon", "--warm-up")


@pytest.mark.parametrize(
    ("text", "seconds"), [("30", 30.0), ("30s", 30.0), ("500ms", 0.5), ("1.5 m", 90.0), ("2h", 7200.0)]
)
def test_a_length_of_time_has_a_unit_or_is_in_seconds(text: str, seconds: float) -> None:
    assert parse_seconds(text, "--for") == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "-1s", "soon", "3 fortnights", "1e3"])
def test_what_is_not_a_length_of_time_is_refused_with_its_option(text: str) -> None:
    with pytest.raises(UsageError, match="--for"):
        parse_seconds(text, "--for")
