"""How does a terminal show the hypotheses? The first in full, with what would prove it wrong; the others in brief."""

from __future__ import annotations

from advisor.model.diagnosis import Diagnosis, RankedCause, SeenSign
from advisor.report.why.hypotheses import (
    MOST_SIGNS,
    corrected,
    expected,
    first_cause,
    further_causes,
    is_answer,
    other_observation,
    probability,
    refutation,
    something_else,
    speaking_against,
    speaking_for,
    worth,
)
from advisor.report.words.labels import EFFECTS, RISKS, effects
from advisor.report.words.layout import Page
from advisor.report.words.values import printable, show_change, show_source

_INDENT = 10  # of what is said of a further hypothesis: below its title


def hypotheses_lines(diagnosis: Diagnosis, page: Page) -> list[str]:
    """The first cause, what would prove it wrong, the observation that decides, and the further hypotheses."""
    first = first_cause(diagnosis)
    if first is None:
        lines = ["", page.paint("cause", "strong"), *page.wrap("the evidence does not point to any cause", 2)]
        return lines + _next(diagnosis, page)
    heading = "first cause" if is_answer(first) else "first candidate; the evidence is inconclusive"
    lines = ["", page.paint(heading, "strong"), *_first(first, diagnosis, page)]
    lines += _proof_to_the_contrary(first, diagnosis, page)
    return lines + _next(diagnosis, page) + _further(diagnosis, page)


def _first(cause: RankedCause, diagnosis: Diagnosis, page: Page) -> list[str]:
    sure = is_answer(cause)
    heading = page.wrap(f"{cause.cause.title}{_member(cause, diagnosis)}", 2)
    lines = [page.paint(line, "warning" if sure else "faint") for line in heading]
    limited = f" ({cause.limited})" if cause.limited else ""
    lines += page.labelled("cause", [f"{cause.cause.id}, confidence {cause.confidence:.2f}{limited}"])
    if diagnosis.differential is not None:
        lines += page.labelled("probability", [f"{probability(cause, diagnosis) * 100:.0f} %"])
    lines += page.labelled("symptom of", [", ".join(cause.deeper)] if cause.deeper else [])
    signs = speaking_for(cause)
    for sign in signs[:MOST_SIGNS]:
        lines += page.labelled("because", [_told(sign, diagnosis)])
    rest = len(signs) - MOST_SIGNS
    lines += page.labelled("", [f"and {rest} more: --format html or json"]) if rest > 0 else []
    return lines + (_advice(cause, page) if sure else [])


def _told(sign: SeenSign, diagnosis: Diagnosis) -> str:
    """What a sign says, and from where it is known."""
    places = (show_source(fact.source, diagnosis.path) for fact in sign.because if fact.source)
    sources = "; ".join(list(dict.fromkeys(places))[:2])
    return printable(sign.says) + (f" ({sources})" if sources else "")


def _advice(cause: RankedCause, page: Page) -> list[str]:
    advice, lines = cause.advice, []
    rows = [
        (f"{change.name} = {show_change(change)}", f"now {show_change(change, old=True)}" if change.was else "")
        for change in cause.changes
    ]
    lines += page.columns("set", rows)
    if advice is not None and (advice.do or cause.changes):
        lines += page.labelled("do", [printable(advice.do)] if advice.do else [])
        lines += page.labelled("risk", [f"{risk}: {RISKS[risk]}" for risk in advice.risk])
        lines += page.labelled("takes effect", [EFFECTS[effect] for effect in effects(cause.changes)])
        lines += page.labelled("costs", [printable(advice.costs)] if advice.costs else [])
    if cause.predicted is not None:
        rates, likeliest = expected(cause.predicted, rounded)
        likely = [f"most likely {likeliest}"] if likeliest else []
        known_by = [corrected(cause.predicted)] if corrected(cause.predicted) else []
        lines += page.labelled("expect", [", ".join((f"{rates} transactions/s", *likely, *known_by))])
    return lines


def _proof_to_the_contrary(cause: RankedCause, diagnosis: Diagnosis, page: Page) -> list[str]:
    wrong = refutation(cause, diagnosis)
    if not wrong:
        return []
    lines = ["", page.paint("what would prove us wrong", "strong")]
    lines += page.labelled("find out", [printable(wrong.find_out)] if wrong.find_out else [])
    lines += [f"    {line}" for line in wrong.command.splitlines()]
    lines += page.labelled("against it", [printable(wrong.against)] if wrong.against else [])
    more = len(speaking_against(cause)) - 1
    lines += page.labelled("", [f"and {more} more: --format html or json"]) if more > 0 else []
    return lines + page.labelled("left open", [printable(wrong.left)] if wrong.left else [])


def _next(diagnosis: Diagnosis, page: Page) -> list[str]:
    observation = other_observation(diagnosis)
    if observation is None:
        return []
    lines = ["", page.paint("next observation", "strong"), *page.wrap(printable(observation.need), 2)]
    lines += [f"    {line}" for line in observation.command.splitlines()]
    return lines + (page.wrap(printable(worth(observation)), 2) if worth(observation) else [])


def _further(diagnosis: Diagnosis, page: Page) -> list[str]:
    others, rest = further_causes(diagnosis), something_else(diagnosis)
    if not others and not rest:
        return []
    lines = ["", page.paint("further hypotheses, in order", "strong")]
    for number, cause in enumerate(others, 2):
        symptom = f"; symptom of {', '.join(cause.deeper)}" if cause.deeper else ""
        title = f"{cause.cause.title}{_member(cause, diagnosis)} ({cause.cause.id}{symptom})"
        head = page.wrap(title, _INDENT)
        percent = probability(cause, diagnosis) * 100
        head[0] = f" {number:2}. {percent:2.0f} %".ljust(_INDENT) + head[0].lstrip()
        lines += head
        signs = speaking_for(cause)
        lines += _brief("for", _told(signs[0], diagnosis), page) if signs else []
        lines += _brief("next", printable(cause.cause.settles), page) if cause.cause.settles else []
    return lines + ([f"{rest:>9} something else"] if rest else [])


def _brief(label: str, text: str, page: Page) -> list[str]:
    """A text below the title of a hypothesis, after a word that says what it is."""
    lines = page.wrap(text, _INDENT + 6)
    lines[0] = " " * _INDENT + page.paint(label, "faint") + " " * (6 - len(label)) + lines[0].lstrip()
    return lines


def _member(cause: RankedCause, diagnosis: Diagnosis) -> str:
    return f" [{printable(cause.member)}]" if len(diagnosis.members) > 1 and cause.member else ""


def rounded(rate: float) -> str:
    """Three significant digits: 16412 → 16400."""
    digits = max(0, len(str(int(rate))) - 3)
    return f"{round(rate, -digits):.0f}" if rate >= 10 else f"{rate:.2g}"
