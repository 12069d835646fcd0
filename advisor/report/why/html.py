"""What does the owner of a slow cluster open in a browser? A diagnosis as one HTML file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from advisor import __version__
from advisor.model.diagnosis import ComputedCeiling, Diagnosis, MissingEvidence, NextObservation
from advisor.model.server import join_labels
from advisor.report.charts.bars import Bar, bars, scale_of
from advisor.report.charts.figure import figure, number
from advisor.report.html.chart import Chart
from advisor.report.html.markup import Safe, tag
from advisor.report.html.page import page
from advisor.report.html.places import inside
from advisor.report.html.prose import Prose
from advisor.report.why.cause_html import headed, suspect
from advisor.report.why.time_breakdown_html import budget
from advisor.report.words.values import show_source

ANSWERS_FROM: Final = 0.5  # below it a suspect is a candidate, and no answer
MOST_NEEDS: Final = 3


def render(diagnosis: Diagnosis, charts: Sequence[Chart] = ()) -> str:
    """The page. `charts` are those of `over_time.charts_of` for the same cluster."""
    prose = Prose()
    sections = [
        _head(diagnosis, prose),
        _reply(diagnosis, prose),
        _causes(diagnosis, prose),
        _next(diagnosis.next, prose) if diagnosis.next else None,
        _ladder(diagnosis, prose),
        budget(diagnosis.time_breakdown, prose),
        _over_time(charts),
        _unknown(diagnosis.unknown),
        _problems([inside(problem, diagnosis.path) for problem in diagnosis.problems]),
        prose.glossary(),
    ]
    shown = [section for section in sections if section is not None]
    footer = tag("footer", f"Made by advisor {__version__}. This file holds everything it shows and loads nothing.")
    return page(f"{_question(diagnosis)} · {_name(diagnosis)}", [*shown, footer], charts)


def _name(diagnosis: Diagnosis) -> str:
    """What was diagnosed, without the folders before it."""
    return os.path.basename(os.path.normpath(diagnosis.path)) if diagnosis.path else "cluster"


def _question(diagnosis: Diagnosis) -> str:
    """What the owner asked; with a cause that is no fault, or without any, nothing is wrong with the rate."""
    rate = diagnosis.throughput_per_second
    if rate is None:
        return "Why not more transactions per second?"
    first = diagnosis.causes[0] if diagnosis.causes else None
    fine = first is not None and first.cause.answer == "no_fault" and first.confidence >= ANSWERS_FROM
    return f"{number(rate)} tx/s" if fine else f"Why only {number(rate)} tx/s?"


def _head(diagnosis: Diagnosis, prose: Prose) -> Safe:
    what = [diagnosis.topology.replace("_", " "), join_labels(diagnosis.releases), _name(diagnosis)]
    what.append(f"{len(diagnosis.members)} members" if len(diagnosis.members) > 1 else "")
    if diagnosis.interval_seconds:
        what.append(f"{number(diagnosis.interval_seconds)} s measured")
    links = [("causes", "Causes"), ("ceilings", "Ceilings"), ("budget", "Time"), ("over-time", "Over time")]
    present = {
        "causes": True,
        "ceilings": bool(diagnosis.ceilings),
        "budget": bool(diagnosis.time_breakdown.shares),
        "over-time": diagnosis.interval_seconds is not None,
    }
    items = [tag("li", tag("a", text, href=f"#{anchor}")) for anchor, text in links if present[anchor]]
    return tag(
        "header",
        tag("p", " · ".join(filter(None, what)), class_="eyebrow"),
        tag("h1", _question(diagnosis)),
        tag("p", _answer(diagnosis, prose), class_="lede"),
        tag("nav", tag("ul", *items), aria_label="Parts of this report"),
    )


def _answer(diagnosis: Diagnosis, prose: Prose) -> Safe:
    if not diagnosis.causes:
        return prose("The evidence does not speak for any particular limit.")
    first = diagnosis.causes[0]
    if first.confidence >= ANSWERS_FROM:
        return prose(f"{first.cause.title}: {first.confidence:.0%} sure.")
    return prose(f"The evidence does not decide. First candidate: {first.cause.title} ({first.confidence:.0%}).")


def _reply(diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    if not diagnosis.summary:
        return None
    sentences = tag("div", *(tag("p", prose(sentence)) for sentence in diagnosis.summary), class_="card reply")
    return tag("section", tag("h2", "In plain words"), sentences, id="reply")


def _causes(diagnosis: Diagnosis, prose: Prose) -> Safe:
    sure = [one for one in diagnosis.causes if one.confidence >= ANSWERS_FROM]
    rest = [one for one in diagnosis.causes if one.confidence < ANSWERS_FROM]
    parts: list[Safe] = [tag("h2", "Causes" if sure else "Candidates", id="causes")]
    if not diagnosis.causes:
        parts.append(tag("p", "None: nothing that was read speaks for a cause.", class_="card"))
    shown = sure or rest
    parts += [suspect(one, diagnosis, prose) for one in shown]
    if sure and rest:
        lines = [tag("li", headed(one)) for one in rest]
        heading = f"{len(rest)} more, less than {ANSWERS_FROM:.0%} sure"
        parts.append(tag("details", tag("summary", heading), tag("ul", *lines)))
    return tag("section", *parts)


def _next(found: NextObservation, prose: Prose) -> Safe:
    told = tag("p", prose(found.need[:1].upper() + found.need[1:] + "."))
    between = tag("p", "It tells apart: " + ", ".join(found.between), class_="quiet") if found.between else None
    command = tag("code", found.command.strip(), class_="block") if found.command else None
    return tag("section", tag("h2", "What would settle it"), tag("div", told, command, between, class_="card"))


def _ladder(diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    if not diagnosis.ceilings:
        return None
    rate = diagnosis.throughput_per_second
    lines = [(rung.per_second, _rung(rung)) for rung in diagnosis.ceilings]
    if rate is not None:
        lines.append((rate, Bar("observed", f"{number(rate)} tx/s", rate, kind="observed")))
    predicted = next((one.predicted for one in diagnosis.causes if one.predicted is not None), None)
    if predicted is not None:
        said = f"{number(predicted.low)}–{number(predicted.high)} tx/s"
        basis = f"Most likely {number(predicted.mid)}; {show_source('from ' + predicted.basis)}"
        label = "expected after the first advice"
        bar = Bar(label, said, predicted.high, basis, "expected", predicted.low, likely=predicted.mid)
        lines.append((predicted.mid, bar))
    scale = scale_of([bar.size for _, bar in lines])
    said = "The rate each resource permits here, lowest first; the line across is the rate that was observed."
    if scale.logarithmic:
        said += " The scale is logarithmic."
    if rate is not None and rate > min(rung.per_second for rung in diagnosis.ceilings):
        said += " More was observed than the lowest one permits: that one is estimated too low, or does not bind."
    ordered = [bar for _, bar in sorted(lines, key=lambda line: line[0])]
    rungs = tag("div", bars(ordered, scale, rate), class_="card")
    return tag("section", tag("h2", "Ceilings", id="ceilings"), tag("p", prose(said), class_="quiet"), rungs)


def _rung(rung: ComputedCeiling) -> Bar:
    where = f"{rung.ceiling.title} ({rung.member})" if rung.member else rung.ceiling.title
    return Bar(where, f"{number(rung.per_second)} tx/s", rung.per_second, rung.message, title=rung.ceiling.why)


def _over_time(charts: Sequence[Chart]) -> Safe | None:
    if not charts:
        return None
    told = "Point at a curve for its values; drag, or use the buttons, to zoom all charts. A gap means: not known."
    heading = tag("h2", "Over time, per member", id="over-time")
    return tag("section", heading, tag("p", told, class_="quiet hint"), *(figure(chart) for chart in charts))


def _unknown(needs: Sequence[MissingEvidence]) -> Safe | None:
    """What nobody knows, with the command that gets it; the first few matter most, the rest is folded."""
    if not needs:
        return None
    first, rest = needs[:MOST_NEEDS], needs[MOST_NEEDS:]
    more = tag("details", tag("summary", f"{len(rest)} more"), *map(_need, rest)) if rest else None
    return tag("section", tag("h2", "Not known"), tag("div", *map(_need, first), more, class_="card needs"))


def _need(need: MissingEvidence) -> Safe:
    bears = f"It bears on {', '.join(need.decides)}." if need.decides else None
    command = tag("code", need.command.strip(), class_="block") if need.command else None
    return tag("div", tag("p", need.need), command, tag("small", bears) if bears else None, class_="need")


def _problems(problems: Sequence[str]) -> Safe | None:
    if not problems:
        return None
    lines = tag("ul", *(tag("li", problem) for problem in problems))
    return tag("section", tag("h2", "Not used"), tag("div", lines, class_="card note"))
