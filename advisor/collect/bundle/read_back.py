"""What does a bundle that was just packed say? The same reading as of one that was sent, so both say the same."""

from __future__ import annotations

import json
from collections.abc import Mapping

from advisor.collect.targets import Wanted
from advisor.evidence import read_tree
from advisor.evidence.source.archive import Tree
from advisor.model.evidence import Cluster


def read_back(files: Mapping[str, bytes], path: str, labels: Mapping[str, str] | None = None) -> Cluster:
    """The cluster as its bundle says it. `path` is what the user named, `labels` what facts call a file, if not so."""
    return read_tree(Tree(path, dict(files), labels=dict(labels or {})))


def complete(files: Mapping[str, bytes], stated: Wanted) -> dict[str, bytes]:
    """The files with topology and roles as stated where the evidence does not tell them.

    Where the evidence tells other roles than the file, it is right (somebody failed over), and that is noted.
    """
    cluster = read_back(files, stated.path)
    statement = json.loads(files["bundle.json"])
    if cluster.topology is None and stated.topology:
        statement["topology"] = str(stated.topology)
    known = {member.name: member.role for member in cluster.members}
    for entry in statement["members"]:
        role = stated.roles.get(entry["name"])
        if role is None:
            continue
        if known[entry["name"]] is None:
            entry["role"] = str(role)
        elif known[entry["name"]] is not role:
            why = f"{stated.path} calls it {role}, and it is {known[entry['name']]}"
            statement["lacks"].append({"members": [entry["name"]], "what": "role", "why": why, "command": ""})
    text = json.dumps(statement, indent=1, ensure_ascii=False) + "\n"
    return {**files, "bundle.json": text.encode()}
