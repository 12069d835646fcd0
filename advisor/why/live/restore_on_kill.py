"""Which settings are restored if we are killed while a change is tried?

python -m advisor.why.live.restore_on_kill < task
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from advisor.model.lab import Address
from advisor.model.server import Role, Topology
from advisor.nodes import Node
from advisor.restorer import restored_by, task_left
from advisor.topologies import TopologyModule, apply_settings, module_for, open_node


def restored_if_killed(
    nodes: Sequence[Node], module: TopologyModule, before: Mapping[str, Mapping[str, str]]
) -> AbstractContextManager[None]:
    """Inside this block, our death or an error restores the settings `before` (member → name → value)."""
    task = {
        "topology": str(module.topology(nodes[0].dialect.family)),
        "nodes": [_row(node, before.get(node.name, {})) for node in nodes],
    }
    return restored_by("advisor.why.live.restore_on_kill", task)


def _row(node: Node, before: Mapping[str, str]) -> dict[str, object]:
    return {"name": node.name, "role": str(node.role), "login": dict(vars(node.replication)), "before": dict(before)}


def main() -> None:
    """Restore unless all went well."""
    if task := task_left():
        restore(task)


def restore(task: Mapping[str, Any]) -> None:
    """Give every member the settings it had."""
    rows = task["nodes"]
    nodes = [open_node(row["name"], Role(row["role"]), Address(**row["login"])) for row in rows]
    module = module_for(Topology(task["topology"]), nodes[0].dialect.family)
    apply_settings(module, nodes, {row["name"]: row["before"] for row in rows if row["before"]})


if __name__ == "__main__":
    main()
