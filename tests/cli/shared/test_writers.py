"""Which members --writers names: their names, all of them, or the first that accepts writes."""

from __future__ import annotations

import pytest

from advisor.cli.shared.writers import named_writers, parse_writers
from advisor.errors import UsageError
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology

MEMBERS = (ClusterMember("m1", Role.PRIMARY, "127.0.0.1", 1), ClusterMember("m2", Role.SECONDARY, "127.0.0.1", 2))
CLUSTER = ClusterFile("c.yaml", "shop", Topology.GROUP_REPLICATION, "", "u", "", MEMBERS)
REPLICAS = ClusterFile("c.yaml", "shop", Topology.GROUP_REPLICATION, "", "u", "", MEMBERS[1:])


@pytest.mark.parametrize(
    ("text", "writers"),
    [("", ("m1",)), ("all", ("m1", "m2")), ("m2", ("m2",)), (" m2, m1,", ("m2", "m1"))],
)
def test_the_members_that_get_the_load(text: str, writers: tuple[str, ...]) -> None:
    assert parse_writers(text, CLUSTER) == writers


def test_nothing_named_is_nothing_where_a_shared_study_decides() -> None:
    assert named_writers("", CLUSTER) == ()


def test_a_name_that_is_not_a_members_is_refused_with_the_members() -> None:
    with pytest.raises(UsageError, match="--writers: 'm9' is not a member") as refusal:
        parse_writers("m1,m9", CLUSTER)
    assert refusal.value.hint == "the members of shop: m1, m2"


def test_a_cluster_in_which_nobody_takes_writes_is_refused() -> None:
    with pytest.raises(UsageError, match="no member of this cluster accepts writes"):
        parse_writers("", REPLICAS)
