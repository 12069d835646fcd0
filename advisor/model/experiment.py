"""What is an experiment? Clusters that differ in only one respect, under the same load, and what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.measurement import Interval
from advisor.model.record import field, record


class Procedure(StrEnum):
    """What happens to a cell in each round."""

    MEASURE = "measure"  # a closed loop with its warm-up, then the drain
    CATCH_UP = "catch_up"  # appliers stopped, load run, appliers started: how long until everything is applied


@record
class Cell:
    """One cluster of an experiment. `lab` holds the options of `advisor lab up` by name, without their dashes."""

    name: str
    lab: Mapping[str, str | tuple[str, ...]]


@record
class ExperimentLoad:
    """The load of every cell, measured for `seconds`; in a catch-up it runs for that long with the appliers stopped."""

    workload: str
    threads: int
    seconds: int
    tables: int = 4
    rows_per_table: int = 10_000
    options: Mapping[str, str] = field(default_factory=dict)


@record
class Published:
    """A figure that others published for the same question: `value` in `unit`, the middle where they gave a range.

    With a `cell` and a `figure` it is that cell's figure as a multiple of the cell the experiment is `against`.
    """

    what: str
    value: float
    unit: str
    source: str
    url: str = ""
    low: float | None = None
    high: float | None = None
    cell: str = ""
    figure: str = ""


@record
class Experiment:
    """A question with the cells that answer it. `expect` are conditions over `<cell>.<figure>`; `against` names a cell.

    Each round runs every cell once, in turn, so that other activity on the machine affects all of them equally.
    """

    id: str
    title: str
    question: str
    see: tuple[str, ...]
    procedure: Procedure
    load: ExperimentLoad
    rounds: int
    lag_bound_ms: float
    cells: tuple[Cell, ...]
    against: str
    figures: tuple[str, ...]
    expect: tuple[str, ...] = ()
    file: str = ""
    published: tuple[Published, ...] = ()


Figure = float | bool | None  # None: unknown in that round


@record
class CellResult:
    """The results of a cell: figures by name, one mapping per round; `middle` holds their medians.

    `ratios` compare each rate with the cell the experiment is `against`, round by round.
    """

    cell: str
    server: str
    rounds: tuple[Mapping[str, Figure], ...]
    middle: Mapping[str, Figure]
    ratios: Mapping[str, Interval] = field(default_factory=dict)


@record
class Expectation:
    """A condition of the experiment and whether it held on the medians; None when a figure is unknown."""

    condition: str
    held: bool | None


@record
class ExperimentResult:
    """An experiment that was run: its cells, what was expected, and what makes the result less reliable."""

    experiment: str
    title: str
    began: float
    cells: tuple[CellResult, ...]
    expectations: tuple[Expectation, ...]
    warnings: tuple[str, ...] = ()
