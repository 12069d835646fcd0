"""Facts of the wait profile: one for every class, for writers, for appliers, and for any one of the appliers."""

from __future__ import annotations

from advisor.conditions import Missing
from advisor.evidence.facts import derived_facts
from advisor.model.server import Role
from advisor.why.rules.wait_class_files import wait_class_names
from tests.why.profile.sampled import member, row, view, worker

IDLE = "Waiting for an event from Coordinator"


def test_every_class_has_its_facts() -> None:
    view(member([]))
    groups = ("writers", "appliers", "some_applier")
    wanted = {f"{group}_{name}_share" for group in groups for name in wait_class_names()}
    assert wanted <= derived_facts().keys()
    assert "rules/waits/row_lock.yaml" in derived_facts()["writers_row_lock_share"].meaning


def test_one_worker_of_four_that_waits_all_the_time_is_seen() -> None:
    moment = [worker("updating", trx="lock wait"), worker(IDLE, count=3)]
    replica = view(member([moment] * 10, role=Role.REPLICA))
    assert replica["fact.appliers_row_lock_share"] == 0.25
    assert replica["fact.some_applier_row_lock_share"] == 1.0
    assert replica["fact.some_applier_metadata_lock_share"] == 0.0
    assert replica["fact.profile_samples"] == 10


def test_unexplained_is_all_that_is_not_told_apart() -> None:
    writer = view(member([[row("updating", count=6), row("a new state", count=2), row("", command="Sleep")]] * 4))
    assert round(writer["fact.writers_unexplained_share"], 4) == round(8 / 9, 4)
    assert round(writer["fact.writers_statement_work_share"], 4) == round(6 / 9, 4)


def test_without_process_lists_nothing_is_known() -> None:
    alone = view(member([]))
    assert isinstance(alone.value("fact.writers_row_lock_share"), Missing)
    only_writers = view(member([[row("updating", count=20)]]))
    assert isinstance(only_writers.value("fact.appliers_row_lock_share"), Missing)
    assert isinstance(only_writers.value("fact.some_applier_row_lock_share"), Missing)
