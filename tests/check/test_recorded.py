"""Clusters recorded with one injected bottleneck, or none: the rules name what was injected, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.evidence import read_path
from advisor.model.rules import Finding, Severity, Verdict

RULES = load_rules()
FOLDER = "cases/recorded"

# Case → what must be found there, with the member. The bottleneck first, as the index of the cases names it.
INJECTED = {
    "1_gr_flowcontrol_throttled": {
        ("gr-flow-control-serial-applier", "g2"),
        ("gr-flow-control-serial-applier", "g3"),
        ("gr-writers-throttled", "g1"),
        ("gr-applier-queue-over-threshold", "g1"),
    },
    "3_gr_tiny_redo": {
        (rule, member)
        for rule in ("redo-holds-seconds", "redo-space-waits", "writes-wait-for-reads")
        for member in ("g1", "g2", "g3")
    },
    "3s_standalone_tiny8M_bp32M": {
        ("redo-holds-seconds", "s1"),
        ("redo-space-waits", "s1"),
        ("writes-wait-for-reads", "s1"),
        ("free-page-waits", "s1"),
    },
    "4_standalone_durable_1thread": {("commits-synced-alone", "s1")},
    "5_semisync_slow_replica": {("semisync-acks-slow", "src")},
    "6a_galera_1thread_durable_node": {
        ("galera-replication-paused", "w1"),
        ("galera-serial-applier", "w1"),
        ("galera-serial-applier", "w2"),
        ("galera-serial-applier", "w3"),
    },
    "7_mariadb_replica_threads0": {("applier-single-threaded", "mr"), ("redo-holds-seconds", "mp")},
}
CONTROLS = ("0_gr_healthy", "3s_standalone_redo512M_bp128M", "4c_standalone_relaxed_1thread", "5c_semisync_control",
            "6c_galera_control")  # fmt: skip
# Settings that really are there, in controls too, to have the load limited by something else.
TRUE_EVERYWHERE = {
    "binlog-not-synced": "sync_binlog = 0 is set on servers that nobody else has the commits of",
    "redo-not-synced-at-commit": "innodb_flush_log_at_trx_commit = 2 is set on them",
}


def warned(shared: Path, case: str) -> set[tuple[str, str]]:
    """What is found above info, as (rule, member), without the settings that are there everywhere."""
    judgement = check(read_path(str(shared / FOLDER / case)), RULES)
    found = [f for f in judgement.findings if f.verdict is Verdict.FINDING and f.severity is not Severity.INFO]
    return {(f.rule.id, f.member) for f in found if f.rule.id not in TRUE_EVERYWHERE}


def finding(shared: Path, case: str, rule: str) -> Finding:
    judgement = check(read_path(str(shared / FOLDER / case)), RULES)
    return next(f for f in judgement.findings if f.rule.id == rule and f.verdict is Verdict.FINDING)


def test_every_recorded_case_is_expected_to_give_something(shared: Path) -> None:
    index = json.loads((shared / FOLDER / "index.json").read_text())
    assert {case["case"] for case in index["cases"]} == {*INJECTED, *CONTROLS}


@pytest.mark.parametrize("case", INJECTED)
def test_what_was_injected_is_found_and_nothing_else(shared: Path, case: str) -> None:
    assert warned(shared, case) == INJECTED[case]


@pytest.mark.parametrize("case", CONTROLS)
def test_nothing_limits_or_endangers_a_control(shared: Path, case: str) -> None:
    assert warned(shared, case) == set()


@pytest.mark.parametrize("case", [*INJECTED, *CONTROLS])
def test_no_rule_breaks_and_every_release_is_the_recorded_one(shared: Path, case: str) -> None:
    judgement = check(read_path(str(shared / FOLDER / case)), RULES)
    assert [f.rule.id for f in judgement.findings if f.verdict is Verdict.BROKEN] == []
    family = "mariadb 10.11.19" if case[0] in "67" else "mysql 9.7.4"
    assert (judgement.releases, judgement.inferred) == ((family,), False)


@pytest.mark.parametrize(
    ("case", "rule", "says"),
    [
        ("1_gr_flowcontrol_throttled", "gr-writers-throttled", "91.9 % of their time"),
        ("3s_standalone_tiny8M_bp32M", "redo-holds-seconds", "1.85 seconds"),
        ("4_standalone_durable_1thread", "commits-synced-alone", "84 % of the time"),
        ("5_semisync_slow_replica", "semisync-acks-slow", "3.66 ms on average"),
        ("6a_galera_1thread_durable_node", "galera-replication-paused", "90 % of the time"),
        ("6a_galera_1thread_durable_node", "galera-replication-paused", "w3 99 times, w2 1 time"),
        ("6a_galera_1thread_durable_node", "durability-differs", "w1 2/0, w2 2/0, w3 1/1"),
    ],
)
def test_figures_are_those_of_the_interval(shared: Path, case: str, rule: str, says: str) -> None:
    assert says in finding(shared, case, rule).message


def test_a_log_is_not_asked_to_be_larger_than_its_use(shared: Path) -> None:
    tiny = finding(shared, "3s_standalone_tiny8M_bp32M", "redo-holds-seconds")
    assert [(change.name, change.value) for change in tiny.changes] == [("innodb_redo_log_capacity", "256M")]


def test_nobody_is_asked_for_what_was_shown_to_be_empty_or_cannot_be(shared: Path) -> None:
    for case in ("3s_standalone_redo512M_bp128M", "6c_galera_control", "7_mariadb_replica_threads0"):
        judgement = check(read_path(str(shared / FOLDER / case)), RULES)
        missing = {name for f in judgement.findings if f.verdict is Verdict.UNKNOWN for name in f.missing}
        assert [name for name in missing if name.startswith(("replica.", "source.", "fact."))] == []
