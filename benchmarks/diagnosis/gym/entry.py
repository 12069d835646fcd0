"""Where in a file does a value stand, and is it what it must be? Every mistake is told with file, line and key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from advisor.data import line_of
from advisor.errors import InputError
from advisor.model.record import record


@record
class Entry:
    """A value of a file (scalars are text), and the keys that lead to it; `data` is None where the key is missing."""

    data: Any
    file: Path
    keys: tuple[str | int, ...] = ()

    def refuse(self, problem: str, hint: str = "") -> NoReturn:
        """InputError for this value."""
        place = ".".join(map(str, self.keys))
        line = line_of(self.file, self.keys)
        raise InputError(f"{place}: {problem}" if place else problem, file=str(self.file), line=line, hint=hint)

    def keyed(self, known: Sequence[str], required: Sequence[str] = ()) -> Entry:
        """Itself, when it is a mapping with these keys only, and has the required ones."""
        if not isinstance(self.data, dict):
            self.refuse("must be keys with values")
        for key in self.data:
            if key not in known:
                self.at(key).refuse("this key means nothing here", f"known: {', '.join(known)}")
        for key in required:
            if key not in self.data:
                self.refuse(f"the key {key!r} is missing")
        return self

    def at(self, key: str | int) -> Entry:
        """What stands at a key of this mapping, or at a place of this list."""
        found = self.data[key] if isinstance(key, int) else (self.data or {}).get(key)
        return Entry(found, self.file, (*self.keys, key))

    def entries(self) -> list[Entry]:
        """The items of a list; none where the key is missing."""
        if not self.data:
            return []
        if not isinstance(self.data, list):
            self.refuse("must be a list")
        return [self.at(place) for place in range(len(self.data))]

    def text(self, default: str | None = None) -> str:
        """Text; the default where the key is missing."""
        if self.data is None and default is not None:
            return default
        if not isinstance(self.data, str):
            self.refuse("must be text")
        return self.data

    def word(self, words: Sequence[str], default: str | None = None) -> str:
        """One of these words."""
        text = self.text(default)
        if text not in words:
            self.refuse(f"{text!r} is not one of {', '.join(map(repr, words))}")
        return text

    def yes(self) -> bool:
        """Whether it says yes; no where the key is missing."""
        return self.word(("yes", "no", "true", "false"), "no") in ("yes", "true")

    def whole(self, default: int | None = None, least: int = 0) -> int:
        """A whole number."""
        text = self.text(None if default is None else str(default))
        if not text.removeprefix("-").isdecimal() or int(text) < least:
            self.refuse(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    def number(self, default: float) -> float:
        """A number of at least 0."""
        text = self.text(str(default))
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value < float("inf"):
            self.refuse(f"{text!r} is not a number of at least 0")
        return value

    def texts(self) -> tuple[str, ...]:
        """A list of texts; () where the key is missing."""
        return tuple(item.text() for item in self.entries())

    def values(self) -> Mapping[str, str]:
        """Names with texts; {} where the key is missing."""
        if not self.data:
            return {}
        if not isinstance(self.data, dict):
            self.refuse("must be names with values")
        return {name: self.at(name).text() for name in self.data}
