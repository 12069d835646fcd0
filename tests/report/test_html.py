"""Reports as HTML: everything is said, nothing is fetched, and no name or value becomes markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from advisor.bench.measure.summary import summarise
from advisor.model.diagnosis import Diagnosis
from advisor.model.measurement import Run
from advisor.model.record import replace
from advisor.report.bench import html as measurement_html
from advisor.report.charts.bars import scale_of
from advisor.report.charts.figure import number
from advisor.report.html.chart import Chart, Curve, Span
from advisor.report.html.markup import Safe, tag
from advisor.report.html.page import page
from advisor.report.why import html
from tests.bench.synthetic_runs import CIRCUMSTANCES, synthetic_run
from tests.report.diagnosed import CHARTS, HOSTILE, diagnosis

EMPTY_ELEMENTS = {"br", "hr", "meta", "wbr"}


class Reader(HTMLParser):
    """Reads a page as a browser would: elements that are open, all attributes, and the text that is shown."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.shown = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY_ELEMENTS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.shown += data


def read(text: str) -> Reader:
    reader = Reader(text)
    assert reader.open == [], "an element was not closed"
    return reader


@pytest.fixture
def bench_run() -> Run:
    """A run in which one member cannot keep up."""
    seconds = synthetic_run(1000, 400)
    return Run(summarise(CIRCUMSTANCES, seconds), tuple(seconds), 1.8e9)


def test_a_diagnosis_is_told_whole() -> None:
    shown = read(html.render(diagnosis(), CHARTS)).shown
    for said in (
        "Why only 4,012 tx/s?",
        "One thread applies: 87% confidence.",
        "Copies replay changes one by one.",  # the reply
        "replica_parallel_workers = 8",
        "now 1",
        "needs a restart, or a stop and start of replication",
        "when the applier (SQL) threads are restarted",
        "9,000 to 12,000 tx/s",
        "applier_workers = 1 from replica_parallel_workers",
        "only half of it waits",  # what speaks against it
        "Little's law accounts for 98% of the clients.",
        "flow control of the group",
        "not broken down by any counter",
        "a single applier worker (db2)",
        "SELECT 1 FROM performance_schema.x",
        "Not known",
        "status.txt: cut in mid-line",
    ):
        assert said in shown


@pytest.mark.parametrize("rate", [None, 0.0, 12.34, 4012.0])
def test_without_evidence_the_page_says_so(rate: float | None) -> None:
    bare = replace(
        diagnosis(), throughput_per_second=rate, interval_seconds=None, causes=(), ceilings=(), next=None, unknown=(),
        summary=(), problems=(), time_breakdown=type(diagnosis().time_breakdown)(),
    )  # fmt: skip
    text = html.render(bare)
    assert "None: the evidence does not point to any cause." in read(text).shown
    assert "<script" not in text
    assert "Why not more transactions per second?" in text if rate is None else "Why only " in text


def test_a_ceiling_that_was_exceeded_is_called_so() -> None:
    assert "estimated too low or does not apply" not in html.render(diagnosis())
    faster = replace(diagnosis(), throughput_per_second=4200.0)
    assert "estimated too low or does not apply" in html.render(faster)


def test_of_many_needs_the_first_are_in_sight() -> None:
    need = diagnosis().unknown[0]
    many = replace(diagnosis(), unknown=tuple(replace(need, need=f"need-{at}") for at in range(10)))
    seen, _, folded = html.render(many).partition("<summary>7 more</summary>")
    assert "need-2" in seen
    assert "need-3" not in seen
    assert "need-9" in folded


def test_below_one_half_a_cause_is_a_candidate_and_a_rate_that_is_no_fault_is_not_questioned() -> None:
    first = diagnosis().causes[0]
    unsure = replace(diagnosis(), causes=(replace(first, confidence=0.4),))
    assert "The evidence is inconclusive. First candidate: One thread applies (40%)." in html.render(unsure)
    healthy = replace(first, cause=replace(first.cause, answer="no_fault"))
    assert "<h1>4,012 tx/s</h1>" in html.render(replace(diagnosis(), causes=(healthy,)))


def test_a_run_is_told_whole(bench_run: Run) -> None:
    reader = read(measurement_html.render(bench_run))
    for said in ("Outside the lag limit of", "peak: committed during the measurement", "sustained (slowest member)",
                 "m2", "Lag", "Transactions"):  # fmt: skip
        assert said in reader.shown
    spans = charts_in(measurement_html.render(bench_run))[0]["spans"]
    assert [span[0] for span in spans] == ["measured", "drain"]
    assert all(before[2] == after[1] for before, after in pairwise(spans))


