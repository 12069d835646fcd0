"""Figures of others next to an experiment: what the shipped ones say, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.bench.experiment.definition import experiment_names, find_experiment, read_experiment
from advisor.errors import InputError

TEXT = """
title: Two cells
question: Which is faster?
load: {workload: update_index}
against: one
figures: [peak]
cells:
  one: {lab: {topology: standalone}}
  two: {lab: {topology: standalone}}
published:
  - {what: faster, value: "1.5", unit: times one, source: a paper, url: "https://example.org/", cell: two, figure: peak}
"""


def written(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


def test_a_figure_keeps_its_unit_its_source_and_the_cell_it_compares_with(tmp_path: Path) -> None:
    (figure,) = read_experiment(written(tmp_path, TEXT)).published
    assert (figure.value, figure.unit, figure.source, figure.cell, figure.figure) == (
        1.5, "times one", "a paper", "two", "peak",
    )  # fmt: skip
    assert (figure.low, figure.high) == (None, None)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('value: "1.5"', 'value: "fast"', "'fast' is not a number"),
        ("unit: times one, ", "", "unit is missing"),
        ("source: a paper", "sources: a paper", "unknown key 'sources'"),
        ("cell: two, ", "", "cell and figure must be given together"),
        ("cell: two", "cell: three", "three.peak is not a ratio"),
        ("against: one\n", "", "two.peak is not a ratio"),
        ("https://example.org/", "javascript:alert(1)", "must begin with https://"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        read_experiment(written(tmp_path, TEXT.replace(old, new)))
    assert said in str(raised.value)
    assert "mine.yaml" in str(raised.value)


def test_most_shipped_experiments_can_be_held_against_something_published() -> None:
    counts = {name: len(find_experiment(name).published) for name in experiment_names()}
    assert sum(count > 0 for count in counts.values()) >= 6
    for name in counts:
        for figure in find_experiment(name).published:
            assert figure.low is None or figure.high is None or figure.low < figure.value < figure.high
