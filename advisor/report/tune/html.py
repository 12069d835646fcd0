"""What does somebody open in a browser after a tuning run? One HTML file that loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor import __version__
from advisor.model.recommendation import BASELINE, Recommendation, TriedSetting
from advisor.report.charts.bars import Bar, bars, scale_of
from advisor.report.charts.figure import scatter
from advisor.report.html.markup import Child, Safe, breakable, tag
from advisor.report.html.page import page
from advisor.report.html.prose import Prose
from advisor.report.html.tables import Column, Kind, table
from advisor.report.tune import charts, tables
from advisor.report.tune.aims import Aim, aim_of, mean_rate
from advisor.report.tune.option_file_diff import option_file_diff
from advisor.report.tune.sentences import (
    against_rules,
    caveats,
    headline,
    measured_on,
    preflight_sentences,
    search_summary,
    soak_sentence,
)
from advisor.report.words.amounts import duration, rate
from advisor.report.words.fidelity import fidelity_sentence
from advisor.units import show


def render(found: Recommendation) -> str:
    """The page of a tuning run."""
    prose = Prose()
    parts = [
        tag("header", tag("p", measured_on(found), class_="eyebrow"), tag("h1", headline(found)),
            _lines(found), tag("p", prose(search_summary(found)), class_="lede"), _figures(found)),
        _warnings(found),
        _finalists(found),
        _worth(found),
        _search(found),
        _soak(found),
        _changes(found),
        _fidelity(found),
        _limits(found),
        _fronts(found),
        _preflight(found),
        _importance(found),
        _trials(found),
        _protected(found),
        prose.glossary(),
        tag(
            "footer",
            f"Made by advisor {__version__}. This file is self-contained and loads nothing from the network.",
        ),
    ]  # fmt: skip
    return page(f"tuning {found.cluster}", [part for part in parts if part is not None], charts.charts_of(found))


def _warnings(found: Recommendation) -> Safe | None:
    sentences = caveats(found)
    if not sentences:
        return None
    lines = tag("ul", *(tag("li", caveat) for caveat in sentences))
    return tag("section", tag("h2", f"{tables.WARNING}s"), tag("div", lines, class_="card note"))


def _lines(found: Recommendation) -> Safe | None:
    """The lines to change, with what they were: all that somebody in a hurry needs."""
    if not found.chosen or not found.changes:
        return None
    lines = [
        f"{change.name} = {after}  # was {before}{where}\n"
        for change in found.changes
        for after, before, where in tables.lines_of(change)
    ]
    return tag("code", *lines, class_="block")


def _figures(found: Recommendation) -> Safe | None:
    """What is recommended in large figures, the baseline's below each."""
    baseline = next((one for one in found.contenders if one.name == BASELINE), None)
    best = next((one for one in found.contenders if one.name == found.chosen), None)
    if baseline is None or best is None:
        return None
    latency = f"latency p{found.latency_percentile}"
    boxes = [
        (f"{rate(mean_rate(best))} tx/s", "sustained", f"{rate(mean_rate(baseline))} tx/s"),
        (duration(best.lag_ms), "lag p95", duration(baseline.lag_ms)),
        (duration(best.latency_ms), latency, duration(baseline.latency_ms)),
    ]
    if aim_of(found).lower_is_better:
        boxes.reverse()
    made = [
        tag("div", tag("b", value), tag("span", name), tag("br"), tag("small", f"baseline {before}"))
        for value, name, before in boxes
    ]
    return tag("div", *made, class_="figures-row")


_CHANGES: Final = (Kind.NAME, Kind.TEXT, Kind.NUMBER, Kind.NUMBER, Kind.TEXT, Kind.TEXT, Kind.NUMBER, Kind.PROSE)


def _changes(found: Recommendation) -> Safe | None:
    if not found.changes:
        return None
    rows = [tables.change_row(change) for change in found.changes]
    whole = table(tables.CHANGES, _columns(tables.CHANGE_HEADINGS, _CHANGES), rows, stacked=True)
    diff = option_file_diff(found).replace("```diff\n", "").replace("```", "")
    lines = tag("details", tag("summary", "As lines of the option files"), tag("code", diff, class_="block"))
    undo = tag("p", tables.TAKE_BACK)
    return tag("section", tag("h2", tables.CHANGES), tag("div", whole, undo, lines, class_="card"))


_FINALISTS: Final = (Kind.NAME, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.TEXT, Kind.PROSE)


def _finalists(found: Recommendation) -> Safe | None:
    if not found.contenders:
        return None
    rows = [tables.finalist_row(contender, aim_of(found)) for contender in found.contenders]
    whole = table("Finalists", _columns(tables.finalist_headings(found), _FINALISTS), rows, stacked=True)
    drawn = charts.finalists(found)
    against = against_rules(found)
    return tag(
        "section", tag("h2", tables.VALIDATION), tag("p", tables.VALIDATION_METHOD, class_="quiet"),
        scatter(drawn) if drawn else None,
        tag("div", whole, tag("p", against) if against else None, class_="card"),
    )  # fmt: skip


def _worth(found: Recommendation) -> Safe | None:
    """What each change gives, as ranges from the rate without it."""
    lines = [
        Bar(change.name, f"{mid:.2f}", ratio.high or mid, begin=ratio.low, likely=mid, title=tables.gives(worth))
        for change in found.changes
        if (worth := change.worth) and (ratio := worth.ratio) and (mid := ratio.mid) is not None
    ]
    if not lines:
        return None
    scale = scale_of([1.0, *(line.size for line in lines)])
    return tag(
        "section", tag("h2", tables.WORTH), tag("p", tables.worth_method(aim_of(found)), class_="quiet"),
        tag("div", bars(lines, scale, 1.0), class_="card"),
    )  # fmt: skip