def charts_in(text: str) -> list[dict[str, list[list[object]]]]:
    found = re.search(r'<script type="application/json" id="charts">(.*?)</script>', text, re.DOTALL)
    assert found
    charts: list[dict[str, list[list[object]]]] = json.loads(found[1])
    return charts


def test_nothing_is_fetched_and_only_the_scripts_inside_may_run(bench_run: Run) -> None:
    for text in (html.render(diagnosis(), CHARTS), measurement_html.render(bench_run)):
        reader = read(text)
        assert not [tag for tag, _ in reader.elements if tag in {"link", "img", "iframe", "object", "base", "form"}]
        assert not [attributes for _, attributes in reader.elements if "src" in attributes]
        assert not re.search(r"url\(|@import", text)
        policy = next(a["content"] for t, a in reader.elements if t == "meta" and "http-equiv" in a)
        assert policy is not None
        assert policy.startswith("default-src 'none'; ")
        assert len(re.findall(r"'sha256-[\w+/]+='", policy)) == 3
        assert [a.get("type") for t, a in reader.elements if t == "script"] == ["application/json", None, None, None]


def test_hostile_names_and_values_stay_text() -> None:
    hostile = replace(
        diagnosis(), path=HOSTILE, members=(HOSTILE,), releases=(HOSTILE,), summary=(HOSTILE,), problems=(HOSTILE,)
    )
    first = replace(
        hostile.causes[0], member=HOSTILE, limited=HOSTILE, missing=(HOSTILE,), holds_for=(HOSTILE,), out_of=2
    )
    hostile = replace(hostile, causes=(first,))
    charts = [Chart("x", HOSTILE, HOSTILE, HOSTILE, (Curve(HOSTILE, HOSTILE, (0, 1), (1, 2)),), (Span(HOSTILE, 0, 1),))]
    plain, reader = read(html.render(diagnosis(), CHARTS)), read(html.render(hostile, charts))
    assert {t for t, _ in reader.elements} <= {t for t, _ in plain.elements} | {"h4", "li", "wbr"}
    assert not [name for _, attributes in reader.elements for name in attributes if name.startswith("on")]
    assert reader.shown.count(HOSTILE) > 8
    assert charts_in(html.render(hostile, charts))[0]["title"] == HOSTILE


def test_only_links_to_the_web_are_links() -> None:
    first = diagnosis().causes[0]
    cause = replace(first.cause, see=("javascript:alert(1)", "https://dev.mysql.com/x"))
    text = html.render(replace(diagnosis(), causes=(replace(first, cause=cause),)))
    assert "javascript:" not in text
    assert 'href="https://dev.mysql.com/x"' in text


def test_secrets_are_masked_and_the_folder_of_whoever_made_it_is_not_told() -> None:
    text = html.render(replace(diagnosis(), path="/srv/secret-customer/db"), CHARTS)
    assert "hunter2" not in text
    assert "/srv/secret-customer" not in text


def test_text_is_escaped_in_elements_and_in_attributes() -> None:
    assert tag("p", "<b>", title='"x" & y') == '<p title="&quot;x&quot; &amp; y">&lt;b&gt;</p>'
    assert tag("p", Safe("<b></b>"), None, ["a", tag("i", "<")]) == "<p><b></b>a<i>&lt;</i></p>"
    assert tag("p", "a\x1b[31m\x00") == "<p>a\\x1b[31m\\x00</p>"


def test_figures_are_written_for_people() -> None:
    told = {None: "–", 0.0: "0", 4012.4: "4,012", 99.96: "100", 0.0123: "0.0123", 5.0: "5", 0.00002: "2.0e-05"}
    assert {value: number(value) for value in told} == told


def test_rates_far_apart_are_drawn_on_a_logarithmic_scale_on_which_all_have_a_place() -> None:
    near, far = scale_of([100, 1000]), scale_of([10, 100_000])
    assert (near.logarithmic, near.at(500), near.at(2000)) == (False, 0.5, 1.0)
    assert far.logarithmic
    assert 0 < far.at(10) < far.at(1000) < far.at(100_000) == 1
    assert scale_of([]).at(0) == 0


def test_values_that_are_no_numbers_never_get_into_a_page() -> None:
    broken = Chart("x", "x", "", "", (Curve("x", "x", (0.0, 1.0), (1.0, float("nan"))),))
    with pytest.raises(ValueError, match="cannot convert float NaN"):
        page("x", [], [broken])


def test_a_diagnosis_without_members_or_clients_still_renders() -> None:
    bare = replace(diagnosis().time_breakdown, clients=None, interval_seconds=None, explained=1.4, little=None)
    shown = read(html.render(replace(diagnosis(), time_breakdown=bare, members=(), topology=""))).shown
    assert "The shares add up to 140%: some time was counted twice." in shown
    assert isinstance(diagnosis(), Diagnosis)
