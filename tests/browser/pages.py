"""Pages to open: each kind of report, and one whose every name is markup."""

from __future__ import annotations

import json
from pathlib import Path

from advisor.bench.experiment.definition import find_experiment
from advisor.bench.measure.summary import summarise
from advisor.model.measurement import Run
from advisor.model.record import replace
from advisor.report.bench import experiment_html
from advisor.report.bench import html as measurement_html
from advisor.report.charts.figure import scatter
from advisor.report.html.chart import Axis, Chart, Curve, Group, Mark, Point, Scatter, Span
from advisor.report.html.page import page
from advisor.report.tune import html as tuning_html
from advisor.report.tune.document import read_document
from advisor.report.why import html
from tests.bench.synthetic_runs import CIRCUMSTANCES, synthetic_run
from tests.report.bench.test_experiment_html import outcome
from tests.report.diagnosed import CHARTS, HOSTILE, diagnosis
from tests.report.tune.test_forms import of_latency

LONG = "a_member_with_quite_a_long_name.of.a.customer.example.com"
PROOFS = Path(__file__).resolve().parents[2] / "docs/tuning-proofs"


def diagnosed() -> str:
    """A diagnosis with words too long for any line."""
    long = replace(diagnosis(), path=f"/srv/{LONG * 3}", problems=(f"/srv/{LONG * 4}: cut",))
    return html.render(replace(long, causes=(replace(long.causes[0], member=LONG),)), CHARTS)


def benched() -> str:
    """A run in which one member cannot keep up."""
    seconds = synthetic_run(1000, 400)
    return measurement_html.render(Run(summarise(CIRCUMSTANCES, seconds), tuple(seconds), 1.8e9))


def tuned() -> str:
    """A tuning run that is kept, with trials on both sides of the lag limit."""
    text = (PROOFS / "mariadb-replication.json").read_text(encoding="utf-8")
    return tuning_html.render(read_document(json.loads(text)))


def tuned_group() -> str:
    """One with many protected settings, some of long values, and a single finalist."""
    text = (PROOFS / "group-replication.json").read_text(encoding="utf-8")
    return tuning_html.render(read_document(json.loads(text)))


def tuned_for_latency() -> str:
    """One for a low latency at a rate, with what it costs."""
    return tuning_html.render(of_latency())


def experimented() -> str:
    """An experiment with ten cells, nine of which somebody published a figure of."""
    experiment = find_experiment("mariadb-catch-up")
    return experiment_html.render(experiment, outcome(experiment))


def hostile() -> str:
    """A diagnosis full of markup."""
    curves = tuple(Curve(HOSTILE, f"{HOSTILE}{at}", (0.0, 1.0), (1.0, 2.0)) for at in range(3))
    charts = (Chart("x", HOSTILE, HOSTILE, HOSTILE, curves, (Span(HOSTILE, 0.0, 1.0),)),)
    named = replace(diagnosis(), path=HOSTILE, releases=(HOSTILE,), summary=(HOSTILE,), problems=(HOSTILE,))
    return html.render(named, charts)


def hostile_marks() -> str:
    """Single measurements full of markup."""
    group = Group(HOSTILE, "c0", Mark.DOT, (Point(1.0, 0.0, HOSTILE, 0.5, 1.5), Point(2.0, 1.0, HOSTILE)))
    chart = Scatter("x", HOSTILE, HOSTILE, Axis(HOSTILE), Axis("", rows=(HOSTILE, LONG)), (group,), (1.5, HOSTILE))
    return page(HOSTILE, [scatter(chart)], [chart])
