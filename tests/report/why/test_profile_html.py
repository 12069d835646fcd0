"""The wait profile as stacked bars: the unexplained last and always, one legend, every share in a table."""

from __future__ import annotations

import re

from advisor.model.record import replace
from advisor.report.html.prose import Prose
from advisor.report.why.profile_groups import percent
from advisor.report.why.profile_html import wait_profile
from tests.report.diagnosed import HOSTILE, PROFILE


def rendered() -> str:
    section = wait_profile(PROFILE, Prose())
    assert section
    return section


def test_without_process_lists_there_is_no_section() -> None:
    assert wait_profile((), Prose()) is None


def test_every_bar_says_all_of_it_in_words_with_the_unexplained_last() -> None:
    told = re.findall(r'aria-label="(db[^"]+)"', rendered())
    assert len(told) == 2, "a receiver without work is only in the table"
    assert told[0].startswith("db1, writers: Runs on a CPU 10 %, Held back by flow control 62 %, Between statements")
    assert told[0].endswith("25 %, unexplained (closing tables futex) 3 %")
    assert told[1].endswith("Writes and syncs the binary log 20 %, unexplained (applying) 30 %")


def test_large_segments_have_their_share_on_them() -> None:
    bar = rendered().partition('class="stack" ')[2].partition('<ul class="stack-names"')[0]
    assert re.findall(r"<b>([^<]+)</b>", bar) == ["10 %", "62 %", "25 %"]


def test_what_is_unexplained_is_named_even_if_it_is_nothing() -> None:
    none = replace(PROFILE[0], shares=PROFILE[0].shares[:3], unexplained=0.0)
    section = wait_profile((none,), Prose())
    assert section
    assert "<b>0 %</b> unexplained" in section


def test_one_legend_names_the_colours_that_are_used() -> None:
    legend = rendered().partition('class="stack-legend"')[2].partition("</ul>")[0]
    names = re.findall(r"</i>([^<]+)</li>", legend)
    assert names == ["CPU", "redo and binary log", "replication", "no work, or between statements", "unexplained"]
    assert rendered().count('class="stack-legend"') == 1


def test_the_table_has_every_share_also_of_groups_without_work() -> None:
    table = rendered().partition("<table")[2]
    assert "db3 receiver, 1 thread" in table
    assert "62.0 %" in table
    assert "updating" in table
    assert "(including groups without work: 1)" in rendered()


def test_names_stay_text() -> None:
    hostile = replace(PROFILE[0], member=HOSTILE)
    section = wait_profile((hostile,), Prose())
    assert section
    assert "<script" not in section
    assert "<img" not in section


def test_a_share_that_is_there_is_never_nothing() -> None:
    assert [percent(share) for share in (0.0, 0.004, 0.006, 0.615)] == ["0 %", "<1 %", "1 %", "62 %"]
