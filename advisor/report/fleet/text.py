"""How is a report on a fleet written for the terminal? Clusters and rules, the worst first, within the width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.model.fleet.report import FleetReport, RuleSeen
from advisor.report.fleet.words import ORDER, counted, headline, of_cluster, since_line, state
from advisor.report.words.layout import Page
from advisor.report.words.table import text_table
from advisor.report.words.values import printable

_CLUSTERS: Final = 20
_CHANGES: Final = 10
_FAILURES: Final = 10


def render(report: FleetReport, page: Page, *, everything: bool = False) -> str:
    """The report; `everything`: all clusters, rules of every severity, and all changes."""
    lines = [page.paint(headline(report), "strong"), *page.wrap(state(report), 2)]
    lines += _listed("note:", report.problems, page, everything)
    lines += _clusters(report, page, everything)
    lines += _rules(report.rules, page, everything)
    lines += _since(report, page, everything)
    failures = [f"{s.cluster}/{s.name}: {s.failure}" for s in report.servers if s.failure]
    lines += _listed("not read:", failures, page, everything)
    return "\n".join(printable(line) for line in lines) + "\n"


def _clusters(report: FleetReport, page: Page, everything: bool) -> list[str]:
    shown = report.clusters if everything else report.clusters[:_CLUSTERS]
    name_width = max(12, page.width - 52)
    rows = [["cluster", "servers", "not started", "critical", "warning", "info", "as cluster"]]
    for cluster in shown:
        counts = [cluster.not_starting, *(cluster.counts[severity] for severity in ORDER), of_cluster(cluster)]
        name = cluster.name if len(cluster.name) <= name_width else f"…{cluster.name[1 - name_width :]}"
        rows.append([name, f"{len(cluster.servers):,}", *(f"{count:,}" if count else "" for count in counts)])
    table = text_table(rows)
    rest = len(report.clusters) - len(shown)
    more = [f"… and {counted(rest, 'more cluster')}: --verbose, --format html or json"] if rest else []
    return ["", page.paint("By cluster, the worst first", "strong"), *table, *more]


def _rules(rules: Sequence[RuleSeen], page: Page, everything: bool) -> Iterator[str]:
    shown = [rule for rule in rules if everything or rule.severity is not ORDER[-1]]
    yield ""
    yield page.paint("By rule", "strong")
    for rule in shown:
        label = page.paint(f"{str(rule.severity).upper():<8}", str(rule.severity))
        yield f"{label} {page.paint(rule.rule, 'strong')}"
        yield from page.wrap(rule.title, 2)
        where = counted(rule.servers, "server")
        if rule.clusters > 1:
            where += f" in {counted(rule.clusters, 'cluster')}"
        examples = ", ".join(rule.examples) + (", …" if rule.servers > len(rule.examples) else "")
        yield from page.wrap(f"{where}: {examples}", 2)
    if hidden := len(rules) - len(shown):
        yield f"… and {counted(hidden, 'rule')} with info only: --verbose"


def _since(report: FleetReport, page: Page, everything: bool) -> Iterator[str]:
    since = report.since
    if since is None:
        return
    yield ""
    yield page.paint(f"Since {since.file}", "strong")
    yield from page.wrap(since_line(report), 2)
    for word, found in (("new", since.new), ("gone", since.gone)):
        shown = found if everything else found[:_CHANGES]
        for server, rule, item in shown:
            yield from page.wrap(f"{word:<5} {server}: {rule}" + (f" ({item})" if item else ""), 2)
        if len(found) > len(shown):
            yield f"  … and {len(found) - len(shown):,} more {word}"


def _listed(label: str, entries: Sequence[str], page: Page, everything: bool) -> Iterator[str]:
    shown = entries if everything else entries[:_FAILURES]
    if shown:
        yield ""
    for entry in shown:
        yield from page.wrap(f"{label} {entry}", 0)
    if len(entries) > len(shown):
        yield f"… and {len(entries) - len(shown):,} more"
