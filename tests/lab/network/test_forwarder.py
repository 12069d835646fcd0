"""What is asked of the network between members, and how a forwarder waits; on real namespaces where there is root."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from advisor.errors import LabError, UsageError
from advisor.lab import down, processes, state
from advisor.lab.network import emulation, namespaces, round_trips
from advisor.lab.network.emulation import Network, legs, parse_bandwidth, parse_rtt
from advisor.lab.state import LabState
from advisor.model.record import replace

needs_root = pytest.mark.skipif(bool(namespaces.why_not()), reason="network namespaces are root's")


@pytest.mark.parametrize(("text", "ms"), [("20ms", 20.0), ("0ms", 0.0), ("500us", 0.5), ("0.1s", 100.0)])
def test_a_round_trip_is_a_number_with_a_unit(text, ms):
    assert parse_rtt(text, "--rtt") == pytest.approx(ms)


@pytest.mark.parametrize("text", ["", "20", "ms", "-1ms", "11s", "1m", "2 ms"])
def test_what_is_no_round_trip_is_wrong_usage(text):
    with pytest.raises(UsageError):
        parse_rtt(text, "--rtt")


def test_a_bandwidth_is_a_number_with_a_unit():
    assert [parse_bandwidth(text, "--bandwidth") for text in ("1gbit", "2.5mbit", "8kbit")] == [10**9, 2_500_000, 8000]
    for text in ("", "1", "1gb", "0mbit", "1kbit", "-1gbit"):
        with pytest.raises(UsageError):
            parse_bandwidth(text, "--bandwidth")


def test_legs_put_members_as_far_apart_as_asked():
    far = Network("x", 0, "netem", legs(3, 20.0, {3: 50.0}), (0, 0, 0))
    assert [far.round_trip_ms(1, 2), far.round_trip_ms(1, 3), far.round_trip_ms(2, 3)] == [20.0, 50.0, 50.0]
    with pytest.raises(UsageError, match="at least half"):
        legs(3, 20.0, {3: 9.0})


def test_addresses_come_from_two_private_ranges():
    assert Network("x", 5, "", (), ()).address(3) == "10.213.5.3"
    assert Network("x", 256 + 7, "", (), ()).subnet == "172.29.7"


def test_without_root_it_is_said_why_not(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "root" in namespaces.why_not()


def test_what_was_written_is_read_again():
    folder = LabState("x").folder
    folder.mkdir()
    made = Network("x", 3, "forwarder", (10.0, 40.0), (0, 10**9))
    emulation.write_network(made, folder)
    assert emulation.read_network(folder) == made
    assert state.taken_networks() == {3}
    (folder / "network.json").write_text("{", encoding="utf-8")
    with pytest.raises(LabError, match="is damaged"):
        emulation.read_network(folder)


FORWARDER = """
import sys, socket
from advisor.lab.network import forwarder
from advisor.lab.network.emulation import Network
far = Network("x", 0, "forwarder", (10.0, 90.0), (0, 0))
left, right = map(int, sys.argv[1:])
forwarder.forward({left: 1, right: 2}, {socket.inet_aton(far.address(2)): right}, forwarder.delays(far))
"""


def test_packets_are_written_in_their_time_and_in_their_order():
    """Two pairs of sockets stand for the devices: the forwarder knows files only."""
    left, left_device = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    right, right_device = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    files = (left_device.fileno(), right_device.fileno())
    header = bytes(26) + socket.inet_aton("10.213.0.2")
    with left, left_device, right, right_device:
        left_device.setblocking(False)
        right_device.setblocking(False)
        child = subprocess.Popen([sys.executable, "-c", FORWARDER, *map(str, files)], pass_fds=files)
        try:
            right.settimeout(10)
            left.send(header + b"-")
            right.recv(100)  # it works
            began = time.monotonic()
            for number in range(200):
                left.send(header + bytes([number]))
            left.send(bytes(26) + socket.inet_aton("192.0.2.1") + b"to nobody")
            got = [right.recv(100)[-1] for _ in range(200)]
            assert got == list(range(200))
            assert 0.05 <= time.monotonic() - began < 5.0  # 10 s if each waited for the one before
            right.settimeout(0.2)
            with pytest.raises(TimeoutError):
                right.recv(100)
        finally:
            child.kill()
            child.wait()


@pytest.fixture
def built():
    """A network of three without servers, and the function that makes it."""
    made: list[Network] = []

    def build(far: Network) -> Network:
        folder = LabState(far.lab).folder
        folder.mkdir()
        state.write_state(LabState(far.lab))
        made.append(emulation.build(replace(far, number=emulation.free_number(state.taken_networks())), folder))
        if made[-1].delayed_by == "forwarder":
            state.note_process(far.lab, "forwarder", emulation.start_forwarder(folder))
        round_trips.wait_for_way(made[-1])
        return made[-1]

    yield build
    for far in made:
        if far.lab in state.names():
            down.take_down(far.lab)


def transfer_seconds(far: Network, count: int) -> float:
    """How long it takes member 1 to send so many bytes to member 2."""

    def inside(member: int) -> socket.socket:
        namespaces.enter(far.namespace(member))
        return socket.socket(socket.AF_INET, socket.SOCK_STREAM)

    with (
        ThreadPoolExecutor(1) as one,
        ThreadPoolExecutor(1) as other,
        other.submit(inside, 2).result() as listener,
        one.submit(inside, 1).result() as sender,
    ):
        listener.bind((far.address(2), 0))
        listener.listen()
        sender.connect(listener.getsockname())
        with listener.accept()[0] as receiver:
            began = time.monotonic()
            one.submit(sender.sendall, bytes(count))
            got = 0
            while got < count:
                got += len(receiver.recv(1 << 20))
            return time.monotonic() - began


@needs_root
def test_members_are_as_far_apart_as_asked_and_clients_are_not(built):
    far = built(Network(f"t{os.getpid()}", 0, "forwarder", legs(3, 10.0, {3: 30.0}), (0, 0, 0)))
    for found in round_trips.measure(far):
        assert found.measured_ms is not None
        assert found.meant_ms <= found.measured_ms < found.meant_ms + 8, "two processors, shared with other tests"
    assert transfer_seconds(far, 20_000_000) < 5


@needs_root
def test_a_member_sends_no_faster_than_its_bandwidth(built):
    far = built(Network(f"t{os.getpid()}", 0, "", legs(2, 0.0, {}), (20_000_000, 0)))
    assert far.delayed_by == ""
    assert 0.8 < transfer_seconds(far, 2_500_000) < 2.5, "1 s of 20 Mbit/s, less what a burst may"


@needs_root
@pytest.mark.parametrize("delayed_by", ["", "forwarder"])
def test_nothing_is_left_of_a_network(built, delayed_by):
    far = built(Network(f"t{os.getpid()}", 0, delayed_by, legs(2, 0.0, {}), (0, 0)))
    folder = LabState(far.lab).folder
    before = namespaces.run(["ip", "-brief", "link"])
    assert f"adv{far.number}m2" in before
    down.take_down(far.lab)
    end = time.monotonic() + 5
    while f"adv{far.number}m" in namespaces.run(["ip", "-brief", "link"]) and time.monotonic() < end:
        time.sleep(0.05)
    assert f"adv{far.number}m" not in namespaces.run(["ip", "-brief", "link"])
    assert far.lab not in namespaces.run(["ip", "netns"])
    assert processes.naming(f"{processes.BELONGING}{folder}/") == {}


@needs_root
def test_half_a_network_can_be_taken_down(built):
    name = f"t{os.getpid()}"
    folder = LabState(name).folder
    folder.mkdir()
    namespaces.make(namespaces.name_of(name, "m1"))
    with pytest.raises(LabError, match="File exists"):
        emulation.build(Network(name, 200, "forwarder", (0.0,), (0,)), folder)
    down.take_down(name)
    assert name not in namespaces.run(["ip", "netns"])


@needs_root
def test_where_the_kernel_has_netem_it_delays(monkeypatch, built):
    """The commands are recorded: whether a kernel obeys them only a kernel that has netem can tell."""
    asked: list[list[str]] = []
    real = namespaces.run

    def run(words: list[str], text: str = "") -> str:
        asked.append(words)
        return "" if words[0] == "tc" else real(words, text)

    monkeypatch.setattr(namespaces, "run", run)
    far = built(Network(f"t{os.getpid()}", 0, "forwarder", legs(2, 20.0, {2: 50.0}), (0, 0)))
    assert far.delayed_by == "netem"
    assert [" ".join(words[-9:-2]) for words in asked if "replace" in words] == [
        "p1 root handle 1: netem delay 10000us", "p2 root handle 1: netem delay 40000us",
    ]  # fmt: skip


@needs_root
def test_asking_for_netem_leaves_nothing_behind(built):
    far = built(Network(f"t{os.getpid()}", 0, "forwarder", legs(2, 0.0, {}), (0, 0)))
    space = namespaces.name_of(far.lab, "net")
    assert "netem" not in namespaces.run(["tc", "-netns", space, "qdisc", "show", "dev", "lo"])
