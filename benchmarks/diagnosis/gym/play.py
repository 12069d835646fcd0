"""What does `advisor why` say while one mechanism is at work on a lab, and what does taking it away give?"""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from advisor.bench.open_cluster import OpenCluster
from advisor.evidence import read_path
from advisor.lab import processes
from advisor.model.record import record
from advisor.topologies import ProgressMonitor
from advisor.why import diagnose
from benchmarks.diagnosis.gym.clients import Clients, prepare_data
from benchmarks.diagnosis.gym.make import Bottleneck
from benchmarks.diagnosis.gym.mechanisms import Mechanism, Play
from benchmarks.diagnosis.observation import (
    OBSERVED_SECONDS,
    SETTLING_SECONDS,
    WARM_UP_SECONDS,
    as_document,
    diagnose_live,
    steady_rates,
)

_MOST_SETTLING_SECONDS: Final = 20
_LEAST_SECONDS: Final = 15.0  # of the clients' own rate afterwards


@record
class PlayRun:
    """One play as it ran. `document` is the live report of why, `offline` the same from the bundle.

    `before` and `after` are rates per second: "committed" and "applied" as the members count them, "clients" as the
    clients do. `after` is None if nothing was taken away under load.
    """

    play: str
    digest: str
    seconds: float
    diagnosing_seconds: float
    before: dict[str, float]
    after: dict[str, float] | None
    document: dict[str, Any]
    offline: dict[str, Any]


def digest_of(mechanism: Mechanism) -> str:
    """What identifies what was played: labels may change, what is done may not."""
    text = repr((mechanism.load, mechanism.make, mechanism.taken_away, mechanism.effect, mechanism.prepare_also))
    return sha256(text.encode()).hexdigest()[:16]


def run_play(play: Play, opened: OpenCluster, bundle: Path, tell: Callable[[str], None]) -> PlayRun:
    """Prepare, make, load, diagnose, take away, measure. Everything is undone, also after an error or Ctrl-C."""
    began = time.monotonic()
    one = play.mechanism
    with TemporaryDirectory() as folder:
        data = prepare_data(opened, one, Path(folder), tell)
        made = Bottleneck(opened.cluster)
        try:
            made.make(one.make)
            if data is None:
                document, rates, diagnosing = diagnose_live(opened, bundle, OBSERVED_SECONDS)
                before: dict[str, float] = {**vars(rates), "clients": 0.0}
                after = None
            else:
                with Clients(data[0], opened.cluster, data[1]) as clients:
                    document, before, diagnosing = _observed(opened, clients, made, bundle)
                    after = _taken_away(one, opened, clients, made) if one.effect else None
        finally:
            with processes.undisturbed():
                made.take_away()
    offline = as_document(diagnose(read_path(str(bundle))))
    return PlayRun(
        play=play.name,
        digest=digest_of(one),
        seconds=round(time.monotonic() - began, 1),
        diagnosing_seconds=diagnosing,
        before=before,
        after=after,
        document=document,
        offline=offline,
    )


def _observed(
    opened: OpenCluster, clients: Clients, made: Bottleneck, bundle: Path
) -> tuple[dict[str, Any], dict[str, float], float]:
    time.sleep(WARM_UP_SECONDS)
    made.check()
    begin = time.monotonic()
    document, rates, diagnosing = diagnose_live(opened, bundle, OBSERVED_SECONDS)
    clients.check()
    made.check()
    before = {**vars(rates), "clients": clients.per_second(begin, begin + OBSERVED_SECONDS)}
    return document, before, diagnosing


def _taken_away(one: Mechanism, opened: OpenCluster, clients: Clients, made: Bottleneck) -> dict[str, float]:
    with processes.undisturbed():
        made.take_away(one.taken_away)
    if made.stale_clients:
        clients.reconnect()
    time.sleep(SETTLING_SECONDS)
    begin = time.monotonic()
    with ProgressMonitor(opened.module, opened.nodes) as monitor:
        rates = steady_rates(monitor, one.effect, _MOST_SETTLING_SECONDS)
    clients.check()
    now = time.monotonic()
    return {**vars(rates), "clients": clients.per_second(max(begin, now - _LEAST_SECONDS), now)}
