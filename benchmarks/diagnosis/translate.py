"""How does a case that somebody reported become a bundle? Its evidence, word for word, in the bundle format.

Only `server`, `topology` and `evidence` are read, of that not `facts`. Nothing knows a case: labels of measurements are
read by the vocabulary of `setting_labels.py`, sentences on hardware and workload by a few patterns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.diagnosis.before_and_after import is_after_a_change
from benchmarks.diagnosis.handover import process_list_of, replica_status_of, source_status_of, states_of, words_of
from benchmarks.diagnosis.measurements import observed_measurements

_REPLICA: Final = ("slave", "replica")
_SOURCE: Final = ("master", "source", "primary")
_ROLES: Final = {
    "standalone": [("server", "standalone")],
    "async_mysql": [("source", "source"), ("replica", "replica")],
    "async_mariadb": [("source", "source"), ("replica", "replica")],
    "semisync": [("source", "source"), ("replica", "replica")],
    "group_replication": [("m1", "primary"), ("m2", "secondary"), ("m3", "secondary")],
    "galera": [("node1", "node"), ("node2", "node"), ("node3", "node")],
}
_WITH_CLIENTS: Final = ("standalone", "source", "primary", "node")
_OPTION: Final = re.compile(r"^[a-z][\w.-]*(\s*=\s*[^>]*)?$", re.IGNORECASE)
_SWITCHES: Final = re.compile(r"\s*\(default\)$")


def write_bundle(case: Mapping[str, Any], folder: Path) -> Path:
    """The case as a bundle in the folder; the bundle's own folder."""
    evidence = case["evidence"]
    members = _ROLES[case["topology"]]
    if case["topology"] == "galera" and any("one galera node" in text.lower() for text in evidence.get("workload", [])):
        members = members[:1]
    place = folder / "bundle"
    server = _server(case["server"])
    stated = [{"name": name, "role": role, "server": server} for name, role in members]
    head = {"format": 1, "topology": case["topology"], "members": stated, "interval_seconds": None}
    place.mkdir(parents=True)
    (place / "bundle.json").write_text(json.dumps(head))
    for name, role in members:
        _write_member(place / "members" / name, role, evidence)
    observed = {**words_of(evidence, case["server"]), **observed_measurements(evidence, case["topology"])}
    if "states" not in observed and (states := states_of(evidence.get("outputs", {}))):
        observed["states"] = states
    (place / "observations.yaml").write_text(json.dumps(observed))
    return place


def _server(stated: Mapping[str, str]) -> str:
    flavour = stated.get("flavour", "").lower()
    family = "mariadb" if "mariadb" in flavour else "pxc" if "xtradb" in flavour else "mysql"
    version = re.search(r"\d+\.\d+(?:\.\d+)?", stated.get("version", ""))
    return f"{family} {version[0] if version else 'unknown'}"


def _write_member(place: Path, role: str, evidence: Mapping[str, Any]) -> None:
    config = evidence.get("config", {})
    lines = [
        line
        for node, options in config.items()
        if _is_for(node, role) and not is_after_a_change(node, config)
        for line in _options(options)
    ]
    place.mkdir(parents=True)
    if lines:
        (place / "my.cnf").write_text("[mysqld]\n" + "\n".join(lines) + "\n")
    counters = [values for node, values in evidence.get("status", {}).items() if _is_for(node, role)]
    if counters:
        moment = [{"at_seconds": 0, "values": counters[0]}]
        (place / "status.json").write_text(json.dumps(moment))
    if tables := dict(_tables(evidence.get("outputs", {}), role)):
        (place / "replication.json").write_text(json.dumps(_timed(tables)))
    monitor = [
        values
        for name, values in evidence.get("outputs", {}).items()
        if "innodb_status" in name and _is_for(name, role)
    ]
    if monitor:
        (place / "innodb_status.txt").write_text(_monitor(monitor[0]))


def _options(lines: list[str]) -> Iterator[str]:
    """What is an option line; what is said about one is not."""
    for line in lines:
        plain = _SWITCHES.sub("", line.strip())
        if _OPTION.match(plain) and not re.search(r"\s\(|effectively", plain):
            yield plain


def _is_for(node: str, role: str) -> bool:
    name = node.lower()
    if any(word in name for word in _REPLICA):
        return role in ("replica", "secondary")
    if any(word in name for word in _SOURCE):
        return role in ("source", "primary")
    if match := re.fullmatch(r"(?:node|mysql|m)(\d+)", name):
        return role == "node" or (match[1] == "1") == (role == "primary")
    return True


def _tables(outputs: Mapping[str, Any], role: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Rows of replication tables: states of members by name, and columns of SHOW REPLICA STATUS at two moments."""
    members = [(key, state) for name, value in outputs.items() if name.startswith("replication_group_members")
               if isinstance(value, Mapping) for key, state in value.items()]  # fmt: skip
    if members and role == "primary":
        yield "replication_group_members", [{"MEMBER_HOST": key, "MEMBER_STATE": state} for key, state in members]
    if role == "replica" and (columns := replica_status_of(outputs)):
        yield "replica_status", list(_moments(columns))
    if role == "source" and (row := source_status_of(outputs)):
        yield "binary_log_status", [row]
    if role in _WITH_CLIENTS and (sessions := process_list_of(outputs)):
        yield "processlist", sessions


def _moments(columns: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Two rows where something is said to grow: that differs between them, what is said to be unchanged does not."""
    moments = 2 if {"growing", "unchanged"} & set(map(str, columns.values())) else 1
    for moment in range(moments):
        yield {key: f"set-{moment if value == 'growing' else 0}" if value in ("growing", "unchanged") else value
               for key, value in columns.items()}  # fmt: skip


def _timed(tables: Mapping[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """As a bundle has them: one entry per moment, a minute apart."""
    entries: list[dict[str, Any]] = []
    for name, rows in tables.items():
        if name == "replica_status":
            entries += [{"at_seconds": 60 * at, "tables": {name: [row]}} for at, row in enumerate(rows)]
        else:
            entries.append({"at_seconds": 0, "tables": {name: rows}})
    return entries


def _monitor(values: Mapping[str, Any] | list[Any] | str) -> str:
    """The line of SHOW ENGINE INNODB STATUS that has these rates; the monitor's own text or lines as posted."""
    if isinstance(values, str):
        return values
    if isinstance(values, list):
        return "\n".join(map(str, values))
    rates = {name: values.get(f"{name}_per_s", 0) for name in ("inserts", "updates", "deletes", "reads")}
    line = ", ".join(f"{float(rate):.2f} {name}/s" for name, rate in rates.items())
    return f"=====\nINNODB MONITOR OUTPUT\n=====\nROW OPERATIONS\n{line}\nEND OF INNODB MONITOR OUTPUT\n"
