"""What pairs of turns show: what helps, harms, costs, or says nothing."""

from __future__ import annotations

import numpy as np

from advisor.tune.live.statistics.verdict import Answer, Measure, TurnPair, judge
from tests.tune.live.simulated_traffic import turn_figures


def test_a_gain_in_latency_that_costs_syncs_helps_and_says_what_it_costs() -> None:
    pairs = [pair(10.0, 6.0, 1.0, 1.3, seed) for seed in range(10)]
    verdict = judge(pairs, 0.0, 1)
    assert verdict.answer is Answer.HELPS
    shown = {effect.measure: (effect.better, effect.worse) for effect in verdict.effects}
    assert shown == {Measure.COMMIT_LATENCY: (True, False), Measure.SYNCS_PER_TRANSACTION: (False, True)}


def test_fewer_syncs_that_cost_latency_are_a_trade() -> None:
    assert judge([pair(6.0, 10.0, 1.3, 1.0, seed) for seed in range(10)], 0.0, 1).answer is Answer.TRADES


def test_more_syncs_at_the_same_latency_are_no_gain() -> None:
    assert judge([pair(6.0, 6.0, 1.0, 1.3, seed) for seed in range(10)], 0.0, 1).answer is Answer.NOTHING_SHOWN


def test_fewer_syncs_at_the_same_latency_help() -> None:
    assert judge([pair(6.0, 6.0, 1.3, 1.0, seed) for seed in range(10)], 0.0, 1).answer is Answer.HELPS


def test_many_candidates_need_more_pairs() -> None:
    verdict = judge([pair(10.0, 6.0, 1.0, 1.0, seed) for seed in range(5)], 0.0, 20)
    assert verdict.answer is Answer.NOTHING_SHOWN


def test_a_turn_with_a_handful_of_commits_says_nothing_of_latency() -> None:
    rates, latencies = np.full(5, 2.0), np.full(5, 10.0)
    few = [TurnPair(turn_figures(rates, latencies), turn_figures(rates, latencies / 2), "AB")] * 12
    assert judge(few, 0.0, 1).effects == ()


def pair(former_ms: float, changed_ms: float, former_syncs: float, changed_syncs: float, seed: int) -> TurnPair:
    """A pair with a noise of 2 %."""
    dice = np.random.default_rng(seed)

    def figures(latency_ms: float, syncs: float):
        noise = 1 + 0.02 * dice.standard_normal(2)
        return turn_figures(
            np.full(10, 50.0), np.full(10, latency_ms * noise[0]), syncs_per_transaction=syncs * noise[1]
        )

    return TurnPair(figures(former_ms, former_syncs), figures(changed_ms, changed_syncs), "AB")
