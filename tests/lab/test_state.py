"""What the lab remembers of a cluster, and that taking it down works whatever is left of it."""

from __future__ import annotations

import socket
import sys

import pytest

from advisor.errors import LabError, UsageError
from advisor.lab import down, folders, processes, state
from advisor.lab.network import ports
from advisor.lab.state import LabState
from advisor.lab.status import lab_status


def make(name: str, **fields: object) -> LabState:
    folders.lab(name).mkdir()
    made = LabState(name, **fields)
    state.write_state(made)
    return made


def test_what_is_written_is_read_again():
    process = processes.Process(1, 2, "b")
    made = make("x", ports=(21000, 21001), processes={"m1": process}, ready_seconds=1.5)
    assert state.read_state("x") == made
    assert state.names() == ["x"]
    assert state.taken_ports() == {21000, 21001}


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "a b", "-x", "x" * 32])
def test_a_name_that_could_be_a_path_is_wrong_usage(name):
    with pytest.raises(UsageError):
        folders.lab(name)


def test_the_folders_are_the_owners_only():
    make("x")
    for place in (folders.home(), folders.labs(), folders.templates(), folders.prefixes()):
        assert place.stat().st_mode & 0o077 == 0


def test_a_process_nobody_noted_is_ended_too():
    made = make("x")
    words = [sys.executable, "-c", "import time; time.sleep(60)", f"--defaults-file={made.folder}/m1/my.cnf"]
    process = processes.start(words, made.folder / "log")
    assert lab_status("x").summary == "unfinished"
    down.take_down("x")
    assert processes.identify(process) is None
    assert state.names() == []


def test_a_number_that_now_belongs_to_somebody_else_is_let_alone():
    other = processes.start([sys.executable, "-c", "import time; time.sleep(60)"], folders.home() / "log")
    known = processes.identify(other)
    assert known is not None
    make("x", processes={"m1": processes.Process(known.pid, known.started - 100, known.boot)})
    down.take_down("x")
    assert processes.alive(known)
    processes.end([other])


@pytest.mark.parametrize("text", ["", "{", "[]", '{"ports": 3}', '{"ports": [], "processes": {"m1": {"pid": 1}}}'])
def test_a_state_that_cannot_be_read_can_be_taken_down(text):
    made = make("x")
    (made.folder / "lab.json").write_text(text, encoding="utf-8")
    with pytest.raises(LabError, match="is damaged"):
        state.read_state("x")
    assert state.taken_ports() == set()
    down.take_down("x")
    assert state.names() == []


def test_after_a_reboot_a_lab_is_down_and_can_be_removed():
    make("x", processes={"m1": processes.Process(1, 1, "of an earlier boot")}, ready_seconds=2.0)
    assert lab_status("x").summary == "down"
    down.take_down("x")
    assert state.names() == []


def test_a_lab_that_is_not_there_is_wrong_usage():
    with pytest.raises(UsageError, match="no lab called 'x'"):
        state.read_state("x")


def test_ports_are_free_and_nobody_elses():
    (first,) = ports.free_ports(1, ())
    with socket.create_server(("127.0.0.1", first[1])):
        (second,) = ports.free_ports(1, {first[0]})
    assert not {first[0], first[1]} & set(second)
    assert len(set(second)) == 4
    with pytest.raises(LabError, match="free ports"):
        ports.free_ports(1, ports.PORTS)
