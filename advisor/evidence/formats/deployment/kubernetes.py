"""Which option files stand as texts inside YAML: in a ConfigMap, in the resource of an operator, in values of Helm?

Every text with a group that a server reads counts, whatever the key: `data.my.cnf` of a ConfigMap,
`spec.pxc.configuration` of Percona's operator, `spec.myCnf` of MariaDB's, `primary.configuration` of Bitnami's charts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from advisor.data import Located
from advisor.evidence.formats.option_text import read_option_text
from advisor.evidence.member.builder import MemberBuilder
from advisor.model.options import Reading
from advisor.model.record import replace
from advisor.options.suppressions import suppressions

# Filled in before the server sees it: by an init container, envsubst or a chart. The servers know no variables.
_FILLED_IN: Final = re.compile(r"\$\{\w[^}]*\}|\$\(\w+\)|\{\{.*?\}\}")
KIND: Final = "an option file inside YAML"
_OF_A_SERVER: Final = r"^[ \t]*\[(?:mysqld|mariadbd?|server|galera|mysql_cluster)(?:[-_\d][\w.]*)?\]"
_DEEPEST: Final = 30
_OPERATORS: Final = {
    "InnoDBCluster": "mysql unknown",
    "MariaDB": "mariadb unknown",
    "PerconaServerMySQL": "percona unknown",
    "PerconaXtraDBCluster": "pxc unknown",
}


def servers(document: Located, text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """Every option file for a server in the document, by the key that it stands under."""
    for keys, found in _texts(document, (), set()):
        if not re.search(_OF_A_SERVER, found.text, re.MULTILINE):
            continue
        name = _name_of(document)
        label = ".".join(filter(None, (name, keys[-1] if keys else "")))
        yield label or "server", MemberBuilder(options=_reading(found, text, file), server=_family_of(document))


def _texts(part: Located, keys: tuple[str, ...], seen: set[int]) -> Iterator[tuple[tuple[str, ...], Located]]:
    """Every text with the keys that lead to it; what has an alias once."""
    if id(part) in seen or len(keys) > _DEEPEST:
        return
    seen.add(id(part))
    if isinstance(part.value, str):
        yield keys, part
    for key, child in part.items():
        yield from _texts(child, (*keys, key), seen)
    for child in part.entries():
        yield from _texts(child, keys, seen)


def _name_of(document: Located) -> str:
    metadata = document.get("metadata")
    name = metadata.get("name") if metadata else None
    return name.text if name else ""


def _family_of(document: Located) -> str:
    """The family that an operator runs, as a bundle states it; "" for other resources."""
    kind = document.get("kind")
    return _OPERATORS.get(kind.text, "") if kind else ""


def _reading(found: Located, text: str, file: str) -> Reading:
    """The option file, with the lines of the YAML file. Only a block text has its lines one below the other there."""
    reading = read_option_text(found.text, file)

    def line(own: int) -> int:
        return found.line + own if found.literal and own else found.line

    arguments = (
        replace(
            argument,
            line=line(argument.line),
            value_unknown=argument.value is not None and _FILLED_IN.search(argument.value) is not None,
        )
        for argument in reading.arguments
    )
    return replace(
        reading,
        arguments=tuple(arguments),
        problems=tuple(replace(problem, line=line(problem.line)) for problem in reading.problems),
        suppressions=tuple(suppressions(text, file)),
        kept_in=KIND,
        cut=None,
    )
