"""How far is each member, second by second? Members that could not be opened at first are tried again."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Final

from advisor.collect.targets import ClusterTarget
from advisor.errors import ServerError
from advisor.model.lab import ClusterFile
from advisor.model.progress import Progress
from advisor.topologies import ProgressMonitor, module_for, open_reachable

_ANSWER_SECONDS: Final = 1.5  # a member that takes longer is lost; the others are waiting
_RETRY_SECONDS: Final = 5.0


class Positions:
    """Reads the positions of all members; a context manager. Nothing is known of a server that stands alone unknown."""

    def __init__(self, target: ClusterTarget) -> None:
        self._cluster: ClusterFile | None = target.cluster
        self._logins = {member.name: member.address for member in target.members}
        self._stack = ExitStack()
        self._monitor: ProgressMonitor | None = None
        self._missing: set[str] = set(self._logins)
        self._tried = float("-inf")

    def look(self) -> dict[str, Progress]:
        """What each member did since the last look, by name; members that were never reached are left out."""
        now = time.monotonic()
        if self._missing and now - self._tried >= _RETRY_SECONDS:
            self._tried = now
            self._open()
        if self._monitor is None:
            return {}
        return {progress.member: progress for progress in self._monitor.look()}

    def _open(self) -> None:
        """Connect to all that answer; again to those connected already, when another one is back."""
        if self._cluster is None:
            return
        stack = ExitStack()
        try:
            nodes, refused = stack.enter_context(open_reachable(self._cluster, self._logins, _ANSWER_SECONDS))
        except ServerError:
            return
        if not nodes or len(refused) >= len(self._missing):
            stack.close()
            return
        module = module_for(self._cluster.topology, nodes[0].dialect.family)
        monitor = stack.enter_context(ProgressMonitor(module, nodes, self._logins, _ANSWER_SECONDS))
        self._stack.close()
        self._stack, self._monitor, self._missing = stack, monitor, set(refused)
        monitor.look()  # the next one has rates

    def __enter__(self) -> Positions:
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.close()
