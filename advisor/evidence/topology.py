"""Which topology is this, and which role has each member? Only what the evidence proves, each with its reason.

Stated in the bundle: taken as stated. Else, first that holds:
* Group Replication: rows of replication_group_members with a member that is not OFFLINE, or a group name is set; an
  option file that gives a name, an address or seeds, be it without a value, counts as well.
  Role: the member's own row; on 5.7 the counter group_replication_primary_member; super_read_only=ON on a running
  member (secondary). An option file alone gives no role: any member may become the primary.
* Galera: wsrep_ready=ON, or a provider (or wsrep_on=ON) together with a gcomm:// address, and wsrep_on not OFF. An
  option file without wsrep_on counts: MySQL's default is ON, and for MariaDB (OFF) it is what the file was written
  for. Role: node.
* Semi-synchronous: the plugin is enabled on one side. Role: that side, when it is not enabled for both.
* Asynchronous: SHOW REPLICA STATUS has rows (replica); a binlog dump thread, a connected replica, a registered replica
  host, or another member that replicates from this one (source). From an option file alone: filters of what is
  replicated, errors to skip, or two signs of lesser weight, such as read_only together with
  relay_log (replica).
* Standalone: SHOW REPLICA STATUS is known to be empty, no replica is connected or the binary log is off, no group,
  no Galera.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from advisor.evidence.topology_hints import Known, column, group_names, known
from advisor.model.evidence import Fact, Member
from advisor.model.record import record
from advisor.model.server import Family, Role, Topology


@record
class RoleFound:
    """A role and how it is known."""

    value: Role
    source: str


@record
class TopologyFound:
    """A topology and how it is known."""

    value: Topology
    source: str


@record
class Recognised:
    """What was recognised; members without a proven role are not in `roles`."""

    topology: TopologyFound | None
    roles: Mapping[str, RoleFound]


def recognise(members: Sequence[Member], stated: Topology | None = None, family: Family | None = None) -> Recognised:
    """Topology and roles of the members looked at together. `family` helps where the evidence names none."""
    seen = [known(member) for member in members]
    topology = TopologyFound(stated, "bundle.json") if stated else _topology(seen, family)
    roles: dict[str, RoleFound] = {}
    for one in seen:
        others = [other for other in seen if other is not one]
        found = RoleFound(one.member.role, "bundle.json") if one.member.role else None
        found = found or (_ROLES[topology.value](one, others) if topology else None)
        if found:
            roles[one.member.name] = found
    if topology is None and len(seen) == 1 and (alone := _standalone(seen[0])):
        return Recognised(
            TopologyFound(Topology.STANDALONE, alone), {members[0].name: RoleFound(Role.STANDALONE, alone)}
        )
    if topology is None:
        roles.update((k.member.name, r) for k in seen if (r := _async_role(k, [o for o in seen if o is not k])))
    return Recognised(topology, roles)


def contradiction(members: Sequence[Member]) -> str:
    """Why these servers cannot be one cluster, in one sentence; "" when they can."""
    seen = [known(member) for member in members]
    group = next((one.member.name for one in seen if _group(one)), "")
    galera = next((one.member.name for one in seen if _galera(one)), "")
    mariadb = next((one.member.name for one in seen if _family_allowed(one) is Family.MARIADB), "")
    if group and galera:
        return f"{group} is in a replication group and {galera} in a Galera cluster"
    if group and mariadb:
        return f"{group} is in a replication group, and {mariadb} is MariaDB, which has no group replication"
    return ""


def _family_allowed(one: Known) -> Family | None:
    """MySQL or MariaDB by what the server says, else by the only family that accepts its options."""
    found = _family(one)
    if found or one.member.options is None:
        return found
    from advisor.options import infer

    families = {release.family for release in infer(one.member.options)[0]}
    return families.pop() if len(families) == 1 else None


def _topology(seen: Sequence[Known], family: Family | None) -> TopologyFound | None:
    for topology, proof in (
        (Topology.GROUP_REPLICATION, _group),
        (Topology.GALERA, _galera),
        (Topology.SEMISYNC, _semisync),
    ):
        for one in seen:
            if reason := proof(one):
                return TopologyFound(topology, reason)
    for one in seen:
        role = _async_role(one, [other for other in seen if other is not one])
        line = _family(one) or family
        if role and line and not _galera_without_address(one):
            topology = Topology.ASYNC_MARIADB if line is Family.MARIADB else Topology.ASYNC_MYSQL
            return TopologyFound(topology, role.source)
    return None


def _because(fact: Fact) -> str:
    return f"{fact.name}={fact.value} ({fact.source})" if fact.source else f"{fact.name}={fact.value}"


def _group(one: Known) -> str:
    rows = one.rows("replication_group_members")
    if rows and any(column(row, "member_state") not in (None, "", "OFFLINE") for row in rows[0]):
        return f"replication_group_members ({rows[1]})"
    name = one.get("group_replication_group_name")
    if name:
        return _because(name)
    # A template leaves the name blank, a shell script gives it: the other options say as much. A running server with
    # the plugin shows all of them, so there only a value counts.
    written = (one.settings[option] for option in _OF_A_GROUP if option in one.settings)
    return next((_because(found) for found in written if found.value or found.name not in one.member.variables), "")


_OF_A_GROUP = ("group_replication_local_address", "group_replication_group_seeds", "group_replication_group_name")


def _group_role(one: Known, others: Sequence[Known]) -> RoleFound | None:
    uuid, primary = one.get("server_uuid"), one.counter("group_replication_primary_member")
    rows = one.rows("replication_group_members")
    online = False
    for row in rows[0] if rows else ():
        if _is_row_of(one, row, uuid) and rows:
            word = str(column(row, "member_role") or "").upper()
            online = column(row, "member_state") == "ONLINE"
            if word in ("PRIMARY", "SECONDARY"):
                return RoleFound(Role(word.lower()), f"replication_group_members ({rows[1]})")
    if primary and primary.value and uuid:
        role = Role.PRIMARY if primary.value == uuid.value else Role.SECONDARY
        return RoleFound(role, _because(primary))
    read_only = one.member.variables.get("super_read_only")
    if read_only and str(read_only.value).upper() in ("ON", "1"):
        return RoleFound(Role.SECONDARY, _because(read_only))
    return RoleFound(Role.PRIMARY, _because(read_only)) if read_only and online else None


def _is_row_of(one: Known, row: Mapping[str, object], uuid: Fact | None) -> bool:
    """Whether the row of replication_group_members is the member's own."""
    named = {str(name).lower(): value for name, value in row.items()}
    if uuid:
        return named.get("member_id") == uuid.value
    port, host = one.get("report_port", "port"), one.get("report_host", "hostname")
    return bool(
        port and host and str(named.get("member_port")) == str(port.value) and named.get("member_host") == host.value
    )


