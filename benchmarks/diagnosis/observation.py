"""What does `advisor why` say about the next seconds of a running cluster, and at which rates did it work?"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from advisor.bench.measure.steady import LEAST_SECONDS, SMALL, change_in
from advisor.bench.open_cluster import OpenCluster
from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.read_back import read_back
from advisor.collect.bundle.save import save
from advisor.collect.bundle.stated_roles import complete
from advisor.collect.gather import gather
from advisor.collect.login import Login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import of_cluster_file
from advisor.model.diagnosis import Diagnosis
from advisor.model.progress import Progress
from advisor.model.record import record
from advisor.model.server import Role
from advisor.report.why.document import render
from advisor.topologies import ProgressMonitor
from advisor.why import diagnose
from benchmarks.diagnosis.running_lab import APPLIES_ONLY
from benchmarks.diagnosis.scenarios import counted_of

WARM_UP_SECONDS: Final = 5.0
OBSERVED_SECONDS: Final = 10.0
SETTLING_SECONDS: Final = 3.0
_STATES_SECONDS: Final = 0.1
_MOST_SETTLING_SECONDS: Final = 60  # a group's quota grows by half each second, then 25,000 transactions may queue up
_WINDOW_SECONDS: Final = 15  # means over 8 s of one and the same state lay up to a fifth apart
_GROWS: Final = 0.1  # of what is committed, from where on a backlog is said to grow
_FEW_QUEUED: Final = 20
_APPLYING: Final = (*APPLIES_ONLY, Role.NODE)


@record
class Rates:
    """Transactions per second the writers committed and the slowest other member applied."""

    committed: float
    applied: float


def diagnose_live(opened: OpenCluster, bundle: Path, observed_seconds: float) -> tuple[dict[str, Any], Rates, float]:
    """The diagnosis of the next seconds, the rates meanwhile, and how long the diagnosis took after them."""
    wanted = of_cluster_file(opened.cluster, Login())
    with ProgressMonitor(opened.module, opened.nodes) as monitor:
        monitor.look()
        gathered = gather(wanted.members, ReadingSchedule(observed_seconds, states_every_seconds=_STATES_SECONDS))
        if gathered.interrupted:  # `advisor why` would answer from fewer seconds; a benchmark ends
            raise KeyboardInterrupt
        rates = summed(monitor.look())
    begun = time.monotonic()
    files = complete(pack(gathered, wanted, redacted=False), wanted)
    found = diagnose(read_back(files, wanted.path))
    seconds = time.monotonic() - begun
    bundle.unlink(missing_ok=True)
    save(files, bundle)
    return as_document(found), rates, seconds


def as_document(found: Diagnosis) -> dict[str, Any]:
    """The JSON report as data."""
    document: dict[str, Any] = json.loads(render(found))
    return document


def steady_rates(monitor: ProgressMonitor, effect: str, most_seconds: int = _MOST_SETTLING_SECONDS) -> Rates:
    """Means over the first seconds in which the rate of the effect no longer changes, else over the last ones.

    What a member applies counts as long as something waits on it: afterwards it applies what arrives. A rate is
    sustained when no backlog grows.
    """
    monitor.look()
    seconds: list[Rates] = []
    backlogs: list[int] = []
    while len(seconds) < most_seconds:
        time.sleep(1.0)
        seen = monitor.look()
        backlog = max((each.backlog or 0 for each in seen), default=0)
        if effect == "applied" and backlog <= _FEW_QUEUED and len(seconds) >= LEAST_SECONDS:
            break
        seconds.append(summed(seen))
        backlogs.append(backlog)
        if _is_steady(seconds[-_WINDOW_SECONDS:], backlogs[-_WINDOW_SECONDS:], effect):
            break
    last = seconds[-_WINDOW_SECONDS:]
    return Rates(*(sum(getattr(one, name) for one in last) / len(last) for name in ("committed", "applied")))


def _is_steady(seconds: Sequence[Rates], backlogs: Sequence[int], effect: str) -> bool:
    """Whether these are as many seconds as count, and the rate of the effect stays what it is in them."""
    if len(seconds) < _WINDOW_SECONDS:
        return False
    counted = [float(getattr(one, counted_of(effect))) for one in seconds]
    grown = backlogs[-1] - backlogs[0]
    if effect == "sustained" and grown > _GROWS * sum(one.committed for one in seconds):
        return False
    return change_in(counted, SMALL * sum(counted) / len(counted)) is None


def summed(seen: Sequence[Progress]) -> Rates:
    """What all writers committed, and the slowest other member applied."""
    applied = [each.applied_per_second for each in seen if each.role in _APPLYING]
    return Rates(
        committed=sum(each.committed_per_second or 0.0 for each in seen if each.role not in APPLIES_ONLY),
        applied=min((rate for rate in applied if rate is not None), default=0.0),
    )
