"""How long does a replica take to apply transactions with so many workers? A simulation, event by event.

One thread hands transactions out in the order of the log. A worker executes one (CPUs are shared evenly among all that
run), waits for its turn to commit, and commits in a group: all that arrive while a group is in a stage form the next
one. A stage takes CPU time and a sync; the disk makes one sync at a time. That is how both families do it: the flush
and sync stages of MySQL's group commit (sql/binlog.cc, sql/rpl_commit_stage_manager.h), MariaDB's
`wait_for_prior_commit` (sql/rpl_parallel.cc), whose groups are as large as if a new one could begin only when the one
before has both its syncs. MySQL hands a transaction out when a worker is free, MariaDB queues some for each worker.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence

from advisor.annotations import Final
from advisor.model.workload.appliers import AppliedRun, Costs, Hold, Job

_DISPATCH: Final = -1  # the number of the task that hands out
_BACKGROUND: Final = -2  # the number of tasks of other threads
_TINY: Final = 1e-12
_EVENTS: Final = -3  # the number of handing out events, after which the next transaction can follow
_STAGE: Final = -4  # the number of the first stage's CPU time; the next ones have smaller numbers
_LONG: Final = 10  # times the mean work, for a transaction to be a long one
_QUEUED: Final = 8  # transactions for each worker; slave_parallel_max_queued has room for far more small ones


class Replica:
    """A replica with so many workers.

    `waits_in_worker`: a transaction that may not start yet takes its worker (MariaDB), else it keeps the thread that
    hands out (MySQL). `in_order`: commits keep the order of the log.
    """

    def __init__(self, workers: int, costs: Costs, waits_in_worker: bool, in_order: bool = True) -> None:
        self._workers, self._costs = workers, costs
        self._waits_in_worker, self._in_order = waits_in_worker, in_order
        self._cpus = costs.cpus or workers + 1
        stages = min(costs.syncs, costs.stages) if costs.sync_seconds else 1
        self._sync_seconds = costs.sync_seconds * costs.syncs / stages  # of a stage
        self._now = self._served = 0.0  # `_served`: CPU seconds that each running task has got since the beginning
        self._running: list[tuple[float, int]] = []
        self._queues: list[list[int]] = [[] for _ in range(stages)]
        self._in_stage: list[list[int]] = [[] for _ in range(stages)]  # groups
        self._for_disk: deque[int] = deque()  # stages whose groups wait for a sync; the first has the disk
        self._sync_end = float("inf")
        self._delayed: deque[tuple[float, int]] = deque()  # transactions that wait in their workers, all equally long

    def run(self, jobs: Sequence[Job]) -> AppliedRun:
        """Apply all jobs."""
        self._jobs = jobs
        self._next, self._busy, self._handing = 0, 0, False
        self._hold_of: dict[int, Hold] = {}
        self._waiting: deque[int] = deque()
        self._handed_out: deque[int] = deque()
        self._streams = [_Stream() for _ in range(1 + max((job.stream for job in jobs), default=0))]
        for number, job in enumerate(jobs):
            self._streams[job.stream].members.append(number)
        self._place = [0] * len(jobs)
        for stream in self._streams:
            for place, number in enumerate(stream.members):
                self._place[number] = place
        self._executed_at: dict[int, float] = {}
        self._last_commit, self._groups = 0.0, 0
        self._held: dict[Hold, float] = {}
        self._work = 0.0
        self._long_seconds = _LONG * sum(job.work_seconds for job in jobs) / max(len(jobs), 1)
        left = len(jobs)
        while left:
            self._hand_out()
            left -= self._advance()
        share = self._work / (self._now * self._cpus) if self._now else 0.0
        size = len(jobs) / self._groups if self._groups else 0.0
        return AppliedRun(self._workers, len(jobs), self._now, size, share, self._held)

    def _hand_out(self) -> None:
        """Start handing out the next transaction, if nothing keeps it."""
        while self._handed_out and self._busy < self._workers:
            self._take_up(self._handed_out.popleft())
        if self._handing or self._next == len(self._jobs):
            return
        number = self._next
        job = self._jobs[number]
        room = self._workers * (1 + _QUEUED) if self._waits_in_worker else self._workers
        if self._busy + len(self._handed_out) >= room:
            self._hold_of.setdefault(number, Hold.WORKERS)
            return
        if not self._waits_in_worker and not self._may_start(job):
            self._hold_of[number] = job.hold
            return
        self._handing = True
        self._begin(_DISPATCH, self._costs.dispatch_seconds)

    def _take_up(self, number: int) -> None:
        """A worker takes a transaction that was handed out."""
        self._busy += 1
        job = self._jobs[number]
        if self._may_start(job):
            self._hold_of.setdefault(number, Hold.COORDINATOR)
            self._begin(number, job.work_seconds)
        else:
            self._hold_of[number] = job.hold
            self._waiting.append(number)

    def _may_start(self, job: Job) -> bool:
        stream = self._streams[job.stream]
        return stream.committed >= job.after_committed and stream.executed >= job.after_executed

    def _begin(self, number: int, seconds: float) -> None:
        """Let a task run."""
        self._work += seconds
        heapq.heappush(self._running, (self._served + seconds, number))

    def _advance(self) -> int:
        """Go on to the next thing that happens; how many transactions it commits."""
        delay_end = self._delayed[0][0] if self._delayed else float("inf")
        wait_end = min(self._sync_end, delay_end)
        if self._running:
            slowed = max(1.0, len(self._running) / self._cpus)
            task_end = self._now + max(self._running[0][0] - self._served, 0.0) * slowed
            if task_end <= wait_end:
                self._served = max(self._served, self._running[0][0])
                self._now = task_end
                return self._end_task(heapq.heappop(self._running)[1])
            self._served += (wait_end - self._now) / slowed
        if wait_end == float("inf"):
            raise RuntimeError("a simulated replica stands still: a job waits for a later one")
        self._now = wait_end
        return self._arrive(self._delayed.popleft()[1]) if delay_end <= self._sync_end else self._end_sync()

    def _end_task(self, number: int) -> int:
        """A task has got its CPU time; how many transactions commit."""
        if number == _DISPATCH:
            number = self._next
            self._next += 1
            self._handing = self._jobs[number].events_seconds > 0
            if self._handing:
                self._begin(_EVENTS, self._jobs[number].events_seconds)
            if self._busy < self._workers and not self._handed_out:
                self._take_up(number)
            else:
                self._hold_of.setdefault(number, Hold.WORKERS)
                self._handed_out.append(number)
            return 0
        if number == _EVENTS:
            self._handing = False
        if number in (_EVENTS, _BACKGROUND):
            return 0
        if number <= _STAGE:
            return self._wait_for_disk(_STAGE - number)
        if self._costs.background_share:
            self._begin(_BACKGROUND, self._jobs[number].work_seconds * self._costs.background_share)
        if self._costs.wait_seconds:
            self._delayed.append((self._now + self._costs.wait_seconds, number))
            return 0
        return self._arrive(number)

    def _arrive(self, number: int) -> int:
        """A transaction has reached its commit; how many commit."""
        self._executed_at[number] = self._now
        stream = self._streams[self._jobs[number].stream]
        stream.arrive(self._place[number])
        if self._in_order:
            while stream.queued < stream.executed:
                self._queues[0].append(stream.members[stream.queued])
                stream.queued += 1
        else:
            self._queues[0].append(number)
        self._wake()
        return self._form_groups()

    def _wake(self) -> None:
        """Start those whose turn has come while they had a worker."""
        for _ in range(len(self._waiting)):
            number = self._waiting.popleft()
            job = self._jobs[number]
            if self._may_start(job):
                self._begin(number, job.work_seconds)
            else:
                self._waiting.append(number)

    def _form_groups(self) -> int:
        """Let what waits for a free stage form a group; how many transactions commit."""
        committed = 0
        for stage in reversed(range(len(self._queues))):
            if self._queues[stage] and not self._in_stage[stage]:
                self._in_stage[stage], self._queues[stage] = self._queues[stage], []
                if self._costs.group_seconds:
                    self._begin(_STAGE - stage, self._costs.group_seconds / len(self._queues))
                else:
                    committed += self._wait_for_disk(stage)
        return committed

    def _wait_for_disk(self, stage: int) -> int:
        """A group has had the CPU time of a stage; how many transactions commit."""
        if not self._sync_seconds:
            return self._leave(stage)
        self._for_disk.append(stage)
        if len(self._for_disk) == 1:
            self._sync_end = self._now + self._sync_seconds
        return 0

    def _end_sync(self) -> int:
        """A sync is done, and the next one begins; how many transactions commit."""
        stage = self._for_disk.popleft()
        self._sync_end = self._now + self._sync_seconds if self._for_disk else float("inf")
        return self._leave(stage)

    def _leave(self, stage: int) -> int:
        """A group goes on to the next stage, or commits; how many transactions commit."""
        group, self._in_stage[stage] = self._in_stage[stage], []
        committed = 0
        if stage + 1 < len(self._queues):
            self._queues[stage + 1] += group
        else:
            committed = self._commit(group)
        return committed + self._form_groups()

    def _commit(self, group: list[int]) -> int:
        """A group has committed: its workers are free, and the time since the commit before is accounted for."""
        self._groups += 1
        for number in group:
            self._streams[self._jobs[number].stream].commit(self._place[number])
        last = max(group, key=self._executed_at.__getitem__)  # the others waited for it
        gap = self._now - self._last_commit
        syncing = min(gap, self._now - self._executed_at[last])
        self._account(Hold.SYNC if self._costs.sync_seconds else self._hold_of.get(last, Hold.COORDINATOR), syncing)
        is_long = self._jobs[last].work_seconds > self._long_seconds
        self._account(Hold.LONG if is_long else self._hold_of.get(last, Hold.COORDINATOR), gap - syncing)
        for number in group:
            self._executed_at.pop(number, None)
            self._hold_of.pop(number, None)
        self._last_commit = self._now
        self._busy -= len(group)
        self._wake()
        return len(group)

    def _account(self, hold: Hold, seconds: float) -> None:
        if seconds > 0:
            self._held[hold] = self._held.get(hold, 0.0) + seconds


class _Stream:
    """Transactions that commit in their order: how many have reached their commit, and how many have committed."""

    def __init__(self) -> None:
        self.members: list[int] = []
        self.executed = self.queued = self.committed = 0
        self._arrived: set[int] = set()
        self._done: set[int] = set()

    def arrive(self, place: int) -> None:
        """One has reached its commit; `executed` counts those before which all have."""
        self._arrived.add(place)
        while self.executed in self._arrived:
            self._arrived.remove(self.executed)
            self.executed += 1

    def commit(self, place: int) -> None:
        """One has committed; `committed` counts those before which all have."""
        self._done.add(place)
        while self.committed in self._done:
            self._done.remove(self.committed)
            self.committed += 1
