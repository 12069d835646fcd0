"""What does the command line of `advisor lab up` ask for?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from advisor.cli.lab.parsers import MemberNumber, MemberSetting
from advisor.errors import LabError, UsageError
from advisor.lab.servers.binaries import find_servers, server_at
from advisor.lab.up import LabRequest
from advisor.model.lab import ServerBinary
from advisor.model.record import field, record
from advisor.model.server import Family
from advisor.topologies import find_topology

_WAIT_POINTS = ("", "after_sync", "after_commit")


@record
class LabCommandLine:
    """The options of `lab up`, each value parsed; "", 0, None and () where nothing was given.

    `options` are those that only some topologies have, as fields of ClusterSpec.
    """

    topology: str
    name: str = ""
    members: int = 0
    mysql: bool = False
    mariadb: bool = False
    server: str = ""
    settings: Sequence[tuple[str, str]] = ()
    member_settings: Sequence[MemberSetting] = ()
    cpus: float | None = None
    member_cpus: Sequence[MemberNumber] = ()
    rtt_ms: float | None = None
    member_rtt_ms: Sequence[MemberNumber] = ()
    bits_per_second: int | None = None
    disk_bytes: int | None = None
    durable: bool = False
    relaxed: bool = False
    options: Mapping[str, object] = field(default_factory=dict)


def build_request(line: LabCommandLine) -> LabRequest:
    """The request, with a server program chosen; UsageError for options that contradict each other.

    LabError where no server program can run the topology.
    """
    if line.mysql + line.mariadb + bool(line.server) > 1:
        raise UsageError("use only one of --mysql, --mariadb and --server")
    if line.durable and line.relaxed:
        raise UsageError("use only one of --durable and --relaxed")
    if line.options.get("wait_point", "") not in _WAIT_POINTS:
        raise UsageError("--wait-point must be after_sync or after_commit")
    topology, module = find_topology(line.topology)
    families = [Family.MYSQL] if line.mysql else [Family.MARIADB] if line.mariadb else list(Family)
    return LabRequest(
        topology=topology,
        name=line.name or topology,
        members=line.members or (1 if topology == "standalone" else 3),
        settings=tuple((name, value) for name, value in line.settings),
        member_settings=_by_member(line.member_settings),
        durability="durable" if line.durable else "relaxed" if line.relaxed else "",
        options={option: value for option, value in line.options.items() if value},
        cpus=line.cpus or 0.0,
        member_cpus=dict(line.member_cpus),
        rtt_ms=line.rtt_ms,
        member_rtt_ms=dict(line.member_rtt_ms),
        bits_per_second=line.bits_per_second or 0,
        disk_bytes=line.disk_bytes or 0,
        binary=server_at(line.server) if line.server else _choose(topology, families, module.why_not),
    )


def _choose(topology: str, families: list[Family], why_not: Callable[[ServerBinary], str]) -> ServerBinary:
    """The first server found that can run the topology; else a LabError with the reasons, or how to get a server."""
    servers = [server for server in find_servers() if server.family in families]
    able = next((server for server in servers if not why_not(server)), None)
    if able:
        return able
    reasons = "; ".join(f"{server.name} at {server.place}: {why_not(server)}" for server in servers)
    wanted = " or ".join(families)
    raise LabError(
        f"no server on this machine can run {topology}{f' ({reasons})' if reasons else ''}",
        hint="" if servers else f"`advisor lab install {'|'.join(families)}` downloads {wanted}",
    )


def _by_member(settings: Iterable[MemberSetting]) -> dict[int, tuple[tuple[str, str], ...]]:
    members: dict[int, tuple[tuple[str, str], ...]] = {}
    for member, name, value in settings:
        members[member] = (*members.get(member, ()), (name, value))
    return members
