"""Servers are read side by side, and those that do not answer cost nobody else anything."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager

from advisor.collect.login import Login
from advisor.fleet.inventory.entries import Entry
from advisor.fleet.live_servers import LiveLimits, read_side_by_side


@contextmanager
def listener(answers):
    """The port of a socket that takes connections and sends `answers`, or never says anything."""
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

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)  # wakes accept(), which close() alone does not
        thread.join()
        for each in (server, *held):
            each.close()


def test_a_dead_name_a_closed_port_a_silent_server_and_another_program_each_fail_alone():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        closed_port = closed.getsockname()[1]
    with listener(b"") as silent_port, listener(b"HTTP/1.1 400 Bad Request\r\n\r\n") as other_port:
        _each_fails_alone(closed_port, silent_port, other_port)


def _each_fails_alone(closed_port, silent_port, other_port):
    entries = [
        Entry("a", "dead", dsn="mysql://no-such-host.invalid"),
        Entry("a", "closed", dsn=f"mysql://127.0.0.1:{closed_port}"),
        Entry("b", "silent", dsn=f"mysql://127.0.0.1:{silent_port}"),
        Entry("b", "wrong", dsn="mysql://u:p@127.0.0.1"),
        Entry("c", "other", dsn=f"mysql://127.0.0.1:{other_port}"),
    ]
    read = {one.name: one for one in read_side_by_side(entries, Login(), LiveLimits(4, 1.0))}
    assert {name: one.evidence for name, one in read.items()} == {"a": None, "b": None, "c": None}
    failures = {name: text for one in read.values() for name, text in one.failures.items()}
    assert sorted(failures) == ["closed", "dead", "other", "silent", "wrong"]
    assert failures["silent"] == "no answer within 1 s"
    assert "password" in failures["wrong"]
    assert "p@" not in failures["wrong"]
