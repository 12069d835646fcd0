"""What is pasted into a ticket or kept in a repository? The recommendation as Markdown, with everything it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.recommendation import Recommendation
from advisor.report.tune import tables
from advisor.report.tune.aims import aim_of
from advisor.report.tune.option_file_diff import option_file_diff
from advisor.report.tune.sentences import (
    against_rules,
    caveats,
    headline,
    how_to_repeat,
    measured_on,
    preflight_sentences,
    search_summary,
    soak_sentence,
)
from advisor.report.words.fidelity import fidelity_sentence
from advisor.report.words.values import printable


def render(found: Recommendation) -> str:
    """The whole report."""
    parts = [f"# {headline(found)}", measured_on(found), _changes(found), _finalists(found), search_summary(found)]
    parts += [f"## {tables.SOAK}\n\n{soak_sentence(found.soak)}" if found.soak else ""]
    parts += [
        _preflight(found),
        _fidelity(found),
        _limits(found),
        _fronts(found),
        _importance(found),
        _steps(found),
        _trials(found),
        _protected(found),
        _section("To reproduce it", " ".join(how_to_repeat(found))),
    ]
    parts += [f"**{tables.WARNING}:** {caveat}" for caveat in caveats(found)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _changes(found: Recommendation) -> str:
    if not found.changes:
        return ""
    rows = [
        (f"`{name}`", members, f"`{before}`", f"`{after}`", *others)
        for name, members, before, after, *others in map(tables.change_row, found.changes)
    ]
    return _section(tables.CHANGES, _table(tables.CHANGE_HEADINGS, rows), tables.TAKE_BACK, option_file_diff(found))


def _finalists(found: Recommendation) -> str:
    if not found.contenders:
        return ""
    rows = [tables.finalist_row(contender, aim_of(found)) for contender in found.contenders]
    table = _table(tables.finalist_headings(found), rows)
    return _section(tables.VALIDATION, tables.VALIDATION_METHOD, table, against_rules(found))


def _preflight(found: Recommendation) -> str:
    if found.preflight is None:
        return ""
    return _section(tables.PREFLIGHT, "\n".join(f"* {line}" for line in preflight_sentences(found.preflight)))


def _fidelity(found: Recommendation) -> str:
    if found.fidelity is None:
        return ""
    rows = tables.fidelity_rows(found.fidelity)
    table = _table(tables.FIDELITY_HEADINGS, rows)
    return _section(tables.FIDELITY, f"{fidelity_sentence(found.fidelity).capitalize()}.", table)


def _importance(found: Recommendation) -> str:
    if not found.importance:
        return ""
    rows = [(f"`{name}`", *others) for name, *others in tables.importance_rows(found)]
    edges = tables.edge_sentence(found.edges)
    return _section(tables.IMPORTANCE, _table(tables.IMPORTANCE_HEADINGS, rows), edges)


def _limits(found: Recommendation) -> str:
    if not found.at_limits:
        return ""
    aim = aim_of(found)
    rows = [tables.limit_row(at, aim) for at in found.at_limits]
    return _section(tables.LIMITS, tables.LIMITS_METHOD, _table(tables.limit_headings(aim), rows))


def _fronts(found: Recommendation) -> str:
    if not found.fronts:
        return ""
    aim, parts = aim_of(found), [tables.FRONTS_METHOD]
    for front in found.fronts:
        if front.points:
            parts.append(_table(tables.front_headings(front, aim), tables.front_rows(front, aim)))
        parts.append(tables.front_sentence(front))
    return _section(tables.fronts_title(aim), *parts)


def _steps(found: Recommendation) -> str:
    if not found.steps:
        return ""
    return _section(tables.STEPS, _table(tables.STEP_HEADINGS, list(map(tables.step_row, found.steps))))


def _trials(found: Recommendation) -> str:
    if not found.trials:
        return ""
    aim = aim_of(found)
    rows = [tables.trial_row(trial, aim) for trial in found.trials]
    return _section(tables.TRIALS, _table(tables.trial_headings(aim), rows))


def _protected(found: Recommendation) -> str:
    if not found.relied:
        return ""
    rows = [(f"`{name}`", *values) for name, *values in tables.protected_rows(found.relied)]
    return _section(tables.PROTECTED, tables.PROTECTED_METHOD, _table(("setting", *found.relied), rows))


def _section(title: str, *parts: str) -> str:
    return "\n\n".join([f"## {title}", *(part for part in parts if part)])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in lines)


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("\n", " ")
