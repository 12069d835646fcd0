"""How do server programs, labs and faults look as JSON? The content of text.py, under "schema": "1"."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.lab.fault_injection.inject import AppliedFault
from advisor.lab.faults import find_fault, first_line
from advisor.lab.network.emulation import Network, read_network
from advisor.lab.network.round_trips import measure
from advisor.lab.servers.binaries import LoadGenerator
from advisor.lab.status import LabStatus
from advisor.model.lab import ClusterFile, ServerBinary
from advisor.topologies import find_topology, topology_names

SCHEMA = "1"


def servers_as_json(servers: Sequence[ServerBinary], sysbench: LoadGenerator | None) -> str:
    """Each server program, the topologies it can run, and why it cannot run the others; sysbench or null."""
    modules = {name: find_topology(name)[1] for name in topology_names()}
    rows = []
    for server in servers:
        reasons = {name: reason for name, module in modules.items() if (reason := module.why_not(server))}
        rows.append(
            {
                "server": server.name,
                "path": server.place,
                "runs": [name for name in modules if name not in reasons],
                "cannot": reasons,
            }
        )
    load = {"version": ".".join(map(str, sysbench.version)), "path": sysbench.command[-1]} if sysbench else None
    return _document({"servers": rows, "sysbench": load})


def cluster_as_json(cluster: ClusterFile, seconds: float | None) -> str:
    """The cluster, the seconds until it was ready (null: not known), and its network."""
    return _document({**_cluster(cluster), "ready_seconds": seconds, "network": _network(Path(cluster.path).parent)})


def labs_as_json(labs: Sequence[LabStatus]) -> str:
    """Every lab with its status; topology and server are null for a lab that never became ready."""
    return _document({"labs": [_status(lab) for lab in labs]})


def status_as_json(lab: LabStatus, faults: Sequence[AppliedFault]) -> str:
    """One lab: its members, its problems, its network, the faults in force."""
    rows = [_applied(fault) for fault in faults]
    return _document({**_status(lab), "network": _network(lab.state.folder), "faults": rows})


def faults_as_json(names: Sequence[str]) -> str:
    """Every fault with its effect and its parameters."""
    rows = [
        {"fault": name, "does": first_line(name), "parameters": dict(find_fault(name)[1].STRENGTH)} for name in names
    ]
    return _document({"faults": rows})


def applied_as_json(faults: Sequence[AppliedFault]) -> str:
    """The faults in force."""
    return _document({"faults": [_applied(fault) for fault in faults]})


def _document(content: Mapping[str, object]) -> str:
    return json.dumps({"schema": SCHEMA, **content}, indent=2) + "\n"


def _applied(fault: AppliedFault) -> dict[str, object]:
    return {"fault": fault.fault, "member": fault.member, "strength": dict(fault.strength)}


def _status(lab: LabStatus) -> dict[str, object]:
    cluster = _cluster(lab.cluster) if lab.cluster else {"name": lab.state.name, "topology": None, "server": None}
    return {**cluster, "standing": lab.summary, "running": list(lab.running), "problems": list(lab.problems)}


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
    """Every pair of members, and "client" to the first; `measured_ms` is null when no answer came."""
    return [
        {
            "from": f"m{trip.one}" if trip.one else "client",
            "to": f"m{trip.other}",
            "meant_ms": trip.meant_ms,
            "measured_ms": trip.measured_ms,
        }
        for trip in measure(network)
    ]
