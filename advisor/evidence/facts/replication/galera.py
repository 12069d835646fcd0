"""How do Galera nodes keep pace with each other: when do they pause, what do they remember, what do they lose?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family

_TRUE: Final = frozenset({"yes", "true", "on", "1"})
_APPLIERS_PER_CPU: Final = 4  # "four appliers can saturate one core": Codership's configuration tips
_APPLIERS_AT_MOST: Final = 16  # the most that was measured to help any parallel applier
_BURST_FOR_WRITERS: Final = 256  # galeracluster.com, "Single Master Setup"


@fact("nodes")
def galera_nodes(e: MemberFacts) -> int:
    """How many nodes the cluster has: wsrep_cluster_size, else the members at hand, else the addresses of the file.

    A node that is on its own knows of no size (0), so that the file is asked then. Its list counts only where the
    node's own address is in it: some lists name the others alone.
    """
    size = e.get("status.wsrep_cluster_size", 0)
    if isinstance(size, int) and size > 0:
        return size
    listed = _hosts(e.get("wsrep_cluster_address", ""))
    if len(e.peers) > 1:
        return max(len(e.peers), len(listed))
    if not {_host(e.get(name, "")) for name in ("wsrep_node_address", "wsrep_node_name")} & set(listed):
        raise NeedsError(Missing(("status.wsrep_cluster_size",)))
    return len(listed)


@fact("write sets")
def galera_pause_limit(e: MemberFacts) -> int:
    """How many write sets may wait on a node before it stops replication everywhere.

    gcs.fc_limit × √nodes, without the root when gcs.fc_single_primary (before Galera 4.10: gcs.fc_master_slave) is set;
    `_set_fc_limits` in gcs.cpp, which logs the limits it computed: [16, 16] for one node, [23, 23] for two.
    """
    base = e["galera.gcs.fc_limit"]
    if any(_is_true(e.get(f"galera.gcs.{name}", "no")) for name in ("fc_single_primary", "fc_master_slave")):
        return int(base)
    from math import sqrt  # a shared library, loaded for the few who need it

    return int(base * sqrt(e["fact.galera_nodes"]) + 0.5)


@fact("appliers")
def galera_appliers_to_try(e: MemberFacts) -> int:
    """How many applier threads to begin with: four per CPU, at least 4 and at most 16.

    Never more than write sets that could be applied at once (wsrep_cert_deps_distance), where that is known.
    """
    wanted = min(_APPLIERS_AT_MOST, _APPLIERS_PER_CPU * e.get("host.cpus", 1))
    distance = e.get("status.wsrep_cert_deps_distance", wanted)
    return max(2, min(int(wanted), int(distance)))


@fact("write sets")
def galera_fc_limit_to_set(e: MemberFacts) -> int:
    """The gcs.fc_limit to write: 256 as for a single writer, or four write sets for each applier if that is more."""
    return max(_BURST_FOR_WRITERS, 4 * int(e["wsrep_slave_threads"]))


@fact("share")
def galera_paused_share(e: MemberFacts) -> float:
    """The largest share of time that any node saw replication stopped by flow control: Δpaused_ns / time.

    `wsrep_flow_control_paused` itself is no substitute: it is a mean since the last FLUSH STATUS.
    """
    seen = [_number(peer, "rate.wsrep_flow_control_paused_ns") for peer in e.peers]
    known = [rate for rate in seen if rate is not None]
    if not known:
        raise NeedsError(Missing(("rate.wsrep_flow_control_paused_ns",)))
    return max(known) / 1e9


@fact()
def galera_pause_senders(e: MemberFacts) -> str:
    """Which nodes asked for the pauses, most often first ("node2 182 times"); "?" when no node's counter moved.

    Only the node whose queue is too long counts wsrep_flow_control_sent; the others count what they received.
    """
    sent = [(_number(peer, "delta.wsrep_flow_control_sent") or 0, peer.member.name) for peer in e.peers]
    most_first = sorted(sent, reverse=True)
    counts = [f"{name} {int(times)} time{'' if times == 1 else 's'}" for times, name in most_first if times > 0]
    return ", ".join(counts) or "?"


@fact("share")
def galera_conflict_share(e: MemberFacts) -> Any:
    """Transactions of this node's clients that lost against another node's, per commit.

    (Δcert_failures + Δbf_aborts) / Δlocal_commits: failed certification, or gave way to an applier that needs the lock.
    """
    commits = e["delta.wsrep_local_commits"]
    lost = e["delta.wsrep_local_cert_failures"] + e["delta.wsrep_local_bf_aborts"]
    return lost / commits if commits > 0 else UNKNOWN


@fact("bytes")
def galera_write_bytes_per_second(e: MemberFacts) -> float:
    """Write sets that pass through this node's gcache per second: its own and those it receives."""
    return float(e["rate.wsrep_replicated_bytes"] + e["rate.wsrep_received_bytes"])


