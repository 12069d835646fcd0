"""Which clusters may work on one study: equal ones only, and the error lists what differs."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy

from advisor.errors import UsageError
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.model.tuning import SearchSpace
from advisor.tune.distributed.compatibility import (
    description_of,
    refuse_different_cluster,
    refuse_different_host,
    with_host_of_study,
)
from advisor.tune.distributed.heartbeat import Activity, Heartbeat
from advisor.tune.distributed.join import request_to_join, shared_request, with_study_name
from advisor.tune.distributed.status import participants_as_lines
from advisor.tune.request.request import Request
from advisor.tune.search.optuna_ledger import open_ledger
from advisor.tune.space.encoding import Encoder
from advisor.tune.space.host import host_from_options
from advisor.tune.state import study_folder
from advisor.tune.state.database import open_storage
from advisor.tune.state.journal import Originals
from advisor.tune.trial.run_trial import TuningTarget


@pytest.fixture
def space(space_of) -> SearchSpace:
    return space_of("async_mysql", "mysql-9.7.4")


@pytest.fixture
def target(space: SearchSpace) -> TuningTarget:
    members = tuple(
        ClusterMember(name=name, role=role, host="127.0.0.1", port=port)
        for name, role, port in (("m1", Role.SOURCE, 3310), ("m2", Role.REPLICA, 3311))
    )
    cluster = ClusterFile(
        path="", name="one", topology=Topology.ASYNC_MYSQL, server="", user="root", password_file="", members=members
    )
    relied = {name: {"sync_binlog": "1"} for name in ("m1", "m2")}
    return TuningTarget(cluster, space.release, space, Originals("one", {}, relied))


@pytest.fixture
def running(space: SearchSpace) -> dict[str, str]:
    return Encoder(space).settings([0.1 for _ in space.knobs])


def test_a_clone_is_accepted_whatever_it_is_called(target: TuningTarget, running: dict[str, str]):
    there = description_of(target, running)
    members = tuple(replace(member, name=f"b-{member.name}", port=member.port + 9) for member in target.cluster.members)
    other = replace(target, cluster=replace(target.cluster, name="two", members=members))
    refuse_different_cluster(other, running, there)
    refuse_different_host(other, there)


@pytest.mark.parametrize("what", ["running", "knob", "relied", "members"])
def test_a_cluster_that_differs_is_refused_with_what_differs(target: TuningTarget, running: dict[str, str], what: str):
    there = description_of(target, running)
    if what == "running":
        name = next(iter(running))
        running, said = {**running, name: "4242"}, f"{name}: 4242 here"
    elif what == "knob":
        first, *rest = target.space.knobs
        target = replace(target, space=replace(target.space, knobs=tuple(rest)))
        said = f"{first.name}: nothing here"
    elif what == "relied":
        relied = {**target.originals.relied, "m2": {"sync_binlog": "0"}}
        target = replace(target, originals=replace(target.originals, relied=relied))
        said = "sync_binlog: 0, 1 here, 1 in the study"
    else:
        target = replace(target, cluster=replace(target.cluster, members=target.cluster.members[:1]))
        said = "members: source here, replica, source in the study"
    with pytest.raises(UsageError, match="differs from the one on which the study began") as told:
        refuse_different_cluster(target, running, there)
    assert said in told.value.message


def test_a_machine_with_less_is_refused_and_with_hardly_less_is_not(target: TuningTarget, running: dict[str, str]):
    there = description_of(target, running)

    def machine(**changes: float) -> TuningTarget:
        return replace(target, space=replace(target.space, host={**target.space.host, **changes}))

    refuse_different_host(machine(memory_bytes=target.space.host["memory_bytes"] * 0.97), there)
    refuse_different_host(machine(disk_free_bytes=target.space.host["disk_free_bytes"] * 5), there)
    for less in ({"cpus": 4.0}, {"cpus": 16.0}, {"memory_bytes": 16.0 * 2**30}, {"disk_free_bytes": 100.0 * 2**30}):
        with pytest.raises(UsageError, match=next(iter(less))):
            refuse_different_host(machine(**less), there)


def test_bounds_are_worked_out_from_the_very_machine_of_the_study(target: TuningTarget, running: dict[str, str]):
    odd = {**target.space.host, "disk_free_bytes": 2.0**40 / 3, "memory_bytes": 2.0**34 / 7}
    there = description_of(replace(target, space=replace(target.space, host=odd)), running)
    asked = with_host_of_study(Request("", "read_write", 4, ("m1",)), there)
    assert host_from_options(asked.host, {}) == odd


def test_a_clone_keeps_its_name_and_two_clusters_of_one_name_are_two_clones(tmp_path: Path):
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
    first, second = (study_folder.clone_of(tmp_path / place, "lab") for place in ("a", "b"))
    assert first != second
    assert first.startswith("lab ")
    assert study_folder.clone_of(tmp_path / "a", "renamed") == first


@pytest.fixture
def kept(target: TuningTarget, running: dict[str, str], tmp_path: Path) -> str:
    """A storage with a study that was begun on a cluster."""
    address = f"sqlite:///{tmp_path / 'shared.db'}"
    storage = open_storage(address, environment={})
    ledger = open_ledger(storage, "march", target.space, running, 1000.0, "one 1")
    request = Request("there.yaml", "read_write", 4, ("m1",), seconds=12.0, trials=40, experience="mine.jsonl")
    ledger.study.set_user_attr("request", shared_request(request))
    ledger.study.set_user_attr("alike", description_of(target, running))
    Heartbeat(storage, ledger.study, "one 1", "one").say(Activity.SEARCHING)
    storage.close()
    return address


def test_who_joins_does_what_the_study_asks_for_on_its_own_cluster(kept: str, target: TuningTarget):
    cluster = replace(target.cluster, path="here.yaml", name="two")
    asked = request_to_join(kept, "march", "", cluster, (), ())
    assert (asked.workload, asked.threads, asked.seconds, asked.trials) == ("read_write", 4, 12.0, 40)
    assert (Path(asked.cluster).name, asked.writers, asked.study, asked.joins) == ("here.yaml", ("m1",), "march", True)
    assert (asked.experience, asked.preflight) == ("", False)
    assert host_from_options(asked.host, {}) == dict(target.space.host)


def test_who_joins_writes_to_as_many_members(kept: str, target: TuningTarget):
    members = tuple(replace(member, name=f"db-{member.name}") for member in target.cluster.members)
    cluster = replace(target.cluster, path="here.yaml", members=members)
    assert request_to_join(kept, "march", "", cluster, (), ()).writers == ("db-m1",)
    assert request_to_join(kept, "march", "", cluster, ("db-m2",), ()).writers == ("db-m2",)


def test_a_study_that_is_not_there_is_said_and_nothing_is_made(kept: str, target: TuningTarget, tmp_path: Path):
    with pytest.raises(UsageError, match="has no study 'april'"):
        request_to_join(kept, "april", "", target.cluster, (), ())
    with pytest.raises(UsageError, match="has no studies"):
        request_to_join(f"sqlite:///{tmp_path / 'empty.db'}", "march", "", target.cluster, (), ())
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    assert sqlalchemy.inspect(engine).get_table_names() == []
    engine.dispose()


def test_who_takes_part_is_shown(kept: str, tmp_path: Path):
    request = Request("", "read_write", 4, ("m1",), storage=kept, study="march")
    assert participants_as_lines(request)[1:] == ["  one: searching, 0 trials"]
    assert participants_as_lines(replace(request, study="april")) == [f"study april is no longer in {kept}"]


def test_a_study_with_a_storage_gets_a_name_that_tells_where_and_when(target: TuningTarget):
    alone = Request("", "read_write", 4, ("m1",))
    assert with_study_name(alone, target.cluster) == alone
    assert with_study_name(replace(alone, storage="sqlite:///x", study="mine"), target.cluster).study == "mine"
    assert with_study_name(replace(alone, storage="sqlite:///x"), target.cluster).study.startswith("one-2")
