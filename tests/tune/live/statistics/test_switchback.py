"""Turns and pairs on simulated traffic: nothing is found where there is nothing, and what is there is found."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from advisor.tune.live.statistics.autocorrelation import autocorrelation_steps, difference_variance, semivariogram
from advisor.tune.live.statistics.switchback import TurnPlan, detectable_effect, fewest_pairs, orders, plan_turns
from advisor.tune.live.statistics.verdict import Answer, Measure, TurnPair, judge, rate_slope
from tests.tune.live.simulated_traffic import Traffic, in_force, turn_figures

WATCHED = 900
LEFT_OUT = 3
RUNS = 120


def run(seed: int, effect: float, seconds: int = 900, *, closed: bool = False) -> tuple[Answer, TurnPlan, float]:
    """Watch, plan, take turns and judge, as a session does; the latency is multiplied by 1 + effect."""
    traffic = Traffic(seed, WATCHED + 2 * seconds, closed=closed)
    rates, latencies = traffic.seconds(np.zeros(WATCHED + 2 * seconds))
    slope = rate_slope(list(latencies[:WATCHED]), list(rates[:WATCHED]))
    series = np.log(latencies[:WATCHED]) - slope * np.log(rates[:WATCHED])
    plan = plan_turns(list(series), seconds, LEFT_OUT, 1)
    assert plan
    drawn = orders(plan.pairs, random.Random(seed))
    strengths = np.zeros(WATCHED + 2 * seconds)
    strengths[WATCHED : WATCHED + plan.seconds] = in_force(drawn, plan.turn_seconds, math.log1p(effect), 1.0)
    rates, latencies = traffic.seconds(strengths)
    verdict = judge(pairs_of(drawn, plan, rates[WATCHED:], latencies[WATCHED:]), slope, 1)
    return verdict.answer, plan, detectable_effect(plan, 1)


def pairs_of(drawn: list[str], plan: TurnPlan, rates: np.ndarray, latencies: np.ndarray) -> list[TurnPair]:
    """The figures of every turn, without its start."""
    pairs = []
    for number, order in enumerate(drawn):
        figures = {}
        for place, letter in enumerate(order):
            begin = (2 * number + place) * plan.turn_seconds
            counted = slice(begin + plan.left_out_seconds, begin + plan.turn_seconds)
            figures[letter] = turn_figures(rates[counted], latencies[counted])
        pairs.append(TurnPair(figures["A"], figures["B"], order))
    return pairs


@pytest.mark.gate
@pytest.mark.parametrize("closed", [False, True], ids=["demand of its own", "clients who wait"])
def test_nothing_is_found_where_nothing_was_changed(closed: bool) -> None:
    answers = [run(seed, 0.0, closed=closed)[0] for seed in range(RUNS)]
    # 5 % may be wrong in each direction; more than 12 of 120 runs would be so once in a hundred such tests.
    assert answers.count(Answer.HELPS) <= 12
    assert answers.count(Answer.HARMS) <= 12
    assert answers.count(Answer.TRADES) == 0


@pytest.mark.gate
@pytest.mark.parametrize("closed", [False, True], ids=["demand of its own", "clients who wait"])
def test_a_planted_gain_is_found_and_a_planted_loss_as_well(closed: bool) -> None:
    gains = [run(seed, -0.3, closed=closed)[0] for seed in range(30)]
    losses = [run(seed, 0.3, closed=closed)[0] for seed in range(30)]
    assert gains.count(Answer.HELPS) >= 27
    assert gains.count(Answer.HARMS) == 0
    assert losses.count(Answer.HARMS) >= 27
    assert losses.count(Answer.HELPS) == 0


@pytest.mark.gate
def test_what_the_watch_promises_is_kept() -> None:
    """An effect of the promised size is found in most runs: four of five were promised."""
    found = 0
    for seed in range(40):
        promised = run(seed, 0.0)[2]
        found += run(seed, 1 / (1 + promised) - 1)[0] is Answer.HELPS
    assert found >= 26


def test_a_longer_run_shows_smaller_effects() -> None:
    series = list(np.log(Traffic(1, WATCHED).seconds(np.zeros(WATCHED))[1]))
    short, long = (plan_turns(series, seconds, LEFT_OUT, 1) for seconds in (300, 1800))
    assert short
    assert long
    assert detectable_effect(long, 1) < detectable_effect(short, 1) < 1
    assert plan_turns(series, 60, LEFT_OUT, 1) is None  # too few pairs
    assert plan_turns(series[:20], 1800, LEFT_OUT, 1) is None  # too short a watch


def test_turns_are_as_long_as_the_noise_asks_for() -> None:
    """White noise: long turns waste nothing but pairs. A slow wave: neighbours must be close, so turns are short."""
    dice = np.random.default_rng(3)
    white = list(dice.standard_normal(3000))
    wave = list(np.cumsum(dice.standard_normal(3000)))
    for_white, for_wave = (plan_turns(series, 3600, 10, 1) for series in (white, wave))
    assert for_white
    assert for_wave
    assert for_wave.turn_seconds < for_white.turn_seconds


def test_the_variance_of_a_difference_follows_from_the_semivariogram() -> None:
    from scipy.signal import lfilter

    dice = np.random.default_rng(5)
    series = lfilter([1.0], [1.0, -0.9], dice.standard_normal(40_000))
    starts = range(0, 40_000 - 60, 60)
    differences = [series[at + 5 : at + 30].mean() - series[at + 35 : at + 60].mean() for at in starts]
    predicted = difference_variance(semivariogram(list(series), 100), 30, 5)
    assert predicted == pytest.approx(float(np.var(differences)), rel=0.15)


def test_a_moment_is_as_long_as_its_memory_and_gaps_do_not_count() -> None:
    from scipy.signal import lfilter

    dice = np.random.default_rng(7)
    series: list[float | None] = list(lfilter([1.0], [1.0, -0.95], dice.standard_normal(20_000)))
    assert autocorrelation_steps(semivariogram(series, 400)) == pytest.approx(20, rel=0.25)
    gaps = [value if number % 3 else None for number, value in enumerate(series)]
    assert autocorrelation_steps(semivariogram(gaps, 400)) == pytest.approx(20, rel=0.3)


def test_latency_that_makes_the_rate_low_is_not_corrected_for_the_rate() -> None:
    rates, latencies = Traffic(1, 3600, closed=True).seconds(np.zeros(3600))
    assert rate_slope(list(latencies), list(rates)) == 0.0
    rates, latencies = Traffic(1, 3600).seconds(np.zeros(3600))
    assert rate_slope(list(latencies), list(rates)) == pytest.approx(0.5, abs=0.15)


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
    assert fewest_pairs(1) == 5
    assert fewest_pairs(40) == 10


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
