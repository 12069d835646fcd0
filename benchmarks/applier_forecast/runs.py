"""What is kept of a run? A line of runs.jsonl, and its binary log beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Run:
    """One backlog applied. Rates are those between the first and the last reading with progress.

    `place`: which run of its block. `relaxed`: commits did not wait for syncs. `start_seconds`: until the first
    progress. CPU seconds per transaction of the workers, the coordinator and the replica's other threads; `starved`:
    seconds that workers waited for a CPU, per transaction. `others`: CPUs that other programs used. `groups`,
    `retries`: MariaDB's counters. `syncs`, `sync_seconds`: MySQL's counters of the binary log and the redo log.
    `states`: how often the coordinator and the workers were seen in each state of the process list.
    """

    block: str
    family: str
    load: str
    repeat: int
    place: int
    workers: int
    relaxed: bool
    transactions: int
    per_second: float
    start_seconds: float
    worker_cpu: float
    coordinator_cpu: float
    rest_cpu: float
    starved: float
    others: float
    cpus: int
    groups: float
    retries: float
    syncs: float
    sync_seconds: float
    states: dict[str, int]
    logs: tuple[str, ...]

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the whole replica per transaction."""
        return self.worker_cpu + self.coordinator_cpu + self.rest_cpu


def runs_in(folder: Path) -> Iterator[Run]:
    """Every run of a folder."""
    path = folder / "runs.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        fields = json.loads(line)
        yield Run(**fields | {"logs": tuple(str(folder / each) for each in fields["logs"])})


def append(folder: Path, run: Run) -> None:
    """One more."""
    with (folder / "runs.jsonl").open("a") as stream:
        stream.write(json.dumps(asdict(run)) + "\n")
