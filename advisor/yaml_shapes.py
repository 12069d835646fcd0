"""Has a part of a rule, cause or search space file the right shape? Each function gives the part, or a RuleError."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.conditions import satisfies
from advisor.errors import RuleError
from advisor.expressions import parse


def mapping(data: Any, what: str, file: str) -> dict[str, Any]:
    """Keys with values; nothing is an empty mapping."""
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise RuleError(f"{what}: must be a mapping of keys to values", file=file)
    return data


def refuse_unknown(data: dict[str, Any], keys: Sequence[str], what: str, file: str) -> None:
    """RuleError for the first key that is not one of these."""
    for key in data:
        if key not in keys:
            raise RuleError(f"{what} has no key {key!r}", file=file, hint="known: " + ", ".join(keys))


def require(data: dict[str, Any], keys: Sequence[str], what: str, file: str) -> None:
    """RuleError for the first key that is missing or empty."""
    for key in keys:
        if not data.get(key):
            raise RuleError(f"{what}: the key {key!r} is missing", file=file)


def require_id(data: dict[str, Any], stem: str, file: str) -> None:
    """RuleError when the id is not the file's name."""
    if data["id"] != stem:
        raise RuleError(f"the id {data['id']!r} differs from the name of the file", file=file, hint=f"id: {stem}")


def word_of(kind: Any, word: Any, key: str, file: str) -> Any:
    """The member of an enum that a word names."""
    try:
        return kind(word)
    except ValueError:
        raise RuleError(f"{key}: {word!r} is not one of {', '.join(kind)}", file=file) from None


def one_of(word: Any, words: Sequence[str], key: str, file: str) -> str:
    """The word, when it is one of these."""
    if word not in words:
        raise RuleError(f"{key}: {word!r} is not one of {', '.join(words)}", file=file)
    return str(word)


def texts(data: Any, key: str, file: str) -> list[str]:
    """One text or a list of them, as a list."""
    items = listed(data)
    if not all(isinstance(item, str) for item in items):
        raise RuleError(f"{key}: must be a string or a list of strings", file=file)
    return items


def condition(text: str, file: str) -> list[Any]:
    """The tree of a condition or expression."""
    try:
        return parse(text)
    except RuleError as error:
        raise RuleError(error.message, file=file, hint=error.hint) from None


def constraint(text: Any, key: str, file: str) -> str:
    """A version constraint such as ">=8.0.27"."""
    try:
        satisfies((1, 0, 0), text if isinstance(text, str) else "?")
    except RuleError as error:
        raise RuleError(f"{key}: {text!r} is not a version constraint", file=file, hint=error.hint) from None
    return str(text)


def listed(data: Any) -> list[Any]:
    """A list as it is, nothing as an empty list, anything else as the only item."""
    return data if isinstance(data, list) else [] if data in (None, "") else [data]


def one_line(text: Any) -> str:
    """Text without line breaks."""
    return " ".join(str(text).split())
