"""The parts of a trial that need no server: who gets which value, what a run comes to, when it may go on."""

from __future__ import annotations

import html
import json
import time
from pathlib import Path

import jsonschema
import pytest

from advisor.cluster_file import read_cluster, write_cluster
from advisor.errors import InputError, UsageError
from advisor.model.lab import ClusterFile, ClusterMember, Restart, RestartMethod
from advisor.model.measurement import Interval, Load, LoadSecond, Phase, Second
from advisor.model.progress import Progress
from advisor.model.recommendation import (
    Contender,
    Preflight,
    Recommendation,
    Reverted,
    Soak,
    TriedSetting,
    TunedSetting,
)
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.report.tune import html as tuning_html
from advisor.report.tune import markdown as tuning_markdown
from advisor.report.tune.document import document, read_document
from advisor.report.tune.text import recommendation_as_text
from advisor.report.words.layout import Page
from advisor.tune.request.maintenance_window import MaintenanceWindow
from advisor.tune.request.request import Request, as_data, from_data
from advisor.tune.request.time_budget import search_seconds
from advisor.tune.space.placement import place_settings, running_settings
from advisor.tune.state import study_folder
from advisor.tune.state.lock import lock_holder, locked
from advisor.tune.trial import restart as restarting
from advisor.tune.trial.guards import ErrorGuard, Tripped
from advisor.tune.trial.outcome import window_rates
from advisor.tune.trial.read_settings import differences, same_value
from advisor.tune.validation.blocks import BASELINE, contenders, read_block_runs, run_blocks


def member(name: str, role: Role, **more: object) -> ClusterMember:
    return ClusterMember(name, role, "db.example", 3306 + int(name[1:]), **more)


SOURCE, REPLICA = member("m1", Role.SOURCE), member("m2", Role.REPLICA)


def test_a_knob_left_at_its_running_value_leaves_every_member_its_own(space_of):
    space = space_of("async_mysql", "mysql-8.4.5")
    names = [knob.name for knob in space.knobs]
    found = {"m1": dict.fromkeys(names, "1"), "m2": dict.fromkeys(names, "1")}
    found["m2"]["innodb_io_capacity"] = "900"
    running = running_settings(space, (SOURCE, REPLICA), found)
    assert place_settings(space, (SOURCE, REPLICA), found, running) == found
    wanted = place_settings(space, (SOURCE, REPLICA), found, {**running, "innodb_io_capacity": "4000"})
    assert {wanted[name]["innodb_io_capacity"] for name in ("m1", "m2")} == {"4000"}
    canary = place_settings(space, (SOURCE, REPLICA), found, {**running, "innodb_io_capacity": "4000"}, ("m1",))
    assert canary["m1"] == found["m1"]


def test_a_running_value_is_a_number_that_the_search_can_read(space_of):
    space = space_of("galera", "mariadb-10.11.14")
    values = {knob.name: knob.advice or "1" for knob in space.knobs}
    values |= {"galera.gcache.size": "128M", "innodb_max_dirty_pages_pct": "90.000000"}
    running = running_settings(space, [SOURCE], {"m1": values})
    assert running["galera.gcache.size"] == str(128 << 20)
    assert running["innodb_max_dirty_pages_pct"] == "90"
    assert place_settings(space, [SOURCE], {"m1": values}, running)["m1"]["galera.gcache.size"] == "128M", (
        "as it was written"
    )


def test_values_are_alike_however_they_are_written():
    assert same_value("8M", "8388608")
    assert same_value("ON", "1")
    assert not same_value("8M", "8388609")
    assert differences({"m1": {"a": "ON"}}, {"m1": {"a": "1"}}) == {}


def second(at: float, rate: float, applied: float | None, phase: Phase = Phase.MEASURE, errors: float = 0.0) -> Second:
    return Second(
        at, phase,
        (Progress("m1", Role.SOURCE, at, 1.0, committed_per_second=rate),
         Progress("m2", Role.REPLICA, at, 1.0, committed_per_second=0.0, applied_per_second=applied)),
        (LoadSecond(at, "m1", rate, errors_per_second=errors),),
    )  # fmt: skip


