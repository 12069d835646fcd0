"""What is read from files and pipes, and what is refused at once instead of waited for."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.evidence.source import files
from advisor.evidence.source.files import read_bytes


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return str(path)


def test_a_pipe_without_a_writer_is_refused_soon(pipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIPE_SECONDS", 0.2)
    with pytest.raises(InputError, match="a pipe from which no data came"):
        read_bytes(pipe, "my.cnf")


def test_a_writer_may_come_late_and_pause(pipe: str) -> None:
    def write() -> None:
        time.sleep(0.2)
        with open(pipe, "wb", buffering=0) as stream:
            stream.write(b"[mysqld]\n")
            time.sleep(0.2)
            stream.write(b"port = 3306\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert read_bytes(pipe, "my.cnf") == b"[mysqld]\nport = 3306\n"
    writer.join()


def test_a_pipe_of_the_shell_may_be_empty_and_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIPE_SECONDS", 0.0)
    readable, writable = os.pipe()
    threading.Timer(0.2, lambda: (os.write(writable, b"[mysqld]\n"), os.close(writable))).start()
    assert read_bytes(f"/dev/fd/{readable}", "my.cnf") == b"[mysqld]\n"
    os.close(readable)


def test_a_device_is_refused() -> None:
    with pytest.raises(InputError, match="neither a file nor a folder"):
        read_bytes("/dev/zero", "/dev/zero")
