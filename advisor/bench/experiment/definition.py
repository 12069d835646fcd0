"""Which experiments are there, and what do they define? One YAML file each; errors name the file and the key."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from advisor.bench.experiment.published import read_published
from advisor.conditions import names
from advisor.data import Data, folder, read_yaml
from advisor.errors import InputError, RuleError, UsageError
from advisor.expressions import parse
from advisor.model.experiment import Cell, Experiment, ExperimentLoad, Procedure

_KEYS: Final = {
    "title", "question", "see", "procedure", "load", "rounds", "lag_bound_ms", "cells", "against", "figures", "expect",
    "published",
}  # fmt: skip
_LOAD_KEYS: Final = {"workload", "threads", "seconds", "tables", "rows_per_table", "options"}
FIGURES: Final[Mapping[Procedure, frozenset[str]]] = {
    Procedure.MEASURE: frozenset({
        "peak", "sustained", "slowest_apply", "throttled", "backlog_growth", "lag_ms", "drain_seconds", "p95_ms",
        "within_bound",
    }),
    Procedure.CATCH_UP: frozenset({"catch_up_seconds", "catch_up_per_second", "left_behind"}),
}  # fmt: skip


def experiment_names() -> list[str]:
    """Every shipped experiment."""
    return sorted(file[:-5] for file in os.listdir(folder("experiments")) if file.endswith(".yaml"))


def find_experiment(text: str) -> Experiment:
    """The shipped experiment of that name, or the one in the file of that path; UsageError when there is none."""
    if text.endswith((".yaml", ".yml")):
        return read_experiment(text)
    if text not in experiment_names():
        raise UsageError(f"there is no experiment {text!r}", hint=f"shipped: {', '.join(experiment_names())}")
    return read_experiment(os.path.join(folder("experiments"), text + ".yaml"))


def read_experiment(path: str) -> Experiment:
    """The experiment that a file describes; InputError, naming file and key, when the file is wrong."""
    data = _mapping(read_yaml(path), _KEYS, "the file", path)
    procedure = _procedure(_text(data, "procedure", path, str(Procedure.MEASURE)), path)
    cells = tuple(_cell(name, body, path) for name, body in _mapping(data.get("cells"), None, "cells", path).items())
    known = FIGURES[procedure]
    figures = tuple(_words(data, "figures", path))
    if unknown := sorted(set(figures) - known):
        hint = f"known for procedure {procedure}: {', '.join(sorted(known))}"
        raise InputError(f"figures: unknown figure {unknown[0]!r}", file=path, hint=hint)
    against = _text(data, "against", path, "")
    if against and against not in {cell.name for cell in cells}:
        raise InputError(f"against: there is no cell {against!r}", file=path)
    expect = tuple(_words(data, "expect", path))
    for condition in expect:
        _check_expectation(condition, {cell.name for cell in cells}, known, path)
    return Experiment(
        id=os.path.basename(path).rpartition(".")[0],
        title=_text(data, "title", path),
        question=_text(data, "question", path),
        see=tuple(_words(data, "see", path)),
        procedure=procedure,
        load=_load(_mapping(data.get("load"), _LOAD_KEYS, "load", path), path),
        rounds=_number(data, "rounds", path, 3),
        lag_bound_ms=float(_number(data, "lag_bound_ms", path, 1000)),
        cells=cells,
        against=against,
        figures=figures,
        expect=expect,
        file=path,
        published=read_published(data.get("published", []), path, against, {cell.name for cell in cells}, figures),
    )


def _check_expectation(condition: str, cells: set[str], known: frozenset[str], path: str) -> None:
    try:
        tree = parse(condition)
    except RuleError as error:
        raise InputError(f"expect: {condition}: {error.message}", file=path) from None
    for name in names(tree):
        cell, _, figure = name.partition(".")
        if cell not in cells or figure not in known:
            hint = f"write CELL.FIGURE; cells: {', '.join(sorted(cells))}; figures: {', '.join(sorted(known))}"
            raise InputError(f"expect: {name!r} does not name a figure of a cell", file=path, hint=hint)


def _load(data: dict[str, Any], path: str) -> ExperimentLoad:
    return ExperimentLoad(
        workload=_text(data, "workload", path),
        threads=_number(data, "threads", path, 8),
        seconds=_number(data, "seconds", path, 10),
        tables=_number(data, "tables", path, 4),
        rows_per_table=_number(data, "rows_per_table", path, 10_000),
        options={key: _scalar(value, f"options: {key}", path) for key, value in _optional(data, "options", path)},
    )


def _cell(name: str, body: Data, path: str) -> Cell:
    if not name.isidentifier():
        raise InputError(f"cells: {name!r} must be one word, because conditions refer to it", file=path)
    data = _mapping(body, {"lab"}, f"cell {name}", path)
    lab = _mapping(data.get("lab"), None, f"the lab of cell {name}", path)
    if "topology" not in lab:
        raise InputError(f"cell {name}: lab: topology is missing", file=path)
    options: dict[str, str | tuple[str, ...]] = {}
    for key, value in lab.items():
        is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
        options[key] = tuple(value) if is_list else _scalar(value, f"cell {name}: {key}", path)
    return Cell(name, options)


def _optional(data: Mapping[str, Any], key: str, path: str) -> Sequence[tuple[str, Any]]:
    return list(_mapping(data[key], None, key, path).items()) if key in data else []


def _mapping(data: Data, keys: set[str] | None, where: str, path: str) -> dict[str, Any]:
    if not isinstance(data, dict) or not data:
        raise InputError(f"{where}: must be a mapping of names to values", file=path)
    if keys is not None and (unknown := sorted(set(data) - keys)):
        raise InputError(f"{where}: unknown key {unknown[0]!r}", file=path, hint=f"known: {', '.join(sorted(keys))}")
    return data


def _words(data: Mapping[str, Any], key: str, path: str) -> list[str]:
    words = data.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) and word for word in words):
        raise InputError(f"{key}: must be a list of strings", file=path)
    return words


def _text(data: Mapping[str, Any], key: str, path: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or (default is None and not value):
        raise InputError(f"{key}: must be a non-empty string", file=path)
    return " ".join(value.split())


def _scalar(value: Data, where: str, path: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: must be a single value", file=path)
    return value


def _number(data: Mapping[str, Any], key: str, path: str, default: int) -> int:
    text = _scalar(data.get(key, str(default)), key, path)
    if not text.isdecimal() or not int(text):
        raise InputError(f"{key}: {text!r} is not a whole number above 0", file=path)
    return int(text)


def _procedure(text: str, path: str) -> Procedure:
    try:
        return Procedure(text)
    except ValueError:
        raise InputError(f"procedure: {text!r} is not one of {', '.join(Procedure)}", file=path) from None
