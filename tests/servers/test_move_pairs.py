"""The verdicts on twenty moves, given again by those servers of the table that are on this machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from advisor.lab.servers.binaries import find_servers
from advisor.model.lab import ServerBinary
from advisor.model.server import Family
from tests.move.moved import move_text, only_member
from tests.move.pairs import PAIRS, Pair
from tests.servers.conftest import no_server

HERE = {server.name: server for server in find_servers()}
RUN = [pair for pair in PAIRS if pair.seen in HERE]


def takes(server: ServerBinary, file: Path, folder: Path) -> bool:
    """Whether the server accepts the option file; it reads all of it and starts nothing."""
    mysql = server.family is Family.MYSQL
    ask = ["--validate-config", "--secure-file-priv=NULL"] if mysql else ["--verbose", "--help"]
    places = [f"--lc-messages-dir={server.messages_dir}", f"--plugin-dir={server.plugin_dir}", f"--datadir={folder}"]
    words = [*server.command, f"--defaults-file={file}", f"--basedir={server.basedir}", *places, "--user=root", *ask]
    done = subprocess.run(words, capture_output=True, timeout=30, check=False)
    return done.returncode == 0


def test_servers_of_the_table_are_here() -> None:
    if not RUN:
        no_server("moves between releases")


@pytest.mark.parametrize("pair", RUN, ids=lambda pair: f"{pair.origin}-to-{pair.target}")
def test_the_server_gives_the_verdict_of_the_table(tmp_path: Path, pair: Pair) -> None:
    member = only_member(move_text(tmp_path, pair.text, pair.origin, pair.target))
    as_it_is, rewritten = tmp_path / "as-it-is.cnf", tmp_path / "rewritten.cnf"
    as_it_is.write_text(f"[mysqld]\n{pair.text}", encoding="utf-8")
    rewritten.write_bytes(member.rewritten[0][2] if member.rewritten else as_it_is.read_bytes())
    (tmp_path / "data").mkdir()
    server = HERE[pair.seen]
    assert takes(server, as_it_is, tmp_path / "data") is pair.starts
    assert takes(server, rewritten, tmp_path / "data") is pair.starts_rewritten
