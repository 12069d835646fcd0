"""What do the words of a report mean? The shipped list of terms, and where they occur in a text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from advisor.data import folder, read_yaml
from advisor.errors import InputError
from advisor.model.record import record

_FILE: Final = "terms.yaml"


@record
class Term:
    """A word with its explanation; `also` are other spellings of it."""

    word: str
    means: str
    also: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def load_terms() -> tuple[Term, ...]:
    """Every term; InputError when the list has another shape."""
    path = os.path.join(folder("rules"), _FILE)
    entries = read_yaml(path)
    if not isinstance(entries, list):
        raise InputError("not a list of terms", file=path)
    terms = []
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("term"), str) or not entry.get("means"):
            raise InputError("a term needs `term` and `means`, and may have `also`", file=path)
        terms.append(Term(entry["term"], str(entry["means"]), tuple(entry.get("also") or ())))
    return tuple(terms)


def split(text: str) -> Iterator[tuple[str, Term | None]]:
    """The text in pieces; a piece that is a term comes with it. Longer terms win, case does not matter."""
    pattern, by_spelling = _pattern()
    end = 0
    for match in pattern.finditer(text):
        if match.start() > end:
            yield text[end : match.start()], None
        yield match[0], by_spelling[match[0].lower()]
        end = match.end()
    if end < len(text):
        yield text[end:], None


def terms_in(text: str) -> list[tuple[str, str]]:
    """The terms a text uses, with their meaning, in alphabetical order."""
    found = {term.word: term.means for _, term in split(text) if term is not None}
    return sorted(found.items(), key=lambda pair: pair[0].lower())


@lru_cache(maxsize=1)
def _pattern() -> tuple[re.Pattern[str], dict[str, Term]]:
    spellings = {spelling.lower(): term for term in load_terms() for spelling in (term.word, *term.also)}
    words = "|".join(re.escape(spelling) for spelling in sorted(spellings, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE), spellings
