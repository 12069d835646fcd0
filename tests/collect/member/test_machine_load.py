"""What lies between two looks at the machine: fractions of what the server may use, and nothing made up."""

from __future__ import annotations

import os
from pathlib import Path

from advisor.collect.member.machine import pid_here
from advisor.collect.member.machine_load import Counters, load_between, read_counters


def test_shares_are_of_the_time_that_passed() -> None:
    before = Counters(10.0, (1000, 600, 100), 50, 7, 0, 1000)
    after = Counters(14.0, (1800, 1000, 180), 250, 15, 0, 2000)
    found = load_between(before, after, 2.0, 2.0)
    assert found == {
        "iowait": 0.1, "cpu_util": 0.4, "swap_in_per_second": 2.0, "swap_out_per_second": 0.0, "disk_util": 0.25,
        "server_cpus": 200 / os.sysconf("SC_CLK_TCK") / 4,
    }  # fmt: skip


def test_a_server_held_to_half_a_processor_is_measured_against_that() -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    before, after = (
        Counters(0.0, (0, 0, 0), 0, None, None, None),
        Counters(4.0, (800, 600, 0), ticks, None, None, None),
    )
    assert load_between(before, after, 0.5, 2.0) == {"iowait": 0.0, "cpu_util": 0.5, "server_cpus": 0.25}


def test_what_the_system_does_not_say_is_left_out() -> None:
    nothing = Counters(0.0, None, None, None, None, None)
    assert load_between(nothing, Counters(4.0, None, None, None, None, None), 2.0, 2.0) == {}
    assert load_between(nothing, nothing, 2.0, 2.0) == {}


def test_only_threads_that_serve_clients_count_as_theirs() -> None:
    before = Counters(0.0, None, None, None, None, None, {"7": (10**9, 0), "8": (0, 0)})
    after = Counters(2.0, None, None, None, None, None, {"7": (2 * 10**9, 10**9), "8": (5, 5), "9": (10**9, 2 * 10**9)})
    found = load_between(before, after, 2.0, 2.0, {"7", "9"})
    assert found == {"threads_running": 1.0, "threads_starved": 1.5}
    assert load_between(before, after, 2.0, 2.0, {"77"}) == {}, "none of them is left: nothing is known"


def test_what_is_nice_and_what_we_use_ourselves_is_told_apart() -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    before = Counters(0.0, (0, 0, 0), 0, None, None, None, nice_ticks=0, reader_seconds=1.0)
    after = Counters(4.0, (8 * ticks, 2 * ticks, 0), ticks, None, None, None, nice_ticks=4 * ticks, reader_seconds=1.5)
    found = load_between(before, after, 2.0, 2.0)
    assert (found["cpu_util"], found["nice_cpus"], found["reader_cpus"]) == (0.75, 1.0, 0.125)


def test_appliers_are_counted_like_clients() -> None:
    before, after = (Counters(t, None, None, None, None, None, {"7": (n, 2 * n)}) for t, n in ((0.0, 0), (2.0, 10**9)))
    assert load_between(before, after, 2.0, 2.0, (), {"7"}) == {"appliers_running": 0.5, "appliers_starved": 1.0}


def test_this_process_can_be_looked_at(tmp_path: Path) -> None:
    found = read_counters(os.getpid(), str(tmp_path))
    assert found.ticks is not None
    assert found.ticks[0] >= found.ticks[1] > 0
    assert found.own_ticks is not None
    assert read_counters(2**30, str(tmp_path / "none")).own_ticks is None


def test_a_server_is_here_only_when_its_process_stands_in_its_data_directory(tmp_path: Path) -> None:
    pid_file = tmp_path / "server.pid"
    said = {"datadir": str(tmp_path), "pid_file": "server.pid"}
    assert pid_here(said) is None, "no such file"
    pid_file.write_text(f"{os.getpid()}\n")
    assert pid_here(said) is None, "a process of this machine, which is no server of that directory"
    assert pid_here({"datadir": os.getcwd(), "pid_file": str(pid_file)}) == os.getpid()
    pid_file.write_text("not a number")
    assert pid_here(said) is None
    assert pid_here({}) is None
