"""What is pasted into a ticket or kept in a repository? The recommendation as Markdown, with everything it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.recommendation import Recommendation, TriedSetting
from advisor.report.tune.preflight import preflight_sentences
from advisor.report.tune.soak import in_words as soak_in_words
from advisor.report.tune.text import against_rules, circumstances, course, doubts, headline, times
from advisor.report.words.amounts import duration, rate
from advisor.report.words.table import markdown_table


def render(found: Recommendation) -> str:
    """The whole report."""
    parts = [f"# {headline(found)}", circumstances(found), _changes(found), _finalists(found), course(found)]
    parts += [f"## Under load for long\n\n{soak_in_words(found.soak)}" if found.soak else ""]
    parts += [_preflight(found), _importance(found), _steps(found), _trials(found), _relied(found), _repeat(found)]
    parts += [f"**Not as it should be:** {one}" for one in doubts(found)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _changes(found: Recommendation) -> str:
    if not found.changes:
        return ""
    rows = [
        (f"`{one.name}`", ", ".join(one.members), f"`{'/'.join(dict.fromkeys(one.before))}`", f"`{one.after}`",
         one.how.replace("_", " "), ", ".join(one.risk), one.why)
        for one in found.changes
    ]  # fmt: skip
    head = ("setting", "members", "was", "is to be", "takes effect", "risk", "what it does")
    return "## What to change\n\n" + _table(head, rows) + "\n\n" + option_file_diff(found)


def option_file_diff(found: Recommendation) -> str:
    """The change as lines of each member's option file."""
    blocks: dict[str, list[str]] = {}
    for change in found.changes:
        for member, before in zip(change.members, change.before, strict=True):
            where = f"{member}: {found.files.get(member, 'option file')}"
            blocks.setdefault(where, ["[mysqld]"]).extend(
                [f"-{change.name} = {before}", f"+{change.name} = {change.after}"]
            )
    return "\n\n".join(f"{where}\n\n```diff\n" + "\n".join(lines) + "\n```" for where, lines in blocks.items())


def _finalists(found: Recommendation) -> str:
    if not found.contenders:
        return ""
    rows = []
    for one in found.contenders:
        known = [value for value in one.rates if value is not None]
        mean = sum(known) / len(known) if known else None
        verdict = "accepted" if one.accepted else one.why_not or "–"
        blocks = ", ".join("–" if value is None else rate(value) for value in one.rates)
        ratio = "1" if one.ratio is None else times(one.ratio)
        rows.append((one.name, rate(mean), ratio, duration(one.lag_ms), duration(one.latency_ms), blocks, verdict))
    head = ("configuration", "tx/s", "to the original", "lag p95", "latency p95", "blocks", "verdict")
    told = "Every block has every configuration once, in random order, each after a fresh restart."
    against = against_rules(found)
    return (
        f"## How much it gives, and how sure that is\n\n{told}\n\n"
        + _table(head, rows)
        + (against and f"\n\n{against}")
    )


def _preflight(found: Recommendation) -> str:
    if found.preflight is None:
        return ""
    return "## Before anything was tried\n\n" + "\n".join(f"* {line}" for line in preflight_sentences(found.preflight))


def _importance(found: Recommendation) -> str:
    if not found.importance:
        return ""
    spans = {name: 1.0 - min(rates) for name, _, rates in found.effects if rates}
    rows = [(f"`{name}`", f"{share:.0%}", f"{spans[name]:.0%}" if name in spans else "–")
            for name, share in list(found.importance.items())[:10]]  # fmt: skip
    head = ("setting", "share of the variance (PED-ANOVA)", "from its worst to its best (model)")
    edges = f"\n\nThe answer sits on an end of the range of {', '.join(found.edges)}." if found.edges else ""
    return "## Which settings matter\n\n" + _table(head, rows) + edges


def _steps(found: Recommendation) -> str:
    if not found.steps:
        return ""
    rows = [
        (", ".join(f"`{name}`" for name in one.names), "not usable" if one.cost is None else f"{one.cost:+.1%}",
         "–" if one.uncertain_by is None else f"± {one.uncertain_by:.1%}", "left out" if one.left_out else "needed")
        for one in found.steps
    ]  # fmt: skip
    head = ("taken back", "what that cost", "", "so it is")
    return "## What could be left out\n\n" + _table(head, rows)


def _trials(found: Recommendation) -> str:
    rows = [_trial(one) for one in found.trials]
    head = ("trial", "kind", "tx/s", "lag p95", "seconds", "what was changed", "verdict")
    return "## Everything that was tried\n\n" + _table(head, rows) if rows else ""


def _trial(one: TriedSetting) -> tuple[str, ...]:
    changed = ", ".join(f"{name}={value}" for name, value in one.changed.items()) or "nothing"
    verdict = "inside" if one.within else one.because or "outside"
    verdict += ", ended early" if one.truncated else ""
    kind = f"{one.kind}, on {one.clone}" if one.clone else one.kind
    return (
        str(one.number + 1), kind, rate(one.rate), duration(one.lag_ms), f"{one.seconds:.0f}", changed, verdict,
    )  # fmt: skip


def _relied(found: Recommendation) -> str:
    if not found.relied:
        return ""
    names = list(dict.fromkeys(name for values in found.relied.values() for name in values))
    rows = [(f"`{name}`", *(values.get(name, "–") for values in found.relied.values())) for name in names]
    told = "Read from every member before and after every trial; a trial in which one differed counted for nothing."
    return f"## What was never changed\n\n{told}\n\n" + _table(("setting", *found.relied), rows)


def _repeat(found: Recommendation) -> str:
    load, host = found.load, ", ".join(f"{name} {value:.0f}" for name, value in found.host.items())
    noise = ", ".join(f"{name} {value:.3f}" for name, value in found.noise.items()) or "not enough baselines to tell"
    rows = f"{load.tables} tables of {load.rows_per_table} rows"
    words = [
        f"Began {found.began}, took {found.seconds / 60:.0f} min. Sampler {found.sampler}, seed {found.seed}.",
        f"Load: {load.workload}, {load.threads} clients on {', '.join(load.writers)}, {rows}.",
        f"One member: {host}. Noise: {noise}.",
    ]
    return "## To repeat it\n\n" + " ".join(words)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(markdown_table(head, rows))
