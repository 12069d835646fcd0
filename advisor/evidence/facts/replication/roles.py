"""Which role does this server have, as far as its settings and evidence show?"""

from __future__ import annotations

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.evidence.topology import written_for_a_replica
from advisor.evidence.topology_hints import known
from advisor.model.options import Argument
from advisor.model.server import Family, Role, Topology

_APPLYING = (Role.REPLICA, Role.SECONDARY, Role.NODE)
_OF_A_MEMBER = frozenset(f"group_replication_{word}" for word in ("group_name", "local_address", "group_seeds"))
_LOADING = frozenset({"plugin_load", "plugin_load_add", "early_plugin_load"})


@fact()
def is_group_member(e: MemberFacts) -> bool:
    """Whether the server is a member of a Group Replication group, or its option file is written for one.

    It says so, a group name is set, or the file gives a group name, an address or seeds, be it without a value as in
    templates, or with `loose-` for a server that does not know the plugin yet. Unknown where the file loads the plugin
    or sets another option of it: the group name may come from the command line or from SET PERSIST.
    """
    if e.release.family is Family.MARIADB:
        return False
    if e.topology is not None:
        return e.topology is Topology.GROUP_REPLICATION
    if e.get("group_replication_group_name", ""):
        return True
    arguments = [setting.argument for setting in e.settings.all] if e.settings else []
    names = {_plain(argument) for argument in arguments}
    if names & _OF_A_MEMBER:
        return True
    prepared = any(name.startswith("group_replication") for name in names) or any(map(_loads_the_plugin, arguments))
    if prepared and "group_replication_group_name" not in e.running:
        raise NeedsError(Missing(("group_replication_group_name",)))
    return False


@fact()
def group_wants_no_checksum(e: MemberFacts) -> bool:
    """Whether the server is a member of a group that starts only with binlog_checksum = NONE, as before 8.0.21.

    MySQL Shell makes members of servers whose files do not name a group: unknown without a topology or running values.
    """
    if e.release.family is Family.MARIADB or e.release.version >= (8, 0, 21):
        return False
    if e["fact.is_group_member"]:
        return True
    if e.topology is None and not e.running:
        raise NeedsError(Missing(("topology",)))
    return False


def _plain(argument: Argument) -> str:
    name = argument.name.lower().replace("-", "_").lstrip("_")
    return name.removeprefix("loose_").removeprefix("skip_")


def _loads_the_plugin(argument: Argument) -> bool:
    return _plain(argument) in _LOADING and "group_replication" in (argument.value or "").lower()


@fact()
def is_replica_by_its_file(e: MemberFacts) -> bool:
    """Whether nothing but the option file shows a replica, which may then be one of two servers that clients write to.

    Filters and errors to skip are options of a replica; two sources that replicate from each other have them as well.
    """
    return e.member.role is Role.REPLICA and e.member.role_source == written_for_a_replica(known(e.member)) != ""


@fact()
def is_galera_node(e: MemberFacts) -> bool:
    """Whether the server is a Galera node: it says so, or wsrep is switched on with a provider or an address."""
    if e.topology is not None:
        return e.topology is Topology.GALERA
    return bool(e.get("wsrep_on", False)) and (
        str(e.get("wsrep_provider", "none")) not in ("", "none") or bool(e.get("wsrep_cluster_address", ""))
    )


@fact()
def applies_transactions(e: MemberFacts) -> bool:
    """Whether the server applies what others committed: a replica, any group member, any Galera node.

    A primary counts: it applies as soon as another member is elected. Unknown from an option file
    that says nothing about replication.
    """
    if e["fact.is_group_member"] or e["fact.is_galera_node"] or e.member.role in _APPLYING or e.rows("replica_status"):
        return True
    return e["role"] not in (Role.STANDALONE, Role.SOURCE)
