"""What does the owner of a slow cluster open in a browser? A diagnosis as one HTML file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from advisor import __version__
from advisor.model.diagnosis import SURE, ComputedCeiling, Diagnosis, MissingEvidence, NextObservation
from advisor.model.server import join_labels
from advisor.report.charts.bars import Bar, bars, scale_of
from advisor.report.charts.figure import figure, number
from advisor.report.html.chart import Chart
from advisor.report.html.markup import Safe, breakable, tag
from advisor.report.html.page import page, without_folder
from advisor.report.html.prose import Prose
from advisor.report.why.cause_html import cause
from advisor.report.why.further_html import further_hypotheses
from advisor.report.why.hypotheses import (
    first_cause,
    further_causes,
    is_answer,
    other_observation,
    probability,
    something_else,
    worth,
)
from advisor.report.why.profile_groups import shown_groups
from advisor.report.why.profile_html import wait_profile
from advisor.report.why.time_breakdown_html import time_breakdown
from advisor.report.words.values import show_source

MOST_NEEDS: Final = 3


def render(diagnosis: Diagnosis, charts: Sequence[Chart] = ()) -> str:
    """The page. `charts` are those of `over_time.charts_of` for the same cluster."""
    prose = Prose()
    sections = [
        _head(diagnosis, prose),
        _reply(diagnosis, prose),
        wait_profile(diagnosis.profile, prose),
        _first_cause(diagnosis, prose),
        _next(other_observation(diagnosis), prose),
        further_hypotheses(diagnosis, prose),
        _ceilings(diagnosis, prose),
        time_breakdown(diagnosis.time_breakdown, prose),
        _over_time(charts),
        _unknown(diagnosis.unknown),
        _problems([without_folder(problem, diagnosis.path) for problem in diagnosis.problems]),
        prose.glossary(),
    ]
    shown = [section for section in sections if section is not None]
    footer = tag(
        "footer", f"Made by advisor {__version__}. This file is self-contained and loads nothing from the network."
    )
    return page(f"{_question(diagnosis)} · {_name(diagnosis)}", [*shown, footer], charts)


def _name(diagnosis: Diagnosis) -> str:
    """The name of what was diagnosed, without its folders."""
    return os.path.basename(os.path.normpath(diagnosis.path)) if diagnosis.path else "cluster"


def _question(diagnosis: Diagnosis) -> str:
    """The question the owner asked; just the rate if the answer is that nothing is wrong."""
    rate = diagnosis.throughput_per_second
    if rate is None:
        return "Why not more transactions per second?"
    first = diagnosis.causes[0] if diagnosis.causes else None
    fine = first is not None and first.cause.answer == "no_fault" and first.confidence >= SURE
    return f"{number(rate)} tx/s" if fine else f"Why only {number(rate)} tx/s?"


def _head(diagnosis: Diagnosis, prose: Prose) -> Safe:
    about = [diagnosis.topology.replace("_", " "), join_labels(diagnosis.releases), _name(diagnosis)]
    about.append(f"{len(diagnosis.members)} members" if len(diagnosis.members) > 1 else "")
    if diagnosis.interval_seconds:
        about.append(f"{number(diagnosis.interval_seconds)} s measured")
    links = [
        ("profile", "Time"),
        ("causes", "Cause"),
        ("further", "Further hypotheses"),
        ("ceilings", "Ceilings"),
        ("budget", "Counters"),
        ("over-time", "Over time"),
    ]
    present = {
        "profile": bool(shown_groups(diagnosis.profile)),
        "causes": True,
        "further": bool(further_causes(diagnosis) or something_else(diagnosis)),
        "ceilings": bool(diagnosis.ceilings),
        "budget": bool(diagnosis.time_breakdown.shares),
        "over-time": diagnosis.interval_seconds is not None,
    }
    items = [tag("li", tag("a", text, href=f"#{anchor}")) for anchor, text in links if present[anchor]]
    return tag(
        "header",
        tag("p", " · ".join(filter(None, about)), class_="eyebrow"),
        tag("h1", _question(diagnosis)),
        tag("p", _answer(diagnosis, prose), class_="lede"),
        tag("nav", tag("ul", *items), aria_label="Parts of this report"),
    )


def _answer(diagnosis: Diagnosis, prose: Prose) -> Safe:
    first = diagnosis.causes[0] if diagnosis.causes else None
    if first is not None and first.confidence >= SURE:
        return prose(f"{first.cause.title}: {first.confidence:.0%} confidence.")
    first = first_cause(diagnosis) or first
    if first is None:
        return prose("The evidence does not point to any particular limit.")
    likely = probability(first, diagnosis)
    return prose(f"The evidence is inconclusive. First candidate: {first.cause.title} ({likely:.0%}).")


def _reply(diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    if not diagnosis.summary:
        return None
    sentences = tag("div", *(tag("p", prose(sentence)) for sentence in diagnosis.summary), class_="card reply")
    return tag("section", tag("h2", "For the customer"), sentences, id="reply")


def _first_cause(diagnosis: Diagnosis, prose: Prose) -> Safe:
    first = first_cause(diagnosis)
    heading = tag("h2", "First cause" if is_answer(first) or first is None else "First candidate", id="causes")
    if first is None:
        return tag("section", heading, tag("p", "None: the evidence does not point to any cause.", class_="card"))
    return tag("section", heading, cause(first, diagnosis, prose))


def _next(observation: NextObservation | None, prose: Prose) -> Safe | None:
    if observation is None:
        return None
    need = tag("p", prose(observation.need[:1].upper() + observation.need[1:] + "."))
    between = (
        tag("p", "It decides between: " + ", ".join(observation.between), class_="quiet")
        if len(observation.between) > 1
        else None
    )
    command = tag("code", observation.command.strip(), class_="block") if observation.command else None
    settles = tag("p", prose(worth(observation))) if worth(observation) else None
    return tag("section", tag("h2", "Next observation"), tag("div", need, command, settles, between, class_="card"))


def _ceilings(diagnosis: Diagnosis, prose: Prose) -> Safe | None:
    if not diagnosis.ceilings:
        return None
    rate = diagnosis.throughput_per_second
    lines = [(ceiling.per_second, _ceiling_bar(ceiling)) for ceiling in diagnosis.ceilings]
    if rate is not None:
        lines.append((rate, Bar("observed", f"{number(rate)} tx/s", rate, kind="observed")))
    predicted = next((ranked.predicted for ranked in diagnosis.causes if ranked.predicted is not None), None)
    if predicted is not None:
        between = f"{number(predicted.low)}–{number(predicted.high)} tx/s"
        basis = f"Most likely {number(predicted.mid)}; {show_source('from ' + predicted.basis)}"
        label = "expected after the first advice"
        bar = Bar(label, between, predicted.high, basis, "expected", predicted.low, likely=predicted.mid)
        lines.append((predicted.mid, bar))
    scale = scale_of([bar.size for _, bar in lines])
    note = "The rate that each resource permits, lowest first; the vertical line is the observed rate."
    if scale.logarithmic:
        note += " The scale is logarithmic."
    if rate is not None and rate > min(ceiling.per_second for ceiling in diagnosis.ceilings):
        note += (
            " The observed rate is above the lowest ceiling, so that ceiling is estimated too low or does not apply."
        )
    ordered = [bar for _, bar in sorted(lines, key=lambda line: line[0])]
    bars_shown = tag("div", bars(ordered, scale, rate), class_="card")
    return tag("section", tag("h2", "Ceilings", id="ceilings"), tag("p", prose(note), class_="quiet"), bars_shown)


def _ceiling_bar(computed: ComputedCeiling) -> Bar:
    ceiling, rate = computed.ceiling, computed.per_second
    label = f"{ceiling.title} ({computed.member})" if computed.member else ceiling.title
    return Bar(label, f"{number(rate)} tx/s", rate, computed.message, title=ceiling.why)


def _over_time(charts: Sequence[Chart]) -> Safe | None:
    if not charts:
        return None
    hint = (
        "Point at a curve for its values; drag, or use the buttons, to zoom all charts. Gaps: the value is not known."
    )
    heading = tag("h2", "Over time, per member", id="over-time")
    return tag("section", heading, tag("p", hint, class_="quiet hint"), *(figure(chart) for chart in charts))


def _unknown(needs: Sequence[MissingEvidence]) -> Safe | None:
    """Missing evidence with the command that gets it; the first few matter most, the rest is folded."""
    if not needs:
        return None
    first, rest = needs[:MOST_NEEDS], needs[MOST_NEEDS:]
    more = tag("details", tag("summary", f"{len(rest)} more"), *map(_need, rest)) if rest else None
    return tag("section", tag("h2", "Not known"), tag("div", *map(_need, first), more, class_="card needs"))


def _need(need: MissingEvidence) -> Safe:
    helps = f"It would help decide {', '.join(need.decides)}." if need.decides else None
    command = tag("code", need.command.strip(), class_="block") if need.command else None
    return tag("div", tag("p", breakable(need.need)), command, tag("small", helps) if helps else None, class_="need")


def _problems(problems: Sequence[str]) -> Safe | None:
    if not problems:
        return None
    lines = tag("ul", *(tag("li", problem) for problem in problems))
    return tag("section", tag("h2", "Notes on the evidence"), tag("div", lines, class_="card note"))
