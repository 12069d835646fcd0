"""What does the command line of `advisor lab up` ask for?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from advisor.errors import LabError, UsageError
from advisor.lab.limits.cpus import parse_cpus
from advisor.lab.limits.disks import parse_disk
from advisor.lab.network.emulation import parse_bandwidth, parse_rtt
from advisor.lab.servers.binaries import find_servers, server_at
from advisor.lab.settings import parse_setting
from advisor.lab.up import LabRequest
from advisor.model.lab import ServerBinary
from advisor.model.record import record
from advisor.model.server import Family
from advisor.topologies import find_topology

_WAIT_POINTS = ("", "after_sync", "after_commit")


@record
class Words:
    """The command line of `lab up` as it was written; "" and 0 where nothing was."""

    topology: str
    name: str
    members: int
    mysql: bool
    mariadb: bool
    server: str
    settings: list[str]
    member_settings: list[str]
    cpus: str
    member_cpus: list[str]
    rtt: str
    member_rtt: list[str]
    bandwidth: str
    disk: str
    durable: bool
    relaxed: bool
    options: Mapping[str, object]


def build_request(words: Words) -> LabRequest:
    """The request, with a server program chosen; UsageError for what cannot be, LabError where no server is found."""
    if words.mysql + words.mariadb + bool(words.server) > 1:
        raise UsageError("say one of --mysql, --mariadb and --server")
    if words.durable and words.relaxed:
        raise UsageError("say one of --durable and --relaxed")
    if words.options.get("wait_point", "") not in _WAIT_POINTS:
        raise UsageError("--wait-point is after_sync or after_commit")
    topology, module = find_topology(words.topology)
    families = [Family.MYSQL] if words.mysql else [Family.MARIADB] if words.mariadb else list(Family)
    return LabRequest(
        topology=topology,
        name=words.name or topology,
        members=words.members or (1 if topology == "standalone" else 3),
        settings=tuple(parse_setting(text) for text in words.settings),
        member_settings=_member_settings(words.member_settings),
        durability="durable" if words.durable else "relaxed" if words.relaxed else "",
        options={option: value for option, value in words.options.items() if value},
        cpus=parse_cpus(words.cpus) if words.cpus else 0.0,
        member_cpus=dict(_of_member(text, "0.5", parse_cpus) for text in words.member_cpus),
        rtt_ms=parse_rtt(words.rtt) if words.rtt else None,
        member_rtt_ms=dict(_of_member(text, "50ms", parse_rtt) for text in words.member_rtt),
        bits_per_second=parse_bandwidth(words.bandwidth) if words.bandwidth else 0,
        disk_bytes=parse_disk(words.disk) if words.disk else 0,
        binary=server_at(words.server) if words.server else _choose(topology, families, module.why_not),
    )


def _choose(topology: str, families: list[Family], lacks: Callable[[ServerBinary], str]) -> ServerBinary:
    """The first server found that can run it; LabError that says what is lacking, or how to get one."""
    found = [server for server in find_servers() if server.family in families]
    able = next((server for server in found if not lacks(server)), None)
    if able:
        return able
    reasons = "; ".join(f"{server.name} at {server.place}: {lacks(server)}" for server in found)
    wanted = " or ".join(families)
    raise LabError(
        f"no server here runs {topology}{f' ({reasons})' if reasons else ''}",
        hint="" if found else f"`advisor lab install {'|'.join(families)}` fetches {wanted}",
    )


def _member_settings(texts: Iterable[str]) -> dict[int, tuple[tuple[str, str], ...]]:
    found: dict[int, tuple[tuple[str, str], ...]] = {}
    for text in texts:
        number, _, setting = text.partition(":")
        if not number.isdecimal():
            raise UsageError(f"{text!r} names no member", hint="write 2:option=value, members counted from 1")
        found[int(number)] = (*found.get(int(number), ()), parse_setting(setting))
    return found


def _of_member(text: str, example: str, parse: Callable[[str], float]) -> tuple[int, float]:
    """A member's number and the value after the colon."""
    number, _, value = text.partition(":")
    if not number.isdecimal():
        raise UsageError(f"{text!r} names no member", hint=f"write 2:{example}, members counted from 1")
    return int(number), parse(value)


def fault_strength(texts: Iterable[str]) -> dict[str, str]:
    """The parameters of a fault from `name=value`; UsageError for what is none."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"{text!r} is no parameter", hint="write parameter=value; see `advisor lab faults`")
        found[name.replace("-", "_")] = value
    return found
