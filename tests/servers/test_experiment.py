"""An experiment on real servers: both procedures, and nothing left of its labs."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.bench.experiment.definition import find_experiment
from advisor.cli.experiment.run import conduct, render
from advisor.cli.shared.formats import ReportFormat
from advisor.lab import state
from advisor.model.server import Family

from .conftest import server_for

CATCH_UP = """
title: A stopped replica, with and without parallel appliers
question: Does it catch up?
procedure: catch_up
load: {workload: update_index, threads: 4, seconds: 2, tables: 1, rows_per_table: 1000}
against: serial
figures: [left_behind, catch_up_seconds, catch_up_per_second]
cells:
  serial: {lab: {topology: asynchronous, family: mariadb, members: "2", durability: relaxed}}
  parallel: {lab: {topology: asynchronous, family: mariadb, members: "2", durability: relaxed, workers: "4"}}
expect:
  - serial.left_behind > 100
  - parallel.left_behind > 100
"""


@pytest.fixture
def experiment(tmp_path: Path) -> str:
    server_for("asynchronous", Family.MARIADB)
    path = tmp_path / "mine.yaml"
    path.write_text(CATCH_UP, encoding="utf-8")
    return str(path)


@pytest.mark.slice
def test_replicas_that_were_stopped_catch_up_and_the_labs_are_gone(experiment: str) -> None:
    before = set(state.names())
    chosen = find_experiment(experiment)
    told: list[str] = []
    found = conduct(chosen, 1, told.append)
    assert [one.held for one in found.expectations] == [True, True]
    for cell in found.cells:
        (figures,) = cell.rounds
        left, seconds, rate = (figures[name] for name in chosen.figures)
        assert left is not None
        assert seconds is not None
        assert rate is not None
        assert rate == pytest.approx(left / seconds)
    assert "catch_up_per_second" in found.cells[1].ratios
    assert "catch-up" in render(chosen, found, ReportFormat.TEXT)
    assert len(told) == 4
    assert set(state.names()) == before
