"""Which members does --writers name? The names, "all" of them, or the first member that takes writes."""

from __future__ import annotations

from advisor.bench.open_cluster import default_writers
from advisor.errors import UsageError
from advisor.model.lab import ClusterFile


def named_writers(text: str, cluster: ClusterFile) -> tuple[str, ...]:
    """The members that --writers names, () where nothing is named; UsageError for a name that is not a member's."""
    members = tuple(member.name for member in cluster.members)
    if text.strip() == "all":
        return members
    names = tuple(name for name in map(str.strip, text.split(",")) if name)
    if unknown := [name for name in names if name not in members]:
        hint = f"the members of {cluster.name}: {', '.join(members)}"
        raise UsageError(f"--writers: {unknown[0]!r} is not a member", hint=hint)
    return names


def parse_writers(text: str, cluster: ClusterFile) -> tuple[str, ...]:
    """The members that get the load, one at least; UsageError when the cluster has none that takes writes."""
    writers = named_writers(text, cluster) or default_writers(cluster)
    if not writers:
        raise UsageError("no member of this cluster accepts writes", hint="name the writers with --writers")
    return writers
