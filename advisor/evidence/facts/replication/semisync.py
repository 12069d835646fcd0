"""Who waits for whose acknowledgement under semi-synchronous replication, and how long?"""

from __future__ import annotations

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.evidence.option_items import settings_as_read
from advisor.model.server import Family, Role


@fact()
def acks_needed(e: MemberFacts) -> int:
    """How many replicas must acknowledge a commit; MariaDB waits for one and has no setting for it."""
    if e.release.family is Family.MARIADB:
        return 1
    return int(e["rpl_semi_sync_source_wait_for_replica_count"])


@fact()
def commits_wait_for_acks(e: MemberFacts) -> bool:
    """Whether this server is where clients commit under semi-sync: its source side is on, and it is no replica itself.

    Both sides are often switched on everywhere, so that roles can change; a replica's source side waits for nobody.
    """
    if not e["rpl_semi_sync_source_enabled"]:
        return False
    return e.member.role is not Role.REPLICA and not e.rows("replica_status")


@fact()
def semisync_left_off(e: MemberFacts) -> bool:
    """Whether the option files load a plugin of semi-synchronous replication, and nothing enables either side."""
    loaded = any(
        setting.argument.name.lower().replace("-", "_") in ("plugin_load", "plugin_load_add")
        and "semisync_" in (setting.argument.value or "").lower()
        for setting in settings_as_read(e).all
    )
    return loaded and not any(e.get(f"rpl_semi_sync_{side}_enabled", False) is True for side in ("source", "replica"))


@fact()
def acking_replicas(e: MemberFacts) -> int:
    """How many replicas would acknowledge: those connected, else the members at hand with the replica side on."""
    connected = e.get("status.Rpl_semi_sync_source_clients", None)
    if connected is not None:
        return int(connected)
    others = [view for view in e.peers if view is not e]
    if not others:
        raise NeedsError(Missing(("status.Rpl_semi_sync_source_clients",)))
    return sum(bool(view["rpl_semi_sync_replica_enabled"]) for view in others)


@fact("ms")
def ack_wait_ms(e: MemberFacts) -> float:
    """Mean wait for an acknowledgement: Δtx_wait_time (microseconds) / Δtx_waits.

    MySQL counts a wait per commit group under AFTER_SYNC, MariaDB per transaction.
    """
    waits = e["delta.Rpl_semi_sync_source_tx_waits"]
    return float(e["delta.Rpl_semi_sync_source_tx_wait_time"] / waits / 1000) if waits else 0.0


@fact("share")
def ack_wait_share(e: MemberFacts) -> float:
    """Share of the working sessions' time spent waiting for acknowledgements.

    Δtx_wait_time (microseconds) / (time × sessions). Under MySQL's AFTER_SYNC one session is counted for its whole
    commit group, and each transaction of the group waits with it: mean wait × transactions per second / sessions.
    """
    share = e["rate.Rpl_semi_sync_source_tx_wait_time"] / 1e6 / e["fact.active_clients"]
    after_sync = str(e.get("rpl_semi_sync_source_wait_point", "")).upper() == "AFTER_SYNC"
    if after_sync and e.release.family is Family.MYSQL:
        commits = e.get("fact.transactions_per_second", 0)
        share = max(share, e["fact.ack_wait_ms"] / 1000 * commits / e["fact.active_clients"])
    return float(min(1.0, share))
