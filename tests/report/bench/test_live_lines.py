"""What a terminal shows while a run is in progress."""

from __future__ import annotations

from advisor.model.measurement import Phase, Run
from advisor.model.record import replace
from advisor.report.bench.live_lines import LiveLines
from advisor.report.words.layout import Page


def test_lines_of_a_terminal_line_up_and_name_a_member_that_fails(slow: Run):
    live = LiveLines(Page(80))
    heading, first, second = live.lines(slow.seconds[0])
    assert len(first) <= len(heading) <= 80
    assert second.split()[0] == "m2"
    failed = replace(slow.seconds[1].members[1], error="gone")
    assert live.lines(replace(slow.seconds[1], members=(failed,)))[-1].endswith("gone")
    waiting = replace(slow.seconds[1].members[0], throttled_share=None, throttled_clients=2.25)
    line = live.lines(replace(slow.seconds[1], members=(waiting,)))[-1]
    assert line.endswith("2.2 wait")
    assert len(line) <= len(heading), "a group counts its clients together"


def test_the_clock_starts_again_with_the_warm_up_of_the_next_run(slow: Run):
    live = LiveLines(Page(80))
    moments = (
        replace(slow.seconds[0], at_seconds=10.0, phase=Phase.WARM_UP),
        replace(slow.seconds[0], at_seconds=11.0, phase=Phase.MEASURE),
        replace(slow.seconds[0], at_seconds=12.0, phase=Phase.DRAIN),
        replace(slow.seconds[0], at_seconds=99.0, phase=Phase.WARM_UP),
        replace(slow.seconds[0], at_seconds=100.0, phase=Phase.WARM_UP),
    )
    assert [live.lines(moment)[-2].split()[0] for moment in moments] == ["0.0s", "1.0s", "2.0s", "0.0s", "1.0s"]
