"""Whom does a fault strike? A member of a lab, with what can be asked of it and told to it."""

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
        """How replication is said to it."""
        return dialect_of(self.family, parse_release(self.cluster.server)[0].version)

    @property
    def pid(self) -> int:
        """The number of its server process; LabError when it does not run."""
        found = members.running(self.cluster).get(self.member.name)
        if found is None:
            raise LabError(
                f"{self.member.name} does not run", hint=f"`advisor lab start {self.lab} {self.member.name}`"
            )
        return found

    @property
    def runs(self) -> bool:
        """Whether its server process is there."""
        return self.member.name in members.running(self.cluster)

    @contextmanager
    def session(self, member: str = "") -> Iterator[Session]:
        """A connection to it, or to another member."""
        with connect(addresses(self.cluster)[member or self.member.name]) as opened:
            yield opened

    def refuse_unless(self, true: bool, what: str) -> None:
        """LabError that says what a fault needs."""
        if not true:
            raise LabError(f"{what}, and {self.lab} is {self.cluster.topology} on {self.cluster.server}")

    @property
    def replicates(self) -> bool:
        """Whether it applies what a source sends, by replication threads of its own."""
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
    """Set global variables, in their order, and give what they were; LabError when the server lacks one or refuses.

    Nothing stays changed when one of them cannot be.
    """
    before: dict[str, str] = {}
    with target.session() as session:
        try:
            for name, value in values.items():
                was = str(session.value(f"SELECT @@GLOBAL.{name}"))
                session.run(f"SET GLOBAL {name} = {literal(value)}")
                before = {name: was, **before}
        except ServerError as error:
            for name, value in before.items():
                session.run(f"SET GLOBAL {name} = {literal(value)}")
            what = "has no" if error.number == _NO_SUCH_VARIABLE else "cannot change"
            raise LabError(f"{target.member.name} {what} {name}: {error.message}") from None
    return before


def restore_globals(target: FaultTarget, before: Mapping[str, object]) -> None:
    """Set global variables to what `set_global` found. A server that is down starts with what its option file says."""
    if target.runs:
        with target.session() as session:
            for name, value in before.items():
                session.run(f"SET GLOBAL {name} = {literal(value)}")


def literal(value: object) -> str:
    """A number as it is, anything else as a string of SQL."""
    text = str(value)
    if text.lstrip("-").replace(".", "", 1).isdecimal():
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
