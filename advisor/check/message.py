"""How is a rule's sentence filled with values? `{name}` shows a value with its unit, `{name:unit}` with another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from advisor.annotations import Protocol
from advisor.catalog import spelling
from advisor.conditions import Missing, names
from advisor.model.evidence import Fact
from advisor.model.rules import Rule
from advisor.model.server import Release
from advisor.units import show


class Looks(Protocol):
    """Anything that knows facts by name, as one release."""

    release: Release

    def fact(self, name: str) -> Fact | Missing:
        """The fact a name stands for, or Missing."""


def fill(template: str, view: Looks) -> str:
    """The sentence with its holes filled; "?" for what is not known. Variables are spelt as the release has them."""

    filled = ""
    for text, name, unit in _parts(template):
        filled += _spelt(text, view.release)
        if name:
            fact = view.fact(name)
            filled += "?" if isinstance(fact, Missing) else show(fact.value, unit or fact.unit)
    return filled


def holes(template: str) -> list[str]:
    """The names a sentence shows."""
    return [name for _, name, _ in _parts(template) if name]


def used_names(rule: Rule) -> tuple[str, ...]:
    """Every name a rule's condition reads or its sentence shows, in that order, each once."""
    return tuple(dict.fromkeys([*names(rule.tree), *holes(rule.finding)]))


# Without regular expressions: importing `re` and compiling the two of them takes a twentieth of a plain check.
def _parts(template: str) -> Iterator[tuple[str, str, str]]:
    """The template in order: a text, then the name and the unit of the hole behind it ("" at the end)."""
    text, *others = template.split("{")
    for other in others:
        inside, closed, behind = other.partition("}")
        name, colon, unit = inside.partition(":")
        if closed and _is_fact(name) and (_is_word(unit) or not colon):
            yield text, name, unit
            text = behind
        else:
            text += "{" + other
    yield text, "", ""


def _is_fact(name: str) -> bool:
    """Whether it can be the name of a fact: letters, digits, "_" and dots, first a letter or "_"."""
    return name[:1].isascii() and (name[:1].isalpha() or name[:1] == "_") and _is_word(name.replace(".", "_"))


def _is_word(text: str) -> bool:
    return text.replace("_", "a").isalnum()


def _spelt(text: str, release: Release) -> str:
    """The text with the variables in it spelt as the release has them."""
    chunks = (_spelt_words(chunk, release) if "_" in chunk else chunk for chunk in text.split(" "))
    return " ".join(chunks)


def _spelt_words(chunk: str, release: Release) -> str:
    words = ("".join(signs) for _, signs in groupby(chunk, _is_word))
    return "".join((spelling(word, release) or word) if _is_variable(word) else word for word in words)


def _is_variable(word: str) -> bool:
    """Whether a word is written as a variable is: small letters first, then parts of letters and digits after "_"."""
    first, *others = word.split("_")
    return bool(others) and word.isascii() and word.islower() and first.isalpha() and all(map(str.isalnum, others))
