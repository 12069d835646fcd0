"""Which faults are there? One module each in this folder, found by listing it; the first line says what it does.

A fault is a module with

* `STRENGTH`: its parameters with their defaults, numbers or texts;
* `apply(target, strength)`: make it happen, and return what `clear` needs, as JSON has it. LabError when it cannot be
  here, before anything is changed;
* `clear(target, undo)`: take it back. The target's server may have been restarted, or be down, meanwhile;
* `work(target, strength, working)`, where it goes on in a process of its own (advisor/lab/disturbing.py): until that is
  told to end; `working` is called when it has begun to act.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from advisor.errors import UsageError
from advisor.lab.targets import Target

Strength = Mapping[str, Any]
Undo = dict[str, Any]


class FaultModule(Protocol):
    """What a module of this folder offers; `work` only where it goes on."""

    STRENGTH: Mapping[str, int | float | str]
    apply: Callable[[Target, Strength], Undo]
    clear: Callable[[Target, Undo], None]
    work: Callable[[Target, Strength, Callable[[], None]], None]


def fault_names() -> list[str]:
    """Every fault, by the name of its module."""
    files = os.listdir(os.path.dirname(__file__))
    return sorted(file[:-3] for file in files if file.endswith(".py") and not file.startswith("_"))


def find_fault(text: str) -> tuple[str, FaultModule]:
    """The one of a name ("slow-disk" and "slow_disk" are the same); UsageError when there is none."""
    word = text.lower().replace("-", "_")
    if word not in fault_names():
        raise UsageError(f"no fault {text!r}", hint=f"there are {', '.join(fault_names())}")
    return word, cast(FaultModule, import_module(f"advisor.lab.faults.{word}"))


def first_line(name: str) -> str:
    """What a fault does, in its own words."""
    return str(import_module(f"advisor.lab.faults.{name}").__doc__).splitlines()[0]
