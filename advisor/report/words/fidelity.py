"""How is it shown how much a load resembles the one it was made from? A table, one figure, and what that is worth."""

from __future__ import annotations

from advisor.model.workload.fidelity import FIGURES, PROVES_LITTLE_BELOW, ComparedFigure, Fidelity
from advisor.report.words.table import text_table
from advisor.units import show


def fidelity_lines(found: Fidelity) -> list[str]:
    """The lines of a text report; they fit 80 columns."""
    rows = [["", "theirs", "ours", "difference", "in tolerance"]]
    rows += [[FIGURES[each.name].words, *fidelity_cells(each)] for each in found.figures]
    return [fidelity_sentence(found), *text_table(rows, left=0)]


def fidelity_cells(figure: ComparedFigure) -> list[str]:
    """Theirs, ours, the difference as a share of theirs, and the verdict."""
    unit = FIGURES[figure.name].unit
    theirs, ours = (_amount(value, unit) for value in (figure.theirs, figure.ours))
    difference = ""
    if figure.theirs and figure.ours is not None:
        difference = f"{100 * (figure.ours / figure.theirs - 1):+.0f} %"
    verdict = {True: "yes", False: "no", None: "unknown"}[figure.in_tolerance]
    return [
        theirs,
        ours,
        difference,
        verdict if figure.counts or figure.agreement is None else f"{verdict}, not counted",
    ]


def fidelity_sentence(found: Fidelity) -> str:
    """The figure over all, and what it means for results."""
    if found.score is None:
        return "fidelity: unknown, because no figure of both loads is known"
    sentence = f"fidelity {found.score:.2f} of 1"
    if found.score < PROVES_LITTLE_BELOW:
        sentence += f": below {PROVES_LITTLE_BELOW:g}, so this run proves little for production"
    return sentence


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return "unknown"
    if unit:
        return show(value, unit)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
