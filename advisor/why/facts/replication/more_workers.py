"""What would a member apply with more workers? One worker's rate times the gain from shared syncs, if CPUs suffice.

On a machine that several members share, CPUs that the others and the clients use are not available for applying.
"""

from __future__ import annotations

from typing import Any, Final

from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family
from advisor.why.facts.cpus import idle_server_cpus, members_here
from advisor.why.facts.replication.applier_throughput import WORKER_GAIN

# Share of the available CPUs that members and clients kept busy when appliers that always had work were the limit:
# Galera 0.77 and 0.84 (four appliers, two nodes), MySQL 9.7 0.83 (a replica with four workers). The rest was lost to
# wake-ups.
BUSIEST_CPU_SHARE: Final = 0.81
_CPU_GAIN: Final = 0.45  # without syncs, on two CPUs: 3366 per second with one worker, 4609 with 4, 3849 with 16
_GALERA_GAIN: Final = 0.57  # MariaDB 10.11, one durable node: 360 per second with one applier, 1188 with eight
_COORDINATOR_POLLING: Final = 0.5


@fact("per_second")
def apply_rate_with_workers_per_second(e: MemberFacts) -> Any:
    """What this member would apply with as many workers as are worth trying: one worker's rate × W^g.

    Workers that do not wait for syncs share CPUs instead: × CPUs^g, for no more workers than CPUs. Either is limited by
    the CPUs that are left.
    """
    alone, workers = e["fact.serial_apply_estimate_per_second"], e["fact.applier_workers_to_try"]
    if e["fact.syncs_per_applied_transaction"]:
        return _limited(e, alone * workers ** WORKER_GAIN[e.release.family])
    measured = e.get("fact.applied_per_second", None)
    if alone != measured:  # not measured: one estimate must not rest on another
        return NOT_HERE
    return _limited(e, alone * min(workers, e["host.cpus"]) ** _CPU_GAIN)


@fact("per_second")
def apply_rate_with_shared_syncs_per_second(e: MemberFacts) -> Any:
    """What this member would apply with more workers, which share syncs; if it has enough already, without syncs.

    Its present rate × (W to try / W)^g, else / (1 − share of the time its logs are busy); limited by the CPUs.
    """
    now, workers, more = e["fact.applied_per_second"], e["fact.applier_workers"], e["fact.applier_workers_to_try"]
    if workers < more:
        return _limited(e, now * (more / max(1, workers)) ** WORKER_GAIN[e.release.family])
    free = 1.0 - e["fact.applier_sync_share"]
    return _limited(e, now / free) if free > 0 else UNKNOWN


@fact("per_second")
def galera_rate_with_appliers_per_second(e: MemberFacts) -> Any:
    """What the writers reach with as many appliers on this node as are worth trying.

    The minimum of what these apply (one's rate × W^g), what the writers do without pauses, and what the CPUs permit.
    NOT_HERE with several appliers: the rate of one of them is not known.
    """
    if e["fact.applier_workers"] > 1:
        return NOT_HERE
    pool = e["fact.applied_per_second"] * e["fact.galera_appliers_to_try"] ** _GALERA_GAIN
    rates = [pool, e.get("fact.galera_rate_without_pauses_per_second"), e.get("fact.rate_of_fed_appliers_per_second")]
    return min(float(rate) for rate in rates if isinstance(rate, int | float))


@fact("per_second")
def rate_of_fed_appliers_per_second(e: MemberFacts) -> Any:
    """The rate at which the members on this machine keep its CPUs as busy as appliers were ever measured to.

    An applier that always has work finds CPUs warm, so a transaction costs what it costs now. Not applicable if nobody
    writes on this machine.
    """
    writer = max(members_here(e), key=_written)
    rate = _written(writer)
    used = writer["fact.processors_at_work"]
    return BUSIEST_CPU_SHARE * writer["fact.processors_to_be_had"] * rate / used if rate and used else NOT_HERE


@fact("per_second")
def permitted_by_processors_left_per_second(e: MemberFacts) -> Any:
    """What this member could apply with the CPUs that writers and other members on its machine leave.

    At least its fair share next to the other servers and the clients, which get less when all CPUs are busy.
    All of its CPU time counts as applying, except that of MySQL's coordinator when no worker is free: it polls with
    sched_yield (get_free_worker in sql/rpl_mta_submode.cc), with one worker about as long as that worker runs.
    """
    now = e["fact.applied_per_second"]
    writer = max(members_here(e), key=_written)
    own = max(0.0, e["host.server_cpus"] - idle_server_cpus(e))
    others = max(0.0, writer["fact.processors_at_work"] - own)
    polls = e.release.family is Family.MYSQL and e["fact.applier_workers"] == 1
    work = own - (_COORDINATOR_POLLING * e.get("host.appliers_running", 0.0) if polls else 0.0)
    available = BUSIEST_CPU_SHARE * writer["fact.processors_to_be_had"]
    left = max(available - others, available / (len(members_here(e)) + 1))
    return now * left / work if work > 0 else UNKNOWN


def _limited(e: MemberFacts, rate: float) -> float:
    """The rate, limited by the CPUs that are left if that is known."""
    left = e.get("fact.permitted_by_processors_left_per_second", None)
    return min(float(rate), float(left)) if isinstance(left, int | float) else float(rate)


def _written(member: MemberFacts) -> float:
    rate = member.get("fact.observed_or_measured_per_second", 0.0) if member.get("fact.writing_clients", 0) else 0.0
    return float(rate) if isinstance(rate, int | float) else 0.0