def test_the_rate_of_a_window_is_that_of_the_slowest_member():
    seconds = [second(0, 1, 1, Phase.WARM_UP), *(second(at, 100, 80) for at in range(1, 5))]
    assert window_rates(seconds, 2.0, ("m1",)) == (80.0, 80.0)
    assert window_rates([second(at, 100, None) for at in range(4)], 2.0, ("m1",)) == (), (
        "unknown is not the commit rate"
    )


def test_too_many_failed_transactions_end_a_trial_and_one_bad_second_does_not():
    guard = ErrorGuard()
    guard.before()
    for at in range(9):
        guard.heard(second(at, 10, 10, errors=90))
    with pytest.raises(Tripped, match="90% of the transactions failed"):
        guard.heard(second(9, 10, 10, errors=90))
    guard.before()
    guard.heard(second(0, 10, 10, errors=90))
    for at in range(1, 20):
        guard.heard(second(at, 100, 100))


@pytest.mark.parametrize(
    ("window", "hour", "inside"),
    [("22:00-06:00", 23, True), ("22:00-06:00", 5, True), ("22:00-06:00", 6, False), ("08:00-17:30", 12, True),
     ("08:00-17:30", 18, False), ("", 3, True)],
)  # fmt: skip
def test_a_window_may_reach_over_midnight(window, hour, inside):
    at = time.mktime((2026, 3, 4, hour, 0, 0, 0, 0, -1))
    assert MaintenanceWindow(window, lambda: at).open_now() is inside


def test_a_second_controller_is_told_who_holds_the_cluster(tmp_path: Path):
    assert lock_holder(tmp_path) == ""
    with locked(tmp_path, "shop"):
        assert lock_holder(tmp_path).startswith("process ")
        with pytest.raises(UsageError, match="shop is being tuned by process"), locked(tmp_path, "shop"):
            pass
    assert lock_holder(tmp_path) == ""


def test_a_request_comes_back_from_its_file_and_another_release_s_is_refused():
    request = Request("cluster.yaml", "update_index", 8, ("m1",), pins={"a": "1"}, excluded=("b",))
    assert from_data(json.loads(json.dumps(as_data(request))), "f") == request
    with pytest.raises(InputError):
        from_data({**as_data(request), "unheard_of": 1}, "f")


def test_restarts_are_read_from_cluster_yaml_and_an_include_file_of_ours_comes_and_goes(tmp_path: Path):
    include = tmp_path / "zz-tune.cnf"
    how = Restart(RestartMethod.COMMAND, str(include), words=("docker", "restart", "{name}"))
    cluster = ClusterFile(
        str(tmp_path / "cluster.yaml"), "shop", Topology.STANDALONE, "", "dba", "",
        (member("m1", Role.STANDALONE, restart=how),),
    )  # fmt: skip
    write_cluster(cluster)
    again = read_cluster(cluster.path).members[0]
    assert again.restart == how
    assert restarting.restart_command(again) == ["docker", "restart", "m1"]
    assert restarting.can_restart(cluster)
    restarting.write_settings(again, {"innodb_purge_threads": "2"})
    assert "[mysqld]" in include.read_text()
    assert "innodb_purge_threads = 2" in include.read_text()
    restarting.write_settings(again, {"galera.gcs.fc_limit": "200", "galera.repl.max_ws_size": "9"})
    assert "wsrep_provider_options = gcs.fc_limit=200;repl.max_ws_size=9" in include.read_text()
    restarting.write_settings(again, {})
    assert not include.exists()


@pytest.mark.parametrize(
    ("restart", "said"),
    [("{method: reboot}", "none of systemd, command"), ("{method: systemd, include_file: /etc/a.cnf}", "needs 'unit'"),
     ("{method: systemd, unit: mysql, include_file: a.cnf}", "whole path"),
     ("{method: command, command: [a], include_file: /a, colour: red}", "unknown key 'colour'")],
)  # fmt: skip
def test_a_restart_that_cannot_be_is_refused_with_its_file(tmp_path: Path, restart, said):
    path = tmp_path / "cluster.yaml"
    path.write_text(
        'format: "1"\nname: a\ntopology: standalone\nuser: dba\nmembers:\n'
        f'  - {{name: m1, role: standalone, host: h, port: "3306", restart: {restart}}}\n'
    )
    with pytest.raises(InputError, match=said):
        read_cluster(path)


