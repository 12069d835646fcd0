"""What is a cluster doing, from moment to moment? Positions of all members at once, and progress between readings.

Where a server records no commit times, lag is how long ago the writer was where a member is now: a `ProgressMonitor`
remembers how much had been written at each reading, and interpolates between readings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Final, Protocol

from advisor.errors import ServerError
from advisor.model.lab import Address
from advisor.model.progress import Position, Progress
from advisor.model.record import replace
from advisor.model.server import APPLYING_ROLES
from advisor.nodes import Node
from advisor.topologies.discovery.open_members import open_node

_READERS: Final = 8
# Ten readings a second for an hour; older ones than the slowest member needs are dropped long before.
_LOOKS_KEPT: Final = 36_000
_REOPEN_SECONDS: Final = 1.0


class MeasurableTopology(Protocol):
    """The part of a topology module that a `ProgressMonitor` needs."""

    def read_position(self, node: Node) -> Position:
        """How far a member is."""
        ...

    def progress(self, before: Mapping[str, Position], now: Mapping[str, Position]) -> list[Progress]:
        """What every member did in between."""
        ...

    def written(self, positions: Mapping[str, Position]) -> int | None:
        """How many transactions the cluster has committed so far; None when nothing counts them."""
        ...


def read_positions(
    module: MeasurableTopology, nodes: Sequence[Node], pool: ThreadPoolExecutor | None = None
) -> dict[str, Position]:
    """The position of every member, by name: first of those that apply, then of those that write.

    In this order a backlog is never underestimated; it can be negative only for nodes that do both (there it is cut
    at 0). Members are read in parallel; one that does not answer has an `error`.
    """
    with ThreadPoolExecutor(_READERS) if pool is None else _Borrowed(pool) as readers:
        positions: dict[str, Position] = {}
        applying = [node for node in nodes if node.role in APPLYING_ROLES]
        others = [node for node in nodes if node.role not in APPLYING_ROLES]
        for part in (applying, others):
            positions.update((position.member, position) for position in readers.map(module.read_position, part))
    return {node.name: positions[node.name] for node in nodes}


class _Borrowed:
    """A pool that stays open after its use."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    def __enter__(self) -> ThreadPoolExecutor:
        return self._pool

    def __exit__(self, *raised: object) -> None:
        """Leave it to its owner."""


class ProgressMonitor:
    """Reads a cluster repeatedly; a context manager. `positions` are those of the last reading.

    With `logins` (by member), a member that did not answer is reconnected at the next reading. `answer_seconds`: how
    long that connection waits for an answer, also for the first one: a server that hangs still accepts connections.
    """

    def __init__(
        self,
        module: MeasurableTopology,
        nodes: Sequence[Node],
        logins: Mapping[str, Address] | None = None,
        answer_seconds: float = 60.0,
    ) -> None:
        self._answer_seconds = answer_seconds
        self._module, self._nodes, self._logins = module, tuple(nodes), logins or {}
        self._reopened: list[Node] = []
        self._pool = ThreadPoolExecutor(_READERS, thread_name_prefix="progress-monitor")
        self._written: list[tuple[int, float]] = []
        self.positions: dict[str, Position] = {}

    def look(self) -> list[Progress]:
        """Read all members; what each did since the last reading (the first has no rates)."""
        self._reopen()
        self._nodes = tuple(self._in_present_role(node) for node in self._nodes)
        before, self.positions = self.positions, read_positions(self._module, self._nodes, self._pool)
        progress = self._module.progress(before, self.positions)
        total = self._module.written(self.positions)
        if total is None:
            return progress
        at_seconds = max(position.at_seconds for position in self.positions.values())
        if self._written and total < self._written[-1][0]:
            self._written.clear()  # the cluster was set up again
        self._written.append((total, at_seconds))
        del self._written[:-_LOOKS_KEPT]
        progress = [self._with_lag(member, total, at_seconds) for member in progress]
        if not any(member.error for member in progress):  # a member that comes back may be far behind
            self._forget(total - max((member.backlog or 0 for member in progress), default=0))
        return progress

    def _in_present_role(self, node: Node) -> Node:
        """After a change of the primary, those that now write must be read last."""
        last = self.positions.get(node.name)
        return node if last is None or last.role is node.role else replace(node, role=last.role)

    def _reopen(self) -> None:
        lost = [name for name, position in self.positions.items() if position.error and name in self._logins]
        if not lost:
            return
        gone = [node for node in self._nodes if node.name in lost]
        opened = {node.name: again for node, again in zip(gone, self._pool.map(self._open, gone), strict=True)}
        self._nodes = tuple(opened.get(node.name) or node for node in self._nodes)
        self._reopened += [node for node in opened.values() if node is not None]

    def _open(self, node: Node) -> Node | None:
        """The member with a new connection; None where it is not there: the old one reports the error again."""
        try:
            return open_node(node.name, node.role, self._logins[node.name], _REOPEN_SECONDS, self._answer_seconds)
        except ServerError:
            return None

    def _with_lag(self, progress: Progress, total: int, at_seconds: float) -> Progress:
        if not progress.backlog or progress.lag_method == "timestamps":
            return progress
        since = when_written(self._written, total - progress.backlog)
        if since is None:
            return progress
        return replace(progress, lag_ms=max(0.0, at_seconds - since) * 1000, lag_method="positions")

    def _forget(self, needed: int) -> None:
        """Drop the readings before the last one at which the slowest member's position had been written."""
        del self._written[: max(bisect_right(self._written, (needed, float("inf"))) - 1, 0)]

    def __enter__(self) -> ProgressMonitor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown()
        for node in self._reopened:
            node.session.close()


def when_written(looks: Sequence[tuple[int, float]], position: int) -> float | None:
    """When the transaction after a position was written, from rising pairs (written so far, time).

    None when it was before the first reading, or is yet to come.
    """
    after = bisect_right(looks, (position, float("inf")))
    if after == 0 or after == len(looks):
        return None
    (first, begun), (last, ended) = looks[after - 1], looks[after]
    return begun + (ended - begun) * (position + 1 - first) / (last - first)
