"""Which clusters may work on one study: alike ones only, and what differs is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import UsageError
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.model.tuning import SearchSpace
from advisor.tune import nights
from advisor.tune.alike import described, on_same_machine, refuse_other_machine, refuse_unlike
from advisor.tune.encoding import Encoder
from advisor.tune.journal import Originals
from advisor.tune.machine import stated_machine
from advisor.tune.request import Request
from advisor.tune.trial import Ground


@pytest.fixture
def space(space_of) -> SearchSpace:
    return space_of("async_mysql", "mysql-9.7.4")


@pytest.fixture
def ground(space: SearchSpace) -> Ground:
    members = tuple(
        ClusterMember(name=name, role=role, host="127.0.0.1", port=port)
        for name, role, port in (("m1", Role.SOURCE, 3310), ("m2", Role.REPLICA, 3311))
    )
    cluster = ClusterFile(
        path="", name="one", topology=Topology.ASYNC_MYSQL, server="", user="root", password_file="", members=members
    )
    relied = {name: {"sync_binlog": "1"} for name in ("m1", "m2")}
    return Ground(cluster, space.release, space, Originals("one", {}, relied))


@pytest.fixture
def running(space: SearchSpace) -> dict[str, str]:
    return Encoder(space).settings([0.1 for _ in space.knobs])


def test_a_clone_is_accepted_whatever_it_is_called(ground: Ground, running: dict[str, str]):
    there = described(ground, running)
    members = tuple(replace(member, name=f"b-{member.name}", port=member.port + 9) for member in ground.cluster.members)
    other = replace(ground, cluster=replace(ground.cluster, name="two", members=members))
    refuse_unlike(other, running, there)
    refuse_other_machine(other, there)


@pytest.mark.parametrize("what", ["running", "knob", "relied", "members"])
def test_what_differs_is_said(ground: Ground, running: dict[str, str], what: str):
    there = described(ground, running)
    if what == "running":
        name = next(iter(running))
        running, said = {**running, name: "4242"}, f"{name} is 4242 here"
    elif what == "knob":
        first, *rest = ground.space.knobs
        ground = replace(ground, space=replace(ground.space, knobs=tuple(rest)))
        said = f"{first.name} may be nothing here"
    elif what == "relied":
        relied = {**ground.originals.relied, "m2": {"sync_binlog": "0"}}
        ground = replace(ground, originals=replace(ground.originals, relied=relied))
        said = "sync_binlog is 0, 1 here and 1 there"
    else:
        ground = replace(ground, cluster=replace(ground.cluster, members=ground.cluster.members[:1]))
        said = "members source and not replica, source"
    with pytest.raises(UsageError, match="is no clone") as told:
        refuse_unlike(ground, running, there)
    assert said in told.value.message


def test_a_machine_with_less_is_refused_and_with_hardly_less_is_not(ground: Ground, running: dict[str, str]):
    there = described(ground, running)

    def machine(**changes: float) -> Ground:
        return replace(ground, space=replace(ground.space, host={**ground.space.host, **changes}))

    refuse_other_machine(machine(memory_bytes=ground.space.host["memory_bytes"] * 0.97), there)
    refuse_other_machine(machine(disk_free_bytes=ground.space.host["disk_free_bytes"] * 5), there)
    for less in ({"cpus": 4.0}, {"cpus": 16.0}, {"memory_bytes": 16.0 * 2**30}, {"disk_free_bytes": 100.0 * 2**30}):
        with pytest.raises(UsageError, match=next(iter(less))):
            refuse_other_machine(machine(**less), there)


def test_bounds_are_worked_out_from_the_very_machine_of_the_study(ground: Ground, running: dict[str, str]):
    odd = {**ground.space.host, "disk_free_bytes": 2.0**40 / 3, "memory_bytes": 2.0**34 / 7}
    there = described(replace(ground, space=replace(ground.space, host=odd)), running)
    asked = on_same_machine(Request("", "read_write", 4, ("m1",)), there)
    assert stated_machine(asked.host, {}) == odd


def test_a_clone_keeps_its_name_and_two_clusters_of_one_name_are_two_clones(tmp_path: Path):
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
    first, second = (nights.clone_of(tmp_path / place, "lab") for place in ("a", "b"))
    assert first != second
    assert first.startswith("lab ")
    assert nights.clone_of(tmp_path / "a", "renamed") == first
