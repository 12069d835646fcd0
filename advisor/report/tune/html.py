"""What does somebody open in a browser in the morning? A night of tuning as one HTML file that loads nothing."""

from __future__ import annotations

from typing import Final

from advisor import __version__
from advisor.model.recommendation import Recommendation, TriedSetting
from advisor.report.charts.figure import scatter
from advisor.report.html.markup import Child, Safe, breakable, tag
from advisor.report.html.page import page
from advisor.report.html.prose import Prose
from advisor.report.html.tables import Column, Kind, table
from advisor.report.tune import charts
from advisor.report.tune.markdown import option_file_diff
from advisor.report.tune.preflight import preflight_sentences
from advisor.report.tune.soak import in_words as soak_in_words
from advisor.report.tune.text import against_rules, circumstances, course, doubts, headline
from advisor.report.words.amounts import duration, rate, ratio


def render(found: Recommendation) -> str:
    """The page of one night."""
    prose = Prose()
    sections = [
        tag("header", tag("p", circumstances(found), class_="eyebrow"), tag("h1", headline(found)),
            tag("p", prose(course(found)), class_="lede"), _figures(found)),
        _warnings(found),
        _changes(found),
        _finalists(found),
        _soak(found),
        _search(found),
        _preflight(found),
        _importance(found),
        _trials(found),
        _relied(found),
        prose.glossary(),
        tag("footer", f"Made by advisor {__version__}. This file holds everything it shows and loads nothing."),
    ]  # fmt: skip
    return page(
        f"tuning {found.cluster}", [section for section in sections if section is not None], charts.charts_of(found)
    )


def _warnings(found: Recommendation) -> Safe | None:
    told = doubts(found)
    if not told:
        return None
    lines = tag("ul", *(tag("li", one) for one in told))
    return tag("section", tag("h2", "Not as it should be"), tag("div", lines, class_="card note"))


def _figures(found: Recommendation) -> Safe | None:
    """What is recommended in large figures, the baseline's below each."""
    baseline = next((one for one in found.contenders if one.ratio is None), None)
    best = next((one for one in found.contenders if one.name == found.chosen), None)
    if baseline is None or best is None:
        return None
    boxes = [
        (f"{rate(charts.mean_rate(best))} tx/s", "sustained", f"{rate(charts.mean_rate(baseline))} tx/s"),
        (duration(best.lag_ms), "lag p95", duration(baseline.lag_ms)),
        (duration(best.latency_ms), "latency p95", duration(baseline.latency_ms)),
    ]
    made = [
        tag("div", tag("b", value), tag("span", name), tag("br"), tag("small", f"baseline {before}"))
        for value, name, before in boxes
    ]
    return tag("div", *made, class_="figures-row")


_CHANGES: Final = (
    Column("setting", Kind.NAME), Column("members"), Column("was", Kind.NUMBER), Column("is to be", Kind.NUMBER),
    Column("takes effect"), Column("risk"), Column("what it does", Kind.PROSE),
)  # fmt: skip


def _changes(found: Recommendation) -> Safe | None:
    if not found.changes:
        return None
    rows = [
        (one.name, ", ".join(one.members), "/".join(dict.fromkeys(one.before)), one.after, one.how.replace("_", " "),
         ", ".join(one.risk), one.why)
        for one in found.changes
    ]  # fmt: skip
    diff = option_file_diff(found).replace("```diff\n", "").replace("```", "")
    return tag(
        "section", tag("h2", "What to change"),
        tag("div", table("What to change", _CHANGES, rows, stacked=True),
            tag("details", tag("summary", "As lines of the option files"), tag("code", diff, class_="block")),
            class_="card"),
    )  # fmt: skip


_FINALISTS: Final = (
    Column("configuration", Kind.NAME), Column("tx/s", Kind.NUMBER), Column("to the baseline", Kind.NUMBER),
    Column("lag p95", Kind.NUMBER), Column("latency p95", Kind.NUMBER), Column("tx/s of each block"),
    Column("verdict", Kind.PROSE),
)  # fmt: skip


