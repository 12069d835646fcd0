"""Which incidents are played? Each does one thing to a lab, and says by what its reason is to be named."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from advisor.client import Session, connect
from advisor.lab import members
from advisor.lab.fault_injection import inject
from advisor.model.lab import Address, ClusterFile
from advisor.model.record import record
from benchmarks.incidents.paced_load import PacedLoad


@record
class Stage:
    """Where a play happens: the lab, its addresses by member, and the users."""

    cluster: ClusterFile
    addresses: Mapping[str, Address]
    load: PacedLoad
    writer: list[str]

    def session(self, member: str) -> Session:
        """A session of an administrator."""
        return connect(self.addresses[member], 5, 120)


@record
class Play:
    """`act` starts it and returns what ends it; it lasts `seconds`. `reason` matches what names it.

    `topology` and `rtt_ms` of the lab it needs.
    """

    name: str
    act: Callable[[Stage], Callable[[], None]]
    reason: re.Pattern[str]
    seconds: float = 40.0
    topology: str = "asynchronous"
    rtt_ms: float | None = None


def _nothing() -> None:
    """Some plays end by themselves."""


def _run(stage: Stage, member: str, *statements: str) -> None:
    with stage.session(member) as session:
        session.run(*statements)


def _aside(work: Callable[[], None]) -> Callable[[], None]:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return lambda: thread.join(120)


def _fault(name: str, member: str, **strength: str) -> Callable[[Stage], Callable[[], None]]:
    def act(stage: Stage) -> Callable[[], None]:
        inject.apply(stage.cluster, name, member, strength)
        return lambda: _cleared(stage, name)

    return act


def _cleared(stage: Stage, name: str) -> None:
    inject.clear(stage.cluster, name)


def _setting(stage: Stage) -> Callable[[], None]:
    _run(stage, "m1", "SET GLOBAL innodb_flush_log_at_trx_commit = 0")
    return lambda: _run(stage, "m1", "SET GLOBAL innodb_flush_log_at_trx_commit = 1")


def _huge_transaction(stage: Stage) -> Callable[[], None]:
    return _aside(lambda: _run(stage, "m1", "UPDATE incidents.archive SET note = CONCAT('y', id)"))


def _ddl(stage: Stage) -> Callable[[], None]:
    return _aside(lambda: _run(stage, "m1", "ALTER TABLE incidents.archive FORCE, ALGORITHM=COPY"))


def _backup_lock(stage: Stage) -> Callable[[], None]:
    session = stage.session("m1")
    session.run("FLUSH TABLES WITH READ LOCK")

    def end() -> None:
        session.run("UNLOCK TABLES")
        session.close()

    return end


def _more_load(stage: Stage) -> Callable[[], None]:
    stage.load.add(4)
    return _nothing


def _restart(stage: Stage) -> Callable[[], None]:
    return _aside(lambda: _quietly(members.restart, stage.cluster, ["m2"]))


def _quietly(act: Callable[..., Any], *words: Any) -> None:
    act(*words)


def _long_reader(stage: Stage) -> Callable[[], None]:
    session = stage.session("m1")
    session.run("START TRANSACTION WITH CONSISTENT SNAPSHOT", "SELECT COUNT(*) FROM incidents.account")
    return session.close


def _failover(stage: Stage) -> Callable[[], None]:
    _run(stage, "m1", "SET GLOBAL super_read_only = ON")
    time.sleep(1)
    _run(
        stage,
        "m2",
        "STOP REPLICA",
        "RESET REPLICA ALL",
        "SET GLOBAL super_read_only = OFF",
        "SET GLOBAL read_only = OFF",
    )
    stage.writer[0] = "m2"
    return _nothing


PLAYS = (
    Play("setting", _setting, re.compile(r"setting: innodb_flush_log_at_trx_commit")),
    Play("huge_transaction", _huge_transaction, re.compile(r"rows_per_transaction")),
    Play("ddl", _ddl, re.compile(r"command: ddl")),
    Play("backup_lock", _backup_lock, re.compile(r"command: backup"), seconds=20),
    Play("load_doubled", _more_load, re.compile(r"statements|connections")),
    Play("slow_disk", _fault("slow_disk", "m1", writes_per_second="25"), re.compile(r"log_sync_time|disk_write_time")),
    Play("restart", _restart, re.compile(r"restart: restart")),
    Play("long_reader", _long_reader, re.compile(r"history_list"), seconds=90),
    Play("failover", _failover, re.compile(r"role: ")),
    Play(
        "slow_network", _fault("latency", "m2", rtt_ms="150"), re.compile(r"acknowledgement_time"),
        topology="semisync", rtt_ms=0.0,
    ),
    Play("quiet", lambda stage: _nothing, re.compile(r"(?!)"), seconds=240),
)  # fmt: skip
