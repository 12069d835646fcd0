"""What does the user state about servers on the command line, and how does it get into the evidence?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isfinite
from typing import Final

from advisor.errors import UsageError
from advisor.model.evidence import Cluster, Fact
from advisor.model.record import replace
from advisor.model.server import Release, Role, Topology

_SIZES: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SHORT: Final = {"memory": "memory_bytes", "cpu": "cpus"}


def parse_host(texts: Sequence[str]) -> dict[str, Fact]:
    """`cpus=16,memory=64G` as facts of the host. UsageError for what is not NAME=VALUE, or a name nobody asks for."""
    facts: dict[str, Fact] = {}
    for part in ",".join(texts).split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not part.strip():
            continue
        if not equals or not name or not value:
            raise UsageError(f"--host {part!r} is not NAME=VALUE", hint="--host cpus=16,memory=64G")
        name = _SHORT.get(name, name)
        _refuse_unknown(name)
        unit = "bytes" if name.endswith("_bytes") else ""
        facts[name] = Fact(name, _value(name, value), unit, f"--host {part.strip()}")
    return facts


def state(cluster: Cluster, role: Role | None, topology: Topology | None, host: Mapping[str, Fact]) -> Cluster:
    """The cluster with what the user stated; it wins over what files say."""
    members = [replace(member, host={**member.host, **host}) for member in cluster.members]
    if role is not None:
        members = [replace(member, role=role, role_source=f"--role {role}") for member in members]
    if topology is not None:
        cluster = replace(cluster, topology=topology, topology_source=f"--topology {topology}")
    return replace(cluster, members=tuple(members))


def with_contradictions(cluster: Cluster, asked: Sequence[Release]) -> Cluster:
    """The cluster with a remark for every member whose own evidence names another release than --server does."""
    if not asked:
        return cluster
    from advisor.check.worlds import possible_releases
    from advisor.report.releases import join_labels

    told = []
    for member in cluster.members:
        stated = possible_releases(member, asked).releases
        if not any(_may_be_same(one, other) for one in stated for other in asked):
            labels = join_labels(release.label for release in stated)
            told.append(f"{member.name}: judged as {labels}, which the evidence says it is, not as --server says")
    return replace(cluster, problems=(*cluster.problems, *told)) if told else cluster


def _may_be_same(one: Release, other: Release) -> bool:
    same = one.family is other.family and one.series == other.series
    return same and bool(one.stands_for or other.stands_for or one.version == other.version)


def _refuse_unknown(name: str) -> None:
    from advisor.check.lint import HOST

    if name not in HOST:
        raise UsageError(f"--host: nothing is called {name!r}", hint=f"there is memory, {', '.join(sorted(HOST))}")


def _value(name: str, text: str) -> int | float | str:
    """A number where it is one; sizes take K, M, G, T (also Ki, KiB, …), all of them powers of 1024."""
    from advisor.evidence.figures import flaw_of, is_figure

    value: int | float | str = text
    with suppress(ValueError, KeyError):
        digits = text.rstrip("KMGTkmgtiBb") if name.endswith("_bytes") else text
        suffix = text[len(digits) :].upper().removesuffix("B").removesuffix("I")
        value = float(digits) * _SIZES[suffix]
        value = int(value) if isfinite(value) and (value.is_integer() or name.endswith("_bytes")) else value
    if is_figure(name) and (flaw := flaw_of(name, value)):
        hint = "like 64G or 68719476736" if name.endswith("_bytes") else ""
        raise UsageError(f"--host {name}={text}: {flaw}", hint=hint)
    return value
