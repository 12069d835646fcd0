"""What part does this server play, as far as its settings and evidence tell?"""

from __future__ import annotations

from advisor.evidence.facts import fact
from advisor.evidence.view import View
from advisor.model.server import Family, Role, Topology

_APPLYING = (Role.REPLICA, Role.SECONDARY, Role.NODE)
_OF_A_MEMBER = frozenset(f"group_replication_{word}" for word in ("group_name", "local_address", "group_seeds"))


@fact()
def is_group_member(e: View) -> bool:
    """Whether the server is a member of a Group Replication group, or its option file is written for one.

    It says so, a group name is set, or the file gives a group name, an address or seeds, be it without a value as in
    templates, or with `loose-` for a server that does not know the plugin yet.
    """
    if e.release.family is Family.MARIADB:
        return False
    if e.topology is not None:
        return e.topology is Topology.GROUP_REPLICATION
    if e.get("group_replication_group_name", ""):
        return True
    written = (setting.argument.name for setting in e.settings.all) if e.settings else ()
    return any(name.replace("-", "_").removeprefix("loose_") in _OF_A_MEMBER for name in written)


@fact()
def is_galera_node(e: View) -> bool:
    """Whether the server is a Galera node: it says so, or wsrep is switched on with a provider or an address."""
    if e.topology is not None:
        return e.topology is Topology.GALERA
    return bool(e.get("wsrep_on", False)) and (
        str(e.get("wsrep_provider", "none")) not in ("", "none") or bool(e.get("wsrep_cluster_address", ""))
    )


@fact()
def applies_transactions(e: View) -> bool:
    """Whether the server applies what others committed: a replica, any group member, any Galera node.

    A primary counts: it applies as soon as another member is elected. Unknown from an option file
    that says nothing about replication.
    """
    if e["fact.is_group_member"] or e["fact.is_galera_node"] or e.member.role in _APPLYING or e.rows("replica_status"):
        return True
    return e["role"] not in (Role.STANDALONE, Role.SOURCE)
