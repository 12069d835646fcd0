"""Can the other members of a cluster reach this one, and this one them, by the addresses of its option file?"""

from __future__ import annotations

import re

from advisor.annotations import Any, Final
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts

_OWN_MACHINE: Final = ("127.", "::1", "[::1]", "localhost")
# What people write for an address that they will not show or do not know yet: x.x.x.x, 10.0.0.x, <node1>.
_PLACEHOLDER: Final = r"(?=.*[a-z*])(\d+|x+|y+|z+|\*)(\.(\d+|x+|y+|z+|\*)){3}(:\d+)?|<.*>"


@fact()
def galera_addresses_unreachable(e: MemberFacts) -> str:
    """The addresses by which nodes on other machines cannot meet: "wsrep_node_address = 127.0.0.1", "" for none."""
    listed = str(e["wsrep_cluster_address"] or "").partition("://")[2].partition("?")[0]
    own = e.get("wsrep_node_address", "")
    return _unreachable("wsrep_cluster_address", _split(listed), "wsrep_node_address", own)


@fact()
def group_addresses_unreachable(e: MemberFacts) -> str:
    """The same for a Group Replication group: its seeds and the member's own address."""
    own = e["group_replication_local_address"]
    seeds = _split(str(e["group_replication_group_seeds"] or ""))
    if seeds == [str(own).strip().lower()]:  # a group of one member, for tests
        return ""
    return _unreachable("group_replication_group_seeds", seeds, "group_replication_local_address", own)


def _unreachable(list_name: str, addresses: list[str], own_name: str, own_address: Any) -> str:
    """Placeholders, and loopback addresses beside others.

    Several members on one machine have a port each, so a list of loopback addresses with ports is taken for a test.
    """
    found = [f"{list_name} has {address}" for address in addresses if re.fullmatch(_PLACEHOLDER, address)]
    looped = [address for address in addresses if address.startswith(_OWN_MACHINE)]
    on_one_machine = len(looped) == len(addresses) and len({_port(address) for address in addresses}) > 1
    if not on_one_machine:
        found += [f"{list_name} has {address}" for address in looped]
    own = str(own_address or "").strip().lower()
    elsewhere = len(looped) < len(addresses)
    if re.fullmatch(_PLACEHOLDER, own) or (elsewhere and own.startswith(_OWN_MACHINE)):
        found.append(f"{own_name} = {own}")
    return ", ".join(found)


def _split(listed: str) -> list[str]:
    """The addresses of a list, with their ports."""
    return [part.strip() for part in listed.lower().split(",") if part.strip()]


def _port(address: str) -> str:
    """The port of "127.0.0.1:4567", "" where none is given."""
    return re.sub(r"^(\[.*\]|[^:]*)", "", address) if address.startswith("[") or address.count(":") == 1 else ""
