"""Which signals and commands does a timeline look at? Those of `rules/monitoring/signals/` and `commands/`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Final

from advisor.data import folder, read_yaml
from advisor.errors import RuleError
from advisor.model.monitoring.timeline import Part
from advisor.model.record import record
from advisor.timeline.change_points import Size
from advisor.yaml_shapes import mapping, refuse_unknown, require, texts, word_of

_KEYS: Final = (
    "title",
    "unit",
    "part",
    "rank",
    "alone",
    "specific",
    "machine",
    "piles_up",
    "load",
    "least",
    "rises",
    "falls",
    "from",
)
_COMMAND_KEYS: Final = ("title", "rank", "words", "counters")


class Form(StrEnum):
    """How readings become a signal."""

    RATE = "rate"  # the growth of all counters together, per second
    LEVEL = "level"  # the sum of all readings
    DIFFERENCE = "difference"  # the first less the second
    MEAN = "mean"  # the growth of some counters for each unit of growth of others


@record
class Formula:
    """One way to make a signal: the quantities, those they are divided by, and a factor."""

    form: Form
    of: tuple[str, ...]
    per: tuple[str, ...]
    scale: float

    @property
    def quantities(self) -> tuple[str, ...]:
        """Everything it needs."""
        return (*self.of, *self.per)


@record
class Signal:
    """What is looked at over time. `rises` and `falls` say a shift, "" where it says nothing.

    `alone`: worth telling although no effect was seen. `specific`: a shift of it means one thing only. `machine`: it
    is the same for all members of a machine. `piles_up`: it climbs step by step, and the steps are one shift. `load`:
    more of it is more load, which explains higher throughput and never lower. The first formula counts whose
    quantities are all known.
    """

    id: str
    title: str
    unit: str
    part: Part
    rank: int
    alone: bool
    specific: bool
    machine: bool
    piles_up: bool
    load: bool
    size: Size
    rises: str
    falls: str
    formulas: tuple[Formula, ...]


@record
class CommandGroup:
    """Statements whose counters tell that somebody did something: counter → statement."""

    id: str
    title: str
    rank: int
    words: str
    counters: Mapping[str, str]


@cache
def load_signals() -> tuple[Signal, ...]:
    """Every signal by its id, effects first, by rank; RuleError when a file is wrong."""
    found = [_signal(*file) for file in _files("signals")]
    return tuple(sorted(found, key=lambda signal: (signal.part is not Part.EFFECT, signal.rank, signal.id)))


@cache
def load_commands() -> tuple[CommandGroup, ...]:
    """Every group of commands; RuleError when a file is wrong."""
    groups = []
    for name, path, data in _files("commands"):
        refuse_unknown(data, _COMMAND_KEYS, "the file", path)
        require(data, _COMMAND_KEYS, "the file", path)
        groups.append(CommandGroup(name, data["title"], int(data["rank"]), data["words"], data["counters"]))
    return tuple(groups)


def _files(kind: str) -> list[tuple[str, str, dict[str, Any]]]:
    place = os.path.join(folder("rules"), "monitoring", kind)
    names = sorted(name for name in os.listdir(place) if name.endswith(".yaml"))
    paths = [(name.removesuffix(".yaml"), os.path.join(place, name)) for name in names]
    return [(name, path, mapping(read_yaml(path), "the file", path)) for name, path in paths]


def _signal(name: str, path: str, data: dict[str, Any]) -> Signal:
    refuse_unknown(data, _KEYS, "the file", path)
    require(data, ("title", "unit", "part", "rank", "least", "from"), "the file", path)
    least = mapping(data["least"], "least", path)
    require(least, ("ratio", "step"), "least", path)
    return Signal(
        id=name,
        title=data["title"],
        unit=data["unit"],
        part=word_of(Part, data["part"], "part", path),
        rank=int(data["rank"]),
        alone=data.get("alone") == "true",
        specific=data.get("specific") == "true",
        machine=data.get("machine") == "true",
        piles_up=data.get("piles_up") == "true",
        load=data.get("load") == "true",
        size=Size(float(least["ratio"]), float(least["step"])),
        rises=data.get("rises", ""),
        falls=data.get("falls", ""),
        formulas=tuple(_formula(mapping(each, "from", path), path) for each in data["from"]),
    )


def _formula(data: dict[str, Any], path: str) -> Formula:
    forms = [form for form in Form if form in data]
    if len(forms) != 1:
        raise RuleError(f"from: one of {', '.join(Form)} is needed", file=path)
    (form,) = forms
    refuse_unknown(data, (form, "scale"), "from", path)
    if form is not Form.MEAN:
        return Formula(form, tuple(texts(data[form], form, path)), (), float(data.get("scale", 1)))
    mean = mapping(data[form], form, path)
    refuse_unknown(mean, ("of", "per", "scale"), form, path)
    require(mean, ("of", "per"), form, path)
    of, per = (tuple(texts(mean[key], key, path)) for key in ("of", "per"))
    return Formula(form, of, per, float(mean.get("scale", 1)))
