"""How are server programs, labs and faults told to programs? The same as in lab_text, under "schema": "1"."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.lab.fault_injection.inject import Applied
from advisor.lab.faults import find_fault, first_line
from advisor.lab.network.emulation import Network, read_network
from advisor.lab.network.round_trips import measure
from advisor.lab.servers.binaries import LoadGenerator
from advisor.lab.status import Standing
from advisor.model.lab import ClusterFile, ServerBinary
from advisor.topologies import find_topology, topology_names

SCHEMA = "1"


def servers_as_json(servers: Sequence[ServerBinary], sysbench: LoadGenerator | None) -> str:
    """Each program, what it can run, and by topology why it cannot run the rest; the load generator or null."""
    modules = {name: find_topology(name)[1] for name in topology_names()}
    rows = []
    for server in servers:
        lacking = {name: why for name, module in modules.items() if (why := module.why_not(server))}
        rows.append(
            {
                "server": server.name,
                "path": server.place,
                "runs": [name for name in modules if name not in lacking],
                "cannot": lacking,
            }
        )
    load = {"version": ".".join(map(str, sysbench.version)), "path": sysbench.command[-1]} if sysbench else None
    return _document({"servers": rows, "sysbench": load})


def cluster_as_json(cluster: ClusterFile, seconds: float | None) -> str:
    """What came up and how long that took (null: not known), and its network."""
    return _document({**_cluster(cluster), "ready_seconds": seconds, "network": _network(Path(cluster.path).parent)})


def labs_as_json(standings: Sequence[Standing]) -> str:
    """Every lab with how it stands; what it is, is null while it never became ready."""
    return _document({"labs": [_standing(found) for found in standings]})


def standing_as_json(found: Standing, faults: Sequence[Applied]) -> str:
    """One lab: its members, what is wrong, its network, the faults in force."""
    rows = [_applied(one) for one in faults]
    return _document({**_standing(found), "network": _network(found.state.folder), "faults": rows})


def faults_as_json(names: Sequence[str]) -> str:
    """Every fault with what it does and its parameters."""
    rows = [
        {"fault": name, "does": first_line(name), "parameters": dict(find_fault(name)[1].STRENGTH)} for name in names
    ]
    return _document({"faults": rows})


def applied_as_json(found: Sequence[Applied]) -> str:
    """The faults in force."""
    return _document({"faults": [_applied(one) for one in found]})


def _document(content: Mapping[str, object]) -> str:
    return json.dumps({"schema": SCHEMA, **content}, indent=2) + "\n"


def _applied(one: Applied) -> dict[str, object]:
    return {"fault": one.fault, "member": one.member, "strength": dict(one.strength)}


def _standing(found: Standing) -> dict[str, object]:
    what = _cluster(found.cluster) if found.cluster else {"name": found.state.name, "topology": None, "server": None}
    return {**what, "standing": found.word, "running": list(found.running), "problems": list(found.problems)}


def _cluster(cluster: ClusterFile) -> dict[str, object]:
    return {
        "name": cluster.name,
        "topology": str(cluster.topology),
        "server": cluster.server,
        "durability": cluster.durability,
        "cluster_file": cluster.path,
        "password_file": cluster.password_file,
        "members": [
            {
                "name": member.name,
                "role": str(member.role),
                "host": member.host,
                "port": member.port,
                "socket": member.socket,
                "error_log": member.error_log,
            }
            for member in cluster.members
        ],
    }


def _network(folder: Path) -> dict[str, object] | None:
    """The network of the lab in a folder, with the round trips measured now; None for a lab on loopback."""
    network = read_network(folder)
    if network is None:
        return None
    return {
        "subnet": f"{network.subnet}.0/24",
        "delayed_by": network.delayed_by,
        "bits_per_second": list(network.bits_per_second),
        "round_trips": _round_trips(network),
    }


def _round_trips(network: Network) -> list[dict[str, object]]:
    """Every pair of members, from "client" too; `measured_ms` is null when no answer came."""
    return [
        {
            "from": f"m{found.one}" if found.one else "client",
            "to": f"m{found.other}",
            "meant_ms": found.meant_ms,
            "measured_ms": found.measured_ms,
        }
        for found in measure(network)
    ]
