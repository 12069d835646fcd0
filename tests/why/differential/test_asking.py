"""What it costs to ask: every observation of a cause has a kind, and kinds that cannot be are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import RuleError
from advisor.why.differential import asking as module
from advisor.why.differential.asking import load_kinds
from advisor.why.rules.loader import load_causes

CAUSES = {cause.id: cause for cause in load_causes()}
GOOD = """
round_seconds: 300
risks: {none: 1}
kinds:
  once: {takes: a look, seconds: 0, risk: none, yes: 0.6, no: 0.9}
collection: {takes: a minute, seconds: 660, risk: none, yes: 0.6, no: 0.9}
"""


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        ("commit_delay_setting", "change"),
        ("performance_schema_overhead", "change"),
        ("applier_single_threaded", "change"),  # its command only reads what several workers are to change
        ("storage_slow", "other_run"),
        ("serial_client", "other_run"),
        ("semisync_mutex_contention", "instruments"),
        ("cpu_saturated", "under_load"),
        ("flush_cannot_keep_up", "under_load"),
        ("redo_too_small", "twice"),
        ("row_lock_contention", "once"),
        ("healthy_or_expected", "once"),
    ],
)
def test_the_kind_is_what_the_command_does(cause: str, kind: str) -> None:
    assert load_kinds().of(CAUSES[cause]).kind == kind


def test_reading_costs_least_and_running_the_load_again_most() -> None:
    kinds = ("once", "twice", "under_load", "instruments", "change", "other_run")
    costs = {asked.kind: asked.cost for asked in map(load_kinds().of, CAUSES.values())}
    assert sorted(kinds, key=lambda kind: costs[kind]) == [
        "once",
        "twice",
        "under_load",
        "change",
        "instruments",
        "other_run",
    ]


def test_the_causes_that_are_named_exist() -> None:
    assert {*load_kinds().by_cause, *load_kinds().blind_to} <= CAUSES.keys()


@pytest.mark.parametrize(
    ("good", "bad", "told"),
    [
        ("yes: 0.6", "yes: 0.4", "between 0.5 and 1"),
        ("no: 0.9", "no: 1", "between 0.5 and 1"),
        ("seconds: 0,", "seconds: soon,", "soon"),
        ("risk: none", "risk: some", "some"),
        ("takes: a look,", "", "takes"),
        ("round_seconds: 300", "", "round_seconds"),
        ("once: {", "once: {cost: 3, ", "cost"),
    ],
)
def test_a_file_that_is_wrong_says_where(
    good: str, bad: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "folder", lambda kind: str(tmp_path))
    (tmp_path / "observations.yaml").write_text(GOOD)
    assert load_kinds.__wrapped__().of(CAUSES["serial_client"]).kind == "once"
    (tmp_path / "observations.yaml").write_text(GOOD.replace(good, bad))
    with pytest.raises(RuleError, match=told):
        load_kinds.__wrapped__()
