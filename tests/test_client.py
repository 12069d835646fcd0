"""Talking to servers: what cannot be reached is a ServerError that names it, and leaves nothing open."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from advisor.client import connect
from advisor.errors import ServerError
from advisor.model.lab import Address


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_a_server_that_is_not_there_is_a_server_error_and_leaves_nothing_open(tmp_path: Path):
    path = tmp_path / "s.sock"
    with socket.socket(socket.AF_UNIX) as dead:  # bound, and nobody listens: what a killed server leaves
        dead.bind(str(path))
    before = open_files()
    for _ in range(3):
        with pytest.raises(ServerError, match=r"db1:3306: .*refused") as error:
            connect(Address("db1", 3306, "checker", "hunter2", str(path)))
    assert open_files() == before
    assert error.value.exit_code == 4
    assert "hunter2" not in str(error.value)


def test_a_port_where_nobody_listens_is_a_server_error():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(ServerError, match=f"127.0.0.1:{port}"):
        connect(Address("127.0.0.1", port, "checker"), timeout_seconds=1)


def test_something_else_that_listens_is_a_server_error(tmp_path: Path):
    path = str(tmp_path / "s.sock")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        with pytest.raises(ServerError):
            connect(Address("x", 1, "checker", "", path), timeout_seconds=1, answer_seconds=0.2)
