"""Moves to another release or topology: `claims`, `topology` what is known about them · `result` what one means for a
cluster · `rehearsal` what real servers showed.
"""

from advisor.model.move.claims import (
    DefaultClaim,
    Direction,
    FeatureClaim,
    Matter,
    PathClaim,
    Releases,
    StepClaim,
    Translation,
)
from advisor.model.move.result import DefaultChange, Fate, FeatureFound, MemberMove, Move, OptionMove

__all__ = [
    "DefaultChange",
    "DefaultClaim",
    "Direction",
    "Fate",
    "FeatureClaim",
    "FeatureFound",
    "Matter",
    "MemberMove",
    "Move",
    "OptionMove",
    "PathClaim",
    "Releases",
    "StepClaim",
    "Translation",
]
