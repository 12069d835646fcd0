"""What happened since the last sample? Members, load generators and this machine, sampled at even intervals."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Final

from advisor.bench.measure.host import HostMeter, server_processes
from advisor.model.measurement import LoadSecond, Phase, Second
from advisor.nodes import Node
from advisor.topologies import ProgressMonitor, TopologyModule

CPUS: Final = os.cpu_count() or 1


def ticks(
    every_seconds: float, clock: Callable[[], float] = time.monotonic, wait: Callable[[float], None] = time.sleep
) -> Iterator[float]:
    """Wait for each moment and give it; the first is now, all are at even distances, however long a sample takes.

    Moments that pass meanwhile are skipped, not made up for.
    """
    first = clock()
    number = 0
    while True:
        due = first + number * every_seconds
        now = clock()
        if due > now:
            wait(due - now)
        yield due
        number = max(number + 1, int((clock() - first) / every_seconds) + 1)


class Sampler:
    """Samples a cluster at even intervals; a context manager. `take_load` receives what load generators report.

    `client_seconds` gives the CPU seconds that the load generators have used, None while there are none.
    """

    def __init__(
        self, module: TopologyModule, nodes: Sequence[Node], client_seconds: Callable[[], float | None]
    ) -> None:
        self._monitor = ProgressMonitor(module, nodes)
        servers = server_processes(nodes)
        self._meter = HostMeter(lambda: servers)
        self._client_seconds = client_seconds
        self._client: tuple[float, float | None] = (time.monotonic(), None)
        self._reports: deque[LoadSecond] = deque()

    def take_load(self, report: LoadSecond) -> None:
        """Take a load generator's report; any thread may call it."""
        self._reports.append(report)

    def begin(self) -> None:
        """Take the first sample, so that the next one has rates."""
        self._monitor.look()
        self._meter.read()
        self._client = (time.monotonic(), self._client_seconds())
        self._reports.clear()

    def seconds(self, phase: Phase, every_seconds: float) -> Iterator[Second]:
        """A Second at every tick, the first after one interval, until the caller stops."""
        due = ticks(every_seconds)
        next(due)
        for _ in due:
            yield self.look(phase)

    def look(self, phase: Phase) -> Second:
        """What happened since the last sample; its moment is the latest at which a member was read."""
        progress = tuple(self._monitor.look())
        reports = tuple(self._reports.popleft() for _ in range(len(self._reports)))
        at_seconds = max((member.at_seconds for member in progress), default=time.monotonic())
        return Second(at_seconds, phase, progress, reports, {**self._meter.read(), **self._client_share()})

    def _client_share(self) -> dict[str, float]:
        now, used = time.monotonic(), self._client_seconds()
        (before, earlier), self._client = self._client, (now, used)
        if used is None or earlier is None or now <= before or used < earlier:
            return {}
        return {"client_cpu_share": (used - earlier) / (now - before) / CPUS}

    def __enter__(self) -> Sampler:
        self._monitor.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._monitor.__exit__(kind, error, at)