def _finalists(found: Recommendation) -> Safe | None:
    if not found.contenders:
        return None
    rows = [
        (one.name, rate(charts.mean_rate(one)), "1" if one.ratio is None else ratio(one.ratio),
         duration(one.lag_ms), duration(one.latency_ms), ", ".join(rate(value) for value in one.rates),
         "accepted" if one.accepted else one.why_not or "–")
        for one in found.contenders
    ]  # fmt: skip
    told = "Every block has every configuration once, in random order, each after a fresh restart."
    drawn = charts.finalists(found)
    against = against_rules(found)
    return tag(
        "section", tag("h2", "How much it gives, and how sure that is"), tag("p", told, class_="quiet"),
        tag("div", table("Finalists", _FINALISTS, rows, stacked=True), tag("p", against) if against else None,
            class_="card"),
        scatter(drawn) if drawn else None,
    )  # fmt: skip


def _search(found: Recommendation) -> Safe | None:
    drawn = [chart for chart in (charts.trials(found), charts.against_lag(found)) if chart]
    hint = tag(
        "p", "Point at a mark to read which trial it is; click a name to hide what it means.", class_="quiet hint"
    )
    return tag("section", tag("h2", "The search"), hint, *map(scatter, drawn)) if drawn else None


def _soak(found: Recommendation) -> Safe | None:
    if found.soak is None:
        return None
    return tag("section", tag("h2", "Under load for long"), tag("p", soak_in_words(found.soak)))


def _preflight(found: Recommendation) -> Safe | None:
    if found.preflight is None:
        return None
    lines = [tag("li", line) for line in preflight_sentences(found.preflight)]
    return tag("section", tag("h2", "Before anything was tried"), tag("ul", *lines))


_IMPORTANCE: Final = (
    Column("setting", Kind.NAME), Column("share of the variance (PED-ANOVA)", Kind.NUMBER),
    Column("from its worst to its best (model)", Kind.NUMBER),
)  # fmt: skip


def _importance(found: Recommendation) -> Safe | None:
    if not found.importance:
        return None
    spans = {name: 1.0 - min(rates) for name, _, rates in found.effects if rates}
    rows = [(name, f"{share:.0%}", f"{spans[name]:.0%}" if name in spans else "–")
            for name, share in list(found.importance.items())[:10]]  # fmt: skip
    edges = f"The answer sits on an end of the range of {', '.join(found.edges)}." if found.edges else None
    whole = table("Which settings matter", _IMPORTANCE, rows)
    return tag(
        "section", tag("h2", "Which settings matter"),
        tag("div", whole, tag("p", edges) if edges else None, class_="card"),
    )  # fmt: skip


_FOLDED_FROM: Final = 4  # settings of a trial; more are folded, or a search over many is a page of names
_TRIALS: Final = (
    Column("trial"), Column("kind"), Column("tx/s", Kind.NUMBER), Column("lag p95", Kind.NUMBER),
    Column("seconds", Kind.NUMBER), Column("what was changed", Kind.PROSE), Column("verdict"),
)  # fmt: skip


def _trials(found: Recommendation) -> Safe:
    whole = table("Everything that was tried", _TRIALS, [_trial(one) for one in found.trials], stacked=True)
    return tag("section", tag("h2", "Everything that was tried"), tag("div", whole, class_="card"))


def _trial(one: TriedSetting) -> tuple[Child, ...]:
    changed: Child = [(breakable(f"{name}={value}"), " ") for name, value in one.changed.items()] or "nothing"
    if len(one.changed) > _FOLDED_FROM:
        changed = tag("details", tag("summary", f"{len(one.changed)} settings"), changed)
    verdict = ("inside" if one.within else one.because or "outside") + (", ended early" if one.truncated else "")
    kind = f"{one.kind}, on {one.clone}" if one.clone else one.kind
    return str(one.number + 1), kind, rate(one.rate), duration(one.lag_ms), f"{one.seconds:.0f}", changed, verdict


def _relied(found: Recommendation) -> Safe | None:
    if not found.relied:
        return None
    names = list(dict.fromkeys(name for values in found.relied.values() for name in values))
    rows = [(name, *(values.get(name, "–") for values in found.relied.values())) for name in names]
    told = "Read from every member before and after every trial; a trial in which one differed counted for nothing."
    columns = (Column("setting", Kind.NAME), *(Column(member) for member in found.relied))
    whole = table("What was never changed", columns, rows, stacked=True)
    return tag(
        "section", tag("h2", "What was never changed"), tag("p", told, class_="quiet"), tag("div", whole, class_="card")
    )
