"""Can the other Galera nodes reach this one, and this one them, by the addresses of its option file?"""

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
    """The addresses by which nodes on other machines cannot meet: "wsrep_node_address = 127.0.0.1", "" for none.

    Several nodes on one machine have a port each, so a list of loopback addresses with ports is taken for a test.
    """
    addresses = _listed(e["wsrep_cluster_address"])
    found = [f"wsrep_cluster_address has {address}" for address in addresses if re.fullmatch(_PLACEHOLDER, address)]
    looped = [address for address in addresses if address.startswith(_OWN_MACHINE)]
    on_one_machine = len(looped) == len(addresses) and len({_port(address) for address in addresses}) > 1
    if not on_one_machine:
        found += [f"wsrep_cluster_address has {address}" for address in looped]
    own = str(e.get("wsrep_node_address", "") or "").strip().lower()
    elsewhere = len(looped) < len(addresses)
    if re.fullmatch(_PLACEHOLDER, own) or (elsewhere and own.startswith(_OWN_MACHINE)):
        found.append(f"wsrep_node_address = {own}")
    return ", ".join(found)


def _listed(address: Any) -> list[str]:
    """The nodes of wsrep_cluster_address with their ports."""
    listed = str(address or "").lower().partition("://")[2].partition("?")[0]
    return [part.strip() for part in listed.split(",") if part.strip()]


def _port(address: str) -> str:
    """The port of "127.0.0.1:4567", "" where none is given."""
    return re.sub(r"^(\[.*\]|[^:]*)", "", address) if address.startswith("[") or address.count(":") == 1 else ""
