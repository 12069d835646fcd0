"""What do the last rounds say as evidence, and what does `why` name first? Found in a thread, once a round."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from advisor.check.possible_releases import release_assumptions
from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.gather import Gathered
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.member.recording import Recording
from advisor.collect.targets import ClusterTarget
from advisor.errors import AdvisorError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Cluster
from advisor.model.monitoring.now import FirstCause
from advisor.watch.members import EVERY_SECONDS, ROUND_SECONDS
from advisor.watch.readings import LatestReadings
from advisor.watch.rounds import shifted
from advisor.why.diagnose import diagnose


class RoundEvidence:
    """The newest evidence; `failure` says why the last rounds gave none."""

    def __init__(self, target: ClusterTarget) -> None:
        self._target = target
        self._thread: threading.Thread | None = None
        self._views: dict[str, MemberFacts] = {}
        self.first_cause: FirstCause | None = None
        self.failure = ""

    def read(self, recordings: Sequence[Recording], epoch_seconds: float) -> None:
        """Begin to diagnose rounds, unless that is still being done for those before."""
        if self._thread is None or not self._thread.is_alive():
            gathered = gathered_from(recordings, epoch_seconds)
            self._thread = threading.Thread(target=self._diagnose, args=(gathered,), name="why", daemon=True)
            self._thread.start()

    def lookup(self, member: str) -> MemberFacts | None:
        """The facts of a member as of the last round; None before the first one is over."""
        return self._views.get(member)

    def latest(self, readings: dict[str, LatestReadings]) -> dict[str, MemberFacts]:
        """The facts of all members with their newest readings."""
        fresh = {}
        for name, view in self._views.items():
            member = readings[name].as_member(view.member) if name in readings else view.member
            fresh[name] = MemberFacts(member, view.release, view.settings, view.topology)
        for each in fresh.values():
            each.peers = tuple(fresh.values())
        return fresh

    def _diagnose(self, gathered: Gathered) -> None:
        try:
            cluster = live_evidence(gathered, self._target)
            assumptions, _ = release_assumptions(cluster, ())
            self._views = {view.member.name: view for view in assumptions[-1].views}
            self.first_cause = _first_cause(cluster)
            self.failure = ""
        except AdvisorError as error:
            self.failure = error.message


def gathered_from(recordings: Sequence[Recording], epoch_seconds: float) -> Gathered:
    """The recordings as one collection that begins with the first of them; `epoch_seconds` is that of the watch's 0."""
    begin = min((each.samples[0][0] for each in recordings if each.samples), default=0.0)
    began = datetime.fromtimestamp(epoch_seconds + begin, UTC)
    schedule = ReadingSchedule(ROUND_SECONDS, EVERY_SECONDS)
    return Gathered(began, schedule, tuple(shifted(each, begin) for each in recordings))


def _first_cause(cluster: Cluster) -> FirstCause | None:
    causes = diagnose(cluster).causes
    if not causes:
        return None
    first = causes[0]
    return FirstCause(first.cause.id, first.cause.title, first.member, first.confidence, time.time())
