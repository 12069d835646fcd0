"""What the kernel says of a process's threads, on this very process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.collect.member.kernel_threads import KernelThread, KernelThreads


@contextmanager
def thread_in(work: Callable[[], object], end: Callable[[], object]) -> Iterator[int]:
    ids: list[int] = []
    thread = threading.Thread(target=lambda: (ids.append(threading.get_native_id()), work()))
    thread.start()
    try:
        while not ids:
            time.sleep(0.001)
        yield ids[0]
    finally:
        end()
        thread.join()


def until_asleep(threads: KernelThreads, thread: int) -> KernelThread:
    while (seen := threads.read()[thread]).state == "R" or not seen.call:
        time.sleep(0.001)
    return seen


def test_a_thread_that_runs_and_one_that_waits_for_another() -> None:
    event = threading.Event()
    with thread_in(event.wait, event.set) as waiting:
        threads = KernelThreads(os.getpid(), {})
        assert until_asleep(threads, waiting).call == "futex"
        assert threads.read()[threading.get_native_id()] == KernelThread("R")


@pytest.mark.parametrize(
    ("name", "variables", "call"),
    [
        ("binlog.000007", {"log_bin_basename": "{folder}/binlog"}, "read binlog"),
        ("m2-relay-bin-group_replication_applier.000002", {"relay_log_basename": "m2-relay-bin"}, "read relay_log"),
        ("#ib_redo12", {}, "read redo"),
        ("#ib_16384_0.dblwr", {}, "read doublewrite"),
        ("t1.ibd", {}, "read tablespace"),
        ("notes.txt", {}, "read file"),
    ],
)
def test_a_system_call_names_the_kind_of_file(tmp_path: Path, name: str, variables: dict[str, str], call: str) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    known = {"datadir": str(tmp_path)} | {key: text.format(folder=tmp_path) for key, text in variables.items()}
    with thread_in(lambda: os.read(reader, 1), lambda: os.write(reader, b"x")) as waiting:
        assert until_asleep(KernelThreads(os.getpid(), known), waiting).call == call
    os.close(reader)


def test_a_process_that_has_ended_has_no_threads() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    assert KernelThreads(child, {}).read() == {}
