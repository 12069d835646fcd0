"""Servers are read side by side, and those that do not answer cost nobody else anything."""

from __future__ import annotations

import socket
import threading
import time

from advisor.collect.login import Login
from advisor.fleet.inventory.entries import Entry
from advisor.fleet.live_servers import LiveLimits, read_side_by_side


def listener(answers):
    """A socket that takes connections and sends `answers`, or never says anything. Its port."""
    server = socket.create_server(("127.0.0.1", 0))
    held = []

    def serve():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            held.append(connection)
            if answers:
                connection.sendall(answers)
                connection.close()

    threading.Thread(target=serve, daemon=True).start()
    return server, server.getsockname()[1]


def test_a_dead_name_a_closed_port_a_silent_server_and_another_program_each_fail_alone():
    silent, silent_port = listener(b"")
    other, other_port = listener(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        closed_port = closed.getsockname()[1]
    entries = [
        Entry("a", "dead", dsn="mysql://no-such-host.invalid"),
        Entry("a", "closed", dsn=f"mysql://127.0.0.1:{closed_port}"),
        Entry("b", "silent", dsn=f"mysql://127.0.0.1:{silent_port}"),
        Entry("b", "wrong", dsn="mysql://u:p@127.0.0.1"),
        Entry("c", "other", dsn=f"mysql://127.0.0.1:{other_port}"),
    ]
    began = time.monotonic()
    with silent, other:
        read = {one.name: one for one in read_side_by_side(entries, Login(), LiveLimits(4, 1.0))}
    assert time.monotonic() - began < 8
    assert {name: one.evidence for name, one in read.items()} == {"a": None, "b": None, "c": None}
    failures = {name: text for one in read.values() for name, text in one.failures.items()}
    assert sorted(failures) == ["closed", "dead", "other", "silent", "wrong"]
    assert failures["silent"] == "no answer within 1 s"
    assert "password" in failures["wrong"]
    assert "p@" not in failures["wrong"]
