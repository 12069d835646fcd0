"""What `advisor tune status` and `report` make of what a tuning run left behind, even when it is incomplete."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from advisor.cluster_file import write_cluster
from advisor.errors import UsageError
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology
from advisor.tune.phases import SessionListener
from advisor.tune.request.request import AUTO, Request, as_data
from advisor.tune.session import begin, refuse_changed_settings
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal, Originals
from advisor.tune.state.lock import locked
from advisor.tune.trial.run_trial import TrialListener
from tests.cli.runs import Runner


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cluster that c.yaml describes, with a study that was begun."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    member = ClusterMember("db1", Role.STANDALONE, "127.0.0.1", 1)
    cluster = ClusterFile("c.yaml", "shop", Topology.STANDALONE, "mysql-9.7.4", "root", "", (member,))
    write_cluster(cluster)
    found = study_folder.folder_of(cluster)
    study_folder.new_study(found, as_data(Request("c.yaml", "update_index", 16, ("db1",))))
    return found


def journal(folder: Path, *events: str) -> None:
    kept = Journal(study_folder.journal_path(folder))
    kept.begin(Originals("c.yaml", {"db1": {"innodb_io_capacity": "200"}}))
    for event in events:
        kept.note(event)


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (("files",), "NOT RESTORED: run `advisor tune resume` or `advisor tune rollback`"),
        (("files", "restored"), "settings are as they were before tuning"),
        (("files", "applied"), "recommendation applied; `advisor tune rollback` undoes it"),
    ],
)
def test_whether_the_cluster_is_restored_is_the_second_line(
    run: Runner, folder: Path, events: tuple[str, ...], said: str
) -> None:
    journal(folder, *events)
    done = run("tune", "status", "--cluster", "c.yaml")
    assert done.code == 0
    assert done.out.splitlines()[1] == said


def test_settings_that_could_not_be_restored_are_listed_and_tried_again(run: Runner, folder: Path) -> None:
    journal(folder, "files")
    differences = ["db1: sync_binlog was 1, and is not so now"]
    Journal(study_folder.journal_path(folder)).note("restored", differences=differences)
    said = run("tune", "status", "--cluster", "c.yaml").out.splitlines()
    assert said[1:3] == [
        "restored, except for these settings; `advisor tune rollback` tries again",
        "  db1: sync_binlog was 1, and is not so now",
    ]
    again = run("tune", "rollback", "--cluster", "c.yaml")
    assert again.code == 4, "nobody answers at that port, and unknown name restored"
    assert "cannot read the settings of shop" in again.err


@pytest.mark.parametrize(
    "text", ["", "[]", "NaN", "{}", '{"topology": "galera", "load": {"writers": []}, "changes": [1]}']
)
def test_a_report_that_cannot_be_read_is_refused_with_its_path(run: Runner, folder: Path, text: str) -> None:
    (study_folder.last_study(folder) / "report.json").write_text(text, encoding="utf-8")
    for words in ("status", "report", "apply"):
        done = run("tune", words, "--cluster", "c.yaml")
        assert done.code == 2
        assert "report.json: not a report of this release\n  hint: " in done.err


def test_a_request_of_another_release_is_refused_with_the_keys_that_are_unknown_here(run: Runner, folder: Path) -> None:
    file = study_folder.last_study(folder) / "request.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "moon": 1}), encoding="utf-8")
    done = run("tune", "status", "--cluster", "c.yaml")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "not a request of this release: unknown keys moon" in done.err


def test_a_run_is_stopped_even_before_it_has_a_study(run: Runner, folder: Path) -> None:
    assert run("tune", "stop", "--cluster", "c.yaml").code == 2, "nobody is"
    shutil.rmtree(study_folder.last_study(folder))
    with locked(folder, "shop"):
        assert run("tune", "stop", "--cluster", "c.yaml").code == 0
    assert study_folder.stop_path(folder).exists()


def test_no_study_begins_outside_the_maintenance_window(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noon = time.struct_time((2026, 11, 21, 12, 0, 0, 5, 325, 0))
    monkeypatch.setattr("advisor.tune.request.maintenance_window.time.localtime", lambda at: noon)
    asked = Request("c.yaml", "update_index", AUTO, ("db1",), trials=20, between="22:00-06:00")
    with pytest.raises(UsageError, match="outside --between 22:00-06:00"):
        begin(asked, SessionListener(TrialListener()))


def test_a_study_of_other_settings_is_neither_resumed_nor_applied() -> None:
    refuse_changed_settings({"innodb_io_capacity": "200"}, {"innodb_io_capacity": "200"})
    with pytest.raises(UsageError, match="settings changed since the study began: innodb_io_capacity from 200 to 400"):
        refuse_changed_settings({"innodb_io_capacity": "200"}, {"innodb_io_capacity": "400"})
