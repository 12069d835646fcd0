"""How is a cluster started? Reserve, plan, copy, start, join, and wait until it is ready."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Final

from advisor.cluster_file import write_cluster
from advisor.errors import LabError, ServerError, UsageError
from advisor.lab import datadir_templates, down, launch_members, state
from advisor.lab.bootstrapped_datadir import bootstrapped_template
from advisor.lab.launch_members import Lab, Running, Settings
from advisor.lab.limits import disks
from advisor.lab.limits.cpus import Share, share
from advisor.lab.network import namespaces, ports
from advisor.lab.network.emulation import (
    Network,
    build,
    free_number,
    legs,
    read_network,
    start_forwarder,
    write_network,
)
from advisor.lab.network.ports import PORTS_PER_MEMBER
from advisor.lab.network.round_trips import wait_for_way
from advisor.lab.settings import DURABILITY
from advisor.lab.state import LabState
from advisor.model.lab import ClusterFile, ClusterMember, ClusterSpec, Endpoint, MemberPlan, ServerBinary
from advisor.model.record import field, record, replace
from advisor.topologies import TopologyModule, find_topology

_LONGEST_SOCKET: Final = 107  # bytes; the kernel's limit for the path of a socket file


@record
class LabRequest:
    """The lab to start. `settings` go to every member, `member_settings` to one, counted from 1.

    `durability` is a key of DURABILITY. `options` are fields of ClusterSpec that the topology must understand. `cpus`
    limits the CPUs of every member (0: no limit), `member_cpus` those of one. `rtt_ms` is the round trip between
    members (None: no emulated network), `member_rtt_ms` the round trip from one member to the others;
    `bits_per_second` limits what each member sends (0: no limit). `disk_bytes` is the size of each member's own disk
    (0: members share the machine's).
    """

    topology: str
    name: str
    binary: ServerBinary
    members: int
    settings: Settings = ()
    member_settings: Mapping[int, Settings] = field(default_factory=dict)
    durability: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    cpus: float = 0.0
    member_cpus: Mapping[int, float] = field(default_factory=dict)
    rtt_ms: float | None = None
    member_rtt_ms: Mapping[int, float] = field(default_factory=dict)
    bits_per_second: int = 0
    disk_bytes: int = 0


def bring_up(request: LabRequest, tell: Callable[[str], None]) -> ClusterFile:
    """Start a cluster and return its cluster.yaml; on any error, nothing is left behind."""
    name, module = find_topology(request.topology)
    _check(request, name, module)
    began = time.monotonic()
    _reserve(request)
    try:
        tell(f"starting {request.binary.name} from {request.binary.place}")
        cluster = _bring_up(request, module, _endpoints(request))
        now = state.read_state(request.name)
        state.write_state(replace(now, ready_seconds=round(time.monotonic() - began, 1)))
    except BaseException as error:
        down.take_down(request.name)
        if isinstance(error, KeyboardInterrupt):
            raise LabError("interrupted; nothing is left running") from None
        raise
    return cluster


def _bring_up(request: LabRequest, module: TopologyModule, endpoints: tuple[Endpoint, ...]) -> ClusterFile:
    spec = replace(ClusterSpec(request.name, request.binary, endpoints), **request.options)
    plans = module.plan(spec)
    template = datadir_templates.template_for(request.binary)
    lab = Lab(request.name, request.binary, template)
    if module.NEEDS_BOOTSTRAPPED_DATADIR:
        lab = replace(lab, template=bootstrapped_template(lab, module, spec))
    _write_password(lab)
    spaces = {f"m{number}": namespaces.name_of(lab.name, f"m{number}") for number in range(1, request.members + 1)}
    lab = replace(
        lab, shares=_shares(request), spaces=spaces if _network(request) else {}, disk_bytes=request.disk_bytes
    )
    common = (*DURABILITY[request.durability].items(), *request.settings)
    own = [(*common, *request.member_settings.get(number, ())) for number in range(1, len(plans) + 1)]
    launch_members.prepare(lab, list(zip(plans, own, strict=True)))
    with ExitStack() as stack:
        running = launch_members.start(lab, plans, module.problems, stack)
        _join(module, running)
        launch_members.wait_until_ready(module.problems, running)
    cluster = _cluster_file(request, module, lab, plans)
    write_cluster(cluster)
    return cluster


def _join(module: TopologyModule, running: list[Running]) -> None:
    """Join, adding the error logs to a failure: the statement's own error often only refers to them."""
    try:
        module.join([member.node for member in running])
    except ServerError as error:
        reasons = [f"{each.plan.endpoint.name}: {launch_members.why(each.log)}" for each in running]
        raise LabError(f"{error.message}; error logs: {'; '.join(reasons)}") from None


def _check(request: LabRequest, name: str, module: TopologyModule) -> None:
    """Refuse impossible requests before anything is created."""
    if request.members not in module.MEMBERS:
        raise UsageError(f"{name} needs {module.MEMBERS.start} to {module.MEMBERS.stop - 1} members")
    unsupported = sorted(set(request.options) - module.OPTIONS)
    if unsupported:
        raise UsageError(f"{name} has no option --{unsupported[0].replace('_', '-')}")
    named = {*request.member_settings, *request.member_cpus, *request.member_rtt_ms}
    if outside := [number for number in sorted(named) if not 1 <= number <= request.members]:
        raise UsageError(f"there is no member {outside[0]}; members are 1 to {request.members}")
    if why := module.why_not(request.binary):
        raise LabError(
            f"{request.binary.name} cannot run {name}: {why}",
            hint="see `advisor lab servers`",
        )
    if _network(request) and (why := namespaces.why_not()):
        raise LabError(f"--rtt and --bandwidth need network namespaces: {why}", hint="without them, root is not needed")
    if request.disk_bytes and (why := disks.why_not()):
        raise LabError(f"--disk is not possible here: {why}", hint="without it, root is not needed")


def _reserve(request: LabRequest) -> None:
    with state.reservation():
        folder = LabState(request.name).folder
        if folder.exists():
            raise UsageError(
                f"a lab called {request.name!r} already exists",
                hint=f"choose another --name, or remove it with `advisor lab down {request.name}`",
            )
        if len(os.fsencode(folder / "seed/s.sock")) > _LONGEST_SOCKET:
            raise LabError(
                f"the path {folder} is too long for a socket file", hint="set XDG_DATA_HOME to a shorter one"
            )
        free = ports.free_ports(request.members, state.taken_ports())
        folder.mkdir(mode=0o700)
        try:
            state.write_state(LabState(request.name, tuple(port for four in free for port in four)))
            if network := _network(request):
                write_network(replace(network, number=free_number(state.taken_networks())), folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _network(request: LabRequest) -> Network | None:
    """The requested network, still without a number; None when members are on loopback."""
    if request.rtt_ms is None and not request.member_rtt_ms and not request.bits_per_second:
        return None
    delayed = request.rtt_ms is not None or bool(request.member_rtt_ms)
    far = legs(request.members, request.rtt_ms or 0.0, request.member_rtt_ms)
    bits = (request.bits_per_second,) * request.members
    return Network(request.name, 0, "forwarder" if delayed else "", far, bits)


def _endpoints(request: LabRequest) -> tuple[Endpoint, ...]:
    """Where the members will stand, with the network between them, when there is to be one, in place."""
    known = state.read_state(request.name)
    network = read_network(known.folder)
    if network:
        network = build(network, known.folder)
        if network.delayed_by == "forwarder":
            state.note_process(request.name, "forwarder", start_forwarder(known.folder))
        wait_for_way(network)
    endpoints = []
    for number in range(1, request.members + 1):
        port, *more = known.ports[PORTS_PER_MEMBER * (number - 1) : PORTS_PER_MEMBER * number]
        host = network.address(number) if network else "127.0.0.1"
        endpoints.append(Endpoint(f"m{number}", port, (more[0], more[1], more[2]), host))
    return tuple(endpoints)


def _shares(request: LabRequest) -> dict[str, Share]:
    """The CPU share of each limited member."""
    shares = {}
    for number in range(1, request.members + 1):
        if cpus := request.member_cpus.get(number, request.cpus):
            shares[f"m{number}"] = share(request.name, number, cpus)
    return shares


def _write_password(lab: Lab) -> None:
    path = LabState(lab.name).folder / "client.cnf"
    datadir_templates.write_private(path, f'[client]\nuser = root\npassword = "{lab.template.root_password}"\n')


def _cluster_file(request: LabRequest, module: TopologyModule, lab: Lab, plans: list[MemberPlan]) -> ClusterFile:
    known = LabState(request.name)
    members = tuple(
        ClusterMember(
            name=plan.endpoint.name,
            role=plan.role,
            host=plan.endpoint.host,
            port=plan.endpoint.port,
            socket=str(lab.folder(plan) / "s.sock"),
            option_file=str(lab.folder(plan) / "my.cnf"),
            error_log=str(lab.folder(plan) / "error.log"),
            start=lab.words(plan),
        )
        for plan in plans
    )
    return ClusterFile(
        path=str(known.cluster_path),
        name=request.name,
        topology=module.topology(request.binary.family),
        server=request.binary.name,
        user="root",
        password_file=str(known.folder / "client.cnf"),
        members=members,
        durability=request.durability,
        made=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )
