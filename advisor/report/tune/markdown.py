"""What is pasted into a ticket or kept in a repository? The recommendation as Markdown, with everything it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.recommendation import Recommendation
from advisor.report.tune import sections
from advisor.report.tune.text import (
    against_rules,
    caveats,
    headline,
    measured_on,
    preflight_sentences,
    search_summary,
    soak_sentence,
)
from advisor.report.words.values import printable
from advisor.units import show


def render(found: Recommendation) -> str:
    """The whole report."""
    parts = [f"# {headline(found)}", measured_on(found), _changes(found), _finalists(found), search_summary(found)]
    parts += [f"## {sections.SOAK}\n\n{soak_sentence(found.soak)}" if found.soak else ""]
    parts += [
        _preflight(found),
        _limits(found),
        _importance(found),
        _steps(found),
        _trials(found),
        _protected(found),
        _repeat(found),
    ]
    parts += [f"**{sections.WARNING}:** {caveat}" for caveat in caveats(found)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _changes(found: Recommendation) -> str:
    if not found.changes:
        return ""
    rows = [
        (f"`{name}`", members, f"`{before}`", f"`{after}`", *others)
        for name, members, before, after, *others in map(sections.change_row, found.changes)
    ]
    return _section(sections.CHANGES, _table(sections.CHANGE_HEADINGS, rows), option_file_diff(found))


def option_file_diff(found: Recommendation) -> str:
    """The change as lines of each member's option file."""
    blocks: dict[str, list[str]] = {}
    for change in found.changes:
        for member, before in zip(change.members, change.before, strict=True):
            file = f"{member}: {found.files.get(member, 'option file')}"
            blocks.setdefault(file, ["[mysqld]"]).extend(
                [f"-{change.name} = {before}", f"+{change.name} = {change.after}"]
            )
    return "\n\n".join(f"{file}\n\n```diff\n" + "\n".join(lines) + "\n```" for file, lines in blocks.items())


def _finalists(found: Recommendation) -> str:
    if not found.contenders:
        return ""
    rows = [sections.finalist_row(contender) for contender in found.contenders]
    table = _table(sections.FINALIST_HEADINGS, rows)
    return _section(sections.VALIDATION, sections.VALIDATION_METHOD, table, against_rules(found))


def _preflight(found: Recommendation) -> str:
    if found.preflight is None:
        return ""
    return _section(sections.PREFLIGHT, "\n".join(f"* {line}" for line in preflight_sentences(found.preflight)))


def _importance(found: Recommendation) -> str:
    if not found.importance:
        return ""
    rows = [(f"`{name}`", *others) for name, *others in sections.importance_rows(found)]
    edges = sections.edge_sentence(found.edges)
    return _section(sections.IMPORTANCE, _table(sections.IMPORTANCE_HEADINGS, rows), edges)


def _limits(found: Recommendation) -> str:
    if not found.at_limits:
        return ""
    rows = list(map(sections.limit_row, found.at_limits))
    return _section(sections.LIMITS, sections.LIMITS_METHOD, _table(sections.LIMIT_HEADINGS, rows))


def _steps(found: Recommendation) -> str:
    if not found.steps:
        return ""
    return _section(sections.STEPS, _table(sections.STEP_HEADINGS, list(map(sections.step_row, found.steps))))


def _trials(found: Recommendation) -> str:
    if not found.trials:
        return ""
    return _section(sections.TRIALS, _table(sections.TRIAL_HEADINGS, list(map(sections.trial_row, found.trials))))


def _protected(found: Recommendation) -> str:
    if not found.relied:
        return ""
    rows = [(f"`{name}`", *values) for name, *values in sections.protected_rows(found.relied)]
    return _section(sections.PROTECTED, sections.PROTECTED_METHOD, _table(("setting", *found.relied), rows))


def _repeat(found: Recommendation) -> str:
    load, host = found.load, ", ".join(f"{name} {value:.0f}" for name, value in found.host.items())
    noise = ", ".join(f"{name} {value:.3f}" for name, value in found.noise.items()) or "too few baseline runs to tell"
    tables = f"{show(load.tables, 'tables')} of {show(load.rows_per_table, 'rows')}"
    sentences = [
        f"Started {found.began}, took {found.seconds / 60:.0f} min. Sampler {found.sampler}, seed {found.seed}.",
        f"Load: {load.workload}, {show(load.threads, 'clients')} on {', '.join(load.writers)}, {tables}.",
        f"One member: {host}. Noise: {noise}.",
    ]
    return _section("To reproduce it", " ".join(sentences))


def _section(title: str, *parts: str) -> str:
    return "\n\n".join([f"## {title}", *(part for part in parts if part)])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in lines)


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("\n", " ")
