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


def read_between(name: str, begin: int, end: int) -> Member:
    samples = tuple(Sample(float(at) + 0.01, {"Threads_running": 9, "Questions": at}) for at in range(begin, end + 1))
    return Member(name, role=Role.PRIMARY if name == "w" else Role.SECONDARY, samples=samples)


def test_all_members_are_cut_to_the_time_every_one_was_read() -> None:
    lost, restarted = read_between("a", 0, 20), read_between("b", 8, 30)
    cut = under_load(Cluster("x", (read_between("w", 0, 30), lost, restarted)))
    kept = [(moments(cut, number)[0], moments(cut, number)[-1]) for number in range(3)]
    # Members are read one after the other, so a second more at either end is the same time.
    assert kept == [(7.01, 21.01), (7.01, 20.01), (8.01, 21.01)]


def test_times_that_have_hardly_anything_in_common_are_left_as_they_are() -> None:
    for first in (28, 3600):
        cluster = Cluster("x", (read_between("w", 0, 30), read_between("a", first, first + 30)))
        assert under_load(cluster) == cluster