def _galera(one: Known) -> str:
    ready = one.counter("wsrep_ready")
    if ready and ready.value == "ON" and not one.off("wsrep_on"):
        return _because(ready)
    provider, address = one.get("wsrep_provider"), one.get("wsrep_cluster_address")
    if one.off("wsrep_on") or address is None or not str(address.value).lower().startswith("gcomm"):
        return ""
    loaded = provider if provider and str(provider.value).lower() != "none" else None
    reason = loaded or (one.on("wsrep_on") if provider is None else None)
    return _because(reason) if reason else ""


def _galera_without_address(one: Known) -> bool:
    """Whether the file loads Galera but leaves the address to the command line: a node, or a server that is alone."""
    provider = one.settings.get("wsrep_provider")
    loaded = provider is not None and str(provider.value).lower() not in ("none", "")
    return loaded and one.on("wsrep_on") is not None and one.get("wsrep_cluster_address") is None


def _galera_role(one: Known, others: Sequence[Known]) -> RoleFound | None:
    reason = _galera(one)
    return RoleFound(Role.NODE, reason) if reason else None


_SOURCE_SIDE = ("rpl_semi_sync_source_enabled", "rpl_semi_sync_master_enabled")
_REPLICA_SIDE = ("rpl_semi_sync_replica_enabled", "rpl_semi_sync_slave_enabled")


def _semisync(one: Known) -> str:
    reason = one.on(*_SOURCE_SIDE, *_REPLICA_SIDE)
    return _because(reason) if reason else ""


def _semisync_role(one: Known, others: Sequence[Known]) -> RoleFound | None:
    source, replica = one.on(*_SOURCE_SIDE), one.on(*_REPLICA_SIDE)
    proven = _async_role(one, others)
    if proven or bool(source) == bool(replica):
        return proven
    if source:
        return RoleFound(Role.SOURCE, _because(source))
    return RoleFound(Role.REPLICA, _because(replica)) if replica else None


def _async_role(one: Known, others: Sequence[Known]) -> RoleFound | None:
    """A server between two others is a replica: it has to keep up."""
    status = one.rows("replica_status")
    if status and status[0]:
        return RoleFound(Role.REPLICA, f"SHOW REPLICA STATUS ({status[1]})")
    for reason in _replicas(one, others):
        return RoleFound(Role.SOURCE, reason)
    written = "" if one.member.variables or one.on(*_SOURCE_SIDE) else written_for_a_replica(one)
    return RoleFound(Role.REPLICA, written) if written else None


# Options that do nothing on a server that does not replicate from another one (manuals: "Replica Server Options").
_FILTERS = tuple(
    f"replicate_{words}"
    for words in ("do_db", "do_table", "wild_do_table", "rewrite_db", "ignore_db", "ignore_table", "wild_ignore_table")
)
_SKIPPED_ERRORS = ("replica_skip_errors", "slave_skip_errors")
# Options that a source may have as well, ready for the day on which it becomes a replica.
_RELAYING = ("relay_log", "relay_log_index")
_PASSING_ON = ("log_replica_updates", "log_slave_updates")


