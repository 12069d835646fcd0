"""What was recorded comes back from the bundle: values, moments, what was lacking, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from advisor.catalog import parse_release
from advisor.collect.bundle.bundle_files import live_labels, pack, thinned
from advisor.collect.bundle.read_back import read_back
from advisor.collect.bundle.save import archive, check_place, save, save_anywhere
from advisor.collect.bundle.stated_roles import complete
from advisor.errors import UsageError, WriteError
from advisor.evidence import read_path
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from tests.collect.recordings import gathered, recorded, wanted


def files() -> dict[str, bytes]:
    return complete(pack(gathered(), wanted(), redacted=False), wanted())


def test_everything_recorded_is_read_back() -> None:
    found = read_back(files(), "orders.yaml")
    (member,) = found.members
    assert (found.path, found.topology, member.role) == ("orders.yaml", Topology.ASYNC_MYSQL, Role.REPLICA)
    assert member.server == "mysql 9.7.4-2"
    assert [sample.at_seconds for sample in member.samples] == [0.1, 1.1, 2.1, 3.1]
    assert member.samples[-1].values["Questions"] == 1150
    assert [t.at_seconds for t in member.tables if t.table == "replica_status"] == [0.2, 1.2, 2.2, 3.2]
    assert member.tables[-1].rows[0]["count"] == 1
    assert "TRANSACTIONS" in member.innodb_status
    assert member.host["memory_bytes"].value == 8 << 30
    assert member.options is not None
    assert [a.value for a in member.options.arguments if a.name == "sync_binlog"] == ["1"]
    assert found.problems == ("orders-db1: replica_status – needs REPLICATION CLIENT – GRANT … TO 'watch'@'10.9.8.7'",)


def test_evidence_of_a_running_cluster_is_called_by_what_was_asked_not_by_files_nobody_has() -> None:
    (member,) = read_back(files(), "orders.yaml", live_labels([recorded()])).members
    assert member.variables["sync_binlog"].source == "orders-db1: SHOW GLOBAL VARIABLES"
    assert member.host["cpus"].source == "orders-db1: its machine"
    assert member.samples[0].source.startswith("orders-db1: SHOW GLOBAL STATUS")
    assert member.options is not None
    (setting,) = [a for a in member.options.arguments if a.name == "sync_binlog"]
    assert (setting.file, setting.line) == ("/etc/mysql/my.cnf", 7)


def test_the_statement_follows_its_schema(checkout: Path) -> None:
    schema = json.loads((checkout / "schemas/bundle.json").read_text(encoding="utf-8"))
    statement = json.loads(files()["bundle.json"])
    jsonschema.validate(statement, schema)
    assert statement["created"] == "2026-03-04T05:06:07.000Z"
    assert statement["members"][0]["clock_ahead_seconds"] == 0.0021
    assert statement["members"][0]["round_trip_ms"] == 0.8, "twice what the clock is sure to"
    assert statement["interval_seconds"] == 1.0


def test_counters_that_never_change_stand_in_the_first_and_last_sample() -> None:
    found = thinned(recorded().samples)
    assert ["Com_select" in values for _, values in found] == [True, False, False, True]
    assert all({"Uptime", "Questions", "Threads_running"} <= set(values) for _, values in found)


def test_after_a_restart_nothing_is_left_out() -> None:
    samples = [*recorded().samples, (9.0, {"Uptime": "1", "Questions": "3", "Com_select": "0"})]
    assert list(thinned(samples)) == samples


def test_a_member_that_was_not_reached_is_named_and_no_member() -> None:
    from advisor.collect.member.recording import Recording

    lost = Recording("orders-db2", failure="10.1.2.4:3306: Connection refused")
    found = read_back(pack(gathered(recorded(), lost), wanted(), redacted=False), "x")
    assert [member.name for member in found.members] == ["orders-db1"]
    assert "orders-db2: 10.1.2.4:3306: Connection refused" in found.problems


def test_the_evidence_counts_more_than_cluster_yaml() -> None:
    told = replace(wanted(), roles={"orders-db1": Role.SOURCE})
    found = read_back(complete(pack(gathered(), told, redacted=False), told), "x")
    assert found.members[0].role is Role.REPLICA
    assert any("calls it source, but it is replica" in problem for problem in found.problems)


def test_an_archive_and_a_folder_say_the_same_and_are_for_their_owner_only(tmp_path: Path) -> None:
    save(files(), tmp_path / "b.tar.gz")
    save(files(), tmp_path / "b")
    assert read_path(str(tmp_path / "b.tar.gz")).members == read_path(str(tmp_path / "b")).members
    assert (tmp_path / "b.tar.gz").stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "b.tar.gz"], "nothing half-written beside them"
    assert archive(files()) == archive(files())


@pytest.mark.parametrize("name", ["b.zip", "there", "none/b.tar.gz"])
def test_a_place_that_cannot_be_written_is_said_before_anything_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(UsageError):
        check_place(tmp_path / name)


@pytest.mark.parametrize(("origin", "chosen"), [("CONFIG", True), ("AUTO", False), ("", False)])
def test_the_server_itself_says_who_chose_a_value_without_a_default(origin: str, chosen: bool) -> None:
    recording = recorded()
    recording.option_files = {}
    padding = {f"variable_{number}": "1" for number in range(200)}
    recording.variables |= {**padding, "version": "10.11.19-MariaDB", "thread_pool_size": "2"}
    rows = [{"VARIABLE_NAME": "PORT", "GLOBAL_VALUE_ORIGIN": "CONFIG"}]
    rows += [{"VARIABLE_NAME": "THREAD_POOL_SIZE", "GLOBAL_VALUE_ORIGIN": origin}] if origin else []
    recording.once["system_variables"] = rows
    (member,) = read_back(pack(gathered(recording), wanted(), redacted=False), "x").members
    (release,) = parse_release("mariadb-10.11.19")
    fact = MemberFacts(member, release, None, None).fact("configured.thread_pool_size")
    assert isinstance(fact, Fact)
    assert fact.value is chosen


def test_a_bundle_whose_disk_is_full_is_kept_among_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    full = tmp_path / "full" / "b.tar.gz"

    def write(path: Path) -> None:
        if path == full:
            raise WriteError("cannot be written: No space left on device", file=str(path))
        save(files(), path)

    place = save_anywhere(write, full)
    assert (place.name, place == full) == ("b.tar.gz", False)
    assert read_path(str(place)).topology is Topology.ASYNC_MYSQL


@pytest.mark.parametrize("name", ["b.tar.gz", "b"])
def test_a_bundle_is_for_its_owner_only_and_leaves_nothing_else(tmp_path: Path, name: str) -> None:
    save(files(), tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).stat().st_mode & 0o077 == 0
    with pytest.raises(WriteError):
        save(files(), tmp_path / "none" / name)
