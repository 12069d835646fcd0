"""`advisor check` on a fleet, as users call it."""

from __future__ import annotations

import json

import pytest


@pytest.fixture(name="files")
def folder_of_option_files(tmp_path, monkeypatch):
    """Two folders with option files, one of which does not start."""
    tmp_path /= "fleet"
    tmp_path.mkdir()
    for name in ("one/a.cnf", "one/b.cnf", "two/c.cnf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("[mysqld]\nsync_binlog=0\nlog_bin=b\nserver_id=3\n", encoding="utf-8")
        (tmp_path / name).chmod(0o644)
    (tmp_path / "two/c.cnf").write_text("[mysqld]\nnonsense=1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_is_one_report(run, files):
    done = run("check", ".", "--fleet", "--server", "mysql-8.4.8")
    assert done.code == 1
    assert done.out.startswith("3 servers in 2 clusters\n")
    assert "CRITICAL option-unknown" in done.out
    assert "2 servers: one/a.cnf, one/b.cnf" in done.out


def test_the_order_does_not_depend_on_the_number_of_processes(run, files):
    outputs = {run("check", ".", "--fleet", "--jobs", jobs, "--format", "json").out for jobs in ("1", "2", "3")}
    assert len(outputs) == 1


def test_json_html_and_since(run, files):
    assert run("check", ".", "--fleet", "--format", "json", "-o", "then.json").out == ""
    assert json.loads((files / "then.json").read_text(encoding="utf-8"))["schema"] == "advisor/fleet/1"
    (files / "two/c.cnf").write_text("[mysqld]\n", encoding="utf-8")
    assert "gone two/c.cnf: option-unknown (nonsense)" in run("check", ".", "--since", "then.json").out
    assert run("check", ".", "--format", "html").out.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--fleet", "--fix"], "--fix cannot be used for a fleet"),
        (["--fleet", "--dsn", "mysql://a"], "--dsn cannot be used"),
        (["--fleet", "--format", "sarif"], "is not available for a fleet"),
        (["--inventory", "none.yaml"], "cannot be read"),
        (["--fleet", "--timeout", "0"], "must be above 0"),
    ],
)
def test_what_does_not_fit_is_refused(run, files, words, says):
    done = run("check", ".", *words)
    assert done.code == 2
    assert says in done.err
