"""What do pairs of turns show? Only by figures that do not depend on how much users ask for.

Commit latency at equal rate; CPU time and syncs of a transaction; lag and backlog; headroom below the lowest ceiling.
Whoever begins a pair was drawn by lot, so the signs of the pairs' log ratios are the test (Fisher's randomisation
test): without an effect each could as well have been the other. Nothing is assumed of days, bursts or trends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from advisor.bench.statistics.paired_runs import ratio_interval
from advisor.model.measurement import Interval
from advisor.model.record import record
from advisor.tune.live.statistics.equal_rate import at_equal_rate
from advisor.tune.live.statistics.turn_plan import CHANCE_OF_A_FALSE_ALARM
from advisor.tune.live.traffic.figures import Figures
from advisor.tune.search.gain_thresholds import TOLERATED_LOSS, WORTH_CHANGING
from advisor.tune.validation.acceptance import holm, sign_flip_p

FEWEST_COMMITS: Final = 20  # in a turn; the latency of fewer is an anecdote
_LAG_FLOOR_MS: Final = 1.0  # lag is read to about a millisecond, and is often 0
_BACKLOG_FLOOR: Final = 1.0  # transactions


class Measure(StrEnum):
    """What is compared. Less is better, but for headroom."""

    COMMIT_LATENCY = "commit_latency"
    CPU_PER_TRANSACTION = "cpu_per_transaction"
    SYNCS_PER_TRANSACTION = "syncs_per_transaction"
    LAG = "lag"
    BACKLOG = "backlog"
    HEADROOM = "headroom"


NOTICED: Final = 1.10  # times
COSTS: Final = (Measure.CPU_PER_TRANSACTION, Measure.SYNCS_PER_TRANSACTION)


class Answer(StrEnum):
    """What was shown of a change."""

    HELPS = "helps"
    HARMS = "harms"
    TRADES = "trades"  # one figure gets better, another worse
    NOTHING_SHOWN = "nothing_shown"
    LIMIT_TOUCHED = "limit_touched"
    REFUSED = "refused"  # by the server
    NOT_TRIED = "not_tried"  # there was no time


@record
class TurnPair:
    """The figures of two neighbouring turns. `order` as "AB" says which came first."""

    former: Figures
    changed: Figures
    order: str


@record
class Effect:
    """One measure over the pairs: B/A with its 95 % interval. p-values are one-sided, `p_better` after Holm.

    `worth` is how large the gain must at least be; `better` and `worse` are what was shown.
    """

    measure: Measure
    ratio: Interval
    pairs: int
    former: float
    changed: float
    p_better: float
    p_worse: float
    better: bool
    worse: bool


@record
class Verdict:
    """What was shown of one change, and by which figures."""

    answer: Answer
    effects: tuple[Effect, ...] = ()
    because: str = ""


def judge(pairs: Sequence[TurnPair], slope: float, tests: int, seed: int = 0) -> Verdict:
    """The verdict on a change; `slope` of latency over rate, `tests`: how many changes are judged in this run."""
    ratios = {measure: log_ratios(pairs, measure, slope) for measure in Measure}
    known = {measure: values for measure, values in ratios.items() if len(values) > 1}
    better = {measure: sign_flip_p([-value for value in values], seed) for measure, values in known.items()}
    corrected = holm({str(measure): value for measure, value in better.items()})
    effects = tuple(
        _effect(measure, known[measure], pairs, corrected[measure] * tests, sign_flip_p(known[measure], seed))
        for measure in known
    )
    if not effects:
        return Verdict(Answer.NOTHING_SHOWN, (), "no figure is known for at least two pairs of turns")
    return Verdict(_answer(effects), effects)


def _answer(effects: Sequence[Effect]) -> Answer:
    """What users wait for decides; what it costs decides only where they certainly notice no difference."""
    waited_for = [effect for effect in effects if effect.measure not in COSTS]
    gains, losses = any(effect.better for effect in waited_for), any(effect.worse for effect in waited_for)
    saves = any(effect.better for effect in effects if effect.measure in COSTS)
    if losses:
        return Answer.TRADES if gains or saves else Answer.HARMS
    if gains:
        return Answer.HELPS
    costs_more = any(effect.worse for effect in effects if effect.measure in COSTS)
    if saves and costs_more:
        return Answer.TRADES
    return Answer.HELPS if saves and all(map(_unharmed, waited_for)) else Answer.NOTHING_SHOWN


def _unharmed(effect: Effect) -> bool:
    """Whether the interval excludes that users lose much of it."""
    if effect.measure is Measure.HEADROOM:
        return effect.ratio.low is not None and effect.ratio.low > 1 / NOTICED
    return effect.ratio.high is not None and effect.ratio.high < NOTICED


def log_ratios(pairs: Sequence[TurnPair], measure: Measure, slope: float = 0.0) -> list[float]:
    """log(B/A) of every pair that knows both; below 0 is better, for headroom too."""
    found = []
    for pair in pairs:
        former, changed = _figure(pair.former, measure), _figure(pair.changed, measure)
        if former is None or changed is None:
            continue
        ratio = math.log(changed / former)
        if measure is Measure.COMMIT_LATENCY and pair.former.rate and pair.changed.rate:
            ratio = at_equal_rate(ratio, slope, pair.former.rate, pair.changed.rate)
        found.append(-ratio if measure is Measure.HEADROOM else ratio)
    return found


def _figure(figures: Figures, measure: Measure) -> float | None:
    """A figure above 0, or None where it is unknown or rests on too little."""
    floors = {Measure.LAG: _LAG_FLOOR_MS, Measure.BACKLOG: _BACKLOG_FLOOR}
    if measure is Measure.COMMIT_LATENCY and figures.commits < FEWEST_COMMITS:
        return None
    value = plain_figure(figures, measure)
    if value is None:
        return None
    value += floors.get(measure, 0.0)
    return value if value > 0 else None


def plain_figure(figures: Figures, measure: Measure) -> float | None:
    """The figure as it was read: milliseconds, syncs, transactions, times."""
    named = {
        Measure.COMMIT_LATENCY: figures.typical_commit_ms,
        Measure.CPU_PER_TRANSACTION: figures.cpu_ms_per_transaction,
        Measure.SYNCS_PER_TRANSACTION: figures.syncs_per_transaction,
        Measure.LAG: figures.lag_ms,
        Measure.BACKLOG: figures.backlog,
        Measure.HEADROOM: figures.headroom,
    }
    return named[measure]


def _effect(
    measure: Measure, ratios: Sequence[float], pairs: Sequence[TurnPair], p_better: float, p_worse: float
) -> Effect:
    ratio = ratio_interval([1.0] * len(ratios), [math.exp(value) for value in ratios])
    low, high = ratio.low or 0.0, ratio.high or math.inf
    better = p_better <= CHANCE_OF_A_FALSE_ALARM and high < 1 / WORTH_CHANGING
    worse = p_worse <= CHANCE_OF_A_FALSE_ALARM and low > 1 and (ratio.mid or 0.0) > 1 + TOLERATED_LOSS
    if measure is Measure.HEADROOM and ratio.mid:
        ratio = Interval(1 / high if high < math.inf else None, 1 / ratio.mid, 1 / low if low else None)
    former, changed = (_mean(pairs, measure, side) for side in ("former", "changed"))
    return Effect(measure, ratio, len(ratios), former, changed, min(1.0, p_better), p_worse, better, worse)


def _mean(pairs: Sequence[TurnPair], measure: Measure, side: str) -> float:
    values = [plain_figure(getattr(pair, side), measure) for pair in pairs]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else math.nan
