"""Which runs were made, and what was observed in them? Keeps every second, also of a run that ends early."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from advisor.bench.open_cluster import OpenCluster
from advisor.bench.run import RunPlan, measure
from advisor.model.measurement import Run, Second


class RunLog:
    """Measures runs on one open cluster. `listeners` receive every second as it comes."""

    def __init__(
        self, opened: OpenCluster, tell: Callable[[str], None], listeners: Sequence[Callable[[Second], None]] = ()
    ) -> None:
        self._opened, self._tell, self._listeners = opened, tell, listeners
        self.runs: list[Run] = []
        self.seconds: list[list[Second]] = []  # of each run, the unfinished one as well

    def measure(self, plan: RunPlan) -> Run:
        """Measure one run; errors of servers and of the load as they come."""
        self.seconds.append([])
        run = measure(self._opened, plan, self._take, self._tell)
        self.runs.append(run)
        return run

    def _take(self, second: Second) -> None:
        self.seconds[-1].append(second)
        for listener in self._listeners:
            listener(second)
