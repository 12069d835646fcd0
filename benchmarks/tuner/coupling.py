"""How do writers and appliers meet: quotas, pauses, or nothing but a growing backlog?"""

from __future__ import annotations

import math
from collections.abc import Mapping

from advisor.model.server import Topology
from benchmarks.tuner.mechanisms import Machine, Reading, Truth, applier_rate, refusal, writer_rate


def truth(at: Machine, topology: Topology, settings: Mapping[str, str]) -> Truth:
    """The sustained rate, lag and backlog of settings on a machine, without noise."""
    to = Reading(settings)
    failure = refusal(at, to)
    if failure:
        return Truth(0.0, 0.0, 0.0, failure=failure)
    write, group, busy = writer_rate(at, to, _distance_ms(at, to, topology))
    if topology is Topology.STANDALONE:
        return Truth(write, 0.0, 0.0, busy)
    apply = applier_rate(at, to, topology, group, busy)
    if topology is Topology.GROUP_REPLICATION:
        return _quota(at, to, write, apply, busy)
    if topology is Topology.GALERA:
        return _pauses(at, to, write, apply, busy)
    return _uncoupled(write, apply, busy)


def _distance_ms(at: Machine, to: Reading, topology: Topology) -> float:
    """What the other members add to a commit."""
    if topology is Topology.SEMISYNC:
        eager = to.word("off", "replication_sender_observe_commit_only") == "on"
        return at.rtt_ms * 1.5 + (0.05 if eager else 0.1)
    if topology is Topology.GROUP_REPLICATION:
        threshold = to.number(1e6, "group_replication_compression_threshold")
        packed = 0 < threshold < at.transaction_bytes
        sent = at.transaction_bytes * (0.5 if packed else 1.0) * 8 / 200e6 * 1000
        spin = min(1.0, to.number(0, "group_replication_poll_spin_loops") / 2000)
        return at.rtt_ms * 2 + sent + (0.1 if packed else 0.0) + 0.15 * (1.0 - spin)
    if topology is Topology.GALERA:
        window = to.number(2, "galera.evs.user_send_window")
        return at.rtt_ms * (1.0 + 3.0 * max(0.0, 1.0 - window / (0.25 * at.clients)))
    return 0.0


def _quota(at: Machine, to: Reading, write: float, apply: float, busy: float) -> Truth:
    """Group Replication: above a threshold of waiting transactions writers get a quota, anew every period."""
    applier = to.number(25000, "group_replication_flow_control_applier_threshold")
    certifier = to.number(25000, "group_replication_flow_control_certifier_threshold")
    threshold = min(applier, 1.2 * certifier)
    period = to.number(1, "group_replication_flow_control_period")
    hold = to.number(10, "group_replication_flow_control_hold_percent")
    release = to.number(50, "group_replication_flow_control_release_percent")
    if write <= apply:
        ripple = 1.0 - 0.15 * math.exp(-threshold / (0.1 * write))
        return Truth(write * ripple, 20.0 + 5.0 * write / max(1.0, apply - write), 0.0, busy)
    swing = 0.3 * math.exp(-threshold / (0.5 * apply * period)) + 0.04 * abs(math.log(release / at.release_best))
    backlog = threshold * (1.0 - 0.5 * hold / 50) + min(write - apply, apply) * period * 0.8
    return Truth(apply * max(0.2, 1.0 - swing - 0.4 * hold / 100), backlog / apply * 1000, 0.0, busy)


def _pauses(at: Machine, to: Reading, write: float, apply: float, busy: float) -> Truth:
    """Galera: the cluster stops when a node's queue reaches the limit and goes on at a share of it."""
    nodes = 1.0 if to.word("no", "galera.gcs.fc_single_primary") == "yes" else math.sqrt(3)
    limit = to.number(16, "galera.gcs.fc_limit") * nodes
    factor = to.number(1.0, "galera.gcs.fc_factor")
    workers = to.number(1, "wsrep_slave_threads")
    queue = limit * (1.0 + factor) / 2
    aborted = min(0.4, at.conflicts * min(1.0, queue / 2000) * 4)
    if write <= apply:
        ripple = 1.0 - 0.3 * math.exp(-limit / (4 * workers + 0.02 * write))
        return Truth(write * ripple, 10.0 + 3.0 * write / max(1.0, apply - write), 0.0, busy)
    pauses = 0.45 * math.exp(-limit / (4 * workers + 0.02 * apply)) + 0.25 * (1.0 - factor)
    return Truth(apply * max(0.2, 1.0 - pauses) * (1.0 - aborted), queue / apply * 1000, 0.0, busy)


def _uncoupled(write: float, apply: float, busy: float) -> Truth:
    """No flow control: a replica that applies less than is written falls behind without end."""
    if write < 0.98 * apply:
        return Truth(write, min(5000.0, 20.0 / (1.0 - write / apply)), 0.0, busy)
    over = (write - 0.98 * apply) / apply
    return Truth(min(write, apply), 1000.0 + 60_000.0 * over, over, busy)
