"""A cluster and its studies are found again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from advisor.model.lab import ClusterFile
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.tune.state import study_folder
from advisor.workload.fidelity import fidelity
from tests.tune.starting_points import member

SOURCE, REPLICA = member("m1", Role.SOURCE), member("m2", Role.REPLICA)


def test_a_study_says_when_it_was_begun_however_often_it_went_on(tmp_path: Path):
    before = time.strftime("%Y-%m-%d %H:%M:%S")
    first, second = (study_folder.new_study(tmp_path, {}) for _ in range(2))
    assert before <= study_folder.began_at(first) <= study_folder.began_at(second) <= time.strftime("%Y-%m-%d %H:%M:%S")


def test_a_cluster_is_found_again_whatever_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    one = ClusterFile("a.yaml", "shop", Topology.ASYNC_MYSQL, "", "u", "", (SOURCE, REPLICA))
    other = ClusterFile("b.yaml", "Shop (new)", Topology.ASYNC_MYSQL, "", "u", "", (REPLICA, SOURCE))
    assert study_folder.folder_of(one) == study_folder.folder_of(other)
    alone = ClusterFile("a.yaml", "shop", Topology.ASYNC_MYSQL, "", "u", "", (SOURCE,))
    assert study_folder.folder_of(alone) != study_folder.folder_of(one)
    # A later lab takes the same ports.
    labs = [replace(one, made=f"2026-11-21T20:15:0{second}.000+00:00") for second in (2, 2, 3)]
    assert study_folder.folder_of(labs[0]) == study_folder.folder_of(labs[1])
    assert study_folder.folder_of(labs[2]) != study_folder.folder_of(labs[0]) != study_folder.folder_of(one)


def test_the_fidelity_of_a_study_is_kept_for_when_it_is_resumed(tmp_path):
    found = fidelity({"rows_median": 4.0}, {"rows_median": 5.0}, rate_offered=False)
    assert study_folder.kept_fidelity(tmp_path, None) is None
    assert study_folder.kept_fidelity(tmp_path, found) == found
    assert study_folder.kept_fidelity(tmp_path, None) == found
    (tmp_path / "fidelity.json").write_text("[]", encoding="utf-8")
    assert study_folder.kept_fidelity(tmp_path, None) is None
