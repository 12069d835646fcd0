"""Processes are recognised by more than a number, found by their command line, and ended whatever they do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from advisor.errors import LabError
from advisor.lab import processes
from advisor.model.record import replace

SLEEP = "import time; time.sleep(60)"


def start(folder, member="m1", program=SLEEP):
    words = [sys.executable, "-c", program, f"--defaults-file={folder / member}/my.cnf"]
    return processes.start(words, folder / "error.log")


def test_a_process_is_the_same_only_with_its_start_and_boot(tmp_path):
    process = start(tmp_path)
    known = processes.identify(process)
    assert known is not None
    assert processes.alive(known)
    assert not processes.alive(replace(known, started=known.started + 1)), "the number was given to another one"
    assert not processes.alive(replace(known, boot="another")), "the machine was started again"
    processes.end([process])
    assert not processes.alive(known), "not even while nobody has asked for its exit code"


def test_a_process_is_found_by_the_option_file_it_names(tmp_path):
    process = start(tmp_path, "m2")
    assert processes.using(tmp_path) == {process: "m2"}
    assert processes.using(tmp_path / "m") == {}, "a folder whose name only begins the same"
    processes.end([process])
    assert processes.using(tmp_path) == {}


def test_a_stopped_process_and_its_children_end_too(tmp_path):
    program = "import subprocess; subprocess.run(['sleep', '60'])"
    process = start(tmp_path, program=program)
    until = time.monotonic() + 10
    while not (children := children_of(process)) and time.monotonic() < until:
        time.sleep(0.02)
    assert children
    os.kill(process, signal.SIGSTOP)
    processes.end([process])
    until = time.monotonic() + 10
    while any(processes.identify(child) for child in children) and time.monotonic() < until:
        time.sleep(0.02)
    assert [child for child in children if processes.identify(child)] == []


def test_what_was_handed_to_advisor_is_not_handed_to_a_server(tmp_path):
    with open(tmp_path / "lock", "wb") as lock:
        os.set_inheritable(lock.fileno(), True)
        process = start(tmp_path)
        held = open_files(process)
    processes.end([process])
    assert str(tmp_path / "lock") not in held
    assert str(tmp_path / "error.log") in held


def open_files(pid: int) -> set[str]:
    found = set()
    for number in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):  # a file of its own start that it has closed again
            found.add(os.readlink(f"/proc/{pid}/fd/{number}"))
    return found


def children_of(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as stream:
        return [int(word) for word in stream.read().split()]


def test_ctrl_c_does_not_reach_a_server(tmp_path):
    process = start(tmp_path)
    assert os.getsid(process) == process
    processes.end([process])


def test_ending_what_is_gone_is_no_error():
    done = subprocess.Popen(["true"])
    done.wait()
    processes.end([done.pid])


def test_a_program_that_is_not_there_is_a_lab_error(tmp_path):
    with pytest.raises(LabError, match="cannot start"):
        processes.start([str(tmp_path / "absent")], tmp_path / "log")


def test_what_is_run_for_cleaning_up_is_not_disturbed_either():
    found = signal.signal(signal.SIGINT, signal.default_int_handler)
    with processes.undisturbed():
        child = subprocess.Popen(["sh", "-c", "kill -INT $$; echo whole"], stdout=subprocess.PIPE, text=True)
        assert child.communicate(timeout=10)[0] == "whole\n"
    signal.signal(signal.SIGINT, found)


def test_cleaning_up_is_not_disturbed():
    before = signal.getsignal(signal.SIGINT)
    with processes.undisturbed():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_what_comes_while_settings_are_changed_counts_when_that_is_whole():
    found = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run in the background
    before, done = signal.getsignal(signal.SIGINT), []

    def change() -> None:
        with processes.held_back():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("whole")

    with pytest.raises(KeyboardInterrupt):
        change()
    assert done == ["whole"]
    assert signal.getsignal(signal.SIGINT) is before
    signal.signal(signal.SIGINT, found)
