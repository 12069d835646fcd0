"""The epoch time of the watch's 0, where the process is held up, and where the clock is set."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.watch.wall_clock import WallClock


def test_a_process_that_is_held_up_between_its_clocks_records_no_other_time() -> None:
    # before, wall, after: the second time it is held up for half a second before it reads the wall clock
    times: Iterator[float] = iter(
        [10.0, 1010.0, 10.001, 11.0, 1011.5, 11.501, 12.0, 1012.02, 12.001, 13.0, 913.0, 13.2]
    )
    clock = WallClock(0.0, lambda: next(times), lambda: next(times))
    assert abs(clock.zero_seconds() - 1000.0) < 0.001
    assert abs(clock.zero_seconds() - 1000.0) < 0.001, "held up"
    assert abs(clock.zero_seconds() - 1000.02) < 0.001, "the clock drifts"
    assert abs(clock.zero_seconds() - 900.0) < 0.11, "the clock was set back"
