"""The disks that are watched, and what is done when one has no room."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology
from advisor.tune.trial.guards import (
    FULL_BYTES,
    LEAST_FREE_BYTES,
    START_FREE_BYTES,
    DiskGuard,
    ErrorGuard,
    Tripped,
    Unsafe,
    local_folders,
)
from tests.tune.starting_points import second


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home/advisor"


def cluster(*members: ClusterMember) -> ClusterFile:
    return ClusterFile("cluster.yaml", "c", Topology.ASYNC_MARIADB, "mariadb-10.11.14", "root", "", members)


def test_watched_are_a_labs_members_their_data_and_our_own_journal(home: Path, tmp_path: Path):
    (tmp_path / "m1/data").mkdir(parents=True)
    lab = ClusterMember("m1", Role.SOURCE, "127.0.0.1", 1, option_file=str(tmp_path / "m1/my.cnf"), start=("mariadbd",))
    gone = ClusterMember("m2", Role.REPLICA, "127.0.0.1", 2, option_file=str(tmp_path / "m2/my.cnf"), start=("x",))
    elsewhere = ClusterMember("m3", Role.REPLICA, "db3", 3306, option_file="/etc/my.cnf")
    found = local_folders(cluster(lab, gone, elsewhere))
    assert found == sorted([str(tmp_path / "m1"), str(tmp_path / "m1/data"), str(home)])


def test_too_little_room_is_told_with_the_place_and_what_to_do(tmp_path: Path):
    free = shutil.disk_usage(tmp_path).free
    DiskGuard([str(tmp_path)], free // 2).before()
    with pytest.raises(Unsafe, match=f"{tmp_path} has .* MiB free") as caught:
        DiskGuard([str(tmp_path)], free * 2).before()
    assert "advisor tune rollback" in caught.value.hint
    assert FULL_BYTES < START_FREE_BYTES < LEAST_FREE_BYTES


def test_too_many_failed_transactions_end_a_trial_and_one_bad_second_does_not():
    guard = ErrorGuard()
    guard.before()
    for at in range(9):
        guard.check_second(second(at, 10, 10, errors=90))
    with pytest.raises(Tripped, match="90% of the transactions failed"):
        guard.check_second(second(9, 10, 10, errors=90))
    guard.before()
    guard.check_second(second(0, 10, 10, errors=90))
    for at in range(1, 20):
        guard.check_second(second(at, 100, 100))
