"""How far below its lowest ceiling does the cluster work? By the ceilings that `why` computes, read next to a turn."""

from __future__ import annotations

import threading

from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.gather import gather
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import ClusterTarget
from advisor.errors import AdvisorError
from advisor.model.diagnosis import Diagnosis
from advisor.model.evidence import Cluster

_READINGS = 2.0  # after the first


class HeadroomReading:
    """Reads the cluster for some seconds in a thread, and computes afterwards."""

    def __init__(self, source: ClusterTarget, seconds: float) -> None:
        self._source, self._seconds = source, seconds
        self._headroom: float | None = None
        self._thread = threading.Thread(target=self._read, name="headroom", daemon=True)
        self._thread.start()

    def result(self) -> float | None:
        """The lowest ceiling by the rate; None where either is unknown."""
        self._thread.join()
        return self._headroom

    def _read(self) -> None:
        try:
            gathered = gather(self._source.members, ReadingSchedule(self._seconds, self._seconds / _READINGS))
            self._headroom = headroom_of(live_evidence(gathered, self._source))
        except AdvisorError:
            self._headroom = None


def headroom_of(cluster: Cluster) -> float | None:
    """The lowest ceiling of some evidence by its rate."""
    from advisor.check.possible_releases import release_assumptions
    from advisor.why.ceilings import compute_ceilings
    from advisor.why.interval import under_load
    from advisor.why.members import members_by_role
    from advisor.why.rules.loader import load_ceilings
    from advisor.why.time_breakdown import throughput_of

    assumptions, _ = release_assumptions(under_load(cluster), ())
    members = members_by_role(assumptions[-1])
    ceilings, rate = compute_ceilings(members, load_ceilings()), throughput_of(members)
    return ceilings[0].per_second / rate if ceilings and rate else None


def headroom_in(diagnosis: Diagnosis) -> float | None:
    """The same of a diagnosis."""
    if not diagnosis.ceilings or not diagnosis.throughput_per_second:
        return None
    return diagnosis.ceilings[0].per_second / diagnosis.throughput_per_second
