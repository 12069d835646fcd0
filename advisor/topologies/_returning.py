"""What of members that went down and come back is alike in most topologies?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from advisor.nodes import Node

# Takes a member's name, starts its server only to recover, and gives what the server says.
Recover = Callable[[str], str]


def shed(nodes: Sequence[Node]) -> None:
    """Nothing needs to be waited for: members may leave whatever became of others."""
