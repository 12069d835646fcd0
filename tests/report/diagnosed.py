"""A diagnosis with everything a report can show, and charts to go with it."""

from __future__ import annotations

from typing import Final

from advisor.model.diagnosis import (
    Cause,
    Ceiling,
    ClassShare,
    ComputedCeiling,
    Diagnosis,
    MissingEvidence,
    NextObservation,
    Prediction,
    RankedCause,
    SeenSign,
    Side,
    ThreadProfile,
    Threads,
    TimeBreakdown,
    TimeShare,
    WaitGroup,
    Where,
)
from advisor.model.evidence import Fact
from advisor.model.rules import Advice, Change, Risk, TakesEffect
from advisor.report.html.chart import Chart, Curve, Span

HOSTILE: Final = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&lt;<!--"
_CAUSE: Final = Cause(
    id="applier_single_threaded",
    title="One thread applies",
    where=Where.APPLIER,
    signs=(),
    why="One worker waits for every sync itself.",
    plainly="Copies replay changes one by one.",
    see=("https://dev.mysql.com/doc/refman/8.4/en/replication-options-replica.html",),
    settles="whether the backlog shrinks with several workers",
    command="SHOW REPLICA STATUS\\G",
    explains={"appliers": ("redo_sync", "binlog_sync")},
)
_NETWORK: Final = Cause(
    id="network_latency",
    title="The round trip between the servers is long",
    where=Where.MEMBER,
    signs=(),
    why="Every commit waits for a message and its answer.",
    plainly="The servers are far from each other.",
    settles="the round trip between the servers",
)
_WORKERS: Final = Fact("fact.applier_workers", 1, "", "from replica_parallel_workers")
_SECRET: Final = Fact("report_password", "hunter2", "", "my.cnf:3")
_SUSPECT: Final = RankedCause(
    cause=_CAUSE,
    member="db2",
    confidence=0.87,
    signs=(
        SeenSign("replica_parallel_workers = 1", 0.8, (_WORKERS, _SECRET)),
        SeenSign("only half of it waits", 0.3, (), speaks_for=False),
    ),
    limited="a sample of ten seconds",
    deeper=(),
    ceiling_per_second=4100.0,
    advice=Advice(do="Restart the applier.", risk=(Risk.R2,), costs="memory"),
    changes=(Change("replica_parallel_workers", "8", TakesEffect.APPLIER_RESTART, was="1"),),
    predicted=Prediction(9000.0, 10_400.0, 12_000.0, "fact.apply_rate_with_workers_per_second"),
    missing=("host.cpus",),
    holds_for=("mysql 8.0.36",),
)
_DOUBTED: Final = RankedCause(
    cause=_NETWORK,
    member="db1",
    confidence=0.3,
    signs=(SeenSign("a round trip takes 4 ms", 0.3, ()),),
    deeper=("applier_single_threaded",),
)
PROFILE: Final = (
    ThreadProfile(
        "db1",
        Threads.WRITERS,
        64.0,
        90,
        (
            ClassShare("flow_control", "Held back by flow control", 0.62, (), WaitGroup.REPLICATION),
            ClassShare("client_time", "Between statements: client and network", 0.25, (), WaitGroup.CLIENT),
            ClassShare("on_cpu", "Runs on a CPU", 0.1, ("updating",), WaitGroup.CPU),
            ClassShare("unexplained", "Not explained", 0.03, ("closing tables futex",), WaitGroup.UNEXPLAINED),
        ),
        0.03,
    ),
    ThreadProfile(
        "db2",
        Threads.APPLIERS,
        1.0,
        88,
        (
            ClassShare("redo_sync", "Writes and syncs the redo log", 0.5, (), WaitGroup.LOG),
            ClassShare("statement_work", "In statements", 0.3, ("applying",), WaitGroup.UNEXPLAINED),
            ClassShare("binlog_sync", "Writes and syncs the binary log", 0.2, (), WaitGroup.LOG),
        ),
        0.3,
    ),
    ThreadProfile(
        "db3",
        Threads.RECEIVER,
        1.0,
        88,
        (ClassShare("receiver_wait", "Receiver waits for the source", 1.0, (), WaitGroup.NETWORK),),
        0.0,
    ),
)
_CEILING: Final = Ceiling("serial-applier", "a single applier worker", Where.APPLIER, "x", "", "It waits alone.")


def _wave(period: int, height: float) -> tuple[float, ...]:
    return tuple(height + (at * 7919 % period) * height / period for at in range(120))


CHARTS: Final = (
    Chart(
        "transactions",
        "Transactions",
        "per second",
        "Committed and applied.",
        (
            Curve("committed", "db1", tuple(map(float, range(121))), _wave(11, 4000.0), steps=True),
            Curve("applied", "db2", tuple(at + 0.3 for at in range(121)), _wave(7, 3000.0), steps=True, dashed=True),
        ),
        (Span("warm-up", 0.0, 40.0), Span("measured", 40.0, 120.0)),
    ),
    Chart(
        "waiting",
        "Waiting to be applied",
        "transactions",
        "At each reading.",
        (Curve("waiting", "db2", (0.0, 10.0, 20.0, 60.0, 120.0), (0.0, 12_000.0, None, 30_000.0, 45_000.0)),),
    ),
)


def diagnosis() -> Diagnosis:
    """Three members, a serial applier behind a quota."""
    return Diagnosis(
        path="incident/bundle",
        topology="group_replication",
        members=("db1", "db2", "db3"),
        releases=("mysql 8.0.36",),
        writer="db1",
        throughput_per_second=4012.0,
        interval_seconds=10.0,
        time_breakdown=TimeBreakdown(
            member="db1",
            clients=64.0,
            throughput_per_second=4012.0,
            interval_seconds=10.0,
            shares=(
                TimeShare(
                    "flow control of the group", Side.CLIENT, "db1", 0.62, "from rate.Gr_flow_control_throttle_time_sum"
                ),
                TimeShare("idle clients", Side.CLIENT, "db1", 0.3, "derived"),
                TimeShare("waiting for work", Side.APPLIER, "db2", 0.05),
                TimeShare("redo log, written or synced", Side.DEVICE, "db3", 0.51),
            ),
            explained=0.92,
            little=0.98,
            states=(("waiting for handler commit", 0.7), ("idle", 0.3)),
        ),
        ceilings=(ComputedCeiling(_CEILING, "db2", 4100.0, "One worker on db2 applies about 4100 /s.", (_WORKERS,)),),
        causes=(_SUSPECT, _DOUBTED),
        next=NextObservation("whether the backlog shrinks", "SELECT 1 FROM performance_schema.x", ("a", "b")),
        unknown=(MissingEvidence("host.cpus", "--host cpus=16", ("cpu_saturated",)),),
        summary=("Your database commits 4012 transactions per second.", "Copies replay changes one by one."),
        problems=("status.txt: cut in mid-line",),
        profile=PROFILE,
    )
