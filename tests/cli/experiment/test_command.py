"""`advisor experiment` from the command line: help and lists that fit, names that are known."""

from __future__ import annotations

import pytest

from tests.cli.runs import Runner


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("list", "--help"), ("list",)])
def test_help_and_the_list_fit_a_terminal(run: Runner, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run("experiment", *words).out.splitlines())) <= 80


def test_an_unknown_experiment_is_refused_with_the_known_ones(run: Runner):
    done = run("experiment", "run", "nonsense")
    assert done.code == 2
    assert "there is no experiment 'nonsense'" in done.err
    assert "group-flow-control" in done.err
