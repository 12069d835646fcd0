"""What do many judgements say together? Counts by cluster and by rule, the worst first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import Final

from advisor.fleet.tasks import Task
from advisor.model.fleet.report import FleetCluster, FleetFinding, FleetReport, FleetServer, RuleSeen
from advisor.model.rules import Finding, Judgement, Rule, Severity, Verdict
from advisor.model.server import join_labels

WHOLE: Final = "(cluster)"  # the name under which findings about a cluster as a whole are kept
_ORDER: Final = list(Severity)
_MOST_EXAMPLES: Final = 3
_MOST_LABELS: Final = 3
_PLACE_OF_ITEM: Final = re.compile(r"\s\S+:\d+\Z")  # which moves with every edit


def servers_of(judgement: Judgement, task: Task) -> Iterator[FleetServer]:
    """The servers of a task as the judgement has them; findings about the cluster itself come last, as `WHOLE`."""
    findings: dict[str, list[FleetFinding]] = {name: [] for name in task.names}
    alone = task.names[0] if len(task.names) == 1 else WHOLE
    by_member = dict(zip(judgement.members, task.names, strict=True)) if len(task.names) > 1 else {}
    for finding in judgement.findings:
        if finding.verdict is Verdict.FINDING and not finding.suppressed:
            name = alone if finding.rule.scope == "cluster" else by_member.get(finding.member, alone)
            findings.setdefault(name, []).append(_short(finding))
    starts = list(judgement.would_start.values())
    for (name, found), path in zip(findings.items(), (*task.paths, ""), strict=False):
        release = _release(judgement) if name != WHOLE else ""
        refuses = bool(starts) and all(start is False for start in starts) and len(task.names) == 1
        yield FleetServer(task.cluster, name, path, release, False if refuses else None, tuple(found))


def failed(task: Task, failure: str) -> Iterator[FleetServer]:
    """The servers of a task that could not be judged."""
    for name, path in zip(task.names, task.paths, strict=True):
        yield FleetServer(task.cluster, name, path, failure=failure)


def fleet_report(servers: Iterable[FleetServer], rules: Sequence[Rule], problems: Sequence[str] = ()) -> FleetReport:
    """The report: clusters with the most severe findings first, rules with the most servers first."""
    by_cluster: dict[str, list[FleetServer]] = {}
    for server in servers:
        by_cluster.setdefault(server.cluster, []).append(server)
    known = {rule.id: rule for rule in rules}
    clusters = [_cluster(name, members, known) for name, members in by_cluster.items()]
    clusters.sort(key=_badness)
    return FleetReport(tuple(clusters), tuple(_rules(clusters, known)), tuple(problems))


def _short(finding: Finding) -> FleetFinding:
    place = (finding.file, finding.line) if finding.line else ("", 0)
    item = _PLACE_OF_ITEM.sub("", finding.item)
    return FleetFinding(
        intern(finding.rule.id), finding.severity, intern(place[0]), place[1], intern(item), finding.certain
    )


def _release(judgement: Judgement) -> str:
    labels = judgement.releases
    if not labels or len(labels) > _MOST_LABELS:
        return ""
    return join_labels(labels)


def _cluster(name: str, members: Sequence[FleetServer], known: Mapping[str, Rule]) -> FleetCluster:
    counts = dict.fromkeys(reversed(_ORDER), 0)
    areas: dict[str, tuple[Severity, int]] = {}
    for server in members:
        for finding in server.findings:
            if not finding.certain:
                continue
            counts[finding.severity] += 1
            area = known[finding.rule].area
            worst, count = areas.get(area, (finding.severity, 0))
            if finding.severity is not worst and _ORDER.index(finding.severity) > _ORDER.index(worst):
                worst, count = finding.severity, 0
            areas[area] = (worst, count + (finding.severity is worst))
    own = tuple(server for server in members if server.name != WHOLE)
    whole = tuple(finding for server in members if server.name == WHOLE for finding in server.findings)
    return FleetCluster(name, tuple(sorted(own, key=_badness_of_server)), counts, areas, whole)


def _badness(cluster: FleetCluster) -> tuple[int | str, ...]:
    counted = (cluster.not_starting, *cluster.counts.values())
    return (*(-number for number in counted), cluster.name)


def _badness_of_server(server: FleetServer) -> tuple[int | str, ...]:
    counts = [sum(f.severity is severity and f.certain for f in server.findings) for severity in reversed(_ORDER)]
    return (server.starts is not False, *(-count for count in counts), server.name)


def _rules(clusters: Sequence[FleetCluster], known: Mapping[str, Rule]) -> list[RuleSeen]:
    servers: dict[str, list[str]] = {}
    groups: dict[str, set[str]] = {}
    worst: dict[str, Severity] = {}
    for cluster in clusters:
        whole = FleetServer(cluster.name, WHOLE, "", findings=cluster.findings_of_cluster)
        for server in (*cluster.servers, whole):
            for finding in server.findings:
                if finding.certain:
                    held = worst.setdefault(finding.rule, finding.severity)
                    worst[finding.rule] = max(held, finding.severity, key=_ORDER.index)
            for rule in dict.fromkeys(finding.rule for finding in server.findings if finding.certain):
                servers.setdefault(rule, []).append(f"{server.cluster}/{server.name}")
                groups.setdefault(rule, set()).add(cluster.name)
    seen = [
        RuleSeen(
            rule, known[rule].title, known[rule].area, worst[rule], len(names), len(groups[rule]),
            tuple(names[:_MOST_EXAMPLES]),
        )
        for rule, names in servers.items()
    ]  # fmt: skip
    return sorted(seen, key=lambda one: (-_ORDER.index(one.severity), -one.servers, one.rule))
