"""On which cluster is the diagnosis judged? A lab, started for it, that recovers between two plays and is removed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from advisor.bench.load.workloads import DATABASE
from advisor.bench.open_cluster import OpenCluster, open_cluster
from advisor.errors import AdvisorError, LabError
from advisor.lab import down, processes
from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest, bring_up
from advisor.model.lab import ServerBinary
from advisor.model.server import Role
from advisor.topologies import ProgressMonitor, find_topology
from benchmarks.diagnosis.scenarios import LabSpec

Tell = Callable[[str], None]
APPLIES_ONLY: Final = (Role.REPLICA, Role.SECONDARY)
_DRAIN_SECONDS: Final = 60.0


@contextmanager
def running_lab(wanted: LabSpec, name: str, tell: Tell) -> Iterator[OpenCluster]:
    """The lab of a file, which is always removed afterwards; LabError without a server for it."""
    request = LabRequest(
        topology=wanted.topology,
        name=name,
        binary=_binary(wanted),
        members=wanted.members,
        settings=wanted.settings,
        durability=wanted.durability,
        options=wanted.options,
        rtt_ms=wanted.rtt_ms,
    )
    cluster = bring_up(request, tell)
    try:
        with open_cluster(cluster) as opened:
            yield opened
    finally:
        with processes.undisturbed():
            down.take_down(name)


def settle(opened: OpenCluster) -> None:
    """Until every member is well and has applied all; LabError when that takes too long."""
    until = time.monotonic() + _DRAIN_SECONDS
    writer = next(node for node in opened.nodes if node.role not in APPLIES_ONLY)
    with ProgressMonitor(opened.module, opened.nodes) as monitor:
        while True:
            try:
                # A source that no longer waits for acknowledgements begins again with the next transaction.
                writer.session.run(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
                wrong = [
                    *opened.module.problems(opened.nodes),
                    *(e.member for e in monitor.look() if e.error or e.backlog),
                ]
            except AdvisorError as error:
                wrong = [error.message]
            if not wrong:
                return
            if time.monotonic() > until:
                raise LabError(f"{opened.cluster.name}, {_DRAIN_SECONDS:.0f} s later: {'; '.join(wrong)}")
            time.sleep(0.2)


def _binary(wanted: LabSpec) -> ServerBinary:
    module = find_topology(wanted.topology)[1]
    for binary in find_servers():
        if binary.family is wanted.family and not module.why_not(binary):
            return binary
    raise LabError(f"no server for {wanted.topology} on {wanted.family}", hint="`advisor lab install`")
