"""How is a name with its value written on the command line? As NAME=VALUE, spaces around either left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from advisor.errors import UsageError


class NameValue(NamedTuple):
    """A name and its value: what `dict()` makes entries of."""

    name: str
    value: str


def parse_name_value(text: str, option: str, *, empty_value: bool = False, hint: str = "") -> NameValue:
    """The pair; UsageError, naming the option, for anything else. With `empty_value` NAME= is a pair, too."""
    name, equals, value = (word.strip() for word in text.partition("="))
    if not name or not equals or not (value or empty_value):
        raise UsageError(f"{option} {text!r} is not NAME=VALUE", hint=hint)
    return NameValue(name, value)


def name_value_parser(option: str, *, empty_value: bool = False, hint: str = "") -> Callable[[str], NameValue]:
    """The parser of an option, for `typer.Option(parser=…)` on a `list[NameValue] | None`."""

    def pair(text: str) -> NameValue:
        return parse_name_value(text, option, empty_value=empty_value, hint=hint)

    return pair
