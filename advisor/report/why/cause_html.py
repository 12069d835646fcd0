"""What does a reader see of one cause? How sure it is and why, what to change, at what risk, with what gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model.diagnosis import Diagnosis, RankedCause, SeenSign
from advisor.model.evidence import Fact
from advisor.model.rules import Change
from advisor.report.charts.figure import number
from advisor.report.html.markup import Safe, join, tag
from advisor.report.html.places import inside
from advisor.report.html.prose import Prose
from advisor.report.words.labels import EFFECTS, RISKS, effects
from advisor.report.words.releases import holds_for
from advisor.report.words.values import show_change, show_fact, show_source


def headed(one: RankedCause) -> Safe:
    """A suspect in one line."""
    where = f" ({one.member})" if one.member else ""
    return tag("span", tag("b", one.cause.title), f"{where}: {one.confidence:.0%}")


def suspect(one: RankedCause, diagnosis: Diagnosis, prose: Prose) -> Safe:
    """A suspect with everything that is known of it."""
    percent = f"{one.confidence:.0%}"
    gauge = tag("span", class_="gauge", style=f"--size:{percent}", aria_hidden="true")
    return tag(
        "article",
        tag("header", tag("h3", one.cause.title), tag("span", gauge, f"{percent} sure", class_="sure")),
        tag("p", tag("code", one.cause.id), f" on {one.member}" if one.member else None, class_="quiet"),
        tag("p", prose(one.cause.why.strip())),
        _grounds("What speaks for it", [ground for ground in one.signs if ground.speaks_for], diagnosis, prose),
        _grounds("What speaks against it", [g for g in one.signs if not g.speaks_for], diagnosis, prose),
        _advice(one, diagnosis, prose),
        _about(one, diagnosis, prose),
        class_="card cause",
        id=f"cause-{one.cause.id}",
    )


def _grounds(heading: str, grounds: Sequence[SeenSign], diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    if not grounds:
        return None
    lines = [
        tag(
            "li",
            prose(ground.says),
            _facts(ground.because, diagnosis),
            class_="for" if ground.speaks_for else "against",
        )
        for ground in grounds
    ]
    return join([tag("h4", heading), tag("ul", *lines, class_="grounds")])


def _facts(facts: Sequence[Fact], diagnosis: Diagnosis) -> Safe | None:
    """The facts with where each comes from."""
    if not facts:
        return None
    rows = [
        tag("li", tag("code", show_fact(fact)), " ", inside(show_source(fact.source, diagnosis.path), diagnosis.path))
        for fact in dict.fromkeys(_once(facts))
    ]
    return tag("ul", *rows, class_="facts")


def _once(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Each name once; the same fact may bear on both halves of a condition."""
    seen = set()
    for fact in facts:
        if (fact.name, fact.source) not in seen:
            seen.add((fact.name, fact.source))
            yield fact


def _advice(one: RankedCause, diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    advice = one.advice
    if advice is None:
        return None
    does = bool(advice.do or one.changes)
    pairs = [
        ("Set", _settings([change for change in one.changes if change.value is not None])),
        ("Take out", _settings([change for change in one.changes if change.value is None])),
        ("Do", tag("span", prose(advice.do)) if advice.do else None),
        ("Risk", tag("span", "; ".join(f"{risk}: {RISKS[risk]}" for risk in advice.risk)) if does else None),
        ("Takes effect", tag("span", *(EFFECTS[effect] for effect in effects(one.changes))) if one.changes else None),
        ("Costs", tag("span", advice.costs) if advice.costs else None),
        ("Expected", _expected(one, diagnosis)),
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
        lines.append(tag("div", tag("code", text), tag("small", was) if was else None))
    return tag("div", *lines)


def _expected(one: RankedCause, diagnosis: Diagnosis) -> Safe | None:
    if one.predicted is None:
        return None
    low, mid, high = (number(value) for value in (one.predicted.low, one.predicted.mid, one.predicted.high))
    rate = diagnosis.throughput_per_second
    now = f"; {number(rate)} now" if rate is not None else ""
    source = tag("small", " ", show_source(f"from {one.predicted.basis}")) if one.predicted.basis else None
    return tag("span", tag("b", f"{low} to {high} tx/s"), f" (most likely {mid}{now})", source)


def _about(one: RankedCause, diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    titles = {other.cause.id: other.cause.title for other in diagnosis.causes}
    deeper = [tag("a", titles[cause], href=f"#cause-{cause}") for cause in one.deeper if cause in titles]
    ceiling = one.ceiling_per_second
    partly = holds_for(one.holds_for, diagnosis.releases) if len(one.holds_for) < one.out_of else ""
    see = [
        tag("div", tag("a", link, href=link, rel="noreferrer")) for link in one.cause.see if link.startswith("https:")
    ]
    pairs = [
        ("A symptom of", tag("span", *deeper) if deeper else None),
        ("Its ceiling", tag("span", f"{number(ceiling)} tx/s") if ceiling is not None else None),
        ("Held back by", tag("span", prose(one.limited)) if one.limited else None),
        ("Not known", tag("code", ", ".join(one.missing)) if one.missing else None),
        ("Holds for", tag("span", partly) if partly else None),
        ("Read more", tag("div", *see) if see else None),
    ]
    return _pairs(pairs)


def _pairs(pairs: Sequence[tuple[str, Safe | None]]) -> Safe | None:
    rows = [(tag("dt", name), tag("dd", value)) for name, value in pairs if value is not None]
    return tag("dl", *rows, class_="pairs") if rows else None
