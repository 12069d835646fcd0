"""Which variables does a derived fact read? Told from its code, so that no server has to be there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType

from advisor.annotations import Any
from advisor.evidence.facts import derived_facts

_ABOUT_EVERY_OPTION = "advisor.evidence.facts.files."  # what stands there is judged, whatever the option


@cache
def read_by(fact: str) -> frozenset[str]:
    """Every text in the code of a fact, of what it calls in its package, and of the facts that it asks for.

    Names of variables are among them. A name that is put together at run time is not.
    """
    return frozenset(_texts_of_fact(fact, set()))


def _texts_of_fact(fact: str, seen: set[object]) -> Iterator[str]:
    derived = derived_facts().get(fact)
    if derived is None or fact in seen or derived.derive.__module__.startswith(_ABOUT_EVERY_OPTION):
        return
    seen.add(fact)
    for text in _texts(derived.derive, seen):
        yield text
        if text.startswith("fact."):
            yield from _texts_of_fact(text.removeprefix("fact."), seen)


def _texts(value: Any, seen: set[object]) -> Iterator[str]:
    """The texts in a function's code, or in a constant."""
    value = getattr(value, "__wrapped__", value)
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):  # its keys are looked up, and not read
        for entry in value.values():
            yield from _texts(entry, seen)
    elif isinstance(value, tuple | list | frozenset | set):
        for entry in value:
            yield from _texts(entry, seen)
    elif isinstance(value, FunctionType) and value not in seen and value.__module__.startswith("advisor.evidence"):
        seen.add(value)
        code = value.__code__
        doc = value.__doc__
        for constant in _constants(code):
            if constant is not doc:
                yield from _texts(constant, seen)
        for name in _names(code):
            if name in value.__globals__:
                yield from _texts(value.__globals__[name], seen)


def _constants(code: CodeType) -> Iterator[object]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        else:
            yield constant


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
