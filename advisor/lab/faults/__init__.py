"""Which faults are there? One module each in the folders here, found by listing them; its first line says what it does.

A fault is a module with

* `STRENGTH`: its parameters with their defaults, numbers or texts;
* `apply(target, strength)`: cause the fault, and return what `clear` needs, as JSON values. LabError when it is not
  possible here, before anything is changed;
* `clear(target, undo)`: undo it. The target's server may have been restarted meanwhile, or be down;
* `work(target, strength, working)`, for a fault with its own process (advisor/lab/fault_injection/process.py): runs
  until SIGTERM; calls `working` once it has an effect.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from advisor.errors import UsageError
from advisor.lab.fault_injection.target import FaultTarget

Strength = Mapping[str, Any]
Undo = dict[str, Any]


class FaultModule(Protocol):
    """What a module of this folder offers; `work` only for faults that continue."""

    STRENGTH: Mapping[str, int | float | str]
    apply: Callable[[FaultTarget, Strength], Undo]
    clear: Callable[[FaultTarget, Undo], None]
    work: Callable[[FaultTarget, Strength, Callable[[], None]], None]


def fault_names() -> list[str]:
    """Every fault, by the name of its module."""
    return sorted(_areas())


def find_fault(text: str) -> tuple[str, FaultModule]:
    """The fault with this name ("slow-disk" and "slow_disk" are the same); UsageError when there is none."""
    word = text.lower().replace("-", "_")
    if word not in fault_names():
        raise UsageError(f"there is no fault {text!r}", hint=f"faults: {', '.join(fault_names())}")
    return word, cast(FaultModule, import_module(f"{__name__}.{_areas()[word]}.{word}"))


def first_line(name: str) -> str:
    """What a fault does: the first line of its module."""
    return str(find_fault(name)[1].__doc__).splitlines()[0]


def _areas() -> dict[str, str]:
    """The folder of every fault."""
    here = os.path.dirname(__file__)
    folders = [folder for folder in os.listdir(here) if os.path.isdir(os.path.join(here, folder))]
    return {
        file[:-3]: folder
        for folder in folders
        for file in os.listdir(os.path.join(here, folder))
        if file.endswith(".py") and not file.startswith("_")
    }
