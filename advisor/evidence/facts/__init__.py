"""Derived facts: named values that reconcile several pieces of evidence, so that rules stay short.

One decorated function each, in the module of its area; found by listing this folder. The function's name is the
fact's (`fact.<name>`), its docstring says what it means and where the formula comes from. `e["name"]` reads any
other name of a condition; what is missing makes the fact unknown and is remembered, no guard needed. A fact
that cannot be decided returns UNKNOWN; one that makes no sense for the server returns NOT_HERE.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

from advisor.annotations import Any, Final
from advisor.model.record import record

Derive = Callable[[Any], Any]  # of `MemberFacts`, not named here: it asks this module for facts


class _NotHere:
    """The fact makes no sense for this server (Galera's limits where there is no Galera)."""

    def __repr__(self) -> str:
        return "NOT_HERE"


NOT_HERE: Final = _NotHere()


@record
class DerivedFact:
    """A named derivation; `unit` as in advisor.units ("" for words and counts without one)."""

    name: str
    unit: str
    derive: Derive

    @property
    def meaning(self) -> str:
        """The first paragraph of its docstring."""
        return (self.derive.__doc__ or "").strip().split("\n\n")[0]


_registered: dict[str, DerivedFact] = {}


def fact(unit: str = "") -> Callable[[Derive], Derive]:
    """Register a function as the derived fact of its name."""

    def register(derive: Derive) -> Derive:
        name = derive.__name__
        if name in _registered:
            raise ValueError(f"two derived facts are called {name}")
        _registered[name] = DerivedFact(name, unit, derive)
        return derive

    return register


@lru_cache(maxsize=1)
def derived_facts() -> dict[str, DerivedFact]:
    """All derived facts by name."""
    load_modules(os.path.dirname(__file__), __name__)
    return _registered


def load_modules(folder: str, package: str) -> None:
    """Import every module of a folder and of the areas below it, which registers their facts."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py") and entry.name != "__init__.py":
                import_module(f"{package}.{entry.name[:-3]}")
            elif entry.is_dir() and not entry.name.startswith("_"):
                load_modules(entry.path, f"{package}.{entry.name}")
