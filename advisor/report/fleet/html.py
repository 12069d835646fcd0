"""How is a report on a fleet shown in a browser? A map of clusters and areas, the rules, and a search over all."""

from __future__ import annotations

from advisor import __version__
from advisor.model.fleet.report import FleetCluster, FleetReport, FleetServer
from advisor.model.rules import Severity
from advisor.report.fleet.words import areas_of, headline, of_cluster, since_line, state
from advisor.report.html.markup import Child, Safe, breakable, tag
from advisor.report.html.page import page
from advisor.report.html.tables import Column, Kind, table

_CLASSES = {Severity.CRITICAL: "bad", Severity.WARNING: "warn", Severity.INFO: "quiet"}


def render(report: FleetReport) -> str:
    """The page."""
    sections = [_head(report), _since(report), _map(report), _rules(report), _servers(report), _footer()]
    return page(headline(report), [section for section in sections if section is not None], scripts=("search.js",))


def _head(report: FleetReport) -> Safe:
    field = tag("input", id="search", type="search", placeholder="cluster, server, rule, release", size="40")
    label = tag("label", "Search ", field, " ", tag("span", id="found", class_="quiet", aria_live="polite"))
    notes = tag("ul", *(tag("li", breakable(text)) for text in report.problems)) if report.problems else None
    return tag(
        "header",
        tag("p", "advisor check", class_="eyebrow"),
        tag("h1", headline(report)),
        tag("p", state(report), class_="lede"),
        notes,
        tag("p", label),
    )


def _since(report: FleetReport) -> Safe | None:
    since = report.since
    if since is None:
        return None
    changes = [("new", *change) for change in since.new] + [("gone", *change) for change in since.gone]
    rows: list[list[Child]] = [[server, word, f"{rule} {item}".strip()] for word, server, rule, item in changes]
    columns = (Column("server", Kind.NAME), Column(""), Column("finding", Kind.NAME))
    shown = tag("div", table("Changes", columns, rows), class_="card searched") if rows else None
    return tag("section", tag("h2", f"Since {since.file}"), tag("p", since_line(report)), shown)


def _map(report: FleetReport) -> Safe:
    areas = areas_of(report)
    columns = (
        Column("cluster", Kind.NAME),
        Column("servers", Kind.NUMBER),
        *(Column(area.replace("_", " "), Kind.NUMBER) for area in areas),
        Column("as a cluster", Kind.NUMBER),
    )
    rows = [_map_row(cluster, areas) for cluster in report.clusters]
    shown = table("Findings by cluster and area", columns, rows)
    text = "The worst findings of each area: critical, warning or info, and how many there are."
    return tag("section", tag("h2", "Map"), tag("p", text, class_="quiet"), tag("div", shown, class_="card searched"))


def _map_row(cluster: FleetCluster, areas: list[str]) -> list[Child]:
    cells: list[Child] = [cluster.name, f"{len(cluster.servers):,}"]
    for area in areas:
        worst, count = cluster.areas.get(area, (Severity.INFO, 0))
        title = f"{count} {worst} in {area.replace('_', ' ')}"
        cells.append(tag("span", f"{count:,}", class_=f"level {_CLASSES[worst]}", title=title) if count else "")
    whole = of_cluster(cluster)
    return [*cells, f"{whole:,}" if whole else ""]


def _rules(report: FleetReport) -> Safe:
    columns = (
        Column("rule", Kind.NAME),
        Column("severity"),
        Column("servers", Kind.NUMBER),
        Column("clusters", Kind.NUMBER),
        Column("what it says", Kind.PROSE),
    )
    rows: list[list[Child]] = [
        [
            rule.rule,
            tag("span", str(rule.severity), class_=f"level {_CLASSES[rule.severity]}"),
            f"{rule.servers:,}",
            f"{rule.clusters:,}",
            tag("div", breakable(rule.title), tag("div", breakable(", ".join(rule.examples)), class_="quiet")),
        ]
        for rule in report.rules
    ]
    return tag("section", tag("h2", "Rules"), tag("div", table("Rules", columns, rows), class_="card searched"))


def _servers(report: FleetReport) -> Safe:
    columns = (
        Column("server", Kind.NAME),
        Column("cluster", Kind.NAME),
        Column("release"),
        Column("findings", Kind.PROSE),
    )
    rows = [_server_row(server) for cluster in report.clusters for server in cluster.servers]
    shown = table("Servers", columns, rows)
    return tag("section", tag("h2", "Servers"), tag("div", shown, class_="card searched"))


def _server_row(server: FleetServer) -> list[Child]:
    if server.failure:
        return [server.name, server.cluster, "", tag("span", f"not read: {server.failure}", class_="level warn")]
    starts = [tag("span", "would not start", class_="level bad"), " "] if server.starts is False else []
    certain = [finding for finding in server.findings if finding.certain]
    words = [
        " ".join(f.rule + (f":{f.line}" if f.line else "") for f in certain if f.severity is severity)
        for severity in (Severity.CRITICAL, Severity.WARNING)
    ]
    info = sum(finding.severity is Severity.INFO for finding in certain)
    parts: list[Child] = [
        tag("span", text, class_=name) for text, name in zip(words, ("bad", "warn"), strict=True) if text
    ]
    if info:
        parts.append(tag("span", f"{info} info", class_="quiet"))
    spaced = [piece for part in parts for piece in (part, " ")]
    return [server.name, server.cluster, server.release, tag("div", *starts, *spaced)]


def _footer() -> Safe:
    text = f"Made by advisor {__version__}. This file is self-contained and loads nothing from the network."
    return tag("footer", text)
