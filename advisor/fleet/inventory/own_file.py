"""Which servers does our own inventory name?

```yaml
clusters:
  orders:
    - orders/db1.cnf                    # as seen from this file; also folders, dumps, bundles, patterns
    - db2: orders/db2/                  # with a name
    - mysql://watch@db3.example.com     # a running server; the password comes from --password-file or the environment
    - mysql://db4.example.com?login-path=orders    # user and password come from mysql_config_editor
```
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

from advisor.data import Located
from advisor.errors import InputError
from advisor.fleet.inventory.entries import SCHEMES, Entry, Inventory, without_repeats

_HINT = "clusters: {NAME: [PATH, mysql://USER@HOST, …]}"


def read_own_file(document: Located, file: str) -> Inventory:
    """Every entry of `clusters:`. InputError for another shape."""
    clusters = document.get("clusters")
    if clusters is None or not isinstance(clusters.value, dict):
        raise InputError(
            "`clusters` must list clusters, each with its members", file=file, line=document.line, hint=_HINT
        )
    for key, part in document.items():
        if key != "clusters":
            raise InputError(f"an inventory has no key {key!r}", file=file, line=part.line, hint=_HINT)
    problems: list[str] = []
    entries = [entry for name, part in clusters.items() for entry in _cluster(name, part, file, problems)]
    return without_repeats(file, entries, problems)


def _cluster(cluster: str, part: Located, file: str, problems: list[str]) -> Iterator[Entry]:
    if isinstance(part.value, dict):
        members = [(name, value) for name, value in part.items()]
    else:
        members = [pair for entry in part.entries() or [part] for pair in (entry.items() or [("", entry)])]
    for name, value in members:
        if not value.text:
            raise InputError(
                f"{cluster}: a member must be a path or an address", file=file, line=value.line, hint=_HINT
            )
        yield from _member(cluster, name, value, file, problems)


def _member(cluster: str, name: str, value: Located, file: str, problems: list[str]) -> Iterator[Entry]:
    if value.text.startswith(SCHEMES):
        yield Entry(cluster, name or _host_of(value.text), dsn=value.text, line=value.line)
        return
    path = os.path.join(os.path.dirname(file), value.text)
    paths = sorted(glob.glob(path)) if glob.has_magic(value.text) else [path]
    if not paths:
        problems.append(f"{file}:{value.line}: nothing matches {value.text}")
    for found in paths:
        yield Entry(cluster, name or _name_of(found, paths), path=found, line=value.line)


def _host_of(address: str) -> str:
    """The host and port of an address."""
    return address.partition("//")[2].rpartition("@")[2].partition("?")[0].partition("/")[0]


def _name_of(path: str, paths: list[str]) -> str:
    """The name of the file, with its folder where others have the same."""
    name = os.path.basename(path.rstrip("/"))
    same = sum(os.path.basename(other.rstrip("/")) == name for other in paths) > 1
    plain = os.path.join(os.path.basename(os.path.dirname(path)), name) if same else name
    return plain.removesuffix(".cnf")
