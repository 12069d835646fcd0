"""Who puts settings back when we are killed? A process that waits for our end; told "done", it does nothing.

    python -m advisor.why.live.restore_on_kill < what

It learns what to do, and the logins, from its input, never from its command line.
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
    """While in it, our death puts `before` (member → name → value) back; so does an error that leaves it."""
    what = {
        "topology": str(module.topology(nodes[0].dialect.family)),
        "nodes": [_row(node, before.get(node.name, {})) for node in nodes],
    }
    waiting = subprocess.Popen(
        [sys.executable, "-m", "advisor.why.live.restore_on_kill"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # what ends us does not end it
    )
    assert waiting.stdin
    waiting.stdin.write(json.dumps(what) + "\n")
    waiting.stdin.flush()
    try:
        yield
        waiting.stdin.write(_DONE)
    finally:
        waiting.stdin.close()
        waiting.wait()


def _row(node: Node, before: Mapping[str, str]) -> dict[str, object]:
    return {"name": node.name, "role": str(node.role), "login": dict(vars(node.replication)), "before": dict(before)}


def main() -> None:
    """Read what to do, wait for the end of the input, and do it unless it says that it is done."""
    first, rest = sys.stdin.readline(), sys.stdin.read()
    if rest != _DONE and first:
        restore(json.loads(first))


def restore(what: Mapping[str, Any]) -> None:
    """Give every member what it had."""
    rows = what["nodes"]
    nodes = [open_node(row["name"], Role(row["role"]), Address(**row["login"])) for row in rows]
    module = module_for(Topology(what["topology"]), nodes[0].dialect.family)
    apply_settings(module, nodes, {row["name"]: row["before"] for row in rows if row["before"]})


if __name__ == "__main__":
    main()
