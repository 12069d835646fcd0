"""Which server release something is about."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from advisor.annotations import Final
from advisor.model.record import record

Version = tuple[int, int, int]


class Family(StrEnum):
    """The two lines of servers; decided by words such as "MariaDB" in a version, never by the major number."""

    MYSQL = "mysql"
    MARIADB = "mariadb"


class Role(StrEnum):
    """What a server does in its topology."""

    STANDALONE = "standalone"
    SOURCE = "source"
    REPLICA = "replica"
    PRIMARY = "primary"
    SECONDARY = "secondary"
    NODE = "node"  # Galera


WRITING_ROLES: Final = (Role.SOURCE, Role.PRIMARY, Role.STANDALONE)
APPLYING_ROLES: Final = (Role.REPLICA, Role.SECONDARY)  # they only apply; a Galera node does both


class Topology(StrEnum):
    """How the servers of a cluster replicate."""

    STANDALONE = "standalone"
    ASYNC_MYSQL = "async_mysql"
    ASYNC_MARIADB = "async_mariadb"
    SEMISYNC = "semisync"
    GROUP_REPLICATION = "group_replication"
    GALERA = "galera"


@record
class Release:
    """One concrete server release that something is judged for.

    `series` is the catalogue series ("8.0", "10.11") whose facts describe it, "" when none does
    (then no default is assumed and start-up is not judged). `stands_for` names the range of releases
    this one represents when the user did not give a point release, for example "8.0.0–8.0.25".
    `vendor` is "" (Oracle, MariaDB), "percona" or "pxc" (MySQL with Galera).
    """

    family: Family
    version: Version
    series: str
    vendor: str = ""
    stands_for: str = ""

    def __hash__(self) -> int:  # a key of nearly every cache
        return hash(self.version)

    @property
    def number(self) -> str:
        """The version as the server prints it: 8.0.36."""
        return ".".join(map(str, self.version))

    @property
    def name(self) -> str:
        """As `--server` takes it: mysql-8.0.36."""
        return f"{self.vendor or self.family}-{self.number}"

    @property
    def label(self) -> str:
        """As a person reads it: "mysql 8.0.0–8.0.25", or "mysql 8.0.36"."""
        return f"{self.vendor or self.family} {self.stands_for or self.number}"


def join_labels(labels: Iterable[str]) -> str:
    """Release labels with the server named once: "mysql 5.7.9–5.7.44, 8.0.11–8.0.25; mariadb 10.6"."""
    by_server: dict[str, list[str]] = {}
    for label in labels:
        server, _, versions = label.partition(" ")
        by_server.setdefault(server, []).append(versions)
    return "; ".join(f"{server} {', '.join(filter(None, found))}".strip() for server, found in by_server.items())
