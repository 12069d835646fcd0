"""Which words does a report on a fleet use, whatever its format?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.fleet.report import FleetCluster, FleetReport
from advisor.model.rules import Severity

ORDER: Final = (Severity.CRITICAL, Severity.WARNING, Severity.INFO)


def counted(count: int, word: str) -> str:
    """ "1 server", "2,000 servers"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def headline(report: FleetReport) -> str:
    """How many servers and clusters there are."""
    return f"{counted(len(report.servers), 'server')} in {counted(len(report.clusters), 'cluster')}"


def state(report: FleetReport) -> str:
    """In one sentence, what matters most."""
    servers = report.servers
    parts = [
        (sum(server.starts is False for server in servers), "would not start"),
        *((_with(report, severity), f"with {severity} findings") for severity in ORDER[:2]),
        (sum(bool(server.failure) for server in servers), "not read"),
    ]
    return ", ".join(f"{count:,} {text}" for count, text in parts if count) or "nothing at or above warning"


def _with(report: FleetReport, severity: Severity) -> int:
    return sum(any(f.severity is severity and f.certain for f in server.findings) for server in report.servers)


def areas_of(report: FleetReport) -> list[str]:
    """The areas with findings, as the columns of the map: alphabetical."""
    return sorted({area for cluster in report.clusters for area in cluster.areas})


def of_cluster(cluster: FleetCluster) -> int:
    """How many findings are about the cluster as a whole, such as members that differ."""
    return sum(finding.certain for finding in cluster.findings_of_cluster)


def since_line(report: FleetReport) -> str:
    """What changed since the earlier report, in one sentence; "" without one."""
    since = report.since
    if since is None:
        return ""
    parts: Sequence[tuple[int, str]] = (
        (len(since.new), "new"),
        (len(since.gone), "gone"),
    )
    text = ", ".join(f"{counted(count, 'finding')} {word}" for count, word in parts)
    servers = [
        f"{counted(len(names), 'server')} {word}"
        for names, word in ((since.servers_new, "added"), (since.servers_gone, "removed"))
        if names
    ]
    return ", ".join([text, *servers])