def _search(found: Recommendation) -> Safe | None:
    drawn = [chart for chart in (charts.against_lag(found), charts.trials(found)) if chart]
    hint = tag(
        "p",
        "Point at a mark to see which trial it is; click a name in the legend to hide its marks.",
        class_="quiet hint",
    )
    return tag("section", tag("h2", "The search"), hint, *map(scatter, drawn)) if drawn else None


def _soak(found: Recommendation) -> Safe | None:
    if found.soak is None:
        return None
    return tag("section", tag("h2", tables.SOAK), tag("p", soak_sentence(found.soak)))


def _preflight(found: Recommendation) -> Safe | None:
    if found.preflight is None:
        return None
    lines = [tag("li", line) for line in preflight_sentences(found.preflight)]
    return tag("section", tag("h2", tables.PREFLIGHT), tag("ul", *lines))


_LIMITS: Final = (Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.TEXT)


def _limits(found: Recommendation) -> Safe | None:
    if not found.at_limits:
        return None
    aim = aim_of(found)
    rows = [tables.limit_row(at, aim) for at in found.at_limits]
    whole = table(tables.LIMITS, _columns(tables.limit_headings(aim), _LIMITS), rows, stacked=True)
    return tag(
        "section", tag("h2", tables.LIMITS), tag("p", tables.LIMITS_METHOD, class_="quiet"),
        tag("div", whole, class_="card"),
    )  # fmt: skip


_FIDELITY: Final = (Kind.TEXT, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.TEXT)


def _fidelity(found: Recommendation) -> Safe | None:
    if found.fidelity is None:
        return None
    columns = _columns(tables.FIDELITY_HEADINGS, _FIDELITY)
    whole = table(tables.FIDELITY, columns, tables.fidelity_rows(found.fidelity))
    sentence = f"{fidelity_sentence(found.fidelity).capitalize()}."
    return tag(
        "section", tag("h2", tables.FIDELITY), tag("p", sentence, class_="quiet"), tag("div", whole, class_="card")
    )


_FRONT: Final = (Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.TEXT)


def _fronts(found: Recommendation) -> Safe | None:
    """The points of every front, drawn among the trials; what is unknown says so."""
    if not found.fronts:
        return None
    aim, parts = aim_of(found), list[Child]()
    drawn = {chart.id: chart for chart in charts.fronts_of(found)}
    for front in found.fronts:
        if front.points:
            headings = tables.front_headings(front, aim)
            rows = tables.front_rows(front, aim)
            whole = table(headings[1], _columns(headings, _FRONT), rows, stacked=True)
            parts.append(tag("div", whole, class_="card"))
        if chart := drawn.get(charts.FRONT_IDS[front.cost]):
            parts.append(scatter(chart))
        if sentence := tables.front_sentence(front):
            parts.append(tag("p", sentence, class_="quiet"))
    return tag("section", tag("h2", tables.fronts_title(aim)), tag("p", tables.FRONTS_METHOD, class_="quiet"), *parts)


_IMPORTANCE: Final = (Kind.NAME, Kind.NUMBER, Kind.NUMBER)


def _importance(found: Recommendation) -> Safe | None:
    if not found.importance:
        return None
    edges = tables.edge_sentence(found.edges)
    columns = _columns(tables.IMPORTANCE_HEADINGS, _IMPORTANCE)
    whole = table(tables.IMPORTANCE, columns, tables.importance_rows(found))
    return tag(
        "section", tag("h2", tables.IMPORTANCE),
        tag("div", whole, tag("p", edges) if edges else None, class_="card"),
    )  # fmt: skip


_FOLDED_FROM: Final = 4  # settings of a trial; more are folded, or a search over many is a page of names
_TRIALS: Final = (Kind.TEXT, Kind.TEXT, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.PROSE, Kind.TEXT)


def _trials(found: Recommendation) -> Safe:
    aim = aim_of(found)
    rows, headings = [_trial(trial, aim) for trial in found.trials], tables.trial_headings(aim)
    kinds = [*_TRIALS[:2], *[Kind.NUMBER] * (len(headings) - len(_TRIALS)), *_TRIALS[2:]]
    whole = table(tables.TRIALS, _columns(headings, kinds), rows, stacked=True)
    return tag("section", tag("h2", tables.TRIALS), tag("div", whole, class_="card"))


def _trial(trial: TriedSetting, aim: Aim) -> tuple[Child, ...]:
    *cells, _, verdict = tables.trial_row(trial, aim)
    changes: Child = [(breakable(f"{name}={value}"), " ") for name, value in trial.changed.items()] or "none"
    if len(trial.changed) > _FOLDED_FROM:
        changes = tag("details", tag("summary", show(len(trial.changed), "settings")), changes)
    return *cells, changes, verdict


def _protected(found: Recommendation) -> Safe | None:
    if not found.relied:
        return None
    columns = (Column("setting", Kind.NAME), *(Column(member) for member in found.relied))
    whole = table(tables.PROTECTED, columns, tables.protected_rows(found.relied), stacked=True)
    return tag(
        "section", tag("h2", tables.PROTECTED), tag("p", tables.PROTECTED_METHOD, class_="quiet"),
        tag("div", whole, class_="card"),
    )  # fmt: skip


def _columns(headings: Sequence[str], kinds: Sequence[Kind]) -> list[Column]:
    return [Column(heading, kind) for heading, kind in zip(headings, kinds, strict=True)]
