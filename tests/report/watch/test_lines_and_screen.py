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
    for words in ("shop", "812 transactions/s, 640 sustained", "slowest: db2:3306, behind by 7.5 s", "69%",
                  "Waits for its turn to commit", "first cause: One thread applies everything", "0.81"):  # fmt: skip
        assert words in text


def test_the_screen_says_that_nothing_is_recorded() -> None:
    stopped = replace(NOW, ring=RingNow(1 << 20, 1 << 30, "No space left on device"))
    assert "NOT RECORDED: No space left on device" in Screen().lines(stopped, Page(80))[0]


def test_the_sustained_rate_is_that_of_the_slowest_member() -> None:
    minute = [at(number) for number in range(30)]
    assert sustained_per_second(minute) == pytest.approx(640)
    assert sustained_per_second([at(number, applied_per_second=900.0) for number in range(30)]) == pytest.approx(812.4)
    assert sustained_per_second([at(number, applied_per_second=None) for number in range(30)]) is None
    alone = [ClusterNow(AT, "one", (SOURCE,)) for _ in range(3)]
    assert sustained_per_second(alone) == pytest.approx(812.4)
    lost = [at(number, applied_per_second=None, failure="gone") for number in range(30)]
    assert sustained_per_second(lost) == pytest.approx(812.4), "a member that is lost keeps nobody up"
