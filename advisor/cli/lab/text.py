"""How are server programs, labs and faults shown?"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from advisor.lab.fault_injection.inject import AppliedFault
from advisor.lab.faults import find_fault, first_line
from advisor.lab.network.emulation import read_network
from advisor.lab.network.round_trips import measure
from advisor.lab.servers.binaries import LoadGenerator
from advisor.lab.status import LabStatus
from advisor.model.lab import ClusterFile, ServerBinary
from advisor.topologies import find_topology, topology_name, topology_names
from advisor.units import show


def servers_as_text(servers: Sequence[ServerBinary], sysbench: LoadGenerator | None) -> str:
    """Each server program with the topologies it can run, and why it cannot run the others."""
    lines: list[str] = []
    for server in servers:
        modules = {name: find_topology(name)[1] for name in topology_names()}
        reasons = {name: reason for name, module in modules.items() if (reason := module.why_not(server))}
        able = [name for name in modules if name not in reasons]
        lines += [f"{server.name}  {server.place}", f"  runs  {', '.join(able)}"]
        lines += [f"  not   {name}: {reason}" for name, reason in reasons.items()]
    if not servers:
        lines.append(
            "no server program found; `advisor lab install mysql` or `advisor lab install mariadb` downloads one"
        )
    if sysbench:
        lines.append(f"sysbench-{'.'.join(map(str, sysbench.version))}  {sysbench.command[-1]}")
    else:
        lines.append("sysbench not found; `advisor lab install sysbench` downloads it")
    return "\n".join(lines) + "\n"


def cluster_as_text(cluster: ClusterFile, seconds: float | None) -> str:
    """The cluster, how long it took to start, its members, and where its files are."""
    time = f" after {seconds:.1f} s" if seconds is not None else ""
    lines = [f"{cluster.name}: {topology_name(cluster.topology)} on {cluster.server}, ready{time}"]
    lines += [_member(cluster, index) for index in range(len(cluster.members))]
    lines += [f"  cluster file   {cluster.path}", f"  password file  {cluster.password_file}"]
    return "\n".join(lines) + "\n"


def labs_as_text(labs: Sequence[LabStatus]) -> str:
    """A line per lab: its name, its status, its cluster."""
    if not labs:
        return "no labs\n"
    longest = max(len(lab.state.name) for lab in labs)
    lines = []
    for lab in labs:
        cluster = lab.cluster
        title = (
            f"{topology_name(cluster.topology)} on {cluster.server}, {show(len(cluster.members), 'members')}"
            if cluster
            else ""
        )
        lines.append(f"{lab.state.name:{longest}}  {lab.summary:10}  {title}".rstrip())
    return "\n".join(lines) + "\n"


def status_as_text(lab: LabStatus) -> str:
    """One lab: its members, then its problems."""
    lines = [f"{lab.state.name}: {lab.summary}"]
    if lab.cluster:
        lines[0] += f", {topology_name(lab.cluster.topology)} on {lab.cluster.server}"
        lines += [_member(lab.cluster, index) for index in range(len(lab.cluster.members))]
    lines += [f"  problem: {problem}" for problem in lab.problems]
    if lab.summary in ("down", "unfinished"):
        lines.append(f"  `advisor lab down {lab.state.name}` removes it")
    return "\n".join(lines) + "\n"


def network_as_text(folder: Path) -> str:
    """The network of the lab in a folder, with the round trips measured now; "" for a lab on loopback."""
    network = read_network(folder)
    if network is None:
        return ""
    limits = ["no limit" if not bits else f"{bits / 1e6:g} Mbit/s" for bits in network.bits_per_second]
    bandwidth = limits[0] if len(set(limits)) == 1 else ", ".join(limits)
    lines = [f"  network {network.subnet}.0/24, bandwidth {bandwidth}, delay by {network.delayed_by or 'nothing'}"]
    for trip in measure(network):
        measured = "no answer" if trip.measured_ms is None else f"{trip.measured_ms:.2f} ms"
        pair = f"m{trip.one} and m{trip.other}" if trip.one else f"client and m{trip.other}"
        lines.append(f"    round trip {pair}: {measured}" + (f" (configured {trip.meant_ms:g} ms)" if trip.one else ""))
    return "\n".join(lines) + "\n"


def faults_as_text(names: Sequence[str]) -> str:
    """Every fault with its effect and its parameters."""
    lines = []
    for name in names:
        strength = ", ".join(f"{key}={value}" for key, value in find_fault(name)[1].STRENGTH.items())
        lines.append(name)
        lines += [f"  {line}" for line in textwrap.wrap(first_line(name), 76)]
        lines += [f"  parameters: {strength}"] if strength else []
    return "\n".join(lines) + "\n"


def applied_as_text(faults: Sequence[AppliedFault]) -> str:
    """A line per fault in force."""
    lines = []
    for fault in faults:
        strength = ", ".join(f"{key}={value}" for key, value in fault.strength.items())
        lines.append(f"{fault.member}  {fault.fault}" + (f"  ({strength})" if strength else ""))
    return "\n".join(lines or ["no faults"]) + "\n"


def _member(cluster: ClusterFile, index: int) -> str:
    member = cluster.members[index]
    return f"  {member.name}  {member.role:10}  {member.host}:{member.port}  {member.socket}"
