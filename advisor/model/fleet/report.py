"""What was found on many servers: each server in short, and the counts by cluster and by rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from advisor.model.record import field, record
from advisor.model.rules import Severity


class FleetFinding(NamedTuple):
    """One finding in short. A tuple, as there are a hundred thousand; `line` is 0 where it has none."""

    rule: str
    severity: Severity
    file: str = ""
    line: int = 0
    item: str = ""
    certain: bool = True


@record
class FleetServer:
    """One server, or what could not be read of one (`failure`). `release` in words, "" when it is unknown.

    `starts` is False where no possible release would start with these options.
    """

    cluster: str
    name: str
    path: str
    release: str = ""
    starts: bool | None = None
    findings: tuple[FleetFinding, ...] = ()
    failure: str = ""


@record
class RuleSeen:
    """A rule with findings: how severe at most, on how many servers and clusters, and some of the servers."""

    rule: str
    title: str
    area: str
    severity: Severity
    servers: int
    clusters: int
    examples: tuple[str, ...] = ()


@record
class FleetCluster:
    """A cluster: its servers, those that cannot be read, findings by severity, and by area the worst with a count.

    `findings_of_cluster` are those about the cluster as a whole, such as drift between its members.
    """

    name: str
    servers: tuple[FleetServer, ...]
    counts: Mapping[Severity, int]
    areas: Mapping[str, tuple[Severity, int]]
    findings_of_cluster: tuple[FleetFinding, ...] = ()

    @property
    def unreadable(self) -> int:
        """How many of its servers could not be read."""
        return sum(bool(server.failure) for server in self.servers)

    @property
    def not_starting(self) -> int:
        """How many of its servers would not start."""
        return sum(server.starts is False for server in self.servers)


@record
class SinceThen:
    """What changed since an earlier report: findings that are new or gone, servers that came or went.

    A finding is (server, rule, item); those of servers that only one of the reports has are not counted.
    """

    file: str
    new: tuple[tuple[str, str, str], ...] = ()
    gone: tuple[tuple[str, str, str], ...] = ()
    servers_new: tuple[str, ...] = ()
    servers_gone: tuple[str, ...] = ()


@record
class FleetReport:
    """The whole: clusters and rules, the worst first. `problems` are remarks on the inventory."""

    clusters: tuple[FleetCluster, ...]
    rules: tuple[RuleSeen, ...]
    problems: tuple[str, ...] = ()
    since: SinceThen | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def servers(self) -> tuple[FleetServer, ...]:
        """All servers, cluster by cluster."""
        return tuple(server for cluster in self.clusters for server in cluster.servers)
