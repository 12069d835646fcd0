"""Which workloads are there, and which options do they have? Lua files, found by listing a folder, or a user's mix.

The first line of a file says what it does; its options are declared as `name = {"description", default},` in it or in
a library that it requires. A description that starts with "disjoint|shared:" takes one of these words, one that starts
with "from 1:" a number of at least 1.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

from advisor.bench.load.mix import Mix, read_mix
from advisor.data import folder
from advisor.errors import UsageError
from advisor.model.measurement import Load
from advisor.model.record import field, record

DATABASE: Final = "advisor_bench"
_OPTION: Final = re.compile(r'^   (\w+) = \{"([^"]+)", (?:"([^"]*)"|(\d+))\},$', re.MULTILINE)
_WORDS: Final = re.compile(r"([a-z]+(?:\|[a-z]+)+): ")
_REQUIRED: Final = re.compile(r'^require "(\w+)"$', re.MULTILINE)
_FROM: Final = re.compile(r"from (\d+): ")
_WHOLE: Final = re.compile(r"\d{1,9}")


@record
class WorkloadOption:
    """One option: its default as text and the words it takes, () for a whole number of at least `least`."""

    description: str
    default: str
    words: tuple[str, ...] = ()
    least: int = 0


@record
class Workload:
    """The transactions of a load: the Lua file that sysbench runs, and for a user's own the mix that it plays.

    `database` has its tables.
    """

    name: str
    title: str
    script: str
    options: Mapping[str, WorkloadOption]
    mix: Mix | None = None
    database: str = DATABASE
    ignored_errors: tuple[int, ...] = field(default_factory=tuple)


def workload_names() -> list[str]:
    """Every shipped workload."""
    return sorted(file[:-4] for file in os.listdir(folder("experiments/workloads")) if file.endswith(".lua"))


def find_workload(text: str) -> Workload:
    """The shipped workload of that name ("update-index" too), or a user's mix by its path.

    UsageError when there is none, InputError with file and line when the mix cannot be read.
    """
    if text.endswith((".yaml", ".yml")):
        mix = read_mix(text)
        script = os.path.join(library(), "mix.lua")
        return Workload(
            name=os.path.basename(text).rpartition(".")[0],
            title=f"your own transactions, from {text}",
            script=script,
            options=_options(script, {"mix"}),
            mix=mix,
            database=mix.database or DATABASE,
            ignored_errors=mix.ignore_errors,
        )
    name = text.replace("-", "_")
    if name not in workload_names():
        hint = f"shipped: {', '.join(workload_names())}; or your own .yaml file"
        raise UsageError(f"there is no workload {text!r}", hint=hint)
    script = os.path.join(folder("experiments/workloads"), f"{name}.lua")
    with open(script, encoding="utf-8") as stream:
        title = stream.readline().removeprefix("-- ").strip()
    return Workload(name, title, script, _options(script, set()))


def library() -> str:
    """The folder of the Lua modules that workloads share."""
    return os.path.join(folder("experiments/workloads"), "lib")


def check_load(load: Load, members: tuple[str, ...]) -> Workload:
    """The workload of a load, checked against a cluster's members; UsageError says why it cannot run."""
    workload = find_workload(load.workload)
    for name, value in load.settings.items():
        _check_setting(workload, name, value)
    if not load.writers:
        raise UsageError("the load has no writer")
    if unknown := [name for name in load.writers if name not in members]:
        raise UsageError(f"{unknown[0]!r} is not a member", hint=f"members: {', '.join(members)}")
    if len(set(load.writers)) < len(load.writers):
        raise UsageError("a writer is named twice")
    if load.threads < len(load.writers):
        raise UsageError(f"{load.threads} threads are not enough for {len(load.writers)} writers")
    if load.rate_per_second < 0 or 0 < load.rate_per_second < len(load.writers):
        raise UsageError(
            f"a rate of {load.rate_per_second:g} tx/s is too low", hint="offer at least 1 tx/s for each writer"
        )
    if load.tables < 1 or load.rows_per_table < len(load.writers):
        raise UsageError("the data set is too small: it needs at least one table, and a row for each writer")
    return workload


def _check_setting(workload: Workload, name: str, value: str) -> None:
    option = workload.options.get(name)
    if option is None:
        hint = f"its options: {', '.join(workload.options)}"
        raise UsageError(f"the workload {workload.name} has no option {name!r}", hint=hint)
    if option.words and value not in option.words:
        raise UsageError(f"{name}: {value!r} is not one of {', '.join(option.words)}")
    if not option.words and not (_WHOLE.fullmatch(value) and int(value) >= option.least):
        raise UsageError(f"{name}: {value!r} is not a whole number of at least {option.least}")


def _options(script: str, hidden: set[str]) -> dict[str, WorkloadOption]:
    """Those of the libraries it requires for their effect, then its own, which may have other defaults."""
    with open(script, encoding="utf-8") as stream:
        text = stream.read()
    options: dict[str, WorkloadOption] = {}
    for module in _REQUIRED.findall(text):
        options |= _options(os.path.join(library(), f"{module}.lua"), hidden)
    for name, description, word, number in _OPTION.findall(text):
        words, least = _WORDS.match(description), _FROM.match(description)
        if name not in hidden:
            options[name] = WorkloadOption(
                description=description,
                default=word or number,
                words=tuple(words[1].split("|")) if words else (),
                least=int(least[1]) if least else 0,
            )
    return options
