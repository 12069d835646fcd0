"""A recommendation as text, Markdown, HTML and JSON: the answer first, nothing hidden."""

from __future__ import annotations

import html
import json
from pathlib import Path

import jsonschema

from advisor.model.measurement import Interval, Load
from advisor.model.recommendation import (
    AtLimit,
    Contender,
    Front,
    FrontCost,
    FrontPoint,
    Preflight,
    Recommendation,
    Reverted,
    Soak,
    TriedSetting,
    TunedSetting,
    Worth,
)
from advisor.model.record import replace
from advisor.model.server import Topology
from advisor.report.tune import html as tuning_html
from advisor.report.tune import markdown as tuning_markdown
from advisor.report.tune.document import document, read_document
from advisor.report.tune.text import recommendation_as_text
from advisor.report.words.layout import Page
from advisor.workload.fidelity import fidelity


def recommendation(**changes: object) -> Recommendation:
    found = {
        "cluster": "shop", "topology": Topology.GALERA, "server": "mariadb-10.11.14", "began": "2026-03-04 22:00:00",
        "seconds": 1800.0, "load": Load("update_index", 8, ("m1",)), "lag_bound_ms": 1000.0, "chosen": "tuned",
        "because": "", "changes": (
            TunedSetting(
                "wsrep_slave_threads", ("m1",), ("1",), "8", "dynamic", ("R1",), "It applies more at once.",
                Worth(Interval(1.9, 2.2, 2.5), 6),
            ),
        ),
        "contenders": (
            Contender("original", {}, (100.0, None), None, None, 900.0, 20.0, False),
            Contender(
                "tuned", {}, (250.0, 240.0), Interval(2.1, 2.4, 2.6), 0.016, 30.0, 9.0, True,
                against_rules=Interval(0.99, 1.08, 1.2),
            ),
        ),
        "trials": (
            TriedSetting(0, "baseline", 10.0, 30.0, {}, 100.0, 1200.0, False, "lag"),
            TriedSetting(1, "search", 50.0, 30.0, {"a": "<b>|1"}, None, None, False, "did not start"),
            TriedSetting(2, "confirm", 90.0, 30.0, {"wsrep_slave_threads": "8"}, 250.0, 30.0, True, restarted=True),
        ),
        "at_limits": (AtLimit(100.0, 240.0, 30.0, 2, 2, True),),
        "steps": (Reverted(("a",), 0.001, 0.01, True), Reverted(("b",), None, None, False)),
        "importance": {"wsrep_slave_threads": 0.8}, "effects": (("wsrep_slave_threads", ("1", "8"), (0.4, 1.0)),),
        "edges": ("wsrep_slave_threads",), "noise": {"runs": 0.02, "detectable": 0.03},
        "relied": {"m1": {"sync_binlog": "1"}}, "host": {"cpus": 2.0}, "files": {"m1": "my.cnf"}, "sampler": "own",
    }  # fmt: skip
    return Recommendation(**{**found, **changes})  # type: ignore[arg-type]


def test_the_answer_comes_first_and_every_form_has_it():
    found = recommendation()
    text = recommendation_as_text(found, Page(80))
    assert text.startswith("2.40 times (95 %: 2.10 to 2.60) the sustained throughput, within the lag limit")
    assert max(map(len, text.splitlines())) <= 80
    assert "wsrep_slave_threads = 8 (was 1) on m1; dynamic, risk R1" in " ".join(text.split())
    markdown, page = tuning_markdown.render(found), tuning_html.render(found)
    assert "-wsrep_slave_threads = 1\n+wsrep_slave_threads = 8" in markdown
    assert "<b>\\|1" in markdown
    assert "<b>|1" not in page
    assert "&lt;b&gt;" in page
    assert "did not start" in page
    for form in (text, markdown, page):
        assert "To undo a change, set its former value in the same way." in form
        assert "tuned: 1.08 times (95 %: 0.99 to 1.20) what the rules' advice sustains" in html.unescape(form)
    assert read_document(json.loads(json.dumps(document(found)))) == found


def test_members_of_different_size_have_their_own_value_in_every_form():
    pool = TunedSetting(
        "innodb_buffer_pool_size",
        ("m1", "m2"),
        ("8G", "2G"),
        "4G",
        "dynamic",
        ("R1",),
        "",
        after_by_member=("16G", "4G"),
    )
    found = replace(recommendation(), changes=(pool,))
    words = " ".join(recommendation_as_text(found, Page(80)).split())
    assert "innodb_buffer_pool_size = 16G on m1, 4G on m2 (was 8G/2G)" in words
    markdown = tuning_markdown.render(found)
    assert "| `8G/2G` | `16G/4G` |" in markdown
    assert "+innodb_buffer_pool_size = 16G" in markdown
    assert "+innodb_buffer_pool_size = 4G" in markdown
    assert read_document(json.loads(json.dumps(document(found)))) == found


