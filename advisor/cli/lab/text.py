"""How are server programs and labs shown?"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from advisor.lab.fault_injection.inject import Applied
from advisor.lab.faults import find_fault, first_line
from advisor.lab.network.emulation import read_network
from advisor.lab.network.round_trips import measure
from advisor.lab.servers.binaries import LoadGenerator
from advisor.lab.status import Standing
from advisor.model.lab import ClusterFile, ServerBinary
from advisor.topologies import find_topology, topology_names


def servers_as_text(servers: Sequence[ServerBinary], sysbench: LoadGenerator | None) -> str:
    """Each program with what it can run, and for the rest why not."""
    lines: list[str] = []
    for server in servers:
        modules = {name: find_topology(name)[1] for name in topology_names()}
        lacking = {name: why for name, module in modules.items() if (why := module.why_not(server))}
        able = [name for name in modules if name not in lacking]
        lines += [f"{server.name}  {server.place}", f"  runs  {', '.join(able)}"]
        lines += [f"  not   {name}: {why}" for name, why in lacking.items()]
    if not servers:
        lines.append(
            "no server program found: `advisor lab install mysql` or `advisor lab install mariadb` fetches one"
        )
    if sysbench:
        lines.append(f"sysbench-{'.'.join(map(str, sysbench.version))}  {sysbench.command[-1]}")
    else:
        lines.append("no sysbench found: `advisor lab install sysbench` fetches it")
    return "\n".join(lines) + "\n"


def cluster_as_text(cluster: ClusterFile, seconds: float | None) -> str:
    """What came up, how long it took, where each member listens and where the rest is written."""
    time = f" after {seconds:.1f} s" if seconds is not None else ""
    lines = [f"{cluster.name}: {cluster.topology} on {cluster.server}, ready{time}"]
    lines += [_member(cluster, index) for index in range(len(cluster.members))]
    lines += [f"  described in {cluster.path}", f"  password in  {cluster.password_file}"]
    return "\n".join(lines) + "\n"


def labs_as_text(standings: Sequence[Standing]) -> str:
    """A line per lab: its name, how it stands, what it is."""
    if not standings:
        return "no labs\n"
    longest = max(len(found.state.name) for found in standings)
    lines = []
    for found in standings:
        cluster = found.cluster
        what = f"{cluster.topology} on {cluster.server}, {len(cluster.members)} members" if cluster else ""
        lines.append(f"{found.state.name:{longest}}  {found.word:10}  {what}".rstrip())
    return "\n".join(lines) + "\n"


def standing_as_text(found: Standing) -> str:
    """One lab: its members, then what is wrong."""
    lines = [f"{found.state.name}: {found.word}"]
    if found.cluster:
        lines[0] += f", {found.cluster.topology} on {found.cluster.server}"
        lines += [_member(found.cluster, index) for index in range(len(found.cluster.members))]
    lines += [f"  problem: {problem}" for problem in found.problems]
    if found.word in ("down", "unfinished"):
        lines.append(f"  `advisor lab down {found.state.name}` removes what is left")
    return "\n".join(lines) + "\n"


def network_as_text(folder: Path) -> str:
    """The network of the lab in a folder, with the round trips measured now; "" for a lab on loopback."""
    network = read_network(folder)
    if network is None:
        return ""
    limits = ["no limit" if not bits else f"{bits / 1e6:g} Mbit/s" for bits in network.bits_per_second]
    alike = limits[0] if len(set(limits)) == 1 else ", ".join(limits)
    lines = [f"  network {network.subnet}.0/24, bandwidth {alike}, delay by {network.delayed_by or 'nothing'}"]
    for found in measure(network):
        got = "no answer" if found.measured_ms is None else f"{found.measured_ms:.2f} ms"
        who = f"m{found.one} and m{found.other}" if found.one else f"client and m{found.other}"
        lines.append(f"    round trip {who}: {got}" + (f" (meant {found.meant_ms:g} ms)" if found.one else ""))
    return "\n".join(lines) + "\n"


def faults_as_text(names: Sequence[str]) -> str:
    """Every fault with what it does and its parameters."""
    lines = []
    for name in names:
        strength = ", ".join(f"{key}={value}" for key, value in find_fault(name)[1].STRENGTH.items())
        lines.append(name)
        lines += [f"  {line}" for line in textwrap.wrap(first_line(name), 76)]
        lines += [f"  parameters: {strength}"] if strength else []
    return "\n".join(lines) + "\n"


def applied_as_text(found: Sequence[Applied]) -> str:
    """A line per fault in force."""
    lines = []
    for one in found:
        strength = ", ".join(f"{key}={value}" for key, value in one.strength.items())
        lines.append(f"{one.member}  {one.fault}" + (f"  ({strength})" if strength else ""))
    return "\n".join(lines or ["no faults"]) + "\n"


def _member(cluster: ClusterFile, index: int) -> str:
    member = cluster.members[index]
    return f"  {member.name}  {member.role:10}  {member.host}:{member.port}  {member.socket}"
