"""What did everybody do since the last look? Members, load generators and this machine, put together once a tick."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Final

from advisor.bench.measure.host import HostMeter, server_processes
from advisor.bench.measure.ticking import ticks
from advisor.model.measurement import LoadSecond, Phase, Second
from advisor.nodes import Node
from advisor.topologies import TopologyModule, Watch

CPUS: Final = os.cpu_count() or 1


class Sampler:
    """Looks at a cluster at even distances; a context manager. `heard` takes what load generators report.

    `client_seconds` gives the processor seconds the load generators have used, None while there are none.
    """

    def __init__(
        self, module: TopologyModule, nodes: Sequence[Node], client_seconds: Callable[[], float | None]
    ) -> None:
        self._watch = Watch(module, nodes)
        servers = server_processes(nodes)
        self._meter = HostMeter(lambda: servers)
        self._client_seconds = client_seconds
        self._client: tuple[float, float | None] = (time.monotonic(), None)
        self._heard: deque[LoadSecond] = deque()

    def heard(self, row: LoadSecond) -> None:
        """Take a load generator's report; any thread may call it."""
        self._heard.append(row)

    def begin(self) -> None:
        """Look for the first time, so that the next look has rates."""
        self._watch.look()
        self._meter.read()
        self._client = (time.monotonic(), self._client_seconds())
        self._heard.clear()

    def seconds(self, phase: Phase, every_seconds: float) -> Iterator[Second]:
        """A Second at every tick, the first after one distance, until the caller has enough."""
        due = ticks(every_seconds)
        next(due)
        for _ in due:
            yield self.look(phase)

    def look(self, phase: Phase) -> Second:
        """What happened since the last look; the moment is the latest at which a member was read."""
        progress = tuple(self._watch.look())
        heard = [self._heard.popleft() for _ in range(len(self._heard))]
        at_seconds = max((one.at_seconds for one in progress), default=time.monotonic())
        return Second(at_seconds, phase, progress, tuple(heard), {**self._meter.read(), **self._client_share()})

    def _client_share(self) -> dict[str, float]:
        now, used = time.monotonic(), self._client_seconds()
        (before, earlier), self._client = self._client, (now, used)
        if used is None or earlier is None or now <= before or used < earlier:
            return {}
        return {"client_cpu_share": (used - earlier) / (now - before) / CPUS}

    def __enter__(self) -> Sampler:
        self._watch.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._watch.__exit__(kind, error, at)
