"""`-o FILE` holds the whole report or what it held before, and never the file that is checked."""

from __future__ import annotations

import json
import os

import pytest

TEXT = "[mysqld]\nserver_id = 1\nlog_bin = binlog\nsync_binlog = 0\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "my.cnf").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_the_report_goes_into_the_file_and_nowhere_else(run, folder):
    words = ("--server", "mysql-8.4.8", "--role", "source", "--format", "json", "-o", "f")
    done = run("check", "my.cnf", *words)
    assert (done.code, done.out) == (1, "")
    assert json.loads((folder / "f").read_text(encoding="utf-8"))["reports"][0]["target"] == "my.cnf"
    assert sorted(os.listdir(folder)) == ["f", "my.cnf", "ours"]


def test_a_text_report_in_a_file_has_no_colour_of_the_terminal(run, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    run("check", "my.cnf", "-o", "f")
    text = (folder / "f").read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) > 60


@pytest.mark.parametrize("name", ["my.cnf", "./my.cnf", "link.cnf"])
def test_the_file_that_is_checked_is_never_replaced(run, folder, name):
    os.symlink("my.cnf", folder / "link.cnf")
    done = run("check", "my.cnf", "-o", name)
    assert done.code == 2
    assert "would overwrite a file that is being checked" in done.err
    assert (folder / "my.cnf").read_text(encoding="utf-8") == TEXT


def test_a_file_that_cannot_be_written_is_wrong_usage(run, folder):
    done = run("check", "my.cnf", "-o", "nowhere/f")
    assert done.code == 2
    assert "nowhere/f: cannot be written" in done.err
    assert run("check", "my.cnf", "-o", ".").code == 2


def test_a_link_stays_a_link_and_a_device_a_device(run, folder):
    (folder / "old").write_text("before", encoding="utf-8")
    os.symlink("old", folder / "report")
    run("check", "my.cnf", "-o", "report")
    assert (folder / "report").is_symlink()
    assert "my.cnf" in (folder / "old").read_text(encoding="utf-8")
    assert run("check", "my.cnf", "-o", "/dev/null").code in (0, 1)


def test_standard_input_is_read_as_a_dash(run, folder, monkeypatch):
    read, write = os.pipe()
    os.write(write, TEXT.encode())
    os.close(write)
    monkeypatch.setattr("advisor.cli.check.run._STDIN", f"/dev/fd/{read}")
    done = run("check", "-", "--server", "mysql-8.4.8", "--role", "source", "-q")
    os.close(read)
    assert done.code == 1
    assert "binlog-not-synced" in done.out


def test_standard_input_is_not_fixed(run, folder, monkeypatch):
    read, write = os.pipe()
    os.write(write, TEXT.encode())
    os.close(write)
    monkeypatch.setattr("advisor.cli.check.run._STDIN", f"/dev/fd/{read}")
    done = run("check", "-", "--server", "mysql-8.4.8", "--fix")
    os.close(read)
    assert done.code == 2
    assert "cannot change standard input" in done.err


def test_what_cannot_be_written_back_is_not_fixed_and_says_so_in_one_line(run, folder):
    texts = {
        "ps.txt": "mysql 12 1 0 10:00 ? 00:00:00 /usr/sbin/mysqld --innodb-flush-log-at-trx-commit=0\n",
        "main.tf": 'resource "aws_db_parameter_group" "a" {\n  family = "mysql8.0"\n  parameter {\n'
        '    name = "innodb_flush_log_at_trx_commit"\n    value = "0"\n  }\n}\n',
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        done = run("check", name, "--fix", "-q", "--server", "mysql-8.4.8")
        assert done.code == 2
        assert "redo-not-written-at-commit" in done.out
        assert "by hand" in done.err
        assert (folder / name).read_text(encoding="utf-8") == text
    assert not list(folder.glob("*backup*"))


def test_a_place_of_options_is_fixed_with_its_layout_and_once(run, folder):
    texts = {
        "compose.yaml": (
            "services:\n  db:\n    image: mysql:8.4.8 # ours\n    command: --innodb-flush-log-at-trx-commit=0\n"
        ),
        "map.yaml": (
            "kind: ConfigMap\ndata:\n  a.cnf: |\n    [mysqld]\n    innodb-flush-log-at-trx-commit=0 # x\n  b: c\n"
        ),
        "mysqld.service": "[Service]\nExecStart=/usr/sbin/mysqld --innodb-flush-log-at-trx-commit=0\nNice=1\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        wanted = text.replace("commit=0", "commit=1")
        done = run("check", name, "--fix", "-q", "--server", "mysql-8.4.8")
        assert (folder / name).read_text(encoding="utf-8") == wanted, done.err
        run("check", name, "--fix", "-q", "--server", "mysql-8.4.8")
        assert (folder / name).read_text(encoding="utf-8") == wanted
    assert len(list(folder.glob("*backup"))) == len(texts)


def test_each_server_of_a_file_gets_a_report(run, folder):
    text = "services:\n  a:\n    image: mysql:8.4.8\n  b:\n    image: mariadb:10.11.9\n"
    (folder / "compose.yaml").write_text(text, encoding="utf-8")
    reports = json.loads(run("check", "compose.yaml", "--format", "json").out)["reports"]
    assert [(one["target"], one["releases"]) for one in reports] == [
        ("compose.yaml#a", ["mysql 8.4.8"]),
        ("compose.yaml#b", ["mariadb 10.11.9"]),
    ]


def test_the_options_of_a_service_are_those_of_its_image(run, folder):
    text = "services:\n  a:\n    image: mariadb:10.11.9\n    command: --relay-log=r\n"
    (folder / "compose.yaml").write_text(text, encoding="utf-8")
    (told,) = json.loads(run("options", "compose.yaml", "--format", "json").out)["reports"]
    assert told["release"] == "mariadb 10.11.9"
    assert [(option["argument"], option["line"]) for option in told["options"]] == [("--relay-log=r", 4)]


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_reports_for_other_programs_name_the_file_that_is_there(run, folder, form):
    text = "services:\n  a:\n    image: mysql:8.0.36\n  b:\n    image: mysql:8.0.36\n"
    (folder / "compose.yaml").write_text(text, encoding="utf-8")
    out = run("check", "compose.yaml", "--format", form, "--only", "series-not-maintained").out
    assert "compose.yaml" in out
    assert "%23a" not in out
    assert "file=compose.yaml#" not in out
