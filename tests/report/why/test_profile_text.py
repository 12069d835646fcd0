"""The first block of the terminal report: a bar for each class, what is unexplained always and last."""

from __future__ import annotations

from advisor.model.diagnosis import ClassShare, ThreadProfile, Threads, WaitGroup
from advisor.model.record import replace
from advisor.report.why.profile_text import profile_lines
from advisor.report.words.layout import Page

PAGE = Page(80, False)
ABOUT = {"statement_work": WaitGroup.UNEXPLAINED, "unexplained": WaitGroup.UNEXPLAINED}


def profile(group: Threads, *shares: tuple[str, float, tuple[str, ...]], unexplained: float = 0.0) -> ThreadProfile:
    listed = tuple(
        ClassShare(name, name.replace("_", " "), share, words, ABOUT.get(name, WaitGroup.REPLICATION))
        for name, share, words in shares
    )
    return ThreadProfile("db1", group, 16.0, 100, listed, unexplained)


def test_classes_are_bars_and_the_unexplained_is_the_last_of_them() -> None:
    writers = profile(
        Threads.WRITERS,
        ("semisync_ack", 0.7, ()),
        ("statement_work", 0.295, ("updating", "init")),
        ("latch", 0.005, ()),
        unexplained=0.295,
    )
    assert profile_lines((writers,), PAGE) == [
        "",
        "where the time goes (share of each group's time)",
        "  db1, writers: 16 threads, 100 process lists",
        "   70.0 %  ███████████·····  semisync ack",
        "   29.5 %  █████···········  unexplained (updating, init)",
    ]


def test_lists_with_wait_instruments_tell_how_far_the_shares_may_be_off() -> None:
    some = replace(profile(Threads.WRITERS, ("latch", 1.0, ())), instrumented=20, margin=0.113)
    told = " ".join(map(str.strip, profile_lines((some,), PAGE)))
    assert "16 threads, 100 process lists (20 with wait instruments; margin 11 %)" in told


def test_what_is_unexplained_is_shown_even_if_it_is_nothing() -> None:
    lines = profile_lines((profile(Threads.APPLIERS, ("worker_idle", 1.0, ())),), PAGE)
    assert lines[-1] == "    0.0 %  ················  unexplained"


def test_a_receiver_without_work_is_not_worth_a_line() -> None:
    assert profile_lines((profile(Threads.RECEIVER, ("receiver_wait", 1.0, ())),), PAGE) == []
    assert profile_lines((profile(Threads.RECEIVER, ("relay_log_write", 1.0, ())),), PAGE)


def test_lines_fit_the_terminal() -> None:
    long = profile(Threads.WRITERS, ("unexplained", 1.0, ("a state" * 20,)), unexplained=1.0)
    assert max(map(len, profile_lines((long,), PAGE))) <= 80


def test_without_process_lists_there_is_no_block() -> None:
    assert profile_lines((), PAGE) == []
