"""How verified changes move a prediction: by their median ratio, the more pairs the further, and only from three on.

The pairs are what plays of the open gym predicted and measured (benchmarks/diagnosis/plays/open).
"""

from __future__ import annotations

from math import sqrt

import pytest

from advisor.model.diagnosis import Diagnosis, Prediction
from advisor.model.record import replace
from advisor.why.verified.correction import corrected_by
from advisor.why.verified.pair import VerifiedChange
from tests.report.diagnosed import diagnosis

# A group that agrees slowly: low, middle and high that were predicted, the rate before, the rate that was measured.
GROUP = ((487, 1053, 1458, 235, 606), (480, 1182, 1684, 179, 801), (206, 353, 458, 144, 317))
ROW_LOCKS = (
    (420, 809, 1559, 632, 883),
    (708, 1539, 3346, 529, 996),
    (754, 1457, 2815, 88, 961),
    (2273, 4518, 8980, 458, 6641),
)
CAUSE = "applier_single_threaded"
DEFAULT = Prediction(9000.0, 10_400.0, 12_000.0, "more workers", now=4012.0)


def pairs(rates: tuple[tuple[float, ...], ...], cause: str = CAUSE) -> tuple[VerifiedChange, ...]:
    return tuple(
        VerifiedChange(cause, ("x",), low, mid, high, without, measured, "2026-11-22T10:00:00Z", "group", "mysql 9.7.4")
        for low, mid, high, without, measured in rates
    )


def same(ratio: float, count: int) -> tuple[VerifiedChange, ...]:
    """So many changes of which each gave so many times what was predicted."""
    return pairs(((900.0, 1000.0, 1100.0, 500.0, 1000.0 * ratio),) * count)


def before() -> Diagnosis:
    first, *others = diagnosis().causes
    return replace(diagnosis(), causes=(replace(first, predicted=DEFAULT), *others))


def predicted(verified: tuple[VerifiedChange, ...], default: Prediction = DEFAULT) -> Prediction:
    first, *others = before().causes
    found = corrected_by(verified, replace(before(), causes=(replace(first, predicted=default), *others)))
    assert found.causes[0].predicted is not None
    return found.causes[0].predicted


@pytest.mark.parametrize("count", [0, 1, 2])
def test_with_fewer_than_three_nothing_changes(count: int) -> None:
    assert corrected_by(same(0.5, count), before()) == before()


def test_changes_for_another_cause_do_not_count() -> None:
    assert corrected_by(pairs(GROUP, "gr_consensus_latency"), before()) == before()


def test_three_pairs_count_half_and_the_middle_is_their_median() -> None:
    after = predicted(pairs(GROUP))
    median_ratio = 801 / 1182
    assert after.mid == pytest.approx(10_400 * sqrt(median_ratio))
    assert (after.verified, after.uncorrected) == (3, DEFAULT)
    assert after.low < after.mid < after.high


def test_more_pairs_move_it_further() -> None:
    middles = [predicted(same(0.6, count)).mid for count in (3, 6, 12, 100)]
    assert middles == sorted(middles, reverse=True)
    assert middles[-1] == pytest.approx(10_400 * 0.6, rel=0.02)


def test_what_was_predicted_right_narrows_the_interval_and_what_was_not_widens_it() -> None:
    width = DEFAULT.high / DEFAULT.low
    right, wrong = predicted(same(1.0, 6)), predicted(pairs(ROW_LOCKS))
    assert right.mid == pytest.approx(DEFAULT.mid)
    assert right.high / right.low < width < wrong.high / wrong.low


def test_a_single_outlier_of_many_neither_moves_the_middle_nor_stretches_the_interval() -> None:
    after = predicted((*same(1.0, 19), *same(20.0, 1)))
    assert after.mid == pytest.approx(DEFAULT.mid)
    assert after.high < DEFAULT.high


def test_no_prediction_falls_below_the_rate_now() -> None:
    after = predicted(same(0.1, 9), replace(DEFAULT, now=8000.0))
    assert (after.low, after.mid) == (8000, 8000)
    assert after.high >= 8000


def test_the_reply_has_the_corrected_rates_and_the_rest_of_the_diagnosis_stays() -> None:
    found = corrected_by(same(0.5, 9), before())
    expected = found.causes[0].predicted
    assert expected is not None
    assert any(f"{expected.low:.0f} to {expected.high:.0f} transactions" in sentence for sentence in found.summary)
    assert replace(found, causes=before().causes, summary=before().summary) == before()
    assert found.causes[1] == before().causes[1]