def written_for_a_replica(one: Known) -> str:
    """Why the option file alone shows a replica, "" where it does not."""
    skipped = one.get(*_SKIPPED_ERRORS)
    errors = skipped if skipped and str(skipped.value).lower() not in ("off", "0") else None
    if certain := one.get(*_FILTERS) or errors:
        return _because(certain)
    signs = [one.on("super_read_only", "read_only"), one.get(*_RELAYING), one.on(*_PASSING_ON)]
    found = [sign for sign in signs if sign]
    return ", ".join(map(_because, found)) if len(found) > 1 else ""


def perhaps_for_a_replica(one: Known) -> str:
    """The one sign of a replica in an option file that proves nothing alone; "" for none, or for more than one."""
    sign = one.on("super_read_only", "read_only") or one.get(*_RELAYING)
    return _because(sign) if sign and not written_for_a_replica(one) else ""


def _replicas(one: Known, others: Sequence[Known]) -> Iterator[str]:
    """Every sign that something replicates from this server."""
    if any(str(column(row, "command")).startswith("Binlog Dump") for row in one.member.processlist):
        yield "a binlog dump thread in the process list"
    for names in (
        ("Rpl_semi_sync_source_clients", "Rpl_semi_sync_master_clients"),
        ("Slaves_connected", "Replicas_connected"),
    ):
        clients = one.counter(*names)
        if clients and isinstance(clients.value, int) and clients.value > 0:
            yield _because(clients)
    hosts = one.rows("replica_hosts")
    if hosts and hosts[0]:
        yield f"registered replicas ({hosts[1]})"
    uuid, number = one.get("server_uuid"), one.get("server_id")
    for other in others:
        rows = other.rows("replica_status")
        for row in rows[0] if rows else ():
            same_uuid = uuid and column(row, "source_uuid", "master_uuid") == uuid.value
            given = column(row, "source_server_id", "master_server_id")
            if same_uuid or (number and given and str(given) == str(number.value)):
                yield f"{other.member.name} replicates from it"


def _standalone(one: Known) -> str:
    status, hosts = one.rows("replica_status"), one.rows("replica_hosts")
    if status is None or status[0] or _group(one) or _galera(one):
        return ""
    connected = one.counter("Slaves_connected", "Replicas_connected")
    binary_log = one.member.variables.get("log_bin")
    if binary_log and str(binary_log.value).upper() in ("OFF", "0"):
        return f"no replication is set up ({status[1]}), and {_because(binary_log)}"
    if (hosts and not hosts[0]) or (connected and connected.value == 0) or _sees_all_threads(one):
        return f"no replication is set up, and no replica is connected ({status[1]})"
    return ""


def _sees_all_threads(one: Known) -> bool:
    """Whether the process list shows everybody (PROCESS privilege), and no dump thread is in it."""
    users = {column(row, "user") for row in one.member.processlist}
    return len(users - {None, ""}) > 1 and not next(_replicas(one, ()), "")


def _standalone_role(one: Known, others: Sequence[Known]) -> RoleFound | None:
    return RoleFound(Role.STANDALONE, "bundle.json") if not others else None


_ROLES: Mapping[Topology, Callable[[Known, Sequence[Known]], RoleFound | None]] = {
    Topology.GROUP_REPLICATION: _group_role,
    Topology.GALERA: _galera_role,
    Topology.SEMISYNC: _semisync_role,
    Topology.ASYNC_MYSQL: _async_role,
    Topology.ASYNC_MARIADB: _async_role,
    Topology.STANDALONE: _standalone_role,
}

_OF_MARIADB = (
    "slave_parallel_threads", "slave_parallel_mode", "gtid_strict_mode", "gtid_domain_id",
    "slave_domain_parallel_threads",
)  # fmt: skip
_OF_MYSQL = (
    "gtid_mode", "enforce_gtid_consistency", "super_read_only", "replica_parallel_workers", "slave_parallel_workers",
    "master_info_repository", "relay_log_info_repository", "mysqlx_port", "server_uuid",
)  # fmt: skip


def _family(one: Known) -> Family | None:
    """MySQL or MariaDB by name, else by names only one of them has; None when neither or both show."""
    server = one.member.server.lower()
    if server:
        return Family.MARIADB if "mariadb" in server else Family.MYSQL
    status = one.rows("replica_status")
    columns = {name.lower() for row in (status[0] if status else ()) for name in row}
    mariadb = "using_gtid" in columns or any(n in one.settings for n in _OF_MARIADB)
    mariadb = mariadb or any(name.startswith("mariadb") for name in group_names(one.member))
    mysql = bool(columns & {"auto_position", "source_host"}) or any(n in one.settings for n in _OF_MYSQL)
    if mariadb == mysql:
        return None
    return Family.MARIADB if mariadb else Family.MYSQL
