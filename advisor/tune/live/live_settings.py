"""How are settings of running members set, compared, and brought back to their former values within moments?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from advisor.errors import ServerError
from advisor.nodes import Node
from advisor.topologies import current
from advisor.topologies.settings.apply import set_global
from advisor.tune.space.member_values import ValuesByMember
from advisor.tune.trial.read_settings import same_value

_ATTEMPTS = 2  # a value may be refused while another that bounds it has not come back yet


def set_values(nodes: Sequence[Node], values: ValuesByMember) -> None:
    """Give members values by the servers' own names; ServerError when one refuses."""
    for node in nodes:
        for name, value in values.get(node.name, {}).items():
            set_global(node, name, value)


def bring_back(nodes: Sequence[Node], former: ValuesByMember) -> list[str]:
    """Give every member its former values, as far as it answers; what still differs, in words.

    Nothing is waited for: a member that does not answer must not keep the others from their values.
    """
    left = []
    for node in nodes:
        own = former.get(node.name, {})
        try:
            for _ in range(_ATTEMPTS):
                for name, value in differing(node, own).items():
                    _try(node, name, value)
            left += [f"{node.name}: {name} was not restored to {value}" for name, value in differing(node, own).items()]
        except ServerError as error:
            left.append(f"{node.name}: {error.message}")
    return left


def differing(node: Node, wanted: Mapping[str, str]) -> dict[str, str]:
    """Those of the wanted values that a member does not have."""
    return {name: value for name, value in wanted.items() if not same_value(value, current(node, name))}


def without(values: ValuesByMember, left: Collection[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """The values but for some, named by member and name."""
    return {
        member: {name: value for name, value in own.items() if (member, name) not in left}
        for member, own in values.items()
    }


def merged(values: Sequence[ValuesByMember]) -> dict[str, dict[str, str]]:
    """All of them together."""
    together: dict[str, dict[str, str]] = {}
    for each in values:
        for member, own in each.items():
            together.setdefault(member, {}).update(own)
    return together


def _try(node: Node, name: str, value: str) -> None:
    try:
        set_global(node, name, value)
    except ServerError as error:
        if not error.number or error.number >= 2000:  # the connection, not the value
            raise
