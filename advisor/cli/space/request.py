"""Which search space does a topology's name on the command line mean?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from advisor.catalog import parse_release
from advisor.errors import UsageError
from advisor.model.server import Family, Topology
from advisor.model.tuning import SearchSpace
from advisor.tune.space.host import host_from_options, this_host
from advisor.tune.space.resolve import load_space
from advisor.tune.space.space_file import space_files

_ASYNCHRONOUS: Final = {Family.MYSQL: Topology.ASYNC_MYSQL, Family.MARIADB: Topology.ASYNC_MARIADB}


def space_of(topology: str, server: str, host: Sequence[str], folders: Sequence[str]) -> SearchSpace:
    """The space of a topology on a server release and a machine; of a series without a point release, on its newest."""
    if not server:
        raise UsageError("--server is required, e.g. --server mysql-9.7.4")
    release = parse_release(server)[-1]
    name = space_name(topology, release.family, space_files(folders))
    return load_space(name, release, host_from_options(host, this_host()), folders)


def space_name(topology: str, family: Family, known: Collection[str]) -> str:
    """The file that a topology means: its id, its name with - or _, or the beginning of one name alone.

    UsageError for any other word, with the names to type.
    """
    plain = topology.strip().lower().replace("-", "_")
    if plain in known:
        return plain
    names = {_typed(name): name for name in known}
    names["asynchronous"] = str(_ASYNCHRONOUS[family])
    squeezed = plain.replace("_", "")
    matching = [typed for typed in names if squeezed and typed.replace("-", "").startswith(squeezed)]
    exact = [typed for typed in matching if typed.replace("-", "") == squeezed]
    if len(exact or matching) != 1:
        fault = f"could be {' or '.join(sorted(matching))}" if matching else "is not a topology with a search space"
        raise UsageError(f"{topology!r} {fault}", hint=f"choose one of {', '.join(sorted(names))}")
    return names[(exact or matching)[0]]


def _typed(name: str) -> str:
    """How users type the id of a space; --server tells the family of an asynchronous one."""
    return "asynchronous" if name in map(str, _ASYNCHRONOUS.values()) else name.replace("_", "-")
