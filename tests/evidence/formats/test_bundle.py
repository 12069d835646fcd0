"""Bundles: folders and archives, whole, partial and hostile."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.model.evidence import Cluster
from advisor.model.server import Role, Topology

BUNDLE = Path(__file__).parents[1] / "samples" / "bundle"


def packed(path: Path, source: Path = BUNDLE, top: str = "") -> str:
    with tarfile.open(path, "w:gz") as archive:
        archive.add(source, arcname=top or ".")
    return str(path)


def entries(path: Path, files: dict[str, bytes], mode: str = "w:gz") -> str:
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return str(path)


def about(cluster: Cluster, part: str) -> list[str]:
    return [problem for problem in cluster.problems if part in problem]


def test_a_bundle_gives_members_topology_and_roles() -> None:
    cluster = read_path(str(BUNDLE))
    assert cluster.topology is Topology.ASYNC_MYSQL
    assert [(m.name, m.role, m.role_source) for m in cluster.members] == [
        ("db1", Role.SOURCE, "bundle.json"),
        ("db2", Role.REPLICA, "SHOW REPLICA STATUS (members/db2/replication.json)"),
    ]
    assert cluster.problems == ()


def test_an_archive_says_the_same_as_the_folder(tmp_path: Path) -> None:
    for top in ("", "cluster-of-march"):
        found = read_path(packed(tmp_path / f"b{top}.tar.gz", top=top))
        assert found.members == read_path(str(BUNDLE)).members


def test_clocks_that_disagree_are_said_with_what_was_measured(tmp_path: Path) -> None:
    members = [{"name": "m1", "clock_ahead_seconds": -5.04}, {"name": "m2", "clock_ahead_seconds": 0.02}]
    statement = {"format": 1, "members": members}
    cluster = read_path(entries(tmp_path / "b.tar.gz", {"bundle.json": json.dumps(statement).encode()}))
    assert about(cluster, "m1: its clock is 5.0 s behind that of the collector")
    assert not about(cluster, "m2: its clock")


def test_included_files_are_read_in_their_place_from_the_bundle() -> None:
    options = read_path(str(BUNDLE)).members[0].options
    assert options
    assert [(a.text, a.file, a.line) for a in options.arguments if a.group == "mysqld"] == [
        ("--server-id=11", "members/db1/my.cnf", 5),
        ("--sync_binlog=1", "members/db1/my.cnf", 6),
        ("--sync_binlog=100", "members/db1/conf.d/tuning.cnf", 2),
        ("--binlog_format=ROW", "members/db1/conf.d/tuning.cnf", 3),
        ("--wsrep_sst_auth=********", "members/db1/my.cnf", 8),
    ]


def test_an_include_that_is_not_in_the_bundle_is_said_and_never_read_from_this_machine() -> None:
    options = read_path(str(BUNDLE)).members[1].options
    assert options
    assert [problem.line for problem in options.problems] == [3]
    assert "not part of the evidence" in options.problems[0].message


def test_json_of_a_member_keeps_null_empty_and_booleans_apart() -> None:
    member = read_path(str(BUNDLE)).members[1]
    assert {name: member.variables[name].value for name in ("read_only", "relay_log", "gtid_purged")} == {
        "read_only": "ON",
        "relay_log": "",
        "gtid_purged": None,
    }
    assert [(s.at_seconds, s.values["Com_commit"]) for s in member.samples] == [(0.0, 10), (10.0, 510)]
    assert member.processlist[0]["count"] == 7
    assert "History list length 12" in member.innodb_status


def test_what_people_know_is_typed_and_a_member_s_own_word_counts_more() -> None:
    one, two = read_path(str(BUNDLE)).members
    assert one.observed["latency_ms.p99"].value == 12
    assert one.observed["throughput_per_second"].source == "observations.yaml:1"
    assert one.observed["tried"].value[1] == {"what": ("log_bin", "gtid_mode"), "from": ("ON", "OFF")}  # type: ignore[index]
    assert (one.observed["cpus"].value, two.observed["cpus"].value) == (32, 4)
    assert (one.host["cpus"].value, two.host["cpus"].value) == (8, 4)
    assert one.host["memory_bytes"].value == 137438953472
    assert two.observed["lag_seconds"].unit == "seconds"


def test_a_bundle_without_its_description_is_still_read(tmp_path: Path) -> None:
    cluster = read_path(entries(tmp_path / "b.tgz", {"members/a/my.cnf": b"[mysqld]\nport=1\n"}))
    assert [member.name for member in cluster.members] == ["a"]
    assert about(cluster, "bundle.json is missing")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ("[1]", "not an object"),
        ('{"format": 9}', "format 9"),
        ('{"topology": "ring"}', "unknown topology"),
        ('{"topology": {"a": 1}}', "unknown topology"),
        ('{"members": [{"name": "a", "role": ["source"]}]}', "unknown role"),
        ('{"members": [{"name": "a", "role": "king"}]}', "unknown role"),
        ('{"members": [{"name": "a"}, {"name": "a"}]}', "named twice"),
        ('{"members": [{"name": "../a"}]}', "not a valid member name"),
        ('{"members": {"a": 1}}', "not a list"),
        ('{"members": []}', "no members"),
        ('{"members": [{"name": "a", "server": 8}]}', "not text"),
        ('{"members": [{"name": "a"}], "interval_seconds": -1}', "not a positive number"),
    ],
)
def test_an_unusable_description_is_refused_with_its_fault(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "bundle.json").write_text(text)
    with pytest.raises(InputError, match=says):
        read_path(str(tmp_path))


def test_one_bad_file_of_a_member_does_not_stop_the_rest(tmp_path: Path) -> None:
    files = {
        "bundle.json": b'{"members": [{"name": "a"}]}',
        "members/a/my.cnf": b"[mysqld]\nport=1\n",
        "members/a/status.json": b'[{"at_seconds": "soon", "values": {}}]',
        "members/a/variables.json": b"{\n  oops",
        "members/a/core": b"\x00\x01",
        "members/a/notes.txt": b"call Bob",
        "members/ghost/my.cnf": b"[mysqld]\n",
        "observations.yaml": b"members:\n  nobody:\n    cpus: 1\n",
    }
    cluster = read_path(entries(tmp_path / "b.tar", files, "w"))
    assert cluster.members[0].options
    for part in ("status.json", "variables.json:2", "core", "notes.txt", "members/ghost", "nobody"):
        assert about(cluster, part), part


@pytest.mark.parametrize(
    ("text", "line"), [("cpus: many\n", 1), ("clients: 4\nmemory_bytes: 16G\n", 2), ("latency_ms:\n  p99: slow\n", 1)]
)
def test_an_observation_that_should_be_a_number_is_one(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "bundle.json").write_text('{"members": [{"name": "a"}]}')
    (tmp_path / "observations.yaml").write_text(text)
    with pytest.raises(InputError, match="not a number") as refused:
        read_path(str(tmp_path))
    assert (refused.value.file, refused.value.line) == (f"{tmp_path}/observations.yaml", line)


@pytest.mark.parametrize("text", ["{}", "[]", '[{"at_seconds": 0, "values": {}}]'])
def test_nothing_recorded_about_replication_makes_no_replica(tmp_path: Path, text: str) -> None:
    files = {"bundle.json": b'{"members": [{"name": "a"}]}', "members/a/replication.json": text.encode()}
    member = read_path(entries(tmp_path / "b.tgz", files)).members[0]
    assert (member.tables, member.role) == ((), None)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_numbers_no_server_has_are_refused(tmp_path: Path, number: str) -> None:
    path = tmp_path / "status.json"
    path.write_text(f'[{{"at_seconds": 0, "values": {{"Questions": {number}}}}}]')
    with pytest.raises(InputError, match="not a number that a server can report"):
        read_path(str(path))


def test_counters_without_a_clock_are_as_far_apart_as_the_bundle_says(tmp_path: Path) -> None:
    files = {
        "bundle.json": b'{"members": [{"name": "a"}], "interval_seconds": 30}',
        "members/a/status-1.txt": b"Variable_name\tValue\nCom_commit\t1\n",
        "members/a/status-2.txt": b"Variable_name\tValue\nCom_commit\t61\n",
    }
    cluster = read_path(entries(tmp_path / "b.tgz", files))
    assert [sample.at_seconds for sample in cluster.members[0].samples] == [0, 30]


def test_members_of_a_group_keep_their_tables_apart(tmp_path: Path) -> None:
    replication = [{"at_seconds": 0, "values": {"COUNT_TRANSACTIONS_IN_QUEUE": 7}}]
    files = {
        "bundle.json": b'{"members": [{"name": "a"}]}',
        "members/a/replication.json": json.dumps(replication).encode(),
    }
    (table,) = read_path(entries(tmp_path / "b.tgz", files)).members[0].tables
    assert table.table == "replication_group_member_stats"


def test_names_that_lead_out_links_and_devices_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "b.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("members/a/my.cnf", "/etc/evil.cnf", "members/../../evil.cnf", "members/a/my.cnf"):
            entry = tarfile.TarInfo(name)
            entry.size = 16
            archive.addfile(entry, io.BytesIO(b"[mysqld]\nport=1\n"))
        for name, kind in (("members/a/link.cnf", tarfile.SYMTYPE), ("members/a/hard.cnf", tarfile.LNKTYPE),
                           ("members/a/dev", tarfile.CHRTYPE), ("members/a/pipe", tarfile.FIFOTYPE)):  # fmt: skip
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
    cluster = read_path(str(path))
    assert len(about(cluster, "path leads outside the bundle")) == 2
    assert len(about(cluster, "a link or a device")) == 4
    assert len(about(cluster, "twice")) == 1


def test_a_folder_bundle_does_not_follow_links_out_of_itself(tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere.cnf"
    secret.write_text("[mysqld]\nport=1\n")
    member = tmp_path / "b" / "members" / "a"
    member.mkdir(parents=True)
    (member / "my.cnf").symlink_to(secret)
    (member / "loop").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "bundle.json").write_text('{"members": [{"name": "a"}]}')
    cluster = read_path(str(tmp_path / "b"))
    assert cluster.members[0].options is None
    assert about(cluster, "a link that leads outside")


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    bomb = entries(tmp_path / "bomb.tgz", {"members/a/variables.txt": b"\0" * (48 << 20)})
    with pytest.raises(InputError, match="unpacks to more than"):
        read_path(bomb)


def test_a_bomb_hidden_in_a_long_header_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tgz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        entry = tarfile.TarInfo("members/a/my.cnf")
        entry.pax_headers = {"comment": "a" * (48 << 20)}
        archive.addfile(entry, io.BytesIO(b""))
    with pytest.raises(InputError, match="unpacks to more than"):
        read_path(str(path))


def test_too_many_entries_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.tar"
    with tarfile.open(path, "w") as archive:
        for number in range(10_001):
            archive.addfile(tarfile.TarInfo(f"members/a/{number}"))
    with pytest.raises(InputError, match="more than 10000 entries"):
        read_path(str(path))


def test_an_archive_that_breaks_off_is_used_as_far_as_it_goes(tmp_path: Path) -> None:
    files = {"members/a/my.cnf": b"[mysqld]\nport=1\n", "members/b/x.txt": b"x" * 9000}
    whole = Path(entries(tmp_path / "b.tar", files, "w"))
    whole.write_bytes(whole.read_bytes()[:3000])
    cluster = read_path(str(whole))
    assert about(cluster, "ends early")
    assert cluster.members[0].name == "a"


def test_what_only_looks_like_an_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tgz"
    path.write_bytes(b"\x1f\x8b\x08garbage")
    with pytest.raises(InputError, match="not a readable archive"):
        read_path(str(path))
