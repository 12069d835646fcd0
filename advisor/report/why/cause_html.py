"""What does a reader see of one cause? Why, what to change, the expected rate, and what would prove it wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model.diagnosis import Diagnosis, RankedCause, SeenSign
from advisor.model.evidence import Fact
from advisor.model.rules import Change
from advisor.report.charts.figure import number
from advisor.report.html.markup import Safe, breakable, join, tag
from advisor.report.html.page import without_folder
from advisor.report.html.prose import Prose
from advisor.report.why.hypotheses import (
    MOST_SIGNS,
    corrected,
    expected,
    probability,
    refutation,
    something_else,
    speaking_against,
    speaking_for,
)
from advisor.report.words.labels import EFFECTS, RISKS, effects, holds_for
from advisor.report.words.values import show_change, show_fact, show_source


def cause(ranked: RankedCause, diagnosis: Diagnosis, prose: Prose) -> Safe:
    """A cause: its strongest evidence, what to change, what to expect, what would prove it wrong; the rest folded."""
    percent = f"{ranked.confidence:.0%}"
    gauge = tag("span", class_="gauge", style=f"--size:{percent}", aria_hidden="true")
    return tag(
        "article",
        tag("header", tag("h3", ranked.cause.title), tag("span", gauge, f"{percent} confidence", class_="sure")),
        tag("p", tag("code", ranked.cause.id), f" on {ranked.member}" if ranked.member else None, class_="quiet"),
        tag("p", prose(ranked.cause.why.strip())),
        _signs("Evidence for it", speaking_for(ranked), MOST_SIGNS, diagnosis, prose),
        _advice(ranked, diagnosis, prose),
        _proof_to_the_contrary(ranked, diagnosis, prose),
        _about(ranked, diagnosis, prose),
        class_="card cause",
        id=f"cause-{ranked.cause.id}",
    )


def _proof_to_the_contrary(ranked: RankedCause, diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    wrong = refutation(ranked, diagnosis)
    if not wrong:
        return None
    left = tag("p", prose(f"{wrong.left[:1].upper()}{wrong.left[1:]}.")) if wrong.left else None
    return tag(
        "div",
        tag("h4", "What would prove us wrong"),
        tag("p", "Find out ", prose(wrong.find_out), ":" if wrong.command else ".") if wrong.find_out else None,
        tag("code", wrong.command, class_="block") if wrong.command else None,
        _signs("Evidence against it", speaking_against(ranked), 1, diagnosis, prose),
        left,
        class_="wrong",
    )


def _signs(heading: str, signs: Sequence[SeenSign], most: int, diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    """The first `most` of them; the rest is folded."""
    if not signs:
        return None
    lines = [_sign(sign, diagnosis, prose) for sign in signs]
    rest = tag("details", tag("summary", f"{len(lines) - most} more"), tag("ul", *lines[most:], class_="grounds"))
    shown = tag("ul", *lines[:most], class_="grounds")
    return join([tag("h4", heading), shown, rest if len(lines) > most else None])


def _sign(sign: SeenSign, diagnosis: Diagnosis, prose: Prose) -> Safe:
    side = "for" if sign.speaks_for else "against"
    return tag("li", prose(sign.says), _facts(sign.because, diagnosis), class_=side)


def _facts(facts: Sequence[Fact], diagnosis: Diagnosis) -> Safe | None:
    """The facts with where each comes from."""
    if not facts:
        return None
    rows = []
    for fact in dict.fromkeys(_once(facts)):
        source = without_folder(show_source(fact.source, diagnosis.path), diagnosis.path)
        rows.append(tag("li", tag("code", breakable(show_fact(fact))), " ", breakable(source)))
    return tag("ul", *rows, class_="facts")


def _once(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Each name once; a fact may occur in several parts of a condition."""
    seen = set()
    for fact in facts:
        if (fact.name, fact.source) not in seen:
            seen.add((fact.name, fact.source))
            yield fact


def _advice(ranked: RankedCause, diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    advice = ranked.advice
    if advice is None:
        return None
    does = bool(advice.do or ranked.changes)
    pairs = [
        ("Set", _settings([change for change in ranked.changes if change.value is not None])),
        ("Remove", _settings([change for change in ranked.changes if change.value is None])),
        ("Do", tag("span", prose(advice.do)) if advice.do else None),
        ("Risk", tag("span", "; ".join(f"{risk}: {RISKS[risk]}" for risk in advice.risk)) if does else None),
        (
            "Takes effect",
            tag("span", *(EFFECTS[effect] for effect in effects(ranked.changes))) if ranked.changes else None,
        ),
        ("Costs", tag("span", advice.costs) if advice.costs else None),
        ("Expected", _expected(ranked, diagnosis)),
    ]
    listed = _pairs(pairs)
    return join([tag("h4", "What to change"), listed]) if listed else None


def _settings(changes: Sequence[Change]) -> Safe | None:
    if not changes:
        return None
    lines = []
    for change in changes:
        text = change.name if change.value is None else f"{change.name} = {show_change(change)}"
        was = f" now {show_change(change, old=True)}" if change.was else ""
        lines.append(tag("div", tag("code", breakable(text)), tag("small", was) if was else None))
    return tag("div", *lines)


def _expected(ranked: RankedCause, diagnosis: Diagnosis) -> Safe | None:
    if ranked.predicted is None:
        return None
    rates, likeliest = expected(ranked.predicted, number)
    rate = diagnosis.throughput_per_second
    beside = [f"most likely {likeliest}" if likeliest else "", f"{number(rate)} now" if rate is not None else ""]
    about = "; ".join(filter(None, (*beside, corrected(ranked.predicted))))
    source = (
        tag("small", " ", breakable(show_source(f"from {ranked.predicted.basis}"))) if ranked.predicted.basis else None
    )
    return tag("span", tag("b", f"{rates} tx/s"), f" ({about})" if about else None, source)


def _about(ranked: RankedCause, diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    titles = {other.cause.id: other.cause.title for other in diagnosis.causes}
    deeper = [tag("div", tag("a", titles[cause], href=f"#cause-{cause}")) for cause in ranked.deeper if cause in titles]
    ceiling = ranked.ceiling_per_second
    partly = holds_for(ranked.holds_for, diagnosis.releases) if len(ranked.holds_for) < ranked.out_of else ""
    see = [
        tag("div", tag("a", link, href=link, rel="noreferrer"))
        for link in ranked.cause.see
        if link.startswith("https:")
    ]
    pairs = [
        ("Symptom of", tag("div", *deeper) if deeper else None),
        ("Probability", tag("span", f"{probability(ranked, diagnosis):.0%}") if something_else(diagnosis) else None),
        ("Its ceiling", tag("span", f"{number(ceiling)} tx/s") if ceiling is not None else None),
        ("Confidence limited by", tag("span", prose(ranked.limited)) if ranked.limited else None),
        ("Not known", tag("code", breakable(", ".join(ranked.missing))) if ranked.missing else None),
        ("Holds for", tag("span", partly) if partly else None),
        ("Read more", tag("div", *see) if see else None),
    ]
    return _pairs(pairs)


def _pairs(pairs: Sequence[tuple[str, Safe | None]]) -> Safe | None:
    rows = [(tag("dt", name), tag("dd", value)) for name, value in pairs if value is not None]
    return tag("dl", *rows, class_="pairs") if rows else None
