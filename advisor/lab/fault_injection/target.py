"""Which member does a fault hit? With everything a fault needs to know of it, and to do with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from advisor.catalog import parse_release
from advisor.client import Session, connect
from advisor.cluster_file import addresses
from advisor.dialects import Dialect, dialect_of
from advisor.errors import LabError, ServerError
from advisor.lab import members
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.record import record
from advisor.model.server import Family, Role, Topology
from advisor.topologies import topology_name

_NO_SUCH_VARIABLE = 1193


@record
class FaultTarget:
    """One member of a running lab; `number` counts from 1."""

    cluster: ClusterFile
    member: ClusterMember
    number: int

    @property
    def lab(self) -> str:
        """The lab's name: that of its folder."""
        return self.folder.name

    @property
    def folder(self) -> Path:
        """The lab's folder."""
        return Path(self.cluster.path).resolve().parent

    @property
    def family(self) -> Family:
        """The server's family."""
        return parse_release(self.cluster.server)[0].family

    @property
    def dialect(self) -> Dialect:
        """How it spells replication."""
        return dialect_of(self.family, parse_release(self.cluster.server)[0].version)

    @property
    def pid(self) -> int:
        """Its process id; LabError when it is not running."""
        pid = members.running(self.cluster).get(self.member.name)
        if pid is None:
            raise LabError(
                f"{self.member.name} is not running", hint=f"`advisor lab start {self.lab} {self.member.name}`"
            )
        return pid

    @property
    def runs(self) -> bool:
        """Whether its server is running."""
        return self.member.name in members.running(self.cluster)

    @contextmanager
    def session(self, member: str = "") -> Iterator[Session]:
        """A connection to it, or to another member."""
        with connect(addresses(self.cluster)[member or self.member.name]) as opened:
            yield opened

    def refuse_unless(self, possible: bool, requirement: str) -> None:
        """LabError with what the fault requires, unless it is possible here."""
        if not possible:
            topology = topology_name(self.cluster.topology)
            raise LabError(f"{requirement}; {self.lab} is {topology} on {self.cluster.server}")

    @property
    def replicates(self) -> bool:
        """Whether it is a replica, with its own replication threads."""
        return self.member.role is Role.REPLICA

    @property
    def in_group(self) -> bool:
        """Whether it is a member of a Group Replication group."""
        return self.cluster.topology is Topology.GROUP_REPLICATION

    @property
    def in_galera(self) -> bool:
        """Whether it is a Galera node."""
        return self.cluster.topology is Topology.GALERA


def set_global(target: FaultTarget, values: Mapping[str, object]) -> dict[str, str]:
    """Set global variables, in their order, and return their old values; LabError when the server refuses one.

    If one cannot be set, the others are restored.
    """
    before: dict[str, str] = {}
    with target.session() as session:
        try:
            for name, value in values.items():
                old_value = str(session.value(f"SELECT @@GLOBAL.{name}"))
                session.run(f"SET GLOBAL {name} = {literal(value)}")
                before = {name: old_value, **before}
        except ServerError as error:
            for name, value in before.items():
                session.run(f"SET GLOBAL {name} = {literal(value)}")
            problem = "has no" if error.number == _NO_SUCH_VARIABLE else "cannot change"
            raise LabError(f"{target.member.name} {problem} {name}: {error.message}") from None
    return before


def restore_globals(target: FaultTarget, before: Mapping[str, object]) -> None:
    """Restore the values that `set_global` returned. A stopped server starts with its option file anyway."""
    if target.runs:
        with target.session() as session:
            for name, value in before.items():
                session.run(f"SET GLOBAL {name} = {literal(value)}")


def literal(value: object) -> str:
    """A number as it is, anything else as an SQL string."""
    text = str(value)
    if text.lstrip("-").replace(".", "", 1).isdecimal():
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
