"""Which values do the members have now, and are they the wanted ones? Variables and provider options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from advisor.model.applying import Application, AppliedSetting
from advisor.nodes import Node
from advisor.topologies import took_effect

_PROVIDER: Final = "galera."
_ROUNDED_BY: Final = 0.15  # a server may round a value by so much; beyond that it is another value


def member_values(node: Node, names: Iterable[str]) -> dict[str, str]:
    """The global values of variables, and of Galera's provider options ("galera.gcs.fc_limit"), by name.

    Names the server does not have are left out.
    """
    variables = node.session.pairs("SHOW GLOBAL VARIABLES")
    variables.update(_provider_options(variables.get("wsrep_provider_options", "")))
    return {name: variables[name] for name in names if name in variables}


def _provider_options(text: str) -> dict[str, str]:
    parts = (part.partition("=") for part in text.split(";"))
    return {_PROVIDER + name.strip(): value.strip() for name, _, value in parts if name.strip()}


def values_by_member(nodes: Sequence[Node], names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The same of every member, by its name."""
    return {node.name: member_values(node, names) for node in nodes}


def same_value(first: str, second: str) -> bool:
    """Whether two texts are the same value to a server: 8M and 8388608, ON and 1."""
    return took_effect(AppliedSetting("", "", first, "", second, Application.DYNAMIC))


def is_rounded(wanted: str, current: str) -> bool:
    """Whether a server may have made the current number of the wanted one, in whole pages or chunks."""
    try:
        wanted_number, number = float(wanted), float(current)
    except ValueError:
        return False
    return abs(wanted_number - number) <= _ROUNDED_BY * abs(wanted_number)


def differences(current: dict[str, dict[str, str]], wanted: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """What must change: member → name → wanted value."""
    changes = {
        member: {name: value for name, value in values.items() if not same_value(value, current[member].get(name, ""))}
        for member, values in wanted.items()
    }
    return {member: values for member, values in changes.items() if values}
