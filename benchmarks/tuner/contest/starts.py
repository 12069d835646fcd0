"""From which clusters does the contest start? From a plausible bad configuration of every topology, under one load."""

from __future__ import annotations

from typing import Final

from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest
from advisor.model.record import record
from advisor.model.server import Family
from advisor.topologies import find_topology
from advisor.tune.request.request import Request


@record
class Start:
    """A cluster and its load. `settings` go to every member; the load is one-row updates by key."""

    name: str
    topology: str
    family: Family
    members: int
    clients: int
    settings: tuple[tuple[str, str], ...]
    workers: int | None = None
    rtt_ms: float | None = None


STARTS: Final = (
    Start(
        "galera", "galera", Family.MARIADB, 3, 32,
        (("log_bin", "binlog"), ("log_slave_updates", "ON"), ("sync_binlog", "1"), ("innodb_log_file_size", "8M")), 1,
    ),
    Start("group", "group_replication", Family.MYSQL, 3, 16, (("innodb_redo_log_capacity", "8M"),), 1),
    Start(
        "semisync", "semisync", Family.MYSQL, 2, 32,
        (("innodb_redo_log_capacity", "8M"), ("binlog_group_commit_sync_delay", "5000")), 1, 2.0,
    ),
    Start(
        "mariadb", "asynchronous", Family.MARIADB, 2, 16,
        (("slave_parallel_threads", "0"), ("innodb_log_file_size", "8M")),
    ),
)  # fmt: skip


def lab_of(start: Start, name: str) -> LabRequest:
    """How the lab of a start is brought up: durable."""
    topology = find_topology(start.topology)[0]
    binary = next(found for found in find_servers() if found.family is start.family)
    options = {} if start.workers is None else {"workers": start.workers}
    return LabRequest(
        topology, name, binary, start.members,
        settings=start.settings, durability="durable", options=options, rtt_ms=start.rtt_ms,
    )  # fmt: skip


def request_of(start: Start, cluster: str, seconds: float, seed: int) -> Request:
    """What is asked of `advisor tune`; the other ways measure their trials by the same request."""
    return Request(
        cluster, "update_index", start.clients, ("m1",),
        seconds=10.0, warm_up_least=4.0, warm_up_most=10.0, for_seconds=seconds, seed=seed, shorten=True,
    )  # fmt: skip
