"""How much does one load resemble another? The figures by which loads are compared, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.annotations import Any, Final
from advisor.model.record import record


@record
class LoadFigure:
    """One figure of a load. `aspect`: figures of one aspect together count once. `unit` is as in `advisor.units`.

    `slack` is added to both sides before they are compared, so that nearly nothing resembles nothing.
    """

    words: str
    aspect: str
    unit: str = ""
    slack: float = 0.0


FIGURES: Final[Mapping[str, LoadFigure]] = {
    "commits_per_second": LoadFigure("commits per second", "rate"),
    "rows_median": LoadFigure("rows per tx, median", "rows"),
    "rows_p99": LoadFigure("rows per tx, p99", "rows"),
    "bytes_median": LoadFigure("bytes per tx, median", "bytes", "bytes"),
    "bytes_p99": LoadFigure("bytes per tx, p99", "bytes", "bytes"),
    "statements_median": LoadFigure("statements per tx, median", "statements"),
    "statements_p99": LoadFigure("statements per tx, p99", "statements"),
    "group_size": LoadFigure("tx committed together", "groups"),
    "syncs_per_commit": LoadFigure("syncs per commit", "syncs", slack=0.1),
    "lock_waits_per_commit": LoadFigure("lock waits per commit", "lock waits", slack=0.05),
    "parallel_width": LoadFigure("width of parallel apply", "parallel apply"),
    "read_share": LoadFigure("share of reads", "reads", slack=0.02),
}
"""By name. Statements are those that changed rows; the width is how much faster 64 appliers would be than one."""

RATE: Final = "commits_per_second"
TOLERANCE: Final = 0.85
"""The agreement from which a figure is in tolerance: the smaller side is at least 85 % of the larger."""
PROVES_LITTLE_BELOW: Final = 0.8


@record
class ComparedFigure:
    """One figure of both loads, None where it is unknown. `agreement` is the smaller divided by the larger, 0 to 1.

    `counts` says whether it counts in the figure over all.
    """

    name: str
    theirs: float | None
    ours: float | None
    agreement: float | None
    counts: bool

    @property
    def in_tolerance(self) -> bool | None:
        """Whether both sides agree well enough; None where one is unknown."""
        return None if self.agreement is None else self.agreement >= TOLERANCE


@record
class Fidelity:
    """How much our load resembles theirs. `score` from 0 to 1 is the geometric mean over aspects, None of nothing.

    Geometric, because a load that is far off in one aspect is another load, however well the rest agrees.
    """

    figures: tuple[ComparedFigure, ...]
    score: float | None


def read_fidelity(data: Mapping[str, Any]) -> Fidelity:
    """A comparison out of JSON; KeyError or TypeError for anything else."""
    return Fidelity(tuple(ComparedFigure(**figure) for figure in data["figures"]), data["score"])
