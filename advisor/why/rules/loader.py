"""Which causes and ceilings are there? Lists the folders of their files; a file that is wrong is an error."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from advisor.data import folder, read_yaml
from advisor.errors import InputError, RuleError
from advisor.model.diagnosis import Cause, Ceiling
from advisor.why.facts import make_known
from advisor.why.rules.cause_and_ceiling_files import build_cause, build_ceiling

T = TypeVar("T")


@lru_cache(maxsize=1)
def load_causes() -> tuple[Cause, ...]:
    """Every cause; RuleError when one is wrong."""
    make_known()
    return _load("causes", build_cause)


@lru_cache(maxsize=1)
def load_ceilings() -> tuple[Ceiling, ...]:
    """Every ceiling; RuleError when one is wrong."""
    make_known()
    return _load("ceilings", build_ceiling)


def _load(kind: str, build: Callable[[Any, str, str], T]) -> tuple[T, ...]:
    place = os.path.join(folder("rules"), kind)
    names = sorted(name for name in os.listdir(place) if name.endswith(".yaml"))
    return tuple(_read(os.path.join(place, name), build) for name in names)


def _read(path: str, build: Callable[[Any, str, str], T]) -> T:
    try:
        return build(read_yaml(path), os.path.basename(path).removesuffix(".yaml"), path)
    except InputError as error:
        raise RuleError(error.message, file=error.file, line=error.line, hint=error.hint) from None
