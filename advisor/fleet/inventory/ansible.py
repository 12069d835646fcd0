"""Which servers does an inventory of Ansible name? In INI or YAML, groups become clusters.

https://docs.ansible.com/ansible/latest/inventory_guide/intro_inventory.html: `ansible_host` is where a host is
reached, `db[01:20]` is twenty hosts. `mysql_port` (or `mariadb_port`) is the port of the server, 3306 without. A host
of several groups counts in the smallest of them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping

from advisor.data import Located
from advisor.errors import InputError
from advisor.fleet.inventory.entries import Entry, Inventory, without_repeats
from advisor.model.record import record

_RANGE = re.compile(r"\[(\d+):(\d+)(?::(\d+))?\]")
_MOST_OF_A_RANGE = 100_000
_NO_GROUP = "ungrouped"
_PORTS = ("mysql_port", "mariadb_port")


@record
class _Host:
    name: str
    group: str
    variables: Mapping[str, str]
    line: int


def read_ini(text: str, file: str) -> Inventory:
    """The hosts of an INI inventory."""
    hosts: list[_Host] = []
    shared: dict[str, dict[str, str]] = {}
    group, kind = _NO_GROUP, ""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        heading = re.fullmatch(r"\[([^\]:]+)(?::(\w+))?\].*", line)
        if heading:
            group, kind = heading[1], heading[2] or ""
        elif line and line[0] not in "#;" and kind == "vars":
            name, _, value = line.partition("=")
            shared.setdefault(group, {})[name.strip()] = value.strip().strip("\"'")
        elif line and line[0] not in "#;" and kind == "":
            hosts.extend(_hosts_of_line(line, group, file, number))
    return _inventory(hosts, shared, file)


def read_yaml(document: Located, file: str) -> Inventory:
    """The hosts of a YAML inventory: groups with `hosts:`, `children:` and `vars:`."""
    hosts: list[_Host] = []
    shared: dict[str, dict[str, str]] = {}
    waiting = list(document.items())
    while waiting:
        name, group = waiting.pop(0)
        listed, below, variables = (group.get(key) for key in ("hosts", "children", "vars"))
        shared[name] = {key: value.text for key, value in variables.items()} if variables else {}
        for pattern, own in listed.items() if listed else ():
            values = {key: value.text for key, value in own.items()}
            hosts.extend(_Host(one, name, values, own.line) for one in _expanded(pattern, file, own.line))
        waiting += below.items() if below else []
    return _inventory(hosts, shared, file)


def _hosts_of_line(line: str, group: str, file: str, number: int) -> Iterator[_Host]:
    try:
        pattern, *pairs = shlex.split(line, comments=True)
    except ValueError:
        raise InputError("a quote is never closed", file=file, line=number) from None
    variables = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    for name in _expanded(pattern, file, number):
        yield _Host(name, group, variables, number)


def _expanded(pattern: str, file: str, line: int) -> list[str]:
    found = _RANGE.search(pattern)
    if not found:
        return [pattern]
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if step < 1 or last - first > _MOST_OF_A_RANGE:
        raise InputError(f"{found[0]}: a range of more than {_MOST_OF_A_RANGE} hosts", file=file, line=line)
    width = len(found[1])
    made = [
        f"{pattern[: found.start()]}{number:0{width}}{pattern[found.end() :]}"
        for number in range(first, last + 1, step)
    ]
    return [name for one in made for name in _expanded(one, file, line)]


def _inventory(hosts: list[_Host], shared: Mapping[str, Mapping[str, str]], file: str) -> Inventory:
    sizes: dict[str, int] = {}
    for host in hosts:
        sizes[host.group] = sizes.get(host.group, 0) + 1
    by_name: dict[str, list[_Host]] = {}
    for host in hosts:
        by_name.setdefault(host.name, []).append(host)
    entries = []
    for name, same in by_name.items():
        home = min(same, key=lambda host: (sizes[host.group], host.group))
        variables: dict[str, str] = {**shared.get("all", {})}
        for host in sorted(same, key=lambda host: -sizes[host.group]):
            variables |= {**shared.get(host.group, {}), **host.variables}
        address = variables.get("ansible_host") or name
        port = next((variables[key] for key in _PORTS if variables.get(key, "").isdecimal()), "")
        if ":" in address and not address.startswith("["):
            address = f"[{address}]"
        dsn = f"mysql://{address}:{port}" if port else f"mysql://{address}"
        entries.append(Entry(home.group, name, dsn=dsn, line=home.line))
    return without_repeats(file, entries)
