"""How is a length of time written on the command line? As 500ms, 10s, 2m, 1h; a number alone is seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from advisor.errors import UsageError

_UNITS: Final = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_seconds(text: str, option: str) -> float:
    """The seconds; UsageError, naming the option, when it is not a length of time."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _UNITS:
        raise UsageError(f"{option} {text}: not a length of time", hint="like 30s, 2m or 500ms")
    return float(match[1]) * _UNITS[match[2]]


def parse_seconds_range(text: str, option: str) -> tuple[float, float]:
    """The shortest and the longest of LEAST:MOST, the same twice where it is one; UsageError when they are reversed."""
    least, _, most = text.partition(":")
    shortest, longest = parse_seconds(least, option), parse_seconds(most or least, option)
    if longest < shortest:
        raise UsageError(f"{option} {text}: the first must not exceed the second", hint="like 10s:60s")
    return shortest, longest


def seconds_parser(option: str) -> Callable[[str | float], float]:
    """The parser of an option: `typer.Option("--for", parser=seconds_parser("--for"))`; its default may be a number."""

    def duration(value: str | float) -> float:
        return parse_seconds(value, option) if isinstance(value, str) else value

    return duration
