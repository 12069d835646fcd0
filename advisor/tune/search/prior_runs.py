"""What did prior runs measure? One row per trial, in a file of JSON lines.

A row has what was applied and its outcome, and what is needed to compare another study with it: server, topology,
machine and workload. Later studies may start from the best of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from advisor.errors import InputError
from advisor.model.record import field, record
from advisor.model.tuning import Objective, Outcome, SearchSpace, Settings, Trial
from advisor.tune.search.scoring import score
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder
from advisor.tune.state.jsonl import append_lines

FORMAT: Final = "1"
_BEGINS: Final = '{"format": '


@record
class Row:
    """One trial of any study. `about` says where: server, topology, cpus, memory_bytes, workload, threads, …."""

    settings: Settings
    outcome: Outcome
    kind: str
    lag_bound_ms: float
    about: Mapping[str, str] = field(default_factory=dict)


def rows_of_study(
    space: SearchSpace, trials: Iterable[Trial], lag_bound_ms: float, about: Mapping[str, str]
) -> list[Row]:
    """The rows of a study; faults, which show nothing about a configuration, are left out."""
    where = {"server": space.release.name, "topology": str(space.topology)}
    where |= {name: f"{value:.0f}" for name, value in space.host.items()} | dict(about)
    return [
        Row(dict(trial.task.settings), trial.outcome, str(trial.task.kind), lag_bound_ms, where)
        for trial in trials
        if not trial.outcome.fault
    ]


def append_rows(path: str, rows: Sequence[Row]) -> None:
    """Add rows to a file, which is created if need be. WriteError when it cannot be written."""
    append_lines(path, [{"format": FORMAT, **vars(row), "outcome": vars(row.outcome)} for row in rows])


def read_rows(path: str) -> list[Row]:
    """The rows of a file; a torn last line is passed over. InputError with the line for any other that is not a row."""
    try:
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', 'not text')}", file=path) from None
    if lines[-1] and not (lines[-1].startswith(_BEGINS) or _BEGINS.startswith(lines[-1])):
        raise InputError("not a trial of a prior run", file=path, line=len(lines))
    rows = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            row = json.loads(line)
            outcome = Outcome(**{**row["outcome"], "windows": tuple(row["outcome"]["windows"])})
            rows.append(Row(row["settings"], outcome, row["kind"], float(row["lag_bound_ms"]), row["about"]))
        except (ValueError, KeyError, TypeError):
            raise InputError("not a trial of a prior run", file=path, line=number) from None
    return rows


def best_prior_configurations(
    space: SearchSpace, rows: Sequence[Row], most: int = 3, objective: str = Objective.SUSTAINED.value
) -> list[Settings]:
    """The best configurations of comparable runs (topology, server family and objective) that this space can take.

    A row that lacks a knob of the space takes what the space advises there; without such advice it is left out.
    """
    encoder, legal = Encoder(space), constraint_check(space)
    scored = [(score(row.outcome, row.lag_bound_ms), row) for row in rows if _comparable(space, row, objective)]
    ranked = sorted((pair for pair in scored if pair[0].feasible), key=lambda pair: -(pair[0].value or 0.0))
    configurations: list[Settings] = []
    for _, row in ranked:
        values = {knob.name: row.settings.get(knob.name) or knob.advice for knob in space.knobs}
        if not all(values.values()):
            continue
        settings = encoder.settings(encoder.coordinates({name: value or "" for name, value in values.items()}))
        if legal(settings) and settings not in configurations:
            configurations.append(settings)
    return configurations[:most]


def _comparable(space: SearchSpace, row: Row, objective: str) -> bool:
    if row.outcome.objective != objective:
        return False
    family = str(row.about.get("server", "")).partition("-")[0]
    return row.about.get("topology") == space.topology and family == space.release.name.partition("-")[0]
