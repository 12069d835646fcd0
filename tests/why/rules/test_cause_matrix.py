"""The matrix of causes and forms of evidence: no cell is empty, and none has both a case and a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from advisor.model.diagnosis import SURE
from advisor.model.record import replace
from advisor.why.rules.cause_matrix import CauseMatrix, load_cause_matrix
from advisor.why.rules.forms_of_cases import Form, forms_of
from advisor.why.rules.loader import load_causes
from benchmarks.diagnosis.gym.kept import judged_again
from benchmarks.diagnosis.gym.mechanisms import load_plays

PLAYS = Path(__file__).parents[3] / "benchmarks/diagnosis/plays"
READ = (Form.LIVE, Form.BUNDLE)
COUNTED = (*READ, Form.STATUS_TWICE, Form.MONITORING)


@pytest.fixture(name="matrix", scope="module")
def the_shipped_matrix() -> CauseMatrix:
    return load_cause_matrix(load_causes())


def test_every_cell_has_a_case_or_one_sentence(matrix: CauseMatrix) -> None:
    assert list(matrix.problems()) == []


def test_a_cell_without_either_is_a_problem(matrix: CauseMatrix) -> None:
    first = matrix.sentences[0]
    without = replace(matrix, sentences=matrix.sentences[1:])
    cells = [f"{cause}, {form}: has no case and 0 sentences" for cause in first.causes for form in first.forms]
    assert sorted(without.problems()) == sorted(cells)


def test_a_sentence_for_a_cell_with_a_case_is_a_problem(matrix: CauseMatrix) -> None:
    row = next(row for row in matrix.rows if row.tells(Form.PROCESS_LIST))
    wrong = replace(matrix.sentences[0], mark="X1", forms=(Form.PROCESS_LIST,), causes=(row.cause,))
    found = list(replace(matrix, sentences=(*matrix.sentences, wrong)).problems())
    assert found == [f"{row.cause}, process_list: has a case, but also a sentence (X1)"]


def test_a_name_that_is_no_cause_is_a_problem(matrix: CauseMatrix) -> None:
    wrong = replace(matrix.sentences[0], causes=(*matrix.sentences[0].causes, "no_such_cause"))
    found = list(replace(matrix, sentences=(wrong, *matrix.sentences[1:])).problems())
    assert found == ["no_such_cause: no such cause"]


def test_every_listed_play_was_made_to_show_its_cause(matrix: CauseMatrix) -> None:
    plays, _ = load_plays("open")
    made = {(cause, play.name) for play in plays for cause in play.mechanism.causes}
    listed = {(cause, name) for cause, names in matrix.plays.items() for name in names}
    assert listed - made == set()
    assert [name for _, name in sorted(listed) if not (PLAYS / "open" / f"{name}.tar.gz").exists()] == []


@pytest.mark.gate
def test_every_listed_play_still_has_its_cause_as_an_answer(matrix: CauseMatrix) -> None:
    by_name = {play.name: play for play in load_plays("open")[0]}
    missed = []
    for name in sorted({name for names in matrix.plays.values() for name in names}):
        found = judged_again(PLAYS, by_name[name])
        assert found is not None
        told = {one["cause"] for one in found["again"]["causes"] if one["confidence"] >= SURE}
        missed += [f"{cause}: {name}" for cause, names in matrix.plays.items() if name in names and cause not in told]
    assert missed == []


@pytest.mark.parametrize(
    ("given", "forms"),
    [
        ({}, ()),
        ({"my.cnf": "sync_binlog = 1"}, (Form.OBSERVATIONS,)),
        ({"observed": {"clients": 1}, "host": {"cpus": 2}}, (Form.OBSERVATIONS,)),
        ({"observed": {"tried": [{}]}, "status": {"wsrep_cluster_size": 1}}, (Form.TRIED,)),
        ({"observed": {"clients": 1}, "rate": {"Questions": 3}}, ()),
        ({"tables": {"processlist": [{"state": "a"}, {"state": "b"}]}}, (Form.PROCESS_LIST,)),
        ({"tables": {"processlist": [{"at": 0}, {"at": 1}]}}, READ),
        ({"tables": {"processlist": [{}]}, "rate": {"Questions": 3}}, READ),
        ({"tables": {"processlist": [{}]}, "innodb_status": "LOG"}, READ),
        ({"innodb_status": "LOG", "my.cnf": "innodb_log_file_size = 48M"}, (Form.INNODB_STATUS,)),
        ({"replica": {"Replica_SQL_Running": "No"}}, READ),
        ({"status": {"Threads_running": 3}}, READ),
        ({"rate": {"Questions": 3}, "status": {"Threads_running": 3}}, COUNTED),
        ({"samples": [{"at": 0}, {"at": 10}]}, COUNTED),
        ({"rate": {"Questions": 3}, "host": {"disk_util": 0.2}}, (*READ, Form.MONITORING)),
        ({"host": {"cpu_util": 0.9}}, (*READ, Form.MONITORING)),
        ({"host": {"cpu_util": 0.9, "threads_starved": 3}}, READ),
        ({"members": [{"rate": {"Questions": 3}}, {"rate": {"Questions": 9}}]}, COUNTED),
        ({"members": [{"rate": {"Questions": 3}}, {"observed": {"clients": 9}}]}, ()),
    ],
    ids=str,
)
def test_a_case_is_evidence_of_the_forms_that_hold_all_it_gives(given: dict[str, Any], forms: tuple[Form, ...]) -> None:
    assert set(forms_of(given)) == set(forms)
