"""What does `why` say of the traffic, while it is watched?"""

from __future__ import annotations

import os
import threading
from typing import Final

from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.gather import gather
from advisor.collect.login import find_login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import ClusterTarget, of_cluster_file
from advisor.errors import AdvisorError
from advisor.model.diagnosis import Diagnosis
from advisor.model.lab import ClusterFile

_LOOK_SECONDS: Final = 10.0
_STATES_SECONDS: Final = 0.1


def reading_target(cluster: ClusterFile) -> ClusterTarget:
    """The members as evidence is read from them."""
    return of_cluster_file(cluster, find_login("", os.environ))


class TrafficDiagnosis:
    """Reads and diagnoses in a thread."""

    def __init__(self, cluster: ClusterFile) -> None:
        self.failure = ""
        self._diagnosis: Diagnosis | None = None
        self._cluster = cluster
        self._thread = threading.Thread(target=self._ask, name="why", daemon=True)
        self._thread.start()

    def diagnosis(self) -> Diagnosis | None:
        """The diagnosis, None if there is none; `failure` says why."""
        self._thread.join()
        return self._diagnosis

    def _ask(self) -> None:
        from advisor.why import diagnose

        source = reading_target(self._cluster)
        try:
            gathered = gather(source.members, ReadingSchedule(_LOOK_SECONDS, 1.0, False, _STATES_SECONDS))
            self._diagnosis = diagnose(live_evidence(gathered, source))
        except AdvisorError as error:
            self.failure = f"`why` has no advice: {error.message}"
