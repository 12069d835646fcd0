"""Naming a running cluster: what cannot be is said before any server is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runs import Runner


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["check", "--dsn", "mysql://me@127.0.0.1:1", "--lab", "x"], "name one running cluster"),
        (["check", "--dsn", "mysql://me:pw-9@127.0.0.1:1"], "contains a password"),
        (["check", "my.cnf", "--dsn", "mysql://me@127.0.0.1:1"], "cannot be combined with paths"),
        (["why", "my.cnf", "--dsn", "mysql://me@127.0.0.1:1"], "running cluster"),
        (["check", "my.cnf", "--for", "3s"], "need a running cluster"),
        (["check", "--cluster", "none.yaml"], "none.yaml"),
        (["check", "--lab", "no-such-lab"], "no lab called"),
        (["collect", "--dsn", "mysql://me@127.0.0.1:1"], "-o bundle.tar.gz"),
        (["collect", "-o", "b.tar.gz"], "name one running cluster"),
        (["collect", "--dsn", "mysql://me@127.0.0.1:1", "-o", "b.zip"], ".tar.gz"),
        (["collect", "--dsn", "mysql://me@127.0.0.1:1", "-o", "b.tar.gz", "--every", "1ms"], "--every"),
        (["collect", "--dsn", "mysql://me@127.0.0.1:1", "-o", "b.tar.gz", "--password-file", "none"], "none"),
    ],
)
def test_what_cannot_be_is_one_message_with_a_hint(run: Runner, words: list[str], told: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert told in done.err
    assert done.err.count("advisor: ") == 1
    assert "pw-9" not in done.err + done.out


def test_a_server_that_is_not_there_is_exit_code_4_and_leaves_no_file(run: Runner) -> None:
    done = run("collect", "--dsn", "mysql://me@127.0.0.1:1", "-o", "b.tar.gz")
    assert done.code == 4
    assert "Connection refused" in done.err
    assert not Path("b.tar.gz").exists()
