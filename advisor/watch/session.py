"""How is a cluster watched? Once a second: what was read goes to the ring, to the screen, to conditions and metrics."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from advisor.bench.measure.sampler import ticks
from advisor.collect.targets import ClusterTarget
from advisor.conditions import Missing
from advisor.model.monitoring.now import ClusterNow, MemberNow, RingNow
from advisor.model.progress import Progress
from advisor.model.record import record, replace
from advisor.model.server import Role
from advisor.ring.seconds import MemberSecond
from advisor.ring.writer import RingBounds, RingWriter
from advisor.watch.changes import Changes
from advisor.watch.conditions import Condition, Conditions
from advisor.watch.evidence import RoundEvidence
from advisor.watch.incident import Incidents
from advisor.watch.members import EVERY_SECONDS, ROUND_SECONDS, MemberReading
from advisor.watch.positions import Positions
from advisor.watch.readings import LatestReadings
from advisor.watch.recorder import Recorder
from advisor.watch.rounds import Piece
from advisor.watch.sustained import sustained_per_second
from advisor.watch.wall_clock import WallClock

_SUSTAINED_SECONDS: Final = 60
_SILENT_SECONDS: Final = 5.0  # a member that has not answered for so long cannot be read at present
_CAUSE_SECONDS: Final = 2.5 * ROUND_SECONDS
_LAST_WORDS_SECONDS: Final = 5.0


@record
class WatchRequest:
    """What to watch for, beyond the cluster itself."""

    bounds: RingBounds
    conditions: tuple[Condition, ...] = ()
    cool_down_seconds: float = 600.0
    keep_names: bool = False


class Watch:
    """Watches a cluster into a ring until `stop` is set.

    `show` gets each second, `tell` a line when something happened that is not in a second.
    """

    def __init__(
        self,
        target: ClusterTarget,
        ring: RingWriter,
        request: WatchRequest,
        show: Callable[[ClusterNow], None],
        tell: Callable[[str], None],
        stop: threading.Event,
    ) -> None:
        self._target, self._ring, self._request = target, ring, request
        self._show, self._tell, self._stop = show, tell, stop
        self._began = time.monotonic()
        self._clock = WallClock(self._began)
        self._members = [MemberReading(member, self._began, stop) for member in target.members]
        self._latest = {member.name: LatestReadings(member.name) for member in self._members}
        self._recorder = Recorder(ring, target.topology, target.roles)
        self._evidence = RoundEvidence(target)
        self._conditions = Conditions(request.conditions, request.cool_down_seconds, tell)
        self._incidents = Incidents(target, ring, self._members, tell, keep_names=request.keep_names)
        self._minute: deque[ClusterNow] = deque(maxlen=_SUSTAINED_SECONDS)
        self._changes = Changes()
        self._roles: dict[str, Role | None] = {}
        self._awake_since = self._looked = 0.0
        self._diagnosed: dict[str, int] = {}

    def run(self) -> None:
        """Watch; what was read last is on disk when it returns."""
        for member in self._members:
            member.start()
        try:
            with Positions(self._target) as positions:
                for _ in ticks(EVERY_SECONDS, wait=self._wait):
                    if self._stop.is_set():
                        break
                    self._second(positions.look())
        finally:
            self._stop.set()
            for member in self._members:
                member.join(_LAST_WORDS_SECONDS)
            zero = self._clock.zero_seconds()
            self._record({member.name: member.take() for member in self._members}, {}, zero)
            self._incidents.finish(zero)

    def _wait(self, seconds: float) -> None:
        self._stop.wait(seconds)

    def _now(self) -> float:
        return time.monotonic() - self._began

    def _second(self, progress: dict[str, Progress]) -> None:
        self._notice_sleep()
        zero = self._clock.zero_seconds()
        epoch = zero + self._now()
        pieces = {member.name: member.take() for member in self._members}
        for name, latest in self._latest.items():
            latest.add(pieces[name])
        members = tuple(self._member(member, progress.get(member.name)) for member in self._members)
        self._record(pieces, {member.member: member.figures() for member in members}, zero)
        for line in self._changes.lines(members, pieces):
            self._tell(line)
        self._diagnose(zero)
        now = self._together(members, epoch)
        facts = self._evidence.latest(self._latest) if self._conditions.needs_facts else {}
        for happened in self._conditions.happened(now, facts):
            self._incidents.begin(happened)
        self._incidents.step(epoch, zero)
        self._show(now)

    def _notice_sleep(self) -> None:
        """After a time in which this process did not run, no member is known to have been silent."""
        now = self._now()
        if now - self._looked > _SILENT_SECONDS:
            self._tell(f"the watch itself was held up for {now - self._looked:.0f} s")
            self._awake_since = now
        self._looked = now

    def _diagnose(self, epoch_seconds: float) -> None:
        """Diagnose the last rounds, when every member that can be read has ended one since the last time."""
        over = {member.name: member.rounds_over for member in self._members if not member.failure}
        if over and all(number > self._diagnosed.get(name, 0) for name, number in over.items()):
            self._diagnosed = {member.name: member.rounds_over for member in self._members}
            rounds = [found[-1] for member in self._members if (found := member.last_rounds())]
            if rounds:
                self._evidence.read(rounds, epoch_seconds)

    def _together(self, members: tuple[MemberNow, ...], epoch: float) -> ClusterNow:
        ring = RingNow(self._ring.used_bytes, self._request.bounds.most_bytes, self._ring.stopped, self._incidents.kept)
        cause = self._evidence.first_cause
        if cause is not None and epoch - cause.at_seconds > _CAUSE_SECONDS:
            cause = None  # it was of another minute: nothing has been diagnosed since
        now = ClusterNow(epoch, self._target.name, members, None, cause, ring)
        self._minute.append(now)
        return replace(now, sustained_per_second=sustained_per_second(tuple(self._minute)))

    def _member(self, reading: MemberReading, progress: Progress | None) -> MemberNow:
        latest = self._latest[reading.name]
        known = progress if progress and not progress.error else None
        if known or reading.name not in self._roles:
            self._roles[reading.name] = progress.role if progress else None
        role = self._roles[reading.name]  # that of a member which does not answer is the one it had
        old = latest.seconds_old(self._now())
        failure = reading.failure
        if not failure and old is not None and min(old, self._now() - self._awake_since) > _SILENT_SECONDS:
            failure = f"it has not answered for {old:.0f} s"
        if failure:
            return MemberNow(reading.name, role, failure=failure)
        view = self._evidence.lookup(reading.name)
        waits = latest.waits(view.value if view else lambda name: Missing((name,)), role)
        clients = latest.running_clients(waits)
        return MemberNow(
            member=reading.name,
            role=role,
            committed_per_second=known.committed_per_second if known else None,
            applied_per_second=known.applied_per_second if known else None,
            lag_seconds=known.lag_ms / 1000 if known and known.lag_ms is not None else None,
            backlog_transactions=known.backlog if known else None,
            statement_ms=latest.statement_ms(clients),
            running_clients=clients,
            throttled_share=known.throttled_share if known else None,
            throttled_clients=known.throttled_clients if known else None,
            throttling=known.throttling if known else None,
            conflicts_per_second=known.conflicts_per_second if known else None,
            state=known.state if known else None,
            waits=waits,
        )

    def _record(self, pieces: dict[str, list[Piece]], figures: dict[str, dict[str, float]], zero: float) -> None:
        epoch = zero + self._now()
        seconds: Sequence[MemberSecond] = [
            replace(
                self._recorder.second(member.name, pieces[member.name], zero, epoch, member.failure),
                figures=figures.get(member.name, {}),
            )
            for member in self._members
        ]
        self._recorder.write(seconds)
