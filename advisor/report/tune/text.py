"""What does a terminal show of a tuning run? The recommendation first."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.recommendation import Contender, Recommendation, contender_label
from advisor.report.tune import tables
from advisor.report.tune.aims import aim_of, mean_rate
from advisor.report.tune.sentences import (
    against_rules,
    caveats,
    change_sentence,
    headline,
    measured_on,
    purpose_and_worth,
    search_summary,
    soak_sentence,
    times,
)
from advisor.report.words.amounts import duration, rate
from advisor.report.words.fidelity import fidelity_lines
from advisor.report.words.layout import Page


def recommendation_as_text(found: Recommendation, page: Page) -> str:
    """The recommendation, its changes, the finalists, and what limits its worth."""
    lines = page.wrap(page.paint(headline(found), "strong"), 0)
    lines += page.wrap(measured_on(found), 0)
    if found.chosen:
        lines += ["", "Change:"]
        for change in found.changes:
            lines += page.wrap(change_sentence(change), 2)
            lines += page.wrap(purpose_and_worth(change, aim_of(found)), 4)
        lines += ["", *page.wrap(tables.TAKE_BACK, 0)]
    if found.contenders:
        lines += ["", f"Validated in {_blocks(found.contenders)} blocks, each run after a fresh restart:"]
        lines += [f"  {line}" for line in _finalist_lines(found)]
    for contender in found.contenders:
        if contender.why_not:
            lines += page.wrap(f"{contender_label(contender.name)}: {contender.why_not}.", 2)
    if against := against_rules(found):
        lines += page.wrap(against, 2)
    if found.soak:
        lines += page.wrap(f"Soak test: {soak_sentence(found.soak)}", 0)
    lines += ["", *page.wrap(search_summary(found), 0)]
    if found.fidelity:
        lines += ["", *fidelity_lines(found.fidelity)]
    for caveat in caveats(found):
        lines += page.wrap(f"! {caveat}", 0)
    return "\n".join(lines) + "\n"


def _blocks(contenders: Sequence[Contender]) -> str:
    """How many were run; "3 of 6" where the tuning run ended before all were."""
    asked = len(contenders[0].rates)
    run = max(sum(value is not None for value in contender.rates) for contender in contenders)
    return str(asked) if run == asked else f"{run} of {asked}"


def _finalist_lines(found: Recommendation) -> list[str]:
    rows = [("", "tx/s", "ratio", "lag p95", f"latency p{found.latency_percentile}")]
    for contender in found.contenders:
        ratio = "1"
        if contender.ratio is not None:
            ratio = times(contender.ratio).replace(" times", "").replace("95 %: ", "")
        label = contender_label(contender.name) + (" *" if contender.accepted else "")
        rows.append((
            label, rate(mean_rate(contender)), ratio, duration(contender.lag_ms), duration(contender.latency_ms)
        ))  # fmt: skip
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
