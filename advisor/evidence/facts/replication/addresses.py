"""Can the other members of a cluster reach this one, and this one them, by the addresses of its option file?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts

_OWN_MACHINE: Final = ("127.", "::1", "[::1]", "localhost")
# What people write for an address that they will not show or do not know yet: x.x.x.x, 10.0.0.x, <node1>.
_ANY_NUMBER: Final = ({"x"}, {"y"}, {"z"})


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
    found = [f"{list_name} has {address}" for address in addresses if _is_placeholder(address)]
    looped = [address for address in addresses if address.startswith(_OWN_MACHINE)]
    on_one_machine = len(looped) == len(addresses) and len({_port(address) for address in addresses}) > 1
    if not on_one_machine:
        found += [f"{list_name} has {address}" for address in looped]
    own = str(own_address or "").strip().lower()
    elsewhere = len(looped) < len(addresses) or not addresses  # the first node of a cluster is given no address
    if _is_placeholder(own) or (elsewhere and own.startswith(_OWN_MACHINE)):
        found.append(f"{own_name} = {own}")
    return ", ".join(found)


def _is_placeholder(address: str) -> bool:
    if address.startswith("<") and address.endswith(">"):
        return True
    host, colon, port = address.partition(":")
    numbers = host.split(".")
    hidden = [number for number in numbers if number == "*" or set(number) in _ANY_NUMBER]
    shown = [number for number in numbers if number.isdecimal()]
    return len(numbers) == 4 == len(hidden) + len(shown) and bool(hidden) and (port.isdecimal() or not colon)


def _split(listed: str) -> list[str]:
    """The addresses of a list, with their ports."""
    return [part.strip() for part in listed.lower().split(",") if part.strip()]


def _port(address: str) -> str:
    """The port of "127.0.0.1:4567", "" where none is given."""
    if address.startswith("["):
        return address.rpartition("]")[2]
    _, colon, port = address.partition(":")
    return colon + port if ":" not in port else ""
