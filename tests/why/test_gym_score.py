"""The score of the diagnosis gym counts what it says, and tells nothing but totals of the locked side."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.diagnosis.gym import __main__ as gym
from benchmarks.diagnosis.gym import kept
from benchmarks.diagnosis.gym.mechanisms import Mechanism, Play, load_plays
from benchmarks.diagnosis.gym.play import PlayRun, digest_of
from benchmarks.diagnosis.gym.score import Played, lines, totals


def mechanism(*groups: tuple[str, ...], effect: str = "committed", accepted: tuple[str, ...] = ()) -> Mechanism:
    """A mechanism with these labels; without any a healthy cluster."""
    return Mechanism("one", "what", ("standalone-mysql",), None, (), groups, accepted, effect if groups else "")


def document(*causes: tuple[str, float], predicted: float | None = None, unexplained: float | None = None) -> Any:
    """A report with these causes and confidences; the first predicts a rate."""
    told = [{"cause": cause, "confidence": sure, "predicted_per_second": None} for cause, sure in causes]
    if predicted:
        told[0]["predicted_per_second"] = {"low": predicted * 0.9, "mid": predicted, "high": predicted * 1.1}
    profile = [
        {"group": "writers", "threads": 8, "unexplained": unexplained},
        {"group": "appliers", "threads": 8, "unexplained": 1.0},
    ]
    return {"causes": told, **({"profile": profile} if unexplained is not None else {})}


def played(one: Mechanism, found: Any, factor: float = 2.0, offline: Any = None) -> Played:
    """A play in which taking it away multiplied the rate."""
    before = {"committed": 100.0, "applied": 0.0, "clients": 100.0}
    after = {name: rate * factor for name, rate in before.items()} if one.effect else None
    result = {"document": found, "offline": offline or found, "before": before, "after": after}
    return Played("one@standalone-mysql", one, result)


LOCKS = mechanism(("row_lock_contention",), accepted=("client_or_app_bound",))


def test_only_proven_labels_count_and_only_what_is_told_with_one_half() -> None:
    told = totals(
        [
            played(LOCKS, document(("row_lock_contention", 0.9), predicted=210.0)),
            played(LOCKS, document(("cpu_saturated", 0.7), ("row_lock_contention", 0.6), predicted=150.0)),
            played(LOCKS, document(("row_lock_contention", 0.4))),
            played(LOCKS, document(("healthy_or_expected", 0.55))),
            played(LOCKS, document(("row_lock_contention", 0.9)), factor=1.1),
        ]
    )
    assert "played: 5 bottlenecks, 0 healthy; not proved: 1; failed: 0" in told
    assert "first answer right: 1 of 4 (25%)" in told
    assert "right among the first two: 2 of 4 (50%)" in told
    assert "nothing told: 1 of 4 (25%)" in told
    assert 'told "nothing to fix" first: 1 of 4 (25%)' in told
    assert "effects of a single bottleneck measured: 4, predicted by the first answer: 2" in told
    assert "  measured between low and high: 1 of 2 (50%), 25% of all effects" in told
    assert "  within 25%: 2 of 2 (100%), 50% of all effects" in told


def test_an_effect_from_nothing_is_proved_and_one_to_nothing_is_not() -> None:
    one = played(LOCKS, document())
    one.kept["before"]["clients"] = 0.0
    assert one.proved
    one.kept["after"]["clients"] = 0.0
    assert not one.proved


def test_a_healthy_cluster_may_be_called_healthy_or_what_is_accepted() -> None:
    healthy = mechanism(accepted=("metric_misleading",))
    told = totals(
        [
            played(healthy, document(("healthy_or_expected", 0.7))),
            played(healthy, document(("metric_misleading", 0.7))),
            played(healthy, document(("cpu_saturated", 0.4))),
            played(healthy, document(("cpu_saturated", 0.55))),
        ]
    )
    assert "healthy with a false alarm: 1 of 4 (25%)" in told
    assert "  0.5-0.6: right: 0 of 1 (0%)" in told
    assert "  0.7-0.8: right: 2 of 2 (100%)" in told


def test_two_at_once_need_both_among_the_first_three() -> None:
    two = mechanism(("row_lock_contention",), ("fsync_per_commit", "storage_slow"))
    both = document(("storage_slow", 0.9), ("cpu_saturated", 0.8), ("row_lock_contention", 0.7))
    told = totals([played(two, both), played(two, document(("row_lock_contention", 0.9)))])
    assert "first answer right: 2 of 2 (100%)" in told
    assert "both labels among the first three: 1 of 2 (50%)" in told


def test_agreement_and_explained_time() -> None:
    live = document(("row_lock_contention", 0.9), unexplained=0.1)
    told = totals([played(LOCKS, live, offline=document(("cpu_saturated", 0.9))), played(LOCKS, live)])
    assert "live and bundle agree on the first answer: 1 of 2 (50%)" in told
    assert "writers' time explained: median 90%, least 90% (2 profiles)" in told


def test_a_bundle_that_was_judged_again_counts_by_the_rules_of_today() -> None:
    one = played(LOCKS, document(("cpu_saturated", 0.9)))
    assert not one.right(1)
    again = Played(one.play, LOCKS, {**one.kept, "again": document(("row_lock_contention", 0.9))})
    assert again.right(1)
    assert lines([again])[0].startswith("right  one@standalone-mysql: row_lock_contention 0.90; asked row_lock")


def a_play() -> Play:
    """Any play of the open side."""
    return load_plays("open")[0][0]


def run_of(play: Play) -> PlayRun:
    """A result of it."""
    rates = {"committed": 1.0, "applied": 0.0, "clients": 1.0}
    return PlayRun(play.name, digest_of(play.mechanism), 1.0, 0.1, rates, rates, document(), document())


def test_a_kept_result_is_not_played_again_and_a_failure_once(tmp_path: Path) -> None:
    play = a_play()
    assert kept.is_wanted(tmp_path, play)
    kept.keep_error(tmp_path, play, "no")
    assert kept.is_wanted(tmp_path, play)
    kept.keep_error(tmp_path, play, "no")
    assert not kept.is_wanted(tmp_path, play)
    kept.keep_run(tmp_path, play, run_of(play))
    assert not kept.is_wanted(tmp_path, play)


def test_a_result_of_a_mechanism_that_was_changed_since_does_not_count(tmp_path: Path) -> None:
    play = a_play()
    changed = {**vars(run_of(play)), "digest": "another"}
    kept.keep_run(tmp_path, play, PlayRun(**changed))
    assert kept.kept_result(tmp_path, play) is None
    assert kept.is_wanted(tmp_path, play)


def run_main(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The program itself, without servers and without a change to how signals are answered here."""
    monkeypatch.setattr(sys, "argv", ["gym", *words])
    monkeypatch.setattr(gym.signal, "signal", lambda *_: None)
    return gym.main()


def test_of_the_locked_side_nothing_but_totals_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    locked = load_plays("locked")[0]
    for play in locked[:2]:
        kept.keep_run(tmp_path, play, run_of(play))
    assert run_main(monkeypatch, "--side", "locked", "--seconds", "0", "--keep", str(tmp_path)) == 0
    told = capsys.readouterr()
    assert f"locked: {len(locked[:2])} of {len(locked)} played" in told.out
    assert not [play for play in locked if play.mechanism.name in told.out + told.err]
    looks = (tmp_path / "locked-looks.log").read_text().splitlines()
    assert len(looks) == 1
    assert "first answer right" in looks[0]
    with pytest.raises(SystemExit):
        run_main(monkeypatch, "--side", "both", "--names", "--keep", str(tmp_path))
    run_main(monkeypatch, "--side", "locked", "--only", "a", "--seconds", "0", "--keep", str(tmp_path))
    assert "not scored" in capsys.readouterr().out
    assert len((tmp_path / "locked-looks.log").read_text().splitlines()) == 1
