"""Who restores the settings if we are killed? A process that waits for our end, unless it reads "done" first.

    python -m advisor.why.live.restore_on_kill < task

It reads the task and the logins from its input, never from its command line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from advisor.model.lab import Address
from advisor.model.server import Role, Topology
from advisor.nodes import Node
from advisor.topologies import TopologyModule, apply_settings, module_for, open_node

_DONE: Final = "done\n"


@contextmanager
def restored_if_killed(
    nodes: Sequence[Node], module: TopologyModule, before: Mapping[str, Mapping[str, str]]
) -> Iterator[None]:
    """Inside this block, our death or an error restores the settings `before` (member → name → value)."""
    task = {
        "topology": str(module.topology(nodes[0].dialect.family)),
        "nodes": [_row(node, before.get(node.name, {})) for node in nodes],
    }
    helper = subprocess.Popen(
        [sys.executable, "-m", "advisor.why.live.restore_on_kill"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # a signal that ends us does not end it
    )
    assert helper.stdin
    helper.stdin.write(json.dumps(task) + "\n")
    helper.stdin.flush()
    try:
        yield
        helper.stdin.write(_DONE)
    finally:
        helper.stdin.close()
        helper.wait()


def _row(node: Node, before: Mapping[str, str]) -> dict[str, object]:
    return {"name": node.name, "role": str(node.role), "login": dict(vars(node.replication)), "before": dict(before)}


def main() -> None:
    """Read the task, wait for the end of the input, and restore unless the input ends with "done"."""
    first, rest = sys.stdin.readline(), sys.stdin.read()
    if rest != _DONE and first:
        restore(json.loads(first))


def restore(task: Mapping[str, Any]) -> None:
    """Give every member the settings it had."""
    rows = task["nodes"]
    nodes = [open_node(row["name"], Role(row["role"]), Address(**row["login"])) for row in rows]
    module = module_for(Topology(task["topology"]), nodes[0].dialect.family)
    apply_settings(module, nodes, {row["name"]: row["before"] for row in rows if row["before"]})


if __name__ == "__main__":
    main()
