"""`advisor compare`: sides, releases, exit codes and what is written."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import jsonschema
import pytest

from tests.cli.runs import Runner

MYSQL = "[mysqld]\nlog_bin = binlog\ninnodb_redo_log_capacity = 4G\ngtid_mode = OFF\n"
MARIADB = "[mysqld]\nlog_bin = binlog\ninnodb_log_file_size = 2G\ninnodb_log_files_in_group = 2\n"
MARIADB += "sync_binlog = 1\nbinlog_format = ROW\n"
BOTH = ("--server", "mysql-8.4.8", "--server", "mariadb-10.11.9")


@pytest.fixture(autouse=True)
def _two_option_files(_own_folder: None) -> None:
    Path("mysql.cnf").write_text(MYSQL, encoding="utf-8")
    Path("mariadb.cnf").write_text(MARIADB, encoding="utf-8")


def test_the_answer_names_the_difference_and_the_option_that_is_ignored(run: Runner) -> None:
    done = run("compare", "mysql.cnf", "mariadb.cnf", *BOTH)
    assert done.code == 1
    answer, rest = done.out.split("\n\n", 1)
    assert " ".join(answer.split()) == (
        "Not comparable: redo 4 GiB against 2 GiB (MariaDB accepts 'innodb_log_files_in_group' and ignores it)."
    )
    assert "A  mysql.cnf: mysql 8.4.8\nB  mariadb.cnf: mariadb 10.11.9\n" in rest
    assert "innodb_log_file_size = 2 GiB (mariadb.cnf:3)" in rest


def test_no_line_is_wider_than_the_page(run: Runner) -> None:
    done = run("compare", "a-long-name-of-a-side=mysql.cnf", "another-long-name-of-a-side=mariadb.cnf", *BOTH, "--all")
    assert [line for line in done.out.splitlines() if len(line) > 80] == []


def test_equal_files_are_comparable_as_far_as_is_known(run: Runner) -> None:
    done = run("compare", "mysql.cnf", "mysql.cnf", "--server", "mysql-8.4.8")
    assert done.code == 0
    assert done.out.startswith("Comparable as far as is known; unknown: ")
    assert "neither side shows: clients, " in done.out
    assert run("compare", "mysql.cnf", "mysql.cnf", "--server", "mysql-8.4.8", "--strict").code == 1


def test_files_with_the_same_name_are_one_side(run: Runner) -> None:
    Path("observations.yaml").write_text("clients: 64\n", encoding="utf-8")
    Path("variables.txt").write_text("Variable_name\tValue\nversion\t8.4.8\nserver_id\t7\n", encoding="utf-8")
    done = run("compare", "old=mysql.cnf", "old=observations.yaml", "old=variables.txt", "new=mysql.cnf")
    assert "old  mysql.cnf observations.yaml variables.txt: mysql 8.4.8\n" in done.out
    assert "clients (old: 64)" in " ".join(done.out.split())


def test_a_file_whose_name_looks_like_a_named_side_is_a_file(run: Runner) -> None:
    Path("run=1.cnf").write_text(MYSQL, encoding="utf-8")
    assert "A  run=1.cnf: " in run("compare", "run=1.cnf", "mysql.cnf", "--server", "mysql-8.4.8").out


def test_without_server_every_possible_release_counts(run: Runner) -> None:
    done = run("compare", "mysql.cnf", "mariadb.cnf")
    text = " ".join(done.out.split())
    assert done.code == 0
    assert "redo (A: 4 GiB, B: 4 GiB or 2 GiB, by release)" in text
    assert "use --server to settle what depends on the release: " in text


def test_an_empty_server_leaves_its_side_to_be_inferred(run: Runner) -> None:
    done = run("compare", "mysql.cnf", "mariadb.cnf", "--server", "", "--server", "mariadb-10.11.9")
    assert done.code == 1
    assert "inferred: every option is accepted by mysql 8.0, 8.4, 9.7" in done.out


def test_three_sides_are_compared_with_the_first_and_grouped(run: Runner) -> None:
    done = run("compare", "a=mysql.cnf", "b=mariadb.cnf", "c=mysql.cnf", *BOTH, "--server", "mysql-8.0.36")
    assert done.out.startswith("b is not comparable with a: redo 4 GiB against 2 GiB")
    assert "comparable with each other: a, c | b\n" in done.out


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_every_format_says_what_was_measured_and_what_is_wrong_with_a_side(run: Runner, form: str) -> None:
    Path("observations.yaml").write_text("throughput_per_second: 4321\n", encoding="utf-8")
    Path("broken.cnf").write_text("[mysqld]\nno_such_option = 1\n", encoding="utf-8")
    words = ("a=mysql.cnf", "a=observations.yaml", "b=broken.cnf", "--server", "mysql-8.4.8")
    out = run("compare", *words, "--format", form).out
    assert "4321" in out
    assert ('"starts": false' if form == "json" else "the server does not start with these options") in out


def test_variables_that_do_not_matter_are_listed_on_request(run: Runner) -> None:
    Path("other.cnf").write_text(MYSQL + "port = 3307\nsort_buffer_size = 1M\n", encoding="utf-8")
    words = ("compare", "mysql.cnf", "other.cnf", "--server", "mysql-8.4.8")
    assert "port" not in run(*words).out
    done = run(*words, "--all")
    assert "  port: A 3306, B 3307 (the server's identity, and where it listens)\n" in done.out
    assert "Not judged\n  sort_buffer_size: A 256 KiB, B 1 MiB\n" in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("mysql.cnf",), "a comparison needs at least two sides"),
        (("mysql.cnf", "gone.cnf"), "gone.cnf"),
        (("mysql.cnf", "mariadb.cnf", *BOTH, "--server", "mysql-8.0"), "--server is given 3 times for 2 sides"),
        (("mysql.cnf", "mariadb.cnf", "--server", "oracle-23"), "not a server release"),
        (("a=mysql.cnf", "a=mariadb.cnf", "b=mysql.cnf"), "two option files for one server"),
    ],
)
def test_what_cannot_be_read_is_wrong_usage(run: Runner, words: tuple[str, ...], says: str) -> None:
    done = run("compare", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_a_server_that_cannot_be_read_ends_with_code_4(run: Runner) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    done = run("compare", "mysql.cnf", f"new=mysql://nobody@127.0.0.1:{port}", "--server", "mysql-8.4.8")
    assert (done.code, done.out) == (4, "")
    assert "check that the server is up and listens" in done.err


def test_a_running_server_is_a_side_of_its_own(run: Runner) -> None:
    done = run("compare", "a=mysql://nobody@127.0.0.1", "a=mysql.cnf", "mariadb.cnf")
    assert done.code == 2
    assert "a: a running server cannot be combined with files" in done.err


def test_the_json_report_keeps_to_its_schema(run: Runner, checkout: Path) -> None:
    schema = json.loads((checkout / "schemas/comparison.json").read_text(encoding="utf-8"))
    Path("silent.cnf").write_text("[mysqld]\n", encoding="utf-8")
    done = run("compare", "mysql.cnf", "mariadb.cnf", "silent.cnf", "--format", "json")
    report = json.loads(done.out)
    jsonschema.validate(report, schema)
    assert report["schema"] == "advisor/comparison/1"
    stated = json.loads(run("compare", "mysql.cnf", "mariadb.cnf", *BOTH, "--format", "json").out)
    jsonschema.validate(stated, schema)
    (redo,) = [each for each in stated["quantities"] if each["quantity"] == "redo-capacity"]
    assert [(value["shown"], value["outcome"]) for value in redo["values"]] == [
        ("4 GiB", "alike"),
        ("2 GiB", "differs"),
    ]
    assert [reason["kind"] for reason in redo["values"][1]["reasons"]] == ["set", "ignored"]
    assert (stated["comparable"], stated["groups"]) == (False, [["A"], ["B"]])


def test_the_markdown_report_is_a_table_for_a_published_benchmark(run: Runner) -> None:
    done = run("compare", "mysql.cnf", "mariadb.cnf", *BOTH, "--format", "markdown")
    assert done.code == 1
    assert done.out.startswith("**Not comparable: redo 4 GiB against 2 GiB")
    assert "## Makes them not comparable\n\n|  | `A` | `B` | Why it matters |\n" in done.out


def test_the_html_report_loads_nothing_and_escapes_names(run: Runner) -> None:
    Path("<b>.cnf").write_text(MARIADB, encoding="utf-8")
    done = run("compare", "mysql.cnf", "<b>.cnf", *BOTH, "--format", "html", "--all")
    assert done.out.startswith("<!DOCTYPE html>")
    assert "&lt;b&gt;.cnf" in done.out
    assert "<b>.cnf" not in done.out
    assert "src=" not in done.out


def test_a_broken_file_of_a_quantity_ends_with_code_3(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from advisor.compare import quantities

    (tmp_path / "rules/quantities").mkdir(parents=True)
    (tmp_path / "rules/quantities/redo.yaml").write_text("id: redo\n", encoding="utf-8")
    quantities.load_quantities.cache_clear()
    monkeypatch.setattr(quantities, "folder", lambda kind: str(tmp_path / kind))
    try:
        done = run("compare", "mysql.cnf", "mariadb.cnf")
    finally:
        quantities.load_quantities.cache_clear()
    assert done.code == 3
    assert "redo.yaml: quantity: the key 'title' is missing" in done.err


def test_what_is_stated_counts_for_all_sides_or_for_the_one_that_is_named(run: Runner) -> None:
    of_both = ("--server", "mysql-8.4.8", "--host", "cpus=16", "--observe", "clients=8")
    alike = run("compare", "mysql.cnf", "mysql.cnf", *of_both)
    assert alike.code == 0
    assert "clients" not in alike.out.split("Unknown")[1]
    done = run("compare", "old=mysql.cnf", "new=mysql.cnf", *of_both, "--host", "new:cpus=32")
    assert done.code == 1
    assert done.out.startswith("Not comparable: CPUs 16 against 32.")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--observe", "C:clients=8"], "--observe: there is no side 'C'"),
        (["--host", "B:cups=8"], "cups"),
        (["--observe", "B:colour=8"], "--observe: 'colour' is not known"),
    ],
)
def test_what_is_stated_of_nobody_is_wrong_usage(run: Runner, words: list[str], says: str) -> None:
    done = run("compare", "mysql.cnf", "mariadb.cnf", *BOTH, *words)
    assert done.code == 2
    assert says in done.err
