"""Judgements to render: a member that has everything a report can show, and one that has nothing."""

from __future__ import annotations

import pytest

from advisor.model.evidence import Fact
from advisor.model.rules import Advice, Change, Finding, Judgement, Risk, Rule, Severity, TakesEffect, Verdict

RULE = Rule(
    id="redo-too-small",
    title="The redo log is too small for this buffer pool",
    area="redo",
    severity=Severity.WARNING,
    when="fact.redo_capacity_bytes < innodb_buffer_pool_size / 8",
    finding="{fact.redo_capacity_bytes} of redo.",
    why="Pages are flushed again and again.",
    see=("https://dev.mysql.com/doc/refman/8.4/en/innodb-redo-log.html",),
)
CHANGES = (
    Change("innodb_redo_log_capacity", "8G", TakesEffect.AT_ONCE, was="100M"),
    Change("innodb_log_file_size", None, TakesEffect.SERVER_RESTART, was="48M", file="conf/my.cnf", line=12),
)
FINDING = Finding(
    RULE,
    Verdict.FINDING,
    member="db1",
    message="96 MiB of redo for a buffer pool of 8 GiB: pages are flushed early, and the same page many times over.",
    because=(
        Fact("fact.redo_capacity_bytes", 96 << 20, "bytes", "from innodb_log_file_size"),
        Fact("innodb_buffer_pool_size", 8 << 30, "bytes", "conf/my.cnf:10"),
        Fact("report_password", "hunter2", "", "conf/my.cnf:3"),
    ),
    file="conf/my.cnf",
    line=12,
    changes=CHANGES,
    advice=Advice(do="Watch the checkpoint age.", risk=(Risk.R1, Risk.R2), costs="disk space"),
    holds_for=("mysql 8.0.30+", "mysql 8.4"),
    out_of=3,
)
UNKNOWN = Finding(RULE, Verdict.UNKNOWN, missing=("host.cpus", "rate.Com_commit"), holds_for=("mysql 8.4",), out_of=1)


@pytest.fixture
def judgement() -> Judgement:
    """A finding that holds for two of three releases, one unknown, two clear."""
    return Judgement(
        path="conf/my.cnf",
        topology="group_replication",
        members=("db1",),
        releases=("mysql 5.7", "mysql 8.0.30+", "mysql 8.4"),
        inferred=True,
        inference="inferred: every option is accepted by mysql 5.7, 8.0, 8.4",
        would_start={"mysql 5.7": False, "mysql 8.0.30+": True, "mysql 8.4": None},
        findings=(FINDING, UNKNOWN),
        counts={Verdict.FINDING: 1, Verdict.UNKNOWN: 1, Verdict.CLEAR: 2},
        problems=("conf/my.cnf:2: the folder is missing",),
    )


@pytest.fixture
def clean() -> Judgement:
    """Nothing found, nothing unknown."""
    return Judgement(
        path="my.cnf",
        members=("server",),
        releases=("mysql 8.4.3",),
        would_start={"mysql 8.4.3": True},
        counts={Verdict.CLEAR: 3},
    )
