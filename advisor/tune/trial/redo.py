"""How much redo would each server apply if it crashed now? What it has written since its last checkpoint.

Recovery after a crash begins at the last checkpoint. A larger redo log lets more gather there: more throughput, a
longer recovery. The figure may still grow in a short run; it stays below the size of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from advisor.errors import ServerError
from advisor.evidence.facts.redo import AGE_COUNTERS, LSN_PAIR
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Phase, Second
from advisor.nodes import Node
from advisor.topologies import open_nodes

_EVERY_SECONDS: Final = 5.0
_ANSWER_SECONDS: Final = 2.0
_KNOWN_AGE: Final = "Innodb_checkpoint_age"  # MariaDB


class RedoReader:
    """Reads the servers now and then while a load is measured; made by `open_redo_reader`."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._due_seconds = 0.0
        self._most: float | None = None

    def take(self, second: Second) -> None:
        """Read where it is time to; a server that does not say it leaves it unknown."""
        if second.phase is not Phase.MEASURE or second.at_seconds < self._due_seconds:
            return
        self._due_seconds = second.at_seconds + _EVERY_SECONDS
        ages = [age for node in self._nodes if (age := checkpoint_age_bytes(node)) is not None]
        if ages:
            self._most = max([*ages, *([] if self._most is None else [self._most])])

    @property
    def most_bytes(self) -> float | None:
        """The most that any server had at any moment; None where no server says it."""
        return self._most


@contextmanager
def open_redo_reader(cluster: ClusterFile) -> Iterator[RedoReader]:
    """A reader with connections of its own, as those of the measurement are busy; refused ones leave it unknown."""
    with ExitStack() as stack:
        nodes: Sequence[Node] = ()
        with suppress(ServerError):
            nodes = stack.enter_context(open_nodes(cluster, answer_seconds=_ANSWER_SECONDS))
        yield RedoReader(nodes)


def checkpoint_age_bytes(node: Node) -> float | None:
    """From the counters of this release, or from InnoDB's monitor (which needs PROCESS); None where neither says it."""
    names = [_KNOWN_AGE, *(name for pair in AGE_COUNTERS for name in pair)]
    try:
        counters = node.session.pairs(f"SHOW GLOBAL STATUS WHERE Variable_name IN ({', '.join(map(repr, names))})")
        if age := counters.get(_KNOWN_AGE):
            return float(age)
        for written, flushed in AGE_COUNTERS:
            if written in counters and flushed in counters:
                return float(counters[written]) - float(counters[flushed])
        monitor = str(node.session.rows("SHOW ENGINE INNODB STATUS")[0]["Status"])
    except (ServerError, ValueError, LookupError):
        return None
    pair = re.search(LSN_PAIR, monitor)
    return float(int(pair[1]) - int(pair[2])) if pair else None
