"""`advisor mcp` before a client talks to it: what it refuses."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.runs import Runner


def test_without_the_sdk_it_says_what_to_install(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "advisor.cli.mcp.server", raising=False)
    done = run("mcp")
    assert done.code == 2
    assert done.err == "advisor: the MCP SDK is not installed\n  hint: pip install 'advisor[mcp]'\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "nowhere: there is no such folder"),
        (["--for", "10s"], "--for and --password-file need a running cluster"),
        (["--dsn", "mysql://db1", "--for", "soon"], "--for soon: not a length of time"),
    ],
)
def test_wrong_usage_is_refused_at_the_start(run: Runner, words: list[str], message: str) -> None:
    done = run("mcp", *words)
    assert done.code == 2
    assert message in done.err
    assert not list(Path().glob("*.log"))
