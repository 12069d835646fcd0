"""What else could it be? The other hypotheses in order, a row for each; their evidence and advice are folded."""

from __future__ import annotations

from typing import Final

from advisor.model.diagnosis import Diagnosis, RankedCause
from advisor.report.html.markup import Child, Safe, breakable, tag
from advisor.report.html.prose import Prose
from advisor.report.html.tables import Column, Kind, table
from advisor.report.why.cause_html import cause
from advisor.report.why.hypotheses import further_causes, probability, something_else, speaking_for

_COLUMNS: Final = (
    Column("Hypothesis", Kind.PROSE),
    Column("Probability", Kind.NUMBER),
    Column("What speaks for it", Kind.PROSE),
    Column("Next observation", Kind.PROSE),
)


def further_hypotheses(diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    """The section; None where the first cause is the only one."""
    others, rest = further_causes(diagnosis), something_else(diagnosis)
    if not others and not rest:
        return None
    rows = [_row(ranked, diagnosis) for ranked in others]
    rows += [("Something else", rest, "", "")] if rest else []
    hypotheses = table("Further hypotheses, most likely first", _COLUMNS, rows, stacked=True)
    cards = [cause(ranked, diagnosis, prose) for ranked in others]
    more = tag("details", tag("summary", "Their evidence and advice"), *cards) if cards else None
    heading = tag("h2", "Further hypotheses", id="further")
    return tag("section", heading, tag("div", hypotheses, more, class_="card"))


def _row(ranked: RankedCause, diagnosis: Diagnosis) -> tuple[Child, ...]:
    member = f" ({ranked.member})" if ranked.member and len(diagnosis.members) > 1 else ""
    signs = speaking_for(ranked)
    settles = ranked.cause.settles
    return (
        tag("a", breakable(f"{ranked.cause.title}{member}"), href=f"#cause-{ranked.cause.id}"),
        f"{probability(ranked, diagnosis):.0%}",
        signs[0].says if signs else "",
        f"{settles[:1].upper()}{settles[1:]}",
    )
