"""The mechanisms of the diagnosis gym can be played, and a file that is wrong is refused with its key."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.topologies import find_topology
from benchmarks.diagnosis.gym.actions import Pause, RunSql, SetGlobals, SideSessions
from benchmarks.diagnosis.gym.labs import load_labs
from benchmarks.diagnosis.gym.mechanisms import SIDES, load_plays, read_mechanism
from benchmarks.diagnosis.gym.play import digest_of

GOOD = """\
what: clients wait
labs: [async-mysql]
load:
  threads: 2
  prepare: [CREATE TABLE t (id INT PRIMARY KEY)]
  transactions:
    - {name: one, weight: 1, statements: ["UPDATE t SET id = id WHERE id = {int:1:9}"]}
make:
  - settings: {m1: {sync_binlog: $every}}
  - sessions: {on: m2, count: 3, run: [BEGIN, DO SLEEP($every), COMMIT]}
  - pause: {on: m2, stopped_ms: 400, running_ms: 600}
strengths: [{every: 1}, {every: 8}]
causes: [fsync_per_commit]
accepted: [tiny_transactions]
effect: committed
take_away: [0]
"""


def written(folder: Path, text: str, name: str = "waits") -> Path:
    """A file with a mechanism."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_is_one_mechanism_for_each_of_its_strengths(tmp_path: Path) -> None:
    first, second = read_mechanism(written(tmp_path, GOOD))
    assert (first.name, second.name) == ("waits-1", "waits-2")
    assert first.make[0] == SetGlobals({"m1": {"sync_binlog": "1"}}, appliers_stopped=False)
    assert second.make[1] == SideSessions("m2", 3, ("BEGIN", "DO SLEEP(8)", "COMMIT"), once=False)
    assert second.make[2] == Pause("m2", 400, 600)
    assert first.taken_away == (0,)
    assert first.asked == (("fsync_per_commit",),)
    assert digest_of(first) != digest_of(second)


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("what: clients wait\n", "", "the key 'what' is missing"),
        ("threads: 2", "threads: two", "load.threads: 'two' is not a whole number"),
        ("labs: [async-mysql]", "labs: [nowhere]", "labs.0: there is no lab 'nowhere'"),
        ("causes: [fsync", "causes: [fsnc", "causes.0: there is no cause 'fsnc_per_commit'"),
        ("effect: committed", "effect: more", "effect: 'more' is not one of"),
        ("take_away: [0]", "take_away: [3]", "take_away: positions in `make`"),
        ("{on: m2, count", "{on: m3, count", "make.1: async-mysql has no member 'm3'"),
        ("stopped_ms: 400, ", "", "make.2.pause: the key 'stopped_ms' is missing"),
        ("- pause:", "- break:", "make.2.break: this key means nothing here"),
        ("{int:1:9}", "{int:9:1}", "load.transactions: {int:9:1}: LOW must not exceed HIGH"),
        ("make:", "made:", "made: this key means nothing here"),
        ("- pause: {on: m2, stopped_ms: 400, running_ms: 600}", "- traffic: {on: m2, netem: delay 1ms}", "no network"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(tmp_path: Path, right: str, wrong: str, told: str) -> None:
    assert right in GOOD
    with pytest.raises(InputError) as caught:
        list(read_mechanism(written(tmp_path, GOOD.replace(right, wrong))))
    assert told in caught.value.message
    assert caught.value.file.endswith("waits.yaml")


def test_the_mistake_in_one_file_leaves_the_others(tmp_path: Path) -> None:
    written(tmp_path / "open", GOOD)
    written(tmp_path / "open", GOOD.replace("what", "why"), "broken")
    plays, wrong = load_plays("open", tmp_path)
    assert [play.name for play in plays] == ["waits-1@async-mysql", "waits-2@async-mysql"]
    assert [Path(error.file).name for error in wrong] == ["broken.yaml"]


def test_two_mechanisms_at_once_are_asked_for_both(tmp_path: Path) -> None:
    written(tmp_path / "open", GOOD)
    alone = (
        "what: x\nlabs: [async-mysql]\nload: {threads: 1, workload: update_index}\nmake:\n"
        "- sql: {on: m1, run: [A], undo: [B]}\ncauses: [purge_lag]\nalso: waits-2\n"
    )
    written(tmp_path / "open", alone, "alone")
    one = next(play.mechanism for play in load_plays("open", tmp_path)[0] if play.mechanism.name == "alone")
    assert one.asked == (("purge_lag",), ("fsync_per_commit",))
    assert one.make[0] == RunSql("m1", ("A",), ("B",))
    assert len(one.make) == 4
    assert one.taken_away == (0, 1)
    assert one.prepare_also == ("CREATE TABLE t (id INT PRIMARY KEY)",)


def test_both_labels_of_one_file_can_be_asked_for(tmp_path: Path) -> None:
    text = GOOD.replace("causes: [fsync_per_commit]", "causes: [fsync_per_commit, serial_client]\nboth: yes")
    first = next(read_mechanism(written(tmp_path, text)))
    assert first.asked == (("fsync_per_commit",), ("serial_client",))


@pytest.mark.parametrize("side", SIDES)
def test_every_file_of_the_gym_can_be_played(side: str) -> None:
    plays, wrong = load_plays(side)
    assert wrong == []
    names = [play.name for play in plays]
    assert len(set(names)) == len(names)
    if side == "open":
        assert sum(not play.mechanism.healthy for play in plays) >= 35
        assert sum(play.mechanism.healthy for play in plays) >= 10


def test_every_lab_can_be_started() -> None:
    for lab in load_labs().values():
        module = find_topology(lab.topology)[1]
        assert lab.members in module.MEMBERS
        assert set(lab.options) <= module.OPTIONS
        assert lab.durability in ("durable", "relaxed")