class Steady:
    """An environment in which a configuration has a rate, and the second run of anything has a fault."""

    def __init__(self) -> None:
        self.ran: list[Task] = []

    def run(self, task: Task, watch: object) -> Outcome:
        self.ran.append(task)
        if len(self.ran) == 2:
            return Outcome(fault="the network")
        return Outcome(windows=(200.0 + len(self.ran) if task.settings["a"] == "2" else 100.0,), lag_ms=5.0)


def test_finalists_are_measured_once_in_every_block_also_when_it_is_interrupted(tmp_path: Path):
    env, file = Steady(), tmp_path / "finalists.jsonl"
    finalists = {BASELINE: {"a": "1"}, "tuned": {"a": "2"}}
    stops = iter([False] * 5 + [True])
    run_blocks(env, finalists, 6, file, 0, lambda line: None, lambda: next(stops))
    assert len(read_block_runs(file, finalists)) == 5
    with open(file, "a") as stream:
        stream.write('3\n{"name": "tuned"}\n{"block": 2, "na')  # none of ours, and where the machine died
    measured = run_blocks(env, finalists, 6, file, 0, lambda line: None)
    assert len(measured) == 12
    assert len(env.ran) == 13, "the run with a fault was repeated, none was lost"
    assert all(task.fresh for task in env.ran)
    original, tuned = contenders(finalists, measured, 6, 100.0)
    assert original.ratio is None
    assert tuned.accepted
    assert tuned.ratio is not None
    assert tuned.ratio.low is not None
    assert tuned.ratio.low > 2.0
    assert read_block_runs(file, {BASELINE: {"a": "3"}, "tuned": {"a": "2"}}) == [
        one for one in measured if one.name == "tuned"
    ], "what another configuration was measured at says nothing of this one"


def test_the_search_gets_what_the_proof_does_not_need_and_never_less_than_a_third():
    request = Request("c", "w", 4, ("m1",), seconds=10.0, warm_up_least=4.0, for_seconds=3600.0, blocks=6)
    fresh = [Trial(0, Task(TrialKind.BASELINE, {}), Outcome(windows=(1.0,), restarted=True, seconds=60.0), 60.0)]
    assert search_seconds(request, fresh) == pytest.approx(3600 - 1.1 * 3 * 6 * 60)
    slow = [Trial(0, Task(TrialKind.BASELINE, {}), Outcome(windows=(1.0,), restarted=True, seconds=600.0), 600.0)]
    assert search_seconds(request, slow) == pytest.approx(0.35 * 3600)
    assert search_seconds(request, []) > search_seconds(request, fresh), (
        "nothing was seen yet: a guess from what is asked"
    )


def recommendation(**changes: object) -> Recommendation:
    found = {
        "cluster": "shop", "topology": Topology.GALERA, "server": "mariadb-10.11.14", "began": "2026-03-04 22:00:00",
        "seconds": 1800.0, "load": Load("update_index", 8, ("m1",)), "lag_bound_ms": 1000.0, "chosen": "tuned",
        "because": "", "changes": (TunedSetting("wsrep_slave_threads", ("m1",), ("1",), "8", "dynamic", ("R1",), "w"),),
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
        "steps": (Reverted(("a",), 0.001, 0.01, True), Reverted(("b",), None, None, False)),
        "importance": {"wsrep_slave_threads": 0.8}, "effects": (("wsrep_slave_threads", ("1", "8"), (0.4, 1.0)),),
        "edges": ("wsrep_slave_threads",), "noise": {"runs": 0.02, "detectable": 0.03},
        "relied": {"m1": {"sync_binlog": "1"}}, "host": {"cpus": 2.0}, "files": {"m1": "my.cnf"}, "sampler": "own",
    }  # fmt: skip
    return Recommendation(**{**found, **changes})  # type: ignore[arg-type]


def test_the_answer_comes_first_and_every_form_has_it():
    found = recommendation()
    text = recommendation_as_text(found, Page(80))
    assert text.startswith("2.40 times (95 %: 2.10 to 2.60) the sustained rate, inside the lag bound of")
    assert max(map(len, text.splitlines())) <= 80
    assert "wsrep_slave_threads = 8 (was 1) on m1; dynamic, risk R1" in " ".join(text.split())
    markdown, page = tuning_markdown.render(found), tuning_html.render(found)
    assert "-wsrep_slave_threads = 1\n+wsrep_slave_threads = 8" in markdown
    assert "<b>\\|1" in markdown
    assert "<b>|1" not in page
    assert "&lt;b&gt;" in page
    assert "did not start" in page
    for form in (text, markdown, page):
        assert "tuned: 1.08 times (95 %: 0.99 to 1.20) what the rules' advice alone gives" in html.unescape(form)
    assert read_document(json.loads(json.dumps(document(found)))) == found


