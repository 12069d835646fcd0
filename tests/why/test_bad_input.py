"""Evidence that is broken, thin or contradictory: the best answer that is true, and a word on what is not known.

Recorded clusters, with that done to them which happens to evidence: a restart, a single reading, other clocks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from advisor.check import check, load_rules
from advisor.evidence import read_path, read_together
from advisor.model.diagnosis import Diagnosis
from advisor.model.record import replace
from advisor.model.rules import Verdict
from advisor.report.why.document import render
from advisor.why import diagnose
from advisor.why.rules.loader import load_causes
from advisor.yaml_shapes import condition
from benchmarks.diagnosis.translate import write_bundle

Documents = dict[str, dict[str, Any]]
GROUP = "1_gr_flowcontrol_throttled"
SINGLE = "4_standalone_durable_1thread"
SINCE_START = "totals since the server started"


@pytest.fixture
def spoilt(shared: Path, tmp_path: Path) -> Callable[[str, Callable[[Documents], None]], Diagnosis]:
    """The diagnosis of a recorded cluster (its two readings of each member: g1.t1, g1.t2, …) after a change."""

    def make(case: str, change: Callable[[Documents], None]) -> Diagnosis:
        recorded = sorted((shared / "cases/recorded" / case).glob("*.t[12].json"))
        documents = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in recorded}
        change(documents)
        for name, document in documents.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        found = diagnose(read_path(str(tmp_path)))
        render(found)
        return found

    return make


Spoilt = Callable[[str, Callable[[Documents], None]], Diagnosis]


def sure(found: Diagnosis) -> dict[str, str]:
    """The causes claimed, each with its member."""
    return {suspect.cause.id: suspect.member for suspect in found.causes if suspect.confidence >= 0.5}


def restart(documents: Documents, member: str) -> None:
    """The member's counters of the second reading begin anew; so would its tables, which are left out."""
    counters = documents[f"{member}.t2"]["global_status"]
    for name, text in counters.items():
        if text.isdigit():
            counters[name] = str(max(1, int(text) // 50))
    counters["Uptime"] = "4"
    for name in [name for name in documents[f"{member}.t2"] if name.startswith(("replication_", "waits_"))]:
        del documents[f"{member}.t2"][name]


def test_a_writer_that_was_restarted_is_not_called_healthy_and_its_rate_is_not_known(spoilt: Spoilt) -> None:
    found = spoilt(GROUP, lambda documents: restart(documents, "g1"))
    assert found.throughput_per_second is None
    assert "healthy_or_expected" not in sure(found)
    assert any("Uptime fell from 18 to 4: the server was restarted" in problem for problem in found.problems)
    assert any(problem.startswith("g1: read only once") for problem in found.problems)
    assert "does not show how many" in found.summary[0]


def test_a_member_that_was_restarted_is_left_out_of_what_changes_per_second(spoilt: Spoilt) -> None:
    found = spoilt(GROUP, lambda documents: restart(documents, "g3"))
    assert found.throughput_per_second == pytest.approx(40, abs=0.1)
    assert {share.member for share in found.time_breakdown.shares} == {"g1", "g2"}
    assert sure(found)["gr_flow_control"] == "g1"
    assert any(problem.startswith("g3: read only once") for problem in found.problems)


def test_without_a_binary_log_nothing_counts_transactions_and_none_is_not_zero(spoilt: Spoilt) -> None:
    def unlogged(documents: Documents) -> None:
        for document in documents.values():
            document.setdefault("global_variables", {})["log_bin"] = "OFF"
            document["global_status"]["Binlog_cache_use"] = "0"

    found = spoilt(SINGLE, unlogged)
    assert found.throughput_per_second is None
    assert "does not show how many" in found.summary[0]
    assert [problem for problem in found.problems if "log_bin is OFF" in problem and "--observe throughput" in problem]


@pytest.mark.parametrize("case", [GROUP, SINGLE, "5_semisync_slow_replica", "6a_galera_1thread_durable_node"])
def test_one_reading_gives_no_rate_and_no_claim_from_totals_since_the_start(spoilt: Spoilt, case: str) -> None:
    def once(documents: Documents) -> None:
        for name in [name for name in documents if name.endswith("t2")]:
            del documents[name]

    found = spoilt(case, once)
    assert (found.throughput_per_second, found.interval_seconds) == (None, None)
    assert not any(suspect.limited == SINCE_START for suspect in found.causes if suspect.confidence >= 0.5)
    # What is sure of one moment is a queue above its threshold at that moment.
    assert sure(found) == ({"gr_flow_control": "g1"} if case == GROUP else {})
    assert any("read only once" in problem for problem in found.problems)
    assert any("mysqladmin -i 60 -c 2" in need.command for need in found.unknown)


def test_without_counters_what_tables_tell_is_told_and_the_rest_is_asked_for(spoilt: Spoilt) -> None:
    def hardly_any(documents: Documents) -> None:
        for document in documents.values():
            kept = {n: v for n, v in document["global_status"].items() if n.startswith(("Uptime", "Threads"))}
            document["global_status"] = kept

    found = spoilt(GROUP, hardly_any)
    assert found.throughput_per_second is None
    assert sure(found).keys() <= {"gr_flow_control", "replica_durability"}
    assert any("rate." in need.need and "mysqladmin" in need.command for need in found.unknown)


def test_without_performance_schema_the_counters_decide_and_it_is_said(spoilt: Spoilt) -> None:
    def off(documents: Documents) -> None:
        for document in documents.values():
            document.get("global_variables", {})["performance_schema"] = "OFF"
            for name in [name for name in document if name.startswith(("replication_", "stages", "stmts", "waits"))]:
                del document[name]

    found = spoilt(GROUP, off)
    assert sure(found) == {"gr_flow_control": "g1"}
    assert any("g1, g2, g3: performance_schema is OFF" in problem for problem in found.problems)


def test_members_of_different_versions_are_judged_each_as_its_own(spoilt: Spoilt) -> None:
    def older(documents: Documents) -> None:
        documents["g2.t1"]["global_variables"]["version"] = "8.4.3"
        documents["g3.t1"]["global_variables"]["version"] = "8.0.36"

    found = spoilt(GROUP, older)
    assert sure(found)["applier_single_threaded"] == "g3"
    assert any("g2 mysql 8.4.3, g3 mysql 8.0.36" in problem for problem in found.problems)


@pytest.mark.parametrize("ahead", [timedelta(seconds=20), timedelta(hours=-2)])
def test_clocks_that_disagree_change_no_rate_and_are_told(spoilt: Spoilt, ahead: timedelta) -> None:
    def shift(documents: Documents) -> None:
        for name in ("g1.t1", "g1.t2"):
            at = datetime.fromisoformat(documents[name]["at"])
            documents[name]["at"] = (at + ahead).isoformat()

    found = spoilt(GROUP, shift)
    assert found.throughput_per_second == pytest.approx(40, abs=0.1)
    assert sure(found)["applier_single_threaded"] == "g3"
    assert any("according to timestamps" in problem for problem in found.problems)


def idle(documents: Documents) -> None:
    """27 questions, each a transaction, between the two readings, and nobody at work."""
    for name in [name for name in documents if name.endswith("t2")]:
        first = documents[name[:-1] + "1"]
        documents[name] = {**documents[name], **{table: rows for table, rows in first.items() if table != "at"}}
        counters = dict(first["global_status"])
        for counter in ("Questions", "Queries", "Handler_commit", "Innodb_rows_updated", "Binlog_cache_use"):
            counters[counter] = str(int(counters[counter]) + (27 if name.startswith(("g1", "s1")) else 0))
        counters["Uptime"] = str(int(counters["Uptime"]) + 9)
        documents[name]["global_status"] = counters
    for document in documents.values():
        document["global_status"]["Threads_running"] = "2"
        document["processlist"] = []


@pytest.mark.parametrize("case", ["0_gr_healthy", SINGLE])
def test_an_idle_cluster_has_nothing_to_explain(spoilt: Spoilt, case: str) -> None:
    found = spoilt(case, idle)
    assert sure(found).keys() == {"healthy_or_expected"}
    asked = f"{found.throughput_per_second:.1f}".removesuffix(".0")
    assert f"Nothing to explain: {asked} transactions/s requested, {asked} served" in " ".join(found.summary)
    assert found.throughput_per_second == pytest.approx(3, abs=0.1)
    assert not any(suspect.cause.answer == "limit" and suspect.confidence > 0.1 for suspect in found.causes)


def test_one_list_of_a_few_sessions_is_no_sample(tmp_path: Path) -> None:
    def listed(states: list[str]) -> Diagnosis:
        rows = [f"{at}\tapp\tweb1:4{at}\tshop\tQuery\t0\t{state}\tINSERT …" for at, state in enumerate(states)]
        text = "\n".join(["Id\tUser\tHost\tdb\tCommand\tTime\tState\tInfo", *rows]) + "\n"
        (tmp_path / "processlist.txt").write_text(text)
        (tmp_path / "my.cnf").write_text("[mysqld]\nlog_bin\n")
        paths = [str(tmp_path / name) for name in ("my.cnf", "processlist.txt")]
        return diagnose(read_together(paths))

    few, many = listed(["Opening tables", "update"] * 4), listed(["Opening tables", "update"] * 20)
    assert (sure(few).keys(), sure(many).keys()) == (set(), {"table_cache_churn"})


def counters_read() -> set[str]:
    """Every counter that a rule, a cause or a derived fact reads."""
    files = [*Path("rules").rglob("*.yaml"), *Path("advisor").rglob("facts/*.py")]
    return {
        name for file in files for name in re.findall(r"(?:status|rate|delta)\.([A-Z]\w+)", file.read_text("utf-8"))
    }


@pytest.mark.parametrize("at_once", [12, pytest.param(1, marks=pytest.mark.gate)])
@pytest.mark.parametrize(("case", "word"), [(GROUP, "ON"), ("5_semisync_slow_replica", ""), (SINGLE, "1e400")])
def test_a_word_where_counters_should_be_breaks_no_rule(
    shared: Path, tmp_path: Path, case: str, word: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    recorded = sorted((shared / "cases/recorded" / case).glob("*.t[12].json"))
    documents = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in recorded}
    rules = load_rules()
    names = sorted(counters_read() & {name for document in documents.values() for name in document["global_status"]})
    assert len(names) > 15
    for start in range(0, len(names), at_once):
        spoilt_names = names[start : start + at_once]
        for file, document in documents.items():
            own = document["global_status"]
            words = {name: word for name in spoilt_names if name in own}
            spoilt = {**document, "global_status": {**own, **words}}
            (tmp_path / file).write_text(json.dumps(spoilt), encoding="utf-8")
        evidence = read_path(str(tmp_path))
        diagnose(evidence)
        assert not [one for one in check(evidence, rules).findings if one.verdict is Verdict.BROKEN], spoilt_names


def test_a_galera_node_that_is_said_to_be_a_plain_server_gets_advice_without_settings(tmp_path: Path) -> None:
    head = {"format": 1, "topology": "galera", "interval_seconds": None}
    stated = {**head, "members": [{"name": "n1", "role": "node", "server": "mysql 8.0.36"}]}
    (tmp_path / "members" / "n1").mkdir(parents=True)
    (tmp_path / "bundle.json").write_text(json.dumps(stated))
    (tmp_path / "members" / "n1" / "my.cnf").write_text("[mysqld]\nserver_id = 1\n")
    cause = next(cause for cause in load_causes() if cause.id == "galera_few_appliers")
    always = replace(
        cause, signs=(replace(cause.signs[0], when="server_id == 1", tree=condition("server_id == 1", "")),)
    )
    (ranked,) = diagnose(read_path(str(tmp_path)), causes=[always]).causes
    assert ranked.cause.id == "galera_few_appliers"
    assert ranked.changes == ()


def test_a_status_printed_as_a_number_where_the_server_has_a_word_is_read_all_the_same(tmp_path: Path):
    """An exporter prints 1 for ON. The source waits for two acknowledgements and has no replica that sends one."""
    case = {
        "topology": "semisync", "server": {"flavour": "MySQL", "version": "8.0.30"},
        "evidence": {
            "config": {"master": ["rpl_semi_sync_master_wait_for_slave_count=2"]},
            "status": {"master": {"Rpl_semi_sync_master_status": "1", "Rpl_semi_sync_master_clients": "0"}},
            "outputs": {"commits": "hang"}, "hardware": [], "workload": [],
        },
    }  # fmt: skip
    found = diagnose(read_path(str(write_bundle(case, tmp_path))))
    assert found.causes[0].cause.id == "semisync_ack_missing"
