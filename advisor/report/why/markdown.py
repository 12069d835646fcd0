"""What goes into a ticket? A diagnosis as Markdown, the reply to the customer first."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.diagnosis import Diagnosis, RankedCause, Side, ThreadProfile, TimeBreakdown
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
    speaking_for,
    worth,
)
from advisor.report.why.profile_groups import (
    LEAST_SHARE,
    explained_shares,
    shown_groups,
    threads_of,
    unexplained_words,
)
from advisor.report.words.labels import RISKS
from advisor.report.words.values import printable, show_change


def render(diagnosis: Diagnosis) -> str:
    """The whole report."""
    lines = [f"# `{printable(diagnosis.path)}`", "", *(f"{_escape(line)}" for line in diagnosis.summary), ""]
    if diagnosis.problems:
        lines += [*(f"- {_escape(problem)}" for problem in diagnosis.problems), ""]
    lines += [*_profile(diagnosis.profile), *_first(diagnosis), *_next(diagnosis), *_further(diagnosis)]
    lines += [*_ceilings(diagnosis), *_time_breakdown(diagnosis.time_breakdown)]
    return "\n".join(lines).rstrip() + "\n"


def _profile(profile: Sequence[ThreadProfile]) -> list[str]:
    shown = shown_groups(profile)
    if not shown:
        return []
    lines = ["## Where the time goes", "", "| Threads | Share | What |", "|---|---:|---|"]
    for group in shown:
        name = _escape(f"{group.member} {group.group} ({threads_of(group)})")
        shares = [share for share in explained_shares(group) if share.share >= LEAST_SHARE]
        words = unexplained_words(group) if group.unexplained >= LEAST_SHARE else ""
        rest = f"unexplained ({words})" if words else "unexplained"
        told = [(share.share, share.title) for share in shares] + [(group.unexplained, rest)]
        for number, (share, title) in enumerate(told):
            lines.append(f"| {'' if number else name} | {share * 100:.1f} % | {_escape(title)} |")
    return [*lines, ""]


def _first(diagnosis: Diagnosis) -> list[str]:
    first = first_cause(diagnosis)
    if first is None:
        return ["## First cause", "", "The evidence does not point to any cause.", ""]
    sure = is_answer(first)
    member = f" ({first.member})" if len(diagnosis.members) > 1 and first.member else ""
    heading = "## First cause" if sure else "## First candidate; the evidence is inconclusive"
    lines = [heading, "", f"**{_escape(first.cause.title + member)}**", ""]
    share = f", probability {probability(first, diagnosis) * 100:.0f} %" if something_else(diagnosis) else ""
    lines += [f"`{first.cause.id}`, confidence {first.confidence:.2f}{share}", ""]
    signs = speaking_for(first)
    lines += [f"- {_escape(sign.says)}" for sign in signs[:MOST_SIGNS]]
    rest = len(signs) - MOST_SIGNS
    lines += [f"- and {rest} more: `--format html` or `json`"] if rest > 0 else []
    lines += _advice(first) if sure else []
    return [*lines, "", *_proof_to_the_contrary(first, diagnosis)]


def _advice(cause: RankedCause) -> list[str]:
    lines = [f"- set `{change.name} = {show_change(change)}`" for change in cause.changes if change.value is not None]
    if cause.advice is not None and (cause.advice.do or cause.changes):
        lines += [f"- do: {_escape(cause.advice.do)}"] if cause.advice.do else []
        lines += [f"- risk {risk}: {RISKS[risk]}" for risk in cause.advice.risk]
    if cause.predicted is not None:
        rates, likeliest = expected(cause.predicted, lambda rate: f"{rate:.0f}")
        likely = [f"most likely {likeliest}"] if likeliest else []
        known_by = [corrected(cause.predicted)] if corrected(cause.predicted) else []
        lines.append("- expected: " + ", ".join((f"{rates} transactions/s", *likely, *known_by)))
    return lines


def _proof_to_the_contrary(cause: RankedCause, diagnosis: Diagnosis) -> list[str]:
    wrong = refutation(cause, diagnosis)
    if not wrong:
        return []
    lines = ["### What would prove us wrong", ""]
    lines += [f"- find out {_escape(wrong.find_out)}"] if wrong.find_out else []
    lines += [f"- against it: {_escape(wrong.against)}"] if wrong.against else []
    lines += [f"- left open: {_escape(wrong.left)}"] if wrong.left else []
    return [*lines, "", *_command(wrong.command)]


def _next(diagnosis: Diagnosis) -> list[str]:
    observation = other_observation(diagnosis)
    if observation is None:
        return []
    lines = ["## Next observation", "", _escape(observation.need), "", *_command(observation.command)]
    return [*lines, _escape(worth(observation)), ""] if worth(observation) else lines


def _command(command: str) -> list[str]:
    return ["```", *command.splitlines(), "```", ""] if command else []


def _further(diagnosis: Diagnosis) -> list[str]:
    others, rest = further_causes(diagnosis), something_else(diagnosis)
    if not others and not rest:
        return []
    lines = ["## Further hypotheses", ""]
    lines += ["| Hypothesis | Probability | What speaks for it | Next observation |", "|---|---:|---|---|"]
    for cause in others:
        signs = speaking_for(cause)
        told = _escape(signs[0].says) if signs else ""
        percent = f"{probability(cause, diagnosis) * 100:.0f} %"
        lines.append(f"| {_escape(cause.cause.title)} | {percent} | {told} | {_escape(cause.cause.settles)} |")
    lines += [f"| Something else | {rest} | | |"] if rest else []
    return [*lines, ""]


def _ceilings(diagnosis: Diagnosis) -> list[str]:
    if not diagnosis.ceilings:
        return []
    lines = ["## Ceilings", "", "| Transactions/s | Limit | Member |", "|---:|---|---|"]
    for each in diagnosis.ceilings:
        lines.append(f"| {each.per_second:.0f} | {_escape(each.ceiling.title)} | {_escape(each.member)} |")
    return [*lines, ""]


def _time_breakdown(breakdown: TimeBreakdown) -> list[str]:
    if not breakdown.shares:
        return []
    lines = ["## Time by counters", "", "| Share | What | Member |", "|---:|---|---|"]
    for share in breakdown.shares:
        kind = "" if share.side is Side.CLIENT else " (busy)"
        lines.append(f"| {share.share * 100:.1f} % | {_escape(share.what)}{kind} | {_escape(share.member)} |")
    return [*lines, ""]


def _escape(text: str) -> str:
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, "\\" + sign)
    return printable(text)
