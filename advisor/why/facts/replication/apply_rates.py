"""What would a member apply with more workers? As many times one worker's rate as they share syncs, if processors last.

On a machine that several members share, what the others and the clients use is not to be had for applying.
"""

from __future__ import annotations

from typing import Any, Final

from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.view import View
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family
from advisor.why.facts.cpus import itself, members_here
from advisor.why.facts.replication.appliers import WORKER_GAIN

# Share of the processors to be had that members and clients kept busy where appliers, fed without a pause, were what
# all waited for: Galera 0.77 and 0.84 (four appliers, two nodes), MySQL 9.7 0.83 (a replica with four workers). The
# rest went with wake-ups.
REACHED: Final = 0.81
_PROCESSOR_GAIN: Final = 0.45  # without syncs, on two: 3366 a second with one worker, 4609 with four, 3849 with 16
_GALERA_GAIN: Final = 0.57  # MariaDB 10.11, one durable node: 360 a second with one applier, 1188 with eight
_LOOKING: Final = 0.5


@fact("per_second")
def apply_rate_with_workers_per_second(e: View) -> Any:
    """What this member would apply with as many workers as are worth trying: one worker's rate × W^g.

    Workers that wait for no sync share processors instead: × processors^g, for no more workers than processors.
    Either is held by the processors that are left for it.
    """
    alone, workers = e["fact.serial_apply_estimate_per_second"], e["fact.applier_workers_to_try"]
    if e["fact.syncs_per_applied_transaction"]:
        return _held(e, alone * workers ** WORKER_GAIN[e.release.family])
    measured = e.get("fact.applied_per_second", None)
    if alone != measured:  # a guess from elsewhere is no ground for another one
        return NOT_HERE
    return _held(e, alone * min(workers, e["host.cpus"]) ** _PROCESSOR_GAIN)


@fact("per_second")
def apply_rate_with_shared_syncs_per_second(e: View) -> Any:
    """What this member would apply with more workers, that share syncs; with as many as are worth trying, without any.

    Of what it applies now: × (W to try / W)^g, else / (1 − share of the time its logs are busy); held by processors.
    """
    now, workers, more = e["fact.applied_per_second"], e["fact.applier_workers"], e["fact.applier_workers_to_try"]
    if workers < more:
        return _held(e, now * (more / max(1, workers)) ** WORKER_GAIN[e.release.family])
    free = 1.0 - e["fact.applier_sync_share"]
    return _held(e, now / free) if free > 0 else UNKNOWN


@fact("per_second")
def galera_rate_with_appliers_per_second(e: View) -> Any:
    """What the writers reach with as many appliers on this node as are worth trying.

    The least of what these apply (one's rate × W^g), of what the writers do without any pause, and of the processors.
    NOT_HERE with several appliers: what one of them does is not known.
    """
    if e["fact.applier_workers"] > 1:
        return NOT_HERE
    pool = e["fact.applied_per_second"] * e["fact.galera_appliers_to_try"] ** _GALERA_GAIN
    rates = [pool, e.get("fact.galera_rate_without_pauses_per_second"), e.get("fact.rate_of_fed_appliers_per_second")]
    return min(float(rate) for rate in rates if isinstance(rate, int | float))


@fact("per_second")
def rate_of_fed_appliers_per_second(e: View) -> Any:
    """The rate at which all members of this machine keep its processors busy, as far as appliers ever did.

    An applier that always has work finds processors warm: what a transaction costs now it costs then. Makes no sense
    where nobody writes on this machine.
    """
    writer = max(members_here(e), key=_written)
    rate = _written(writer)
    used = writer["fact.processors_at_work"]
    return REACHED * writer["fact.processors_to_be_had"] * rate / used if rate and used else NOT_HERE


@fact("per_second")
def permitted_by_processors_left_per_second(e: View) -> Any:
    """What this member could apply with the processors that writers and other members on its machine leave.

    At least its fair share beside the other servers and the clients, who give way where all is busy.
    All of its work counts for what it applies, but for what a busy coordinator of MySQL does: where no worker is free
    it asks again at once, only giving way (sched_yield, get_free_worker in sql/rpl_mta_submode.cc); beside one worker
    about as long as this one works.
    """
    now = e["fact.applied_per_second"]
    writer = max(members_here(e), key=_written)
    own = max(0.0, e["host.server_cpus"] - itself(e))
    others = max(0.0, writer["fact.processors_at_work"] - own)
    looks = e.release.family is Family.MYSQL and e["fact.applier_workers"] == 1
    work = own - (_LOOKING * e.get("host.appliers_running", 0.0) if looks else 0.0)
    had = REACHED * writer["fact.processors_to_be_had"]
    left = max(had - others, had / (len(members_here(e)) + 1))
    return now * left / work if work > 0 else UNKNOWN


def _held(e: View, rate: float) -> float:
    """The rate, as far as processors are left; what they are doing need not be known."""
    left = e.get("fact.permitted_by_processors_left_per_second", None)
    return min(float(rate), float(left)) if isinstance(left, int | float) else float(rate)


def _written(member: View) -> float:
    rate = member.get("fact.observed_or_measured_per_second", 0.0) if member.get("fact.writing_clients", 0) else 0.0
    return float(rate) if isinstance(rate, int | float) else 0.0
