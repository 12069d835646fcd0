"""How do verified changes move the next prediction of the same cause? By how many times the predicted rate they gave.

The middle is multiplied by the median of the ratios measured / predicted, to the power n / (n + 3): three pairs count
half, nine three quarters. So few can be off together, and the rate of a single run is off by up to a fifth by itself.
The interval around the middle is, in the same proportion, that of the ratios themselves instead of the default. Of n
ratios the smallest and the largest hold the next one between them with a probability of (n − 1) / (n + 1), whatever
their distribution: a half with three, where the default counts as much, and four fifths with nine. From ten on a tenth
is left out on either side.

What this leaves out: the ratio is that of rates, not of gains, and it may depend on the topology, the release and the
load, which are kept but not looked at. No prediction falls below the rate now: what is advised is not expected to slow
anything down.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from advisor.model.diagnosis import Diagnosis, Prediction
from advisor.model.record import replace
from advisor.why.customer_reply import customer_reply
from advisor.why.verified.pair import VerifiedChange

LEAST: Final = 3  # pairs; with fewer there is no median worth the name
_SHRINK: Final = 3  # pairs that weigh as much as the default
_LEFT_OUT: Final = 10  # of as many ratios, one on either side


def corrected_by(verified: Sequence[VerifiedChange], diagnosis: Diagnosis) -> Diagnosis:
    """The diagnosis with predictions that changes verified on the same machine have corrected, and a reply to match."""
    causes = tuple(
        replace(each, predicted=_corrected(each.predicted, [p.ratio for p in verified if p.cause == each.cause.id]))
        if each.predicted is not None
        else each
        for each in diagnosis.causes
    )
    if causes == diagnosis.causes:
        return diagnosis
    found = replace(diagnosis, causes=causes)
    return replace(found, summary=customer_reply(found))


def _corrected(prediction: Prediction, by: Sequence[float]) -> Prediction:
    """After what changes for the same cause gave; as it was with fewer than three of them."""
    ratios = sorted(by)
    if len(ratios) < LEAST:
        return prediction
    weight = len(ratios) / (len(ratios) + _SHRINK)
    left_out = len(ratios) // _LEFT_OUT
    middle = median(ratios)
    mid = prediction.mid * pow(middle, weight)

    def bound(ratio: float, default: float) -> float:
        spread = pow(ratio / middle, weight) * pow(default / prediction.mid, 1 - weight)
        return float(max(prediction.now, mid * spread))

    return replace(
        prediction,
        low=bound(ratios[left_out], prediction.low),
        mid=max(prediction.now, mid),
        high=bound(ratios[-1 - left_out], prediction.high),
        verified=len(ratios),
        uncorrected=prediction,
    )
