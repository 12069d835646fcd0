"""Without a path: the files that a server started without --defaults-file would read, in its order."""

import json
import subprocess
import sys

import pytest


def advisor(*words):
    command = [sys.executable, "-m", "advisor", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def server(tmp_path):
    (tmp_path / "etc/mysql/conf.d").mkdir(parents=True)
    (tmp_path / "etc/my.cnf").write_text("[mysqld]\nsync_binlog = 0\n")
    (tmp_path / "etc/mysql/my.cnf").write_text("!includedir /etc/mysql/conf.d\n[mysqld]\nlog_bin\nserver_id = 3\n")
    (tmp_path / "etc/mysql/conf.d/a.cnf").write_text("[mysqld]\nsync_binlog = 100\n")
    return tmp_path


def test_options_come_in_the_order_of_the_files(server):
    done = advisor("options", "--root", str(server), "--server", "mysql-8.0.36", "--format", "json")
    options = json.loads(done.stdout)["reports"][0]["options"]
    assert [option["argument"] for option in options] == [
        "--sync_binlog=0",
        "--sync_binlog=100",
        "--log_bin",
        "--server_id=3",
    ]
    assert options[0]["shadowed_by"].endswith("a.cnf:2")


def test_check_judges_what_they_come_to_together(server):
    done = advisor("check", "--root", str(server), "--server", "mysql-8.0.36")
    assert done.returncode == 1
    assert "sync_binlog = 100" in done.stdout


@pytest.mark.parametrize("command", ["check", "options"])
def test_a_place_without_option_files_is_an_error_with_a_hint(command, tmp_path):
    done = advisor(command, "--root", str(tmp_path))
    assert done.returncode == 2
    assert "no option file in the default places" in done.stderr
    assert "hint" in done.stderr


def test_members_and_pieces_want_paths():
    assert advisor("check", "--members").returncode == 2
