"""Real dumps of real servers, and recorded clusters."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from advisor.evidence import read_path
from advisor.evidence.formats.dumps import read_dump
from advisor.model.server import Role, Topology

VARIABLES = {  # corpus number → how many variables the dump holds
    "071": 240, "072": 319, "073": 348, "074": 408, "075": 364, "076": 686, "077": 632, "078": 764, "079": 626,
    "080": 693, "081": 738, "082": 634, "083": 619,
}  # fmt: skip
COUNTERS = {"084": (1, 370), "085": (1, 304), "086": (1, 410), "087": (4, 252)}


def corpus_file(shared: Path, number: str) -> Path:
    return next((shared / "corpus").glob(f"{number}-*.txt"))


@pytest.mark.parametrize("number", VARIABLES)
def test_every_variable_of_a_dump_is_read(shared: Path, number: str) -> None:
    path = corpus_file(shared, number)
    cluster = read_path(str(path))
    member = cluster.members[0]
    assert cluster.problems == ()
    assert len(member.variables) == VARIABLES[number]
    index = json.loads((shared / "corpus" / "index.json").read_text())
    stated = next(entry for entry in index["files"] if entry["file"] == path.name)["features"].get("version")
    if stated:
        assert member.variables["version"].value == stated
    lines = path.read_text(errors="surrogateescape").splitlines()
    for name, fact in member.variables.items():
        line = int(fact.source.rpartition(":")[2])
        assert any(name in text.lower() for text in lines[line - 1 : line + 1]), fact


@pytest.mark.parametrize("number", COUNTERS)
def test_every_counter_of_a_dump_is_read(shared: Path, number: str) -> None:
    samples = read_path(str(corpus_file(shared, number))).members[0].samples
    assert (len(samples), len(samples[0].values)) == COUNTERS[number]


def test_the_differences_of_a_real_run_of_mysqladmin_are_added_up(shared: Path) -> None:
    samples = read_path(str(corpus_file(shared, "087"))).members[0].samples
    assert [sample.at_seconds for sample in samples] == [0, 3, 7, 10]
    assert [sample.values["Questions"] for sample in samples] == [71191, 71192, 71193, 71194]


def test_known_values(shared: Path) -> None:
    def value(number: str, name: str) -> object:
        return read_path(str(corpus_file(shared, number))).members[0].variables[name].value

    assert value("083", "wsrep_retry_autocommit") == "3"
    assert value("083", "version_comment") == (
        "Percona XtraDB Cluster binary (GPL) 5.7.25-31.35, Revision a2ef85f, wsrep_31.35"
    )
    assert value("076", "version") == "11.8.5-MariaDB-log"
    assert value("074", "auto_increment_increment") == "3"
    assert value("082", "aria_max_sort_file_size") == "9223372036853727232"
    assert value("090", "back_log") == "50"


def test_families_and_topologies_of_the_dumps(shared: Path) -> None:
    def seen(number: str) -> tuple[str, Topology | None, Role | None]:
        cluster = read_path(str(corpus_file(shared, number)))
        return cluster.members[0].server.split()[0], cluster.topology, cluster.members[0].role

    assert seen("072") == ("mysql", Topology.SEMISYNC, Role.SOURCE)
    assert seen("074") == ("pxc", Topology.GALERA, Role.NODE)
    assert seen("076") == ("mariadb", None, None)
    assert seen("078") == ("percona", Topology.GROUP_REPLICATION, None)
    assert seen("082") == ("mariadb", Topology.GALERA, Role.NODE)
    assert seen("089") == ("mysql", Topology.STANDALONE, Role.STANDALONE)


def test_a_report_agrees_with_the_dump_of_the_same_server(shared: Path) -> None:
    report = read_path(str(corpus_file(shared, "088"))).members[0].variables
    dump = read_path(str(corpus_file(shared, "074"))).members[0].variables
    exact = {name: fact for name, fact in report.items() if "rounded" not in fact.source}
    both = exact.keys() & dump.keys()
    different = {name: (exact[name].value, dump[name].value) for name in both if exact[name].value != dump[name].value}
    assert len(exact) > 25
    assert different.keys() <= {"version_comment"}


def test_a_dump_cut_anywhere_never_gives_another_value(shared: Path) -> None:
    dice = random.Random(7)
    for number in ("071", "074", "079", "084", "087"):
        text = corpus_file(shared, number).read_text(errors="surrogateescape")
        whole = read_dump(text, "x")
        for _ in range(8):
            part = read_dump(text[: dice.randrange(len(text))], "x")
            assert part.variables.items() <= whole.variables.items()
            for moment, full in zip(part.moments, whole.moments, strict=False):
                assert moment.values.items() <= full.values.items()


def test_every_bundle_is_read_without_a_problem(shared: Path) -> None:
    folders = [path for path in sorted((shared / "cases" / "bundles").iterdir()) if path.is_dir()]
    for folder in folders:
        stated = json.loads((folder / "bundle.json").read_text())
        cluster = read_path(str(folder))
        assert cluster.problems == ()
        assert cluster.topology == stated["topology"]
        assert [(m.name, m.role, m.server) for m in cluster.members] == [
            (m["name"], None if m["role"] == "member" else m["role"], m["server"]) for m in stated["members"]
        ]
        assert all(member.observed for member in cluster.members)


def test_roles_of_recorded_clusters_are_recognised(shared: Path) -> None:
    def seen(case: str) -> tuple[Topology | None, dict[str, Role | None]]:
        cluster = read_path(str(shared / "cases" / "recorded" / case))
        return cluster.topology, {member.name: member.role for member in cluster.members}

    assert seen("0_gr_healthy") == (
        Topology.GROUP_REPLICATION,
        {"g1": Role.PRIMARY, "g2": Role.SECONDARY, "g3": Role.SECONDARY},
    )
    assert seen("5_semisync_slow_replica") == (Topology.SEMISYNC, {"rep": Role.REPLICA, "src": Role.SOURCE})
    assert seen("6c_galera_control") == (Topology.GALERA, dict.fromkeys(("w1", "w2", "w3"), Role.NODE))
    assert seen("7_mariadb_replica_threads0") == (Topology.ASYNC_MARIADB, {"mp": Role.SOURCE, "mr": Role.REPLICA})
    assert seen("4_standalone_durable_1thread") == (Topology.STANDALONE, {"s1": Role.STANDALONE})
