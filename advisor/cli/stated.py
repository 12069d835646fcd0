"""What does the user state about servers on the command line, and how does it get into the evidence?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.errors import UsageError
from advisor.model.evidence import Cluster, Fact
from advisor.model.record import replace
from advisor.model.server import Release, Role, Topology

_SIZES: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SHORT: Final = {"memory": "memory_bytes", "cpu": "cpus"}


def parse_host(texts: Sequence[str]) -> dict[str, Fact]:
    """`cpus=16,memory=64G` as facts of the host. UsageError when one is not NAME=VALUE."""
    facts: dict[str, Fact] = {}
    for part in ",".join(texts).split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not part.strip():
            continue
        if not equals or not name or not value:
            raise UsageError(f"--host {part!r} is not NAME=VALUE", hint="--host cpus=16,memory=64G")
        name = _SHORT.get(name, name)
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


def _value(name: str, text: str) -> int | float | str:
    """A number where it is one; sizes take K, M, G, T (also Ki, KiB, …), all of them powers of 1024."""
    if name.endswith("_bytes"):
        digits = text.rstrip("KMGTkmgtiBb")
        suffix = text[len(digits) :].upper().removesuffix("B").removesuffix("I")
        try:
            return int(float(digits) * _SIZES[suffix])
        except (ValueError, KeyError):
            raise UsageError(f"--host {name}={text}: not a size", hint="like 64G or 68719476736") from None
    try:
        number = float(text)
    except ValueError:
        if name == "cpus":
            raise UsageError(f"--host cpus={text}: not a number") from None
        return text
    return int(number) if number.is_integer() else number
