"""Which terms does a text consist of? Words of letters without their figures, and pairs of neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

# "AvgWaitTime" and "innodb_log_waits" are the words they are made of; figures say nothing without their unit.
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_A_WORD: Final = re.compile(r"[_\d]+")
_WORD: Final = re.compile(r"[a-z][a-z]+")


def words_of(text: str) -> list[str]:
    """The words of a text in their order, in lower case, of two letters or more."""
    return _WORD.findall(_NOT_A_WORD.sub(" ", _HUMP.sub(" ", text)).lower())


def terms_of(lines: Iterable[str]) -> Counter[str]:
    """How often each word and each pair of neighbouring words occurs; a pair never goes over the end of a line."""
    return Counter(term for line in lines for term in _terms(words_of(line)))


def _terms(words: list[str]) -> Iterator[str]:
    yield from words
    yield from (f"{first} {second}" for first, second in pairwise(words))
