"""Which options stand as keys of a YAML mapping? Variables of Ansible roles, Hiera, values of charts.

Two forms are read. A mapping under the name of a group that servers read is one of options:
`mariadb_custom_cnf: {mysqld: {…}}` (Ansible, bertvv.mariadb), `galera_my_cnf_overrides: {mysqld: {…}}`
(openstack-ansible), `mysql::server::override_options: {mysqld: {…}}` (https://forge.puppet.com/modules/puppetlabs/mysql).
Names such as `mysql_innodb_buffer_pool_size` are variables of a role (https://github.com/geerlingguy/ansible-role-mysql,
README), whose template decides what comes of them; so they count as values, and not for whether the server starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.catalog.presence import takers
from advisor.data import Located
from advisor.evidence.formats.beyond_files.command_line import argument, reading_of
from advisor.evidence.formats.deployment.kubernetes import walk
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.model.options import Reading

KIND: Final = "a YAML mapping"
_GROUP: Final = re.compile(r"(?:mysqld|mariadbd?|server|galera)(?:-\d+(?:\.\d+)?)?\Z")
_PREFIX: Final = re.compile(r"(mysql|mariadb|galera|percona)_(?=[a-z])")
_OF_ROLES: Final = {"slow_query_time": "long_query_time"}  # what geerlingguy.mysql calls otherwise
_LEAST_KNOWN: Final = 2
_FILLED_IN: Final = "{{"


def servers(document: Located, file: str, used: set[int]) -> Iterator[tuple[str, MemberBuilder]]:
    """Every mapping of options, by the key above it, and the variables of roles together."""
    for keys, part in walk(document):
        if id(part) in used:
            continue
        if keys and _GROUP.match(keys[-1]) and _are_options(part):
            builder = MemberBuilder(options=redact_reading(options_of_mapping(part, file, KIND)))
            yield ".".join(keys[-2:]), builder
        elif (values := list(_variables_of_role(part))) and len(values) >= _LEAST_KNOWN:
            yield ".".join(keys[-1:]) or "variables", _of_role(values, file)


def options_of_mapping(mapping: Located, file: str, kind: str, without: Sequence[str] = ()) -> Reading:
    """Each key as an option with its value: a list gives the option several times, nothing one without a value."""
    arguments = []
    for name, value in mapping.items():
        if name in without or isinstance(value.value, dict):
            continue
        for entry in value.entries() or [value]:
            text = None if entry.text == "" else entry.text
            arguments.append(argument(name, text, entry.line, file))
    return reading_of(arguments, (), file, kind)


def _are_options(part: Located) -> bool:
    """Whether most keys are options of a server."""
    names = [name.lower().replace("-", "_") for name, value in part.items() if not isinstance(value.value, dict)]
    known = sum(bool(takers(name)) for name in names)
    return known > 0 and known * 2 >= len(names)


def _variables_of_role(part: Located) -> Iterator[tuple[str, str, Located]]:
    for key, value in part.items():
        prefix = _PREFIX.match(key)
        name = key[prefix.end() :] if prefix else ""
        name = _OF_ROLES.get(name, name)
        if prefix and isinstance(value.value, str) and value.text and takers(name):
            yield prefix[1], name, value


def _of_role(values: Sequence[tuple[str, str, Located]], file: str) -> MemberBuilder:
    prefixes = {prefix for prefix, _, _ in values}
    builder = MemberBuilder(server="mariadb unknown" if prefixes & {"mariadb", "galera"} else "")
    for _, name, value in values:
        if _FILLED_IN in value.text:
            builder.problems.append(f"{file}:{value.line}: {name} is computed by a template, so its value is unknown")
        else:
            builder.add_variable(name, value.text, f"{file}:{value.line}")
    builder.problems.append(
        f"{file}: {len(values)} variables of an Ansible role; its template decides which of them the server gets"
    )
    return builder
