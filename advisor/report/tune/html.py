"""What does somebody open in a browser in the morning? A night of tuning as one HTML file that loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor import __version__
from advisor.model.recommendation import Recommendation, TriedSetting
from advisor.report.charts.figure import figure
from advisor.report.charts.scatter import Dot, scatter
from advisor.report.html.chart import Chart, Curve
from advisor.report.html.markup import Safe, tag
from advisor.report.html.page import page
from advisor.report.html.prose import Prose
from advisor.report.tune.markdown import option_file_diff
from advisor.report.tune.preflight import preflight_sentences
from advisor.report.tune.soak import in_words as soak_in_words
from advisor.report.tune.text import against_rules, circumstances, course, doubts, headline, times
from advisor.report.words.amounts import duration, rate

_ONE_LINE: Final = "white-space: nowrap"


def render(found: Recommendation) -> str:
    """The page of one night."""
    prose, charts = Prose(), _charts(found)
    sections = [
        tag("header", tag("p", circumstances(found), class_="eyebrow"), tag("h1", headline(found)),
            tag("p", prose(course(found)), class_="lede")),
        _warnings(found),
        _changes(found),
        _finalists(found),
        _soak(found),
        _over_trials(found, charts),
        _lag(found),
        _preflight(found),
        _importance(found),
        _trials(found),
        _relied(found),
        prose.glossary(),
        tag("footer", f"Made by advisor {__version__}. This file holds everything it shows and loads nothing."),
    ]  # fmt: skip
    return page(f"tuning {found.cluster}", [section for section in sections if section is not None], charts)


def _warnings(found: Recommendation) -> Safe | None:
    told = doubts(found)
    return (
        tag("section", tag("h2", "Not as it should be"), tag("ul", *(tag("li", one) for one in told))) if told else None
    )


def _changes(found: Recommendation) -> Safe | None:
    if not found.changes:
        return None
    rows = [
        (one.name, ", ".join(one.members), "/".join(dict.fromkeys(one.before)), one.after, one.how.replace("_", " "),
         ", ".join(one.risk), one.why)
        for one in found.changes
    ]  # fmt: skip
    head = ("setting", "members", "was", "is to be", "takes effect", "risk", "what it does")
    diff = option_file_diff(found).replace("```diff\n", "").replace("```", "")
    return tag(
        "section", tag("h2", "What to change"), _table(head, rows),
        tag("details", tag("summary", "As lines of the option files"), tag("pre", diff)),
    )  # fmt: skip


def _finalists(found: Recommendation) -> Safe | None:
    if not found.contenders:
        return None
    rows = []
    for one in found.contenders:
        known = [value for value in one.rates if value is not None]
        rows.append((
            one.name, rate(sum(known) / len(known) if known else None), "1" if one.ratio is None else times(one.ratio),
            duration(one.lag_ms), duration(one.latency_ms), ", ".join(rate(value) for value in one.rates),
            "accepted" if one.accepted else one.why_not or "–",
        ))  # fmt: skip
    head = ("configuration", "tx/s", "to the original", "lag p95", "latency p95", "blocks", "verdict")
    told = "Every block has every configuration once, in random order, each after a fresh restart."
    against = tag("p", against_rules(found))
    return tag(
        "section", tag("h2", "How much it gives, and how sure that is"), tag("p", told), _table(head, rows), against
    )


def _charts(found: Recommendation) -> list[Chart]:
    measured = [one for one in found.trials if one.rate is not None]
    if len(measured) < 2:
        return []
    best: list[float | None] = []
    for one in measured:
        last = best[-1] if best else None
        best.append(max(one.rate or 0.0, last or 0.0) if one.within else last)
    at = tuple(one.at_seconds for one in measured)
    curves = (
        Curve("each trial", "", at, tuple(one.rate for one in measured)),
        Curve("the best inside the bound so far", "", at, tuple(best), dashed=True),
    )
    about = (
        "The sustained rate of every trial, in the order they were run. Single measurements: the proof is the blocks."
    )
    return [Chart("trials", "Sustained rate", "transactions per second", about, curves)]


def _over_trials(found: Recommendation, charts: Sequence[Chart]) -> Safe | None:
    return tag("section", tag("h2", "The search"), *(figure(chart) for chart in charts)) if charts else None


def _lag(found: Recommendation) -> Safe | None:
    dots = [Dot(one.lag_ms, one.rate, one.within, f"trial {one.number + 1}, {one.kind}")
            for one in found.trials if one.rate is not None and one.lag_ms is not None]  # fmt: skip
    if len(dots) < 2:
        return None
    about = "Every trial: filled inside the lag bound (the line), hollow outside a bound."
    drawing = scatter(dots, found.lag_bound_ms, "lag, 95th percentile (ms)", "transactions per second")
    return tag("section", tag("h2", "Throughput against lag"), tag("p", about, class_="quiet hint"), drawing)


def _soak(found: Recommendation) -> Safe | None:
    if found.soak is None:
        return None
    return tag("section", tag("h2", "Under load for long"), tag("p", soak_in_words(found.soak)))


def _preflight(found: Recommendation) -> Safe | None:
    if found.preflight is None:
        return None
    lines = [tag("li", line) for line in preflight_sentences(found.preflight)]
    return tag("section", tag("h2", "Before anything was tried"), tag("ul", *lines))


def _importance(found: Recommendation) -> Safe | None:
    if not found.importance:
        return None
    spans = {name: 1.0 - min(rates) for name, _, rates in found.effects if rates}
    rows = [(name, f"{share:.0%}", f"{spans[name]:.0%}" if name in spans else "–")
            for name, share in list(found.importance.items())[:10]]  # fmt: skip
    head = ("setting", "share of the variance (PED-ANOVA)", "from its worst to its best (model)")
    edges = f"The answer sits on an end of the range of {', '.join(found.edges)}." if found.edges else None
    return tag("section", tag("h2", "Which settings matter"), _table(head, rows), tag("p", edges) if edges else None)


def _trials(found: Recommendation) -> Safe:
    head = ("trial", "kind", "tx/s", "lag p95", "seconds", "what was changed", "verdict")
    return tag(
        "section", tag("h2", "Everything that was tried"), _table(head, [_trial(one) for one in found.trials], narrow=5)
    )


def _trial(one: TriedSetting) -> tuple[str, ...]:
    changed = ", ".join(f"{name}={value}" for name, value in one.changed.items()) or "nothing"
    verdict = ("inside" if one.within else one.because or "outside") + (", ended early" if one.truncated else "")
    kind = f"{one.kind}, on {one.clone}" if one.clone else one.kind
    return str(one.number + 1), kind, rate(one.rate), duration(one.lag_ms), f"{one.seconds:.0f}", changed, verdict


def _relied(found: Recommendation) -> Safe | None:
    if not found.relied:
        return None
    names = list(dict.fromkeys(name for values in found.relied.values() for name in values))
    rows = [(name, *(values.get(name, "–") for values in found.relied.values())) for name in names]
    told = "Read from every member before and after every trial; a trial in which one differed counted for nothing."
    return tag("section", tag("h2", "What was never changed"), tag("p", told), _table(("setting", *found.relied), rows))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], narrow: int = 0) -> Safe:
    """A table; the cells of its first `narrow` columns and all titles stay in one line."""
    body = [
        tag("tr", *(tag("td", cell, style=_ONE_LINE if at < narrow else None) for at, cell in enumerate(row)))
        for row in rows
    ]
    titles = [tag("th", cell, scope="col", style=_ONE_LINE if narrow else None) for cell in head]
    return tag("div", tag("table", tag("thead", tag("tr", *titles)), tag("tbody", *body)), class_="scroll")