def test_the_json_is_as_its_schema_says(checkout: Path):
    schema = json.loads((checkout / "schemas/tuning.json").read_text(encoding="utf-8"))
    first = Preflight(6, 100.0, 1, 0.02, None, 0.1, 0.4, 6, 0.03, 0.09, 2, ("why: so",), ("the time is short",))
    soak = Soak("tuned", 600.0, (240.0, 250.0), 30.0, None, 0.0, -0.1, 0.2)
    for found in (recommendation(), recommendation(preflight=first, soak=soak, chosen="", changes=())):
        told = json.loads(json.dumps(document(found), allow_nan=False))
        jsonschema.validate(told, schema)
        assert read_document(told) == found


def test_the_nights_that_are_kept_are_as_the_schema_says_and_can_be_read(checkout: Path):
    schema = json.loads((checkout / "schemas/tuning.json").read_text(encoding="utf-8"))
    kept = sorted((checkout / "docs/tuning-proofs").glob("*.json"))
    assert kept
    for file in kept:
        told = json.loads(file.read_text(encoding="utf-8"))
        jsonschema.validate(told, schema)
        assert json.loads(json.dumps(document(read_document(told)))) == told, file.name


def test_nothing_is_recommended_that_was_not_accepted_and_an_unfinished_night_says_so():
    nothing = recommendation(chosen="", changes=(), because="tuned: it may be chance (p = 0.2)")
    assert "Nothing better is proved: tuned: it may be chance" in recommendation_as_text(nothing, Page(80))
    assert "What to change" not in tuning_markdown.render(nothing)
    early = recommendation(finished=False, chosen="", changes=())
    assert recommendation_as_text(early, Page(80)).startswith("Stopped before the end")


def test_what_was_proved_before_a_night_was_stopped_is_proved_and_the_rest_is_not_hidden():
    found = recommendation(finished=False)
    text = recommendation_as_text(found, Page(80))
    assert text.startswith("2.40 times")
    assert "Measured in 2 blocks" in text
    asked = tuple(replace(one, rates=(*one.rates, None, None)) for one in found.contenders)
    assert "Measured in 2 of 4 blocks" in recommendation_as_text(replace(found, contenders=asked), Page(80))
    assert "! It was stopped before its end; `advisor tune resume` goes on." in text


def test_a_study_says_when_it_was_begun_however_often_it_went_on(tmp_path: Path):
    before = time.strftime("%Y-%m-%d %H:%M:%S")
    first, second = (study_folder.new_study(tmp_path, {}) for _ in range(2))
    assert before <= study_folder.began_at(first) <= study_folder.began_at(second) <= time.strftime("%Y-%m-%d %H:%M:%S")


def test_a_trial_of_several_clones_says_where_it_was_measured():
    shared = recommendation(trials=(TriedSetting(0, "search", 1.0, 2.0, {}, 100.0, 1.0, True, clone="shop 1f"),))
    for form in (tuning_markdown.render(shared), tuning_html.render(shared)):
        assert "search, on shop 1f" in form
    assert "search, on" not in tuning_markdown.render(recommendation())


def test_a_cluster_is_found_again_whatever_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    one = ClusterFile("a.yaml", "shop", Topology.ASYNC_MYSQL, "", "u", "", (SOURCE, REPLICA))
    other = ClusterFile("b.yaml", "Shop (new)", Topology.ASYNC_MYSQL, "", "u", "", (REPLICA, SOURCE))
    assert study_folder.folder_of(one) == study_folder.folder_of(other)
    alone = ClusterFile("a.yaml", "shop", Topology.ASYNC_MYSQL, "", "u", "", (SOURCE,))
    assert study_folder.folder_of(alone) != study_folder.folder_of(one)
    # A later lab takes the same ports.
    labs = [replace(one, made=f"2026-11-21T20:15:0{second}.000+00:00") for second in (2, 2, 3)]
    assert study_folder.folder_of(labs[0]) == study_folder.folder_of(labs[1])
    assert study_folder.folder_of(labs[2]) != study_folder.folder_of(labs[0]) != study_folder.folder_of(one)
