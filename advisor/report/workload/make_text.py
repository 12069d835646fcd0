"""What does a terminal show of a load that was made? Which tables became which, the kinds, and what is not known."""

from __future__ import annotations

from typing import Final

from advisor.model.workload.fidelity import FIGURES
from advisor.model.workload.made_load import MadeLoad
from advisor.report.words.layout import Page
from advisor.report.words.table import text_table

_SHOWN: Final = 10
_ALL: Final = 0.9995


def render(load: MadeLoad, path: str, page: Page) -> str:
    """The summary, and how to run the load."""
    kinds = load.transactions
    lines = page.wrap(page.paint(f"{path}: {len(kinds)} kinds of transactions", "strong"), 0)
    if load.kept_share < _ALL:
        lines += page.wrap(f"They are {load.kept_share:.1%} of the transactions; rarer kinds are left out.", 2)
    lines += ["", "Tables of the copy:"]
    rows = [["copy", "rows", "", "keys", "made from"]]
    for copy in load.copies:
        names = copy.tables[0] + (f" and {len(copy.tables) - 1} like it" if len(copy.tables) > 1 else "")
        stated = "as stated" if copy.stated else "from the log"
        rows.append([copy.name, f"{copy.rows:,}", copy.rows_are, stated, names])
    lines += [f"  {line}" for line in text_table(rows, left=0)]
    lines += ["", "Most frequent transactions:"]
    total = sum(kind.weight for kind in kinds)
    frequent = sorted(kinds, key=lambda kind: -kind.weight)
    for kind in frequent[:_SHOWN]:
        lines += page.wrap(f"{kind.name}: {kind.weight / total:.1%}, {_statements(len(kind.statements))}", 2)
    lines += ["", "Figures to compare with after a run:"]
    lines += [
        f"  {line}"
        for line in text_table(
            [[FIGURES[name].words, f"{value:,.4g}"] for name, value in load.observed.items()], left=0
        )
    ]
    if load.notes:
        lines += ["", "Not known from these sources:"]
        lines += [line for note in load.notes for line in page.wrap(f"{note}.", 2)]
    lines += ["", *page.wrap(f"Run it: advisor bench --lab NAME --workload {path}", 0)]
    return "\n".join(lines) + "\n"


def _statements(count: int) -> str:
    return "1 statement" if count == 1 else f"{count} statements"