def test_a_page_opens_with_the_sentence_the_lines_the_blocks_and_what_each_line_gives():
    page = tuning_html.render(recommendation())
    order = [
        "2.40 times", "wsrep_slave_threads = 8  # was 1", "Finalists against the baseline", "What each change gives",
        "Throughput against lag", "What to change", "With another lag limit",
    ]  # fmt: skip
    body = page.split("<main")[1]
    places = [body.index(words) for words in order]
    assert places == sorted(places)
    nothing = replace(recommendation(), chosen="", because="the gain may be due to chance")
    assert "# was" not in tuning_html.render(nothing).split("<h2")[0], "nothing is recommended"


def of_latency() -> Recommendation:
    """A tuning run for a low latency at 200 tx/s."""

    def at_rate(each: Contender, latencies: tuple[float, float], ratio: Interval | None) -> Contender:
        return replace(
            each, rates=(200.0, 199.0), latencies_ms=latencies, latency_ms=latencies[0], ratio=ratio, against_rules=None
        )

    found = recommendation()
    original, tuned = found.contenders
    return replace(
        found,
        objective="latency", latency_percentile=99, load=replace(found.load, rate_per_second=200.0),
        contenders=(at_rate(original, (41.0, 40.0), None), at_rate(tuned, (18.0, 19.0), Interval(0.4, 0.45, 0.5))),
        changes=(replace(found.changes[0], worth=Worth(Interval(0.5, 0.55, 0.6), 6)),),
        trials=tuple(replace(each, latency_ms=30.0 + each.number) for each in found.trials),
        at_limits=(AtLimit(100.0, 200.0, 30.0, 2, 2, True, 17.0),),
        fronts=(
            Front(FrontCost.CPU_MS, (
                FrontPoint(0, 200.0, 1.25, 1, False, 41.0), FrontPoint(2, 200.0, 1.5, 2, True, 18.0),
            )),
            Front(FrontCost.RECOVERY_SECONDS, (), "no server was crashed. To know it, crash one"),
        ),
    )  # fmt: skip


def test_a_run_for_a_low_latency_speaks_of_latency_in_every_form():
    found = of_latency()
    text = " ".join(recommendation_as_text(found, Page(80)).split())
    assert text.startswith("0.45 times (95 %: 0.40 to 0.50) the commit latency (p99) at 200 tx/s: 18 ms, within")
    assert "With this change, commit latency (p99) is 0.55 times (95 %: 0.50 to 0.60) what it is without" in text
    markdown, page = tuning_markdown.render(found), tuning_html.render(found)
    heading = "| configuration | latency p99 | vs baseline | lag p95 | tx/s | latency p99 of each block | verdict |"
    assert heading in markdown
    assert "| tuned | 18 ms | 0.45 (0.40 to 0.50) | 30 ms | 200 | 18 ms, 19 ms | accepted |" in markdown
    assert "| trial | kind | latency p99 | tx/s | lag p95 | seconds | changes | verdict |" in markdown
    assert "| 100 ms | 17 ms | 30 ms | 2 | 3 | in blocks |" in markdown
    for form in (markdown, page):
        assert "latency p99" in form
        assert "latency p95" not in form
    assert read_document(json.loads(json.dumps(document(found)))) == found


def test_every_form_says_what_more_costs_and_what_is_unknown_of_it():
    found = of_latency()
    markdown, page = tuning_markdown.render(found), html.unescape(tuning_html.render(found))
    assert "## What a lower latency costs" in markdown
    assert "| 18 ms | 1.5 ms | 2 | 3 | in blocks |" in markdown
    unknown = "Recovery after a crash: unknown, because no server was crashed. To know it, crash one."
    for form in (markdown, page):
        assert unknown in form
    assert 'data-chart="cpu"' in page
    assert "Latency against CPU time per transaction" in page
    assert "What a higher rate costs" not in tuning_html.render(recommendation()), "an older report has none"


