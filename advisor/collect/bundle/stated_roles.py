"""Which topology and roles does a bundle state? Those of cluster.yaml where the evidence itself does not show them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from advisor.collect.targets import ClusterTarget
from advisor.evidence import read_tree
from advisor.evidence.source.archive import Tree


def complete(files: Mapping[str, bytes], target: ClusterTarget) -> dict[str, bytes]:
    """The files, with the topology and roles that cluster.yaml states where the evidence does not show them.

    Where the evidence shows another role than the file, the evidence is right (a failover), and that is noted.
    """
    cluster = read_tree(Tree(target.path, dict(files)))
    statement = json.loads(files["bundle.json"])
    if cluster.topology is None and target.topology:
        statement["topology"] = str(target.topology)
    observed = {member.name: member.role for member in cluster.members}
    for entry in statement["members"]:
        name, role = entry["name"], target.roles.get(entry["name"])
        if role is None:
            continue
        if observed[name] is None:
            entry["role"] = str(role)
        elif observed[name] is not role:
            why = f"{target.path} calls it {role}, but it is {observed[name]}"
            statement["lacks"].append({"members": [name], "what": "role", "why": why, "command": ""})
    text = json.dumps(statement, indent=1, ensure_ascii=False) + "\n"
    return {**files, "bundle.json": text.encode()}