@fact("minutes")
def galera_history_minutes(e: MemberFacts) -> Any:
    """How long a node may be away and still catch up from this node's gcache: gcache.size / write rate."""
    rate = e["fact.galera_write_bytes_per_second"]
    return e["galera.gcache.size"] / rate / 60 if rate > 0 else UNKNOWN


@fact("bytes")
def gcache_for_an_hour_bytes(e: MemberFacts) -> int:
    """The gcache that holds one hour at the measured rate, in whole 256 MiB."""
    unit = 256 * 1024**2
    return int(-(-e["fact.galera_write_bytes_per_second"] * 3600 // unit) * unit)


@fact()
def galera_starts_alone(e: MemberFacts) -> Any:
    """Whether the file's address names a cluster to be founded (`gcomm://`) instead of nodes to join.

    A running server may show `gcomm://` because it was told so once on the command line: that says nothing about the
    next start. Bitnami's images write the members' address before they start the server
    (https://github.com/bitnami/containers, mariadb-galera); their files name paths below /opt/bitnami.
    """
    setting = e.setting("wsrep_cluster_address")
    address = str((setting.value if setting is not None else e["wsrep_cluster_address"]) or "").strip().lower()
    alone = address.startswith("gcomm://") and not _hosts(address)
    return UNKNOWN if alone and (setting is None or _is_of_bitnami(e)) else alone


def _is_of_bitnami(e: MemberFacts) -> bool:
    return any((s.argument.value or "").startswith("/opt/bitnami/") for s in (e.settings.all if e.settings else ()))


@fact()
def galera_address_empty(e: MemberFacts) -> bool:
    """Whether no address is set: the default of every release (manual), so option files without the line say it.

    Operators write it when a pod starts; an included file that is not here may have it.
    """
    provider = e.setting("wsrep_provider")
    if provider is not None and provider.argument.by_operator:
        return False
    if "wsrep_cluster_address" in e.running:
        return not str(e["wsrep_cluster_address"] or "")
    unread = e.settings is not None and any(problem.elsewhere for problem in e.settings.problems)
    if e.member.options is None or e.running or unread:
        raise NeedsError(Missing(("wsrep_cluster_address",)))
    return e.setting("wsrep_cluster_address") is None


@fact()
def galera_debug_on(e: MemberFacts) -> bool:
    """Whether wsrep_debug is on: a switch up to MariaDB 10.3, a word since 10.4 and in XtraDB Cluster 8.0."""
    if e["wsrep_on"] is not True:
        return False
    if e.member.options is not None and not e.running and e.setting("wsrep_debug") is None:
        return False  # off by default in every release
    return str(e["wsrep_debug"]).lower() not in ("false", "off", "none", "0")


@fact()
def galera_provider_missing(e: MemberFacts) -> bool:
    """Whether the option file names a cluster to join but no provider library; without one the server runs alone.

    A file that leaves the provider out means none: that is the default of MariaDB and of XtraDB Cluster.
    """
    address = str(e.get("wsrep_cluster_address", "")).lower()
    if not address.startswith("gcomm://"):
        return False
    if e.member.options is None or e.setting("wsrep_provider") is not None or "wsrep_provider" in e.running:
        return str(e["wsrep_provider"] or "none").lower() == "none"
    return True


@fact()
def galera_split_brain_options(e: MemberFacts) -> str:
    """The provider options that let a node without a majority go on writing: "pc.ignore_sb", or "" for none.

    An option that a file leaves out is off, in every version of the provider.
    """
    names = ("pc.ignore_quorum", "pc.ignore_sb")
    given = e.member.options is not None or "wsrep_provider_options" in e.running
    values = {name: e.get(f"galera.{name}", "false") if given else e[f"galera.{name}"] for name in names}
    return ", ".join(name for name, value in values.items() if _is_true(value))


@fact()
def gcache_lost_at_restart(e: MemberFacts) -> bool:
    """Whether a restart throws the gcache away: gcache.recover is off."""
    return not _is_true(e["galera.gcache.recover"])


@fact()
def galera_non_transactional_tables(e: MemberFacts) -> str:
    """Engines without transactions whose changes are replicated all the same ("MyISAM"), "" for none.

    A word of wsrep_mode since MariaDB 10.6, before and in XtraDB Cluster wsrep_replicate_myisam.
    """
    words = str(e["wsrep_mode"]).upper() if e.release.family is Family.MARIADB and e.exists("wsrep_mode") else ""
    found = [engine for engine in ("MyISAM", "Aria") if f"REPLICATE_{engine.upper()}" in words]
    if not found and e.exists("wsrep_replicate_myisam") and e["wsrep_replicate_myisam"]:
        found = ["MyISAM"]
    return ", ".join(found)


@fact("ms")
def galera_message_ms(e: MemberFacts) -> Any:
    """Mean time until all nodes have a message, over the last evs.stats_report_period.

    The second of the five numbers of wsrep_evs_repl_latency: min/avg/max/stddev/samples, in seconds. Unknown without
    samples, which is what a lone node and an idle cluster show.
    """
    numbers = str(e["status.wsrep_evs_repl_latency"]).split("/")
    try:
        return float(numbers[1]) * 1000 if len(numbers) == 5 and int(numbers[4]) > 0 else UNKNOWN
    except ValueError:
        return UNKNOWN


@fact("share")
def galera_message_share(e: MemberFacts) -> float:
    """Share of the working sessions' time that goes into replicating write sets: rate × time of one / sessions."""
    return float(e["rate.wsrep_replicated"] * e["fact.galera_message_ms"] / 1000 / e["fact.active_clients"])


@fact("nodes")
def galera_durable_nodes(e: MemberFacts) -> Any:
    """How many of the nodes at hand sync the redo log at each commit; makes no sense outside Galera."""
    if not e["fact.is_galera_node"]:
        return NOT_HERE
    return sum(peer["innodb_flush_log_at_trx_commit"] in (1, 3) for peer in e.peers)


def _hosts(address: Any) -> list[str]:
    """The nodes of wsrep_cluster_address without ports; "gcomm://a,b:4567?pc.wait_prim=no" has two."""
    listed = str(address or "").partition("://")[2].partition("?")[0]
    return [host for host in (_host(part) for part in listed.split(",")) if host]


def _host(address: Any) -> str:
    """An address without its port: "10.0.0.1:4567", "[::1]:4567" or "node1"."""
    plain = str(address or "").strip().lower()
    if plain.startswith("["):
        return plain[1:].partition("]")[0]
    return plain.partition(":")[0] if plain.count(":") == 1 else plain


def _is_true(value: Any) -> bool:
    return str(value).strip().lower() in _TRUE


def _number(e: MemberFacts, name: str) -> float | None:
    value = e.get(name, None)
    return value if isinstance(value, int | float) else None