def test_every_form_says_what_a_change_gives_and_how_that_is_known():
    found = recommendation()
    words = " ".join(recommendation_as_text(found, Page(80)).split())
    assert (
        "It applies more at once. With this change, throughput is 2.20 times (95 %: 1.90 to 2.50) what it is without"
        in words
    )
    assert "in 6 pairs of runs" in words
    assert "| 2.20 (1.90 to 2.50) |" in tuning_markdown.render(found)
    page = tuning_html.render(found)
    assert "What each change gives" in page
    assert "2.20 (1.90 to 2.50)" in page.split("What each change gives")[1]
    change = replace(found.changes[0], worth=Worth(None, 1, "the servers do not run without it"))
    told = recommendation_as_text(replace(found, changes=(change,)), Page(80))
    assert "The servers do not run without it." in " ".join(told.split())
    assert "What each change gives" not in tuning_html.render(replace(found, changes=(change,)))


def test_pages_say_what_another_lag_limit_would_allow():
    found = recommendation()
    assert "| 100 ms | 240 | 30 ms | 2 | 3 | in blocks |" in tuning_markdown.render(found)
    assert "With another lag limit" in tuning_html.render(found)
    assert "With another lag limit" not in tuning_html.render(replace(found, at_limits=()))


def test_the_json_is_as_its_schema_says(checkout: Path):
    schema = json.loads((checkout / "schemas/tuning.json").read_text(encoding="utf-8"))
    first = Preflight(6, 100.0, 1, 0.02, None, 0.1, 0.4, 6, 0.03, 0.09, 2, ("why: so",), ("the time is short",))
    soak = Soak("tuned", 600.0, (240.0, 250.0), 30.0, None, 0.0, -0.1, 0.2)
    for found in (recommendation(), recommendation(preflight=first, soak=soak, chosen="", changes=())):
        told = json.loads(json.dumps(document(found), allow_nan=False))
        jsonschema.validate(told, schema)
        assert read_document(told) == found


def test_the_tuning_runs_that_are_kept_match_the_schema_and_can_be_read(checkout: Path):
    schema = json.loads((checkout / "schemas/tuning.json").read_text(encoding="utf-8"))
    kept = sorted((checkout / "docs/tuning-proofs").glob("*.json"))
    assert kept
    for file in kept:
        told = json.loads(file.read_text(encoding="utf-8"))
        jsonschema.validate(told, schema)
        found = read_document(told)
        assert json.loads(json.dumps(document(found))) == told, file.name
        page = file.with_suffix(".md").read_text(encoding="utf-8")
        assert page == tuning_markdown.render(found), f"{file.name}: its page says something else"


def test_nothing_is_recommended_that_was_not_accepted_and_an_unfinished_run_says_so():
    nothing = recommendation(chosen="", changes=(), because="tuned: the gain may be due to chance (p = 0.2)")
    assert "No improvement was validated: tuned: the gain may be due to chance" in recommendation_as_text(
        nothing, Page(80)
    )
    assert "What to change" not in tuning_markdown.render(nothing)
    early = recommendation(finished=False, chosen="", changes=())
    assert recommendation_as_text(early, Page(80)).startswith("Stopped early")


def test_what_was_proved_before_a_night_was_stopped_is_proved_and_the_rest_is_not_hidden():
    found = recommendation(finished=False)
    text = recommendation_as_text(found, Page(80))
    assert text.startswith("2.40 times")
    assert "Validated in 2 blocks" in text
    asked = tuple(replace(one, rates=(*one.rates, None, None)) for one in found.contenders)
    assert "Validated in 2 of 4 blocks" in recommendation_as_text(replace(found, contenders=asked), Page(80))
    assert "! The tuning run was stopped early; `advisor tune resume` continues." in text


def test_a_trial_of_several_clones_says_where_it_was_measured():
    shared = recommendation(trials=(TriedSetting(0, "search", 1.0, 2.0, {}, 100.0, 1.0, True, clone="shop 1f"),))
    for form in (tuning_markdown.render(shared), tuning_html.render(shared)):
        assert "search, on shop 1f" in form
    assert "search, on" not in tuning_markdown.render(recommendation())


def test_every_form_says_how_much_the_load_resembles_the_users():
    like = fidelity({"rows_median": 4.0, "read_share": 0.7}, {"rows_median": 4.0, "read_share": 0.69}, False)
    unlike = fidelity({"rows_median": 4.0, "read_share": 0.7}, {"rows_median": 4.0, "read_share": 0.0}, False)
    found, doubtful = recommendation(fidelity=like), recommendation(fidelity=unlike)
    proves_little = "so this run proves little for production"
    for render in (
        lambda one: recommendation_as_text(one, Page(200)),
        tuning_markdown.render,
        tuning_html.render,
    ):
        assert "idelity 0.99 of 1" in render(found)
        assert proves_little not in render(found)
        assert proves_little in render(doubtful)
    assert read_document(json.loads(json.dumps(document(found)))) == found
    assert "delity 0.99" not in recommendation_as_text(recommendation(), Page(80))
