"""How is a length of time written on the command line? As 500ms, 10s, 2m, 1h; a number alone is seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from advisor.errors import UsageError

_UNITS: Final = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def parse_seconds(text: str, option: str) -> float:
    """The seconds; UsageError, naming the option, when it is not a length of time."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _UNITS:
        raise UsageError(f"{option} {text}: not a length of time", hint="e.g. 30s, 2m or 500ms")
    return float(match[1]) * _UNITS[match[2]]


class SecondsRange(NamedTuple):
    """A shortest and a longest time, in seconds."""

    least: float
    most: float


def parse_seconds_range(text: str, option: str) -> SecondsRange:
    """LEAST:MOST, or one time for both; UsageError when the first exceeds the second."""
    least, _, most = text.partition(":")
    span = SecondsRange(parse_seconds(least, option), parse_seconds(most or least, option))
    if span.most < span.least:
        raise UsageError(f"{option} {text}: the first value must not exceed the second", hint="e.g. 10s:60s")
    return span


def seconds_parser(option: str) -> Callable[[str | float], float]:
    """The parser of an option: `typer.Option("--for", parser=seconds_parser("--for"))`; its default may be a number."""

    def duration(value: str | float) -> float:
        return parse_seconds(value, option) if isinstance(value, str) else value

    return duration


def seconds_range_parser(option: str) -> Callable[[str | SecondsRange], SecondsRange]:
    """The same for an option that takes LEAST:MOST."""

    def duration_range(value: str | SecondsRange) -> SecondsRange:
        return parse_seconds_range(value, option) if isinstance(value, str) else value

    return duration_range
