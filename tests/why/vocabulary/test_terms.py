"""Words of a text and pairs of them: figures, underscores and humps are no part of a word."""

from __future__ import annotations

from advisor.why.vocabulary.terms import terms_of, words_of


def test_names_of_counters_fall_apart_into_words() -> None:
    assert words_of("Innodb_row_lock_time_avg: 2341 ms, AvgWaitTime") == [
        "innodb", "row", "lock", "time", "avg", "ms", "avg", "wait", "time",
    ]  # fmt: skip


def test_pairs_do_not_go_over_the_end_of_a_line() -> None:
    assert terms_of(["waiting for ack", "ack"]) == {
        "waiting": 1, "for": 1, "ack": 2, "waiting for": 1, "for ack": 1,
    }  # fmt: skip


def test_figures_alone_are_no_words() -> None:
    assert not terms_of(["12 345 x 0.5"])
