"""What does the JSON report on a fleet contain? schemas/fleet.json is made from these dataclasses."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.fleet.report import FleetFinding, FleetReport, FleetServer

SCHEMA: Final = "advisor/fleet/1"


@dataclass(frozen=True, slots=True)
class FindingDocument:
    """One finding in short; `advisor check` on the server's path has its reasons. `line` is 0 where it has none."""

    rule: str
    severity: str
    file: str
    line: int
    item: str
    certain: bool


@dataclass(frozen=True, slots=True)
class ServerDocument:
    """One server. `starts` is false where it would not start, else null; `failure` says why it was not read."""

    name: str
    path: str
    release: str
    starts: bool | None
    findings: list[FindingDocument]
    failure: str


@dataclass(frozen=True, slots=True)
class AreaDocument:
    """The worst severity of an area in a cluster, and how many findings have it."""

    severity: str
    findings: int


@dataclass(frozen=True, slots=True)
class ClusterDocument:
    """One cluster, its worst server first; `counts` are findings by severity."""

    name: str
    counts: dict[str, int]
    areas: dict[str, AreaDocument]
    findings: list[FindingDocument]
    servers: list[ServerDocument]


@dataclass(frozen=True, slots=True)
class RuleDocument:
    """One rule with findings, and some of the servers."""

    rule: str
    title: str
    area: str
    severity: str
    servers: int
    clusters: int
    examples: list[str]


@dataclass(frozen=True, slots=True)
class ChangeDocument:
    """One finding that came or went."""

    server: str
    rule: str
    item: str


@dataclass(frozen=True, slots=True)
class SinceDocument:
    """What changed since the report in `file`."""

    file: str
    new: list[ChangeDocument]
    gone: list[ChangeDocument]
    servers_new: list[str]
    servers_gone: list[str]


@dataclass(frozen=True, slots=True)
class FleetDocument:
    """The whole report, clusters and rules the worst first."""

    schema: str
    clusters: list[ClusterDocument]
    rules: list[RuleDocument]
    problems: list[str]
    since: SinceDocument | None


def render(report: FleetReport) -> str:
    """UTF-8 text, one server on a line, so that a large report can be read and compared line by line."""
    import json

    data = asdict(document(report))
    clusters = data.pop("clusters")
    head = json.dumps(data, ensure_ascii=False, indent=1)[:-2]
    lines = []
    for cluster in clusters:
        servers = ",\n   ".join(json.dumps(server, ensure_ascii=False) for server in cluster.pop("servers"))
        own = json.dumps(cluster, ensure_ascii=False)[:-1]
        lines.append(f'{own},\n  "servers": [\n   {servers}]}}')
    text = f'{head},\n "clusters": [\n  ' + ",\n  ".join(lines) + "]\n}\n"
    return text.encode("utf-8", "replace").decode("utf-8")


def document(report: FleetReport) -> FleetDocument:
    """The report as its JSON has it."""
    since = report.since
    return FleetDocument(
        SCHEMA,
        [
            ClusterDocument(
                cluster.name,
                {str(severity): count for severity, count in cluster.counts.items()},
                {area: AreaDocument(str(worst), count) for area, (worst, count) in sorted(cluster.areas.items())},
                [_finding(finding) for finding in cluster.findings_of_cluster],
                [_server(server) for server in cluster.servers],
            )
            for cluster in report.clusters
        ],
        [
            RuleDocument(r.rule, r.title, r.area, str(r.severity), r.servers, r.clusters, list(r.examples))
            for r in report.rules
        ],
        list(report.problems),
        SinceDocument(
            since.file,
            [ChangeDocument(*change) for change in since.new],
            [ChangeDocument(*change) for change in since.gone],
            list(since.servers_new),
            list(since.servers_gone),
        )
        if since
        else None,
    )


def _server(server: FleetServer) -> ServerDocument:
    findings = [_finding(finding) for finding in server.findings]
    return ServerDocument(server.name, server.path, server.release, server.starts, findings, server.failure)


def _finding(finding: FleetFinding) -> FindingDocument:
    return FindingDocument(
        finding.rule, str(finding.severity), finding.file, finding.line, finding.item, finding.certain
    )
