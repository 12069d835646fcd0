"""The next observation is the one that settles most for what it costs, and says what that is."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import Differential, NextObservation, RankedCause
from advisor.why.differential.choice import best_observation, says_yes_too
from advisor.why.differential.probability import differential_of
from advisor.why.rules.loader import load_causes

CAUSES = {cause.id: cause for cause in load_causes()}


def differential(**confidences: float) -> Differential:
    candidates = [RankedCause(CAUSES[name], "m1", confidence, ()) for name, confidence in confidences.items()]
    found = differential_of(candidates)
    assert found is not None
    return found


def chosen(*, collected: bool = True, **confidences: float) -> NextObservation:
    observation = best_observation(differential(**confidences), collected=collected)
    assert observation is not None
    return observation


def test_of_equal_hypotheses_the_cheaper_is_asked_about() -> None:
    """One statement about row locks, or the load run again with twice the clients."""
    best = chosen(row_lock_contention=0.4, serial_client=0.4)
    assert best.need == CAUSES["row_lock_contention"].settles
    assert best.between == ("row_lock_contention", "serial_client")
    assert best.takes == "a single look"


def test_of_equal_costs_the_likelier_is_asked_about() -> None:
    for likely, other in (("row_lock_contention", "purge_lag"), ("autoinc_lock", "ddl_or_mdl_block")):
        best = best_observation(differential(**{other: 0.1, likely: 0.4}), collected=True)
        assert best is not None
        assert best.need == CAUSES[likely].settles


def test_what_costs_more_is_asked_where_it_tells_enough_more() -> None:
    assert chosen(row_lock_contention=0.05, query_cache=0.49).need == CAUSES["query_cache"].settles
    assert chosen(row_lock_contention=0.45, query_cache=0.45).need == CAUSES["row_lock_contention"].settles


def test_a_look_at_the_symptom_that_answers_for_several_is_worth_more() -> None:
    """Which node sends the pauses says yes to flow control, and to what makes it pause."""
    best = chosen(galera_flow_control=0.3, row_lock_contention=0.3, galera_large_writeset=0.3)
    assert best.need == CAUSES["galera_flow_control"].settles
    assert best.yes_for == ("galera_flow_control", "row_lock_contention", "galera_large_writeset")


@pytest.mark.parametrize(
    ("asked", "other", "same"),
    [
        ("galera_flow_control", "galera_slow_node", True),  # its deeper cause
        ("galera_slow_node", "galera_flow_control", False),  # a slow node is not all that may pause the others
        ("semisync_timeout_stall", "semisync_fallback_flapping", True),  # the same command
        ("storage_slow", "storage_shared_or_faulty", True),  # the same waits
        ("semisync_ack_latency", "semisync_ack_missing", False),  # one is known by the wait, the other may make it
        ("io_capacity_low", "flush_cannot_keep_up", False),  # the same waits, but a symptom
        ("serial_client", "tiny_transactions", False),  # neither has a command
    ],
)
def test_what_the_same_look_cannot_tell_apart(asked: str, other: str, same: bool) -> None:
    assert says_yes_too(CAUSES[asked], CAUSES[other]) is same


def test_without_readings_a_collection_is_asked_for_where_it_tells_more() -> None:
    several = {"redo_too_small": 0.2, "buffer_pool_too_small": 0.2, "storage_slow": 0.2, "cpu_saturated": 0.2}
    collection = chosen(collected=False, **several)
    assert "advisor collect" in collection.command
    assert collection.yes_for == ()
    assert "advisor collect" not in chosen(collected=True, **several).command
    assert "advisor collect" not in chosen(collected=False, version_regression=0.4, changed_defaults=0.4).command


def test_what_it_settles_is_a_share_of_the_doubt() -> None:
    alone = chosen(query_cache=0.45)
    assert alone.doubt_bits == pytest.approx(differential(query_cache=0.45).doubt_bits)
    assert alone.settles == pytest.approx(alone.bits / alone.doubt_bits)
    assert 0.4 < alone.settles < 0.8, "an answer that is right nine times of ten"
    assert alone.between == ()
