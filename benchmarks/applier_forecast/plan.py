"""Which runs are there, and in which order?"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.model.record import record
from advisor.model.server import Family

OPEN: Final = ("update_index", "write_only")
LOCKED: Final = ("update_non_index", "insert", "conflict")
PARTS: Final = {"open": OPEN, "locked": LOCKED, "all": OPEN + LOCKED}
WORKERS: Final = (2, 4, 8, 16)
# Transactions of a backlog: some seconds for one worker, and enough readings for sixteen.
BACKLOG: Final = {"insert": 800, "write_only": 6000, "conflict": 8000}
_BACKLOG: Final = 12_000


@record
class Block:
    """Runs on one lab: a family, a load, and the numbers of workers in their order.

    The last run is with one worker and without syncs.
    """

    family: Family
    load: str
    repeat: int
    workers: tuple[int, ...]

    @property
    def backlog(self) -> int:
        """How many transactions are left behind for each run."""
        return BACKLOG.get(self.load, _BACKLOG)

    def is_relaxed(self, place: int) -> bool:
        """Whether a run does not sync."""
        return place == len(self.workers) - 1

    @property
    def key(self) -> str:
        """Names the block in records."""
        return f"{self.family}-{self.load}-{self.repeat}"


def blocks(families: Sequence[Family], loads: Sequence[str], repeats: int, seed: int = 1) -> Iterator[Block]:
    """Every block in random order, one repeat after the other; one worker before and behind each other run."""
    drawn = random.Random(seed)
    for repeat in range(repeats):
        cells = [(family, load) for family in families for load in loads]
        drawn.shuffle(cells)
        for family, load in cells:
            order = list(WORKERS)
            drawn.shuffle(order)
            yield Block(family, load, repeat, (1, *(each for many in order for each in (many, 1)), 1))
