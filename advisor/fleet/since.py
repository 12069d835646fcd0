"""What changed since an earlier report? Findings are recognised by server, rule and item, never by their line."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.errors import InputError
from advisor.evidence.source.files import as_text, read_bytes
from advisor.model.fleet.report import FleetReport, SinceThen
from advisor.model.record import replace

SCHEMA = "advisor/fleet/1"
Known = tuple[str, str, str]  # server, rule, item
_HINT = "it is what `advisor check --fleet --format json -o FILE` writes"


def with_since(report: FleetReport, file: str) -> FleetReport:
    """The report with what changed since the one in the file. InputError when that is no such report."""
    earlier, servers_then = _read(file)
    now = set(_findings_of(report))
    servers_now = {f"{cluster.name}/{server.name}" for cluster in report.clusters for server in cluster.servers}
    failing = {f"{c.name}/{s.name}" for c in report.clusters for s in c.servers if s.failure}
    both = (servers_now & servers_then) - failing
    return replace(
        report,
        since=SinceThen(
            file,
            tuple(sorted(known for known in now - earlier if known[0] in both)),
            tuple(sorted(known for known in earlier - now if known[0] in both)),
            tuple(sorted(servers_now - servers_then)),
            tuple(sorted(servers_then - servers_now)),
        ),
    )


def _findings_of(report: FleetReport) -> Iterable[Known]:
    for cluster in report.clusters:
        for server in cluster.servers:
            for finding in server.findings:
                yield f"{cluster.name}/{server.name}", finding.rule, finding.item


def _read(file: str) -> tuple[set[Known], set[str]]:
    """Findings and servers of an earlier report; servers that could not be read then are none of its own."""
    import json

    try:
        data = json.loads(as_text(read_bytes(file, file), file))
        if data["schema"] != SCHEMA:
            raise KeyError("schema")
        findings, servers = set(), set()
        for cluster in data["clusters"]:
            for server in cluster["servers"]:
                name = f"{cluster['name']}/{server['name']}"
                if not server["failure"]:
                    servers.add(name)
                findings |= {(name, str(one["rule"]), str(one["item"])) for one in server["findings"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError("not a report on a fleet", file=file, hint=_HINT) from None
    return findings, servers
