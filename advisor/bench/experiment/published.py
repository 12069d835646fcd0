"""What have others published for the question of an experiment? The `published` list of its file."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from advisor.data import Data
from advisor.errors import InputError
from advisor.model.experiment import Published

_TEXTS: Final = ("what", "unit", "source", "url", "cell", "figure")
_NUMBERS: Final = ("value", "low", "high")
_NEEDED: Final = ("what", "value", "unit", "source")


def read_published(
    data: Data, path: str, against: str, cells: Collection[str], figures: Collection[str]
) -> tuple[Published, ...]:
    """The figures; InputError, naming the file, when one lacks something or names a cell that is not compared."""
    if not isinstance(data, list):
        raise InputError("published: must be a list", file=path)
    return tuple(_one(entry, path, against, cells, figures) for entry in data)


def _one(entry: Data, path: str, against: str, cells: Collection[str], figures: Collection[str]) -> Published:
    if not isinstance(entry, dict) or not all(isinstance(value, str) for value in entry.values()):
        raise InputError("published: each entry must be a mapping of names to single values", file=path)
    if unknown := sorted(set(entry) - {*_TEXTS, *_NUMBERS}):
        hint = f"known: {', '.join(sorted((*_TEXTS, *_NUMBERS)))}"
        raise InputError(f"published: unknown key {unknown[0]!r}", file=path, hint=hint)
    if missing := [key for key in _NEEDED if not entry.get(key)]:
        raise InputError(f"published: {missing[0]} is missing", file=path)
    if bool(entry.get("cell")) != bool(entry.get("figure")):
        raise InputError("published: cell and figure must be given together", file=path)
    if entry.get("cell") and (not against or entry["cell"] not in cells or entry["figure"] not in figures):
        hint = "set `against` in the experiment, and name one of its cells and one of its figures"
        raise InputError(
            f"published: {entry['cell']}.{entry['figure']} is not a ratio that this experiment measures",
            file=path,
            hint=hint,
        )
    if entry.get("url") and not entry["url"].startswith("https://"):
        raise InputError(f"published: {entry['url']!r} must begin with https://", file=path)
    texts = {key: " ".join(entry[key].split()) for key in _TEXTS if key in entry}
    numbers = {key: _number(key, entry[key], path) for key in _NUMBERS if key in entry}
    return Published(value=numbers["value"], low=numbers.get("low"), high=numbers.get("high"), **texts)


def _number(key: str, text: str, path: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"published: {key}: {text!r} is not a number", file=path) from None
