"""Which part of a collection stands for the load: its edges without work are left out, on every member."""

from __future__ import annotations

from advisor.model.evidence import Cluster, Member, Sample, TableSnapshot
from advisor.model.server import Role
from advisor.why.interval import under_load


def member(name: str, role: Role, running: list[int]) -> Member:
    samples = tuple(
        Sample(float(at * 10), {"Threads_running": n, "Binlog_cache_use": at * 100}) for at, n in enumerate(running)
    )
    tables = tuple(TableSnapshot("t", ({"at": at},), float(at * 10)) for at in range(len(running)))
    return Member(name, role=role, samples=samples, tables=tables)


def moments(cluster: Cluster, number: int) -> list[float]:
    return [sample.at_seconds for sample in cluster.members[number].samples]


def test_samples_before_and_after_the_load_are_left_out_everywhere() -> None:
    writer, other = member("w", Role.PRIMARY, [2, 17, 17, 17, 2]), member("r", Role.SECONDARY, [2, 3, 3, 3, 2])
    cut = under_load(Cluster("x", (other, writer)))
    assert moments(cut, 0) == moments(cut, 1) == [10, 20, 30]
    assert [table.at_seconds for table in cut.members[0].tables] == [10, 20, 30]


def test_two_samples_always_stay() -> None:
    assert moments(under_load(Cluster("x", (member("w", Role.PRIMARY, [17, 17, 2]),))), 0) == [0, 10]
    assert moments(under_load(Cluster("x", (member("w", Role.PRIMARY, [17, 2]),))), 0) == [0, 10]


def test_a_pause_in_the_middle_stays() -> None:
    assert moments(under_load(Cluster("x", (member("w", Role.PRIMARY, [17, 2, 17]),))), 0) == [0, 10, 20]
