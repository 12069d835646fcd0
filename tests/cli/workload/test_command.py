"""`advisor workload show` and `appliers`: what they write, and what they refuse, each in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runs import Runner

SAMPLES = Path(__file__).parents[2] / "binlog/samples"
MYSQL, MARIADB = str(SAMPLES / "mysql-9.7.4/binlog.index"), str(SAMPLES / "mariadb-10.11.19/bin.index")
NOT_A_SERVER = "mysql://nobody@127.0.0.1:1"


@pytest.mark.parametrize("log", [MYSQL, MARIADB])
def test_a_load_is_shown_in_eighty_columns(run: Runner, log: str) -> None:
    done = run("workload", "show", log, "--width", "80")
    assert (done.code, done.err) == (0, "")
    assert "shop.orders" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_the_formats_of_a_load_say_the_same(run: Runner) -> None:
    document = json.loads(run("workload", "show", MYSQL, "--format", "json").out)
    assert document["transactions"] == 39
    page = run("workload", "show", MYSQL, "--format", "html").out
    assert page.startswith("<!DOCTYPE html>")
    assert "orders" in page


def test_only_what_was_committed_in_a_period_is_shown(run: Runner) -> None:
    load = json.loads(run("workload", "show", MYSQL, "--format", "json").out)
    later = run("workload", "show", MYSQL, "--from", "2100-01-01")
    assert (later.code, load["transactions"]) == (2, 39)
    assert "none in this time" in later.err


@pytest.mark.parametrize("log", [MYSQL, MARIADB])
def test_appliers_are_simulated_for_each_number_of_workers(run: Runner, log: str) -> None:
    done = run("workload", "appliers", log, "--workers", "1,4", "--format", "json")
    assert (done.code, done.err) == (0, "")
    for scheme in json.loads(done.out)["schemes"]:
        assert [each["workers"] for each in scheme["runs"]] == [1, 4]
    text = run("workload", "appliers", log, "--workers", "1..4", "--width", "80").out
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "name a binary log, or a server with --dsn"),
        (("show", "absent.000001"), "there is no such file"),
        (("show", "my.cnf"), "not a binary log"),
        (("show", MYSQL, "--from", "yesterday"), "--from yesterday: not a time"),
        (("show", MYSQL, "--from", "2026-01-02", "--to", "2026-01-01"), "--to is before --from"),
        (("show", MYSQL, "--key", "shop.orders"), "not a table and positions of columns"),
        (("show", MYSQL, "--for", "10s"), "use it with --dsn"),
        (("show", MYSQL, "--dsn", NOT_A_SERVER), "cannot be combined with files"),
        (("show", MYSQL, "--last", "1h", "--from", "2026-01-01"), "--last cannot be combined"),
        (("show", "--dsn", NOT_A_SERVER), "say how much of the server's log to read"),
        (("show", "--dsn", NOT_A_SERVER, "--for", "1s", "--to", "2026-01-01"), "--for cannot be combined"),
        (("show", "--dsn", "mysql://a:b@db1", "--for", "1s"), "--dsn contains a password"),
        (("appliers", MYSQL, "--workers", "0"), "--workers 0"),
        (("appliers", MYSQL, "--workers", "8..2"), "--workers 8..2"),
        (("appliers", MYSQL, "--sync", "long"), "--sync long: not a length of time"),
        (("appliers", MYSQL, "--cpu-time", "1ms"), "--cpu-time 1ms: needs --apply-rate"),
        (
            ("appliers", MYSQL, "--apply-rate", "900", "--cpu-time", "3ms", "--cpus", "2"),
            "--cpu-time: at 900 transactions a second, that is more than 2 CPUs",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_message(run: Runner, words: tuple[str, ...], told: str) -> None:
    done = run("workload", *words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "Traceback" not in done.err


def test_a_server_that_is_not_there_is_a_server_error(run: Runner) -> None:
    done = run("workload", "show", "--dsn", NOT_A_SERVER, "--for", "1s")
    assert (done.code, done.out) == (4, "")
    assert "127.0.0.1:1" in done.err
