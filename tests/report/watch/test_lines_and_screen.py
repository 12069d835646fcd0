"""A second as a line, as JSON, and as a screen that fits 80 columns and 24 lines."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from advisor.model.monitoring.now import ClusterNow, MemberNow, RingNow
from advisor.model.record import replace
from advisor.report.watch import document, lines
from advisor.report.watch.screen import Screen
from advisor.report.words.layout import Page
from advisor.watch.sustained import sustained_per_second
from tests.watch.seconds import AT, NOW, REPLICA, SOURCE, at


def test_a_line_says_rate_time_lag_and_what_clients_wait_for() -> None:
    line = lines.render(NOW)
    for words in ("812 tx/s", "statements 3.2 ms", "db2:3306 is behind by 7.5 s, 5,210 transactions",
                  "clients: Writes and syncs the redo log"):  # fmt: skip
        assert words in line
    assert "db2:3306 is behind by 1 transaction ·" in lines.render(at(1, lag_seconds=0.0, backlog_transactions=1))
    assert "no member is behind" in lines.render(at(1, lag_seconds=0.0, backlog_transactions=0))
    assert "db2:3306 cannot be read" in lines.render(at(1, failure="gone"))


def test_a_line_of_json_fits_its_schema(checkout: Path) -> None:
    schema = json.loads((checkout / "schemas/watch.json").read_text(encoding="utf-8"))
    lost = replace(NOW, members=(MemberNow("db1", failure="gone"),), first_cause=None, ring=None)
    for now in (NOW, lost):
        written = document.render(now)
        assert written.count("\n") == 1
        jsonschema.validate(json.loads(written), schema)
    assert json.loads(document.render(lost))["committed_per_second"] is None


@pytest.mark.parametrize("height", [24, 40])
def test_the_screen_fits(height: int) -> None:
    screen = Screen()
    many = tuple(replace(REPLICA, member=f"a-very-long-name-of-a-host-{number}.example:3306") for number in range(20))
    for number in range(200):
        screen.tell(f"{'an event with a long text ' * 6}{number}")
        for now in (NOW, replace(NOW, members=(SOURCE, *many)), at(number, failure="it cannot be read " * 9)):
            shown = screen.lines(now, Page(80), height)
            assert len(shown) < height
            assert max(map(len, shown)) <= 80
    text = "\n".join(Screen().lines(NOW, Page(80)))
    for words in ("shop", "812 transactions/s, 640 sustained", "db2:3306 is behind by 7.5 s, 5,210 transactions", "69%",
                  "Waits for its turn to commit", "first cause: One thread applies everything", "0.81"):  # fmt: skip
        assert words in text


def test_the_screen_says_that_nothing_is_recorded() -> None:
    stopped = replace(NOW, ring=RingNow(1 << 20, 1 << 30, "No space left on device"))
    assert "NOT RECORDED: No space left on device" in Screen().lines(stopped, Page(80))[0]


def test_what_is_unknown_is_neither_zero_nor_nothing() -> None:
    unknown = at(1, applied_per_second=None, lag_seconds=None, backlog_transactions=None)
    assert "unknown how far behind: db2:3306" in lines.render(unknown)
    shown = Screen().lines(unknown, Page(80))
    assert "unknown how far behind: db2:3306" in shown
    row = next(line for line in shown if line.startswith("db2:3306 "))
    assert row.split() == ["db2:3306", "replica", "?", "?", "?", "?", "?"]
    row = next(line for line in shown if line.startswith("db1:3306 "))
    assert row.split() == ["db1:3306", "source", "812", "3.2", "ms"], "a source has nothing to apply"
    lost = "\n".join(Screen().lines(at(1, failure="gone", lag_seconds=None, backlog_transactions=None), Page(80)))
    assert "no member is behind" not in lost


def test_states_and_flow_control_are_shown() -> None:
    held = at(1, state="Donor/Desynced", throttled_share=0.35, throttling=True)
    flow = "flow control: writers paused 35% of the time, asked for by db2:3306"
    shown = Screen().lines(held, Page(80))
    assert flow in shown
    assert "db2:3306: Donor/Desynced" in shown
    assert f" · {flow} · db2:3306: Donor/Desynced · " in lines.render(held)
    assert "1.5 clients held back" in lines.render(at(1, throttled_clients=1.5))
    assert "flow control" not in lines.render(at(1, throttled_share=0.0, throttled_clients=0.0, throttling=False))


def test_the_sustained_rate_is_that_of_the_slowest_member() -> None:
    minute = [at(number) for number in range(30)]
    assert sustained_per_second(minute) == pytest.approx(640)
    assert sustained_per_second([at(number, applied_per_second=900.0) for number in range(30)]) == pytest.approx(812.4)
    assert sustained_per_second([at(number, applied_per_second=None) for number in range(30)]) is None
    alone = [ClusterNow(AT, "one", (SOURCE,)) for _ in range(3)]
    assert sustained_per_second(alone) == pytest.approx(812.4)
    lost = [at(number, applied_per_second=None, failure="gone") for number in range(30)]
    assert sustained_per_second(lost) == pytest.approx(812.4), "a member that is lost keeps nobody up"
