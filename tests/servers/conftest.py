"""Real servers: found on this machine or not run at all, with a loud line; under CI=true their absence is a failure."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import NoReturn

import pytest

from advisor.lab import down, state
from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest, bring_up
from advisor.model.lab import ClusterFile, ServerBinary
from advisor.model.server import Family
from advisor.topologies import find_topology

Up = Callable[..., ClusterFile]
MISSING: set[str] = set()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder starts servers."""
    for item in items:
        if "tests/servers" in item.nodeid:
            item.add_marker(pytest.mark.servers)


def pytest_sessionstart() -> None:
    """Ctrl-C reaches what the tests start, also where the tests run in the background of a shell that ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not tried."""
    for what in sorted(MISSING):
        terminalreporter.write_line(f"NOT TESTED ON REAL SERVERS: {what}", yellow=True, bold=True)


def server_for(topology: str, family: Family) -> ServerBinary:
    """A server program that can run a topology, or no test."""
    module = find_topology(topology)[1]
    for binary in find_servers():
        if binary.family is family and not module.why_not(binary):
            return binary
    return no_server(f"{topology} on {family} (`advisor lab install {family}`)")


def no_server(what: str) -> NoReturn:
    """No test for want of a server; under CI=true that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"no server for {what}")
    MISSING.add(what)
    pytest.skip(f"no server for {what}")


@pytest.fixture
def up(request: pytest.FixtureRequest) -> Iterator[Up]:
    """Bring labs up that are gone after the test, whatever happens in it."""
    names = []

    def bring(topology: str, family: Family, members: int, **fields: object) -> ClusterFile:
        names.append(f"test-{os.getpid()}-{len(names)}")
        binary = server_for(topology, family)
        return bring_up(LabRequest(find_topology(topology)[0], names[-1], binary, members, **fields), print)

    yield bring
    for name in names:
        if name in state.names():
            down.take_down(name)
