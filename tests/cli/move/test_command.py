"""`advisor move` on the command line: what it writes, where, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.runs import Runner

FITS = "[mysqld]\nsync_binlog = 1\n"
OLD = "[mysqld]\nquery_cache_type = 0\nlog_slave_updates = 1\nwsrep_sst_auth = root:hunter2\n"


@pytest.fixture(name="old")
def old_file(tmp_path: Path) -> Path:
    """An option file with which MySQL 8.4 does not start."""
    file = tmp_path / "old.cnf"
    file.write_text(OLD, encoding="utf-8")
    file.chmod(0o640)
    return file


def test_nothing_in_the_way_is_0(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "fits.cnf").write_text(FITS, encoding="utf-8")
    done = run("move", "fits.cnf", "--to", "mysql-8.4", "--server", "mysql-8.0.36")
    assert done.code == 0
    assert "nothing is in the way" in done.out


def test_a_server_that_does_not_start_is_1_and_no_file_changes(run: Runner, old: Path) -> None:
    done = run("move", "old.cnf", "--to", "mysql-8.4", "--server", "mysql-5.7.44")
    assert done.code == 1
    assert old.read_text(encoding="utf-8") == OLD
    assert "+log_replica_updates = 1" in done.out
    assert "hunter2" not in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["old.cnf", "--to", "mysql-12.0"], "nearest that are known: mysql-9.7, mysql-26.10"),
        (["old.cnf", "--to", "mysql-27.1"], "nearest that are known: mysql-26.10"),
        (["old.cnf", "--to", "oracle"], "not a server release"),
        (["none.cnf", "--to", "mysql-8.4"], "none.cnf"),
        (["old.cnf", "my.cnf", "--to", "mysql-8.4"], "--members"),
        (["old.cnf", "--to", "mysql-8.4", "--server", "mysql-5.7", "-o", "a", "--write"], "cannot be combined"),
        (["old.cnf", "--to", "mysql-8.4", "--server", "mysql-5.7", "-o", "old.cnf"], "use --write"),
    ],
)
def test_what_cannot_be_done_is_2_with_one_line(run: Runner, old: Path, words: list[str], says: str) -> None:
    done = run("move", *words)
    assert done.code == 2
    assert says in done.err
    assert done.out == ""


def test_the_rewritten_file_is_written_with_its_secrets_and_permissions(run: Runner, old: Path, tmp_path: Path) -> None:
    done = run("move", "old.cnf", "--to", "mysql-8.4", "--server", "mysql-5.7.44", "-o", "new.cnf")
    new = tmp_path / "new.cnf"
    assert "written: new.cnf" in done.out
    assert "hunter2" in new.read_text(encoding="utf-8")
    assert new.stat().st_mode & 0o777 == 0o640
    assert old.read_text(encoding="utf-8") == OLD
    assert run("check", "new.cnf", "--server", "mysql-8.4.3", "--only", "option-removed").code == 0


def test_in_place_a_backup_is_kept_and_a_second_run_changes_nothing(run: Runner, old: Path, tmp_path: Path) -> None:
    words = ("move", "old.cnf", "--to", "mysql-8.4", "--server", "mysql-5.7.44", "--write")
    assert "undo with: mv" in run(*words).out
    assert (tmp_path / "old.cnf.advisor-backup").read_text(encoding="utf-8") == OLD
    changed = old.read_text(encoding="utf-8")
    assert "log_replica_updates = 1" in changed
    assert "no file has to be changed" in run(*words).out
    assert old.read_text(encoding="utf-8") == changed


def test_json_is_what_the_schema_says(run: Runner, old: Path, checkout: Path) -> None:
    schema = json.loads((checkout / "schemas/move.json").read_text(encoding="utf-8"))
    for target in ("mysql-8.4", "mysql-9.7", "mariadb-11.4.7"):
        done = run("move", "old.cnf", "--to", target, "--server", "mysql-5.7.44", "--format", "json")
        document = json.loads(done.out)
        jsonschema.validate(document, schema)
        assert bool(document["in_the_way"]) is (done.code == 1)
        assert "hunter2" not in done.out


def test_with_json_what_was_written_goes_to_stderr(run: Runner, old: Path) -> None:
    words = ["--server", "mysql-5.7.44", "--format", "json", "-o", "new.cnf"]
    done = run("move", "old.cnf", "--to", "mysql-8.4", *words)
    json.loads(done.out)
    assert "written: new.cnf" in done.err


def test_all_lists_the_defaults_whose_meaning_is_not_known(run: Runner, old: Path) -> None:
    words = ("move", "old.cnf", "--to", "mysql-8.4.13", "--server", "mysql-8.0.46")
    assert "performance_schema_max_rwlock_classes" not in run(*words).out
    assert "performance_schema_max_rwlock_classes: 60 → 100" in run(*words, "--all").out


def test_a_bundle_or_dump_gets_no_rewritten_file(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "variables.txt").write_text("Variable_name\tValue\nversion\t8.0.36\nsync_binlog\t1\n", encoding="utf-8")
    done = run("move", "variables.txt", "--to", "mysql-8.4", "-o", "new.cnf")
    assert done.code == 2
    assert "nothing can be rewritten" in done.err
    assert not (tmp_path / "new.cnf").exists()


def test_help_has_examples_and_exit_codes(run: Runner) -> None:
    done = run("move", "--help")
    assert "advisor move my.cnf --to mysql-9.7 -o my-9.7.cnf" in done.out
    assert "Exit codes: 0 nothing is in the way" in done.out
