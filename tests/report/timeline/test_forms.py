"""The reports of a timeline: text, JSON by its schema, and a page that shows hostile names as text."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from advisor.model.monitoring.history import Absent
from advisor.model.monitoring.timeline import Timeline
from advisor.model.record import replace
from advisor.report.timeline import document, html, text
from advisor.report.words.layout import Page
from advisor.timeline.build import timeline
from tests.report.diagnosed import HOSTILE
from tests.timeline.made import history, level, writer


@pytest.fixture(scope="module")
def found() -> Timeline:
    """A stop with a reason, an end, and something that is not known."""
    rows = writer(lambda second: 0.0 if 180 <= second < 200 else 200.0)
    flush = level("mysql_global_status_commands_total", lambda second: float(second >= 180), command="flush")
    absent = (Absent("latency of statements", ("m1",), "--collect.perf_schema.eventsstatementssum"),)
    return replace(timeline(history([*rows, flush])), absent=absent, problems=("m9: is cut off",))


def test_the_text_says_what_happened_and_what_is_not_known(found: Timeline) -> None:
    said = " ".join(text.render(found, Page(80, False)).split())
    assert "FLUSH on m1, as backups do; throughput of m1 fell" in said
    assert "It was over at" in said
    assert "latency of statements of m1: mysqld_exporter --collect.perf_schema.eventsstatementssum" in said
    assert "m9: is cut off" in said


def test_the_json_is_what_its_schema_says(found: Timeline, checkout: Path) -> None:
    told = json.loads(document.render(found))
    jsonschema.validate(told, json.loads((checkout / "schemas/timeline.json").read_text(encoding="utf-8")))
    assert told["answer"] == found.answer
    assert told["episodes"][0]["reason"] == "command: backup"
    assert told["episodes"][0]["ended"] > told["episodes"][0]["when"]["at"]


def test_the_page_has_every_curve_and_shades_the_episode(found: Timeline) -> None:
    page = html.render(found)
    assert page.count('role="img"') == len({curve.signal for curve in found.curves})
    charts = json.loads(page.partition('id="charts">')[2].partition("</script>")[0])
    assert charts[0]["title"] == "Write transactions"
    assert [span[0] for span in charts[0]["spans"]] == ["1"]
    assert 175 < charts[0]["spans"][0][1] < 185
    assert charts[0]["clock"] is not None


def test_names_with_markup_stay_text(found: Timeline) -> None:
    hostile = replace(found, members=(HOSTILE,), answer=HOSTILE, source=HOSTILE, problems=(HOSTILE,))
    assert HOSTILE not in html.render(hostile)
    assert "\x1b" not in text.render(replace(found, answer="\x1b[31m"), Page(80, False))
