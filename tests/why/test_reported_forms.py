"""Forms of reported evidence become what a person hands over, and of locked folders only totals are printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.diagnosis.before_and_after import is_after_a_change
from benchmarks.diagnosis.cases import main
from benchmarks.diagnosis.handover import (
    process_list_of,
    replica_status_of,
    source_status_of,
    states_of,
    words_of,
)
from benchmarks.diagnosis.label_forms import assigned, effect_of, is_usual, rows_per_commit
from benchmarks.diagnosis.measurements import observed_measurements


def tried(outputs: dict[str, object], **evidence: object) -> list[dict[str, object]]:
    told = observed_measurements({"outputs": outputs, **evidence}, "standalone")
    return list(told.get("tried", []))


def test_labels_give_settings_their_values() -> None:
    assert assigned("flush_log=2 and sync_binlog=0") == {"innodb_flush_log_at_trx_commit": 2, "sync_binlog": 0}
    assert (rows_per_commit("500 per statement"), rows_per_commit("row by row"), rows_per_commit("stock")) == (
        500,
        1,
        None,
    )
    assert is_usual("stock")
    assert not is_usual("tmpfs")


@pytest.mark.parametrize(
    ("text", "ratio"), [("30% faster", 1.3), ("40 % slower", 0.6), ("3 times as fast", 3.0), ("5x slower", 0.2)]
)
def test_effects_in_words_become_rates(text: str, ratio: float) -> None:
    effect = effect_of(text)
    assert effect["throughput_after"] / effect["throughput_before"] == pytest.approx(ratio)


def test_an_effect_without_figures_stays_a_word() -> None:
    assert effect_of("no change") == {"effect": "none"}
    assert effect_of("fast again") == {"effect": "solved"}


def test_times_of_the_same_work_are_no_rates() -> None:
    (entry,) = tried({"load_s": {"plain": 100, "compressed": 200}})
    assert (entry["what"], entry["seconds_before"], entry["seconds_after"]) == ("row_format", 100, 200)


def test_a_changed_factor_beside_the_change_in_percent_is_a_trial() -> None:
    (entry,) = tried({"throughput_change_percent": -45, "connections": [100, 1500]})
    assert (entry["what"], entry["throughput_after"]) == ("clients", 55)


def test_shares_of_the_machine_are_read_by_their_names() -> None:
    told = observed_measurements({"outputs": {"cpu_percent": 5, "disk_util_percent": 97, "fsync_ms": 12}}, "standalone")
    assert (told["host"], told["fsync_ms"]) == ({"cpu_util": 0.05, "disk_util": 0.97}, 12)


def test_lists_and_rows_are_known_by_their_columns() -> None:
    outputs = {
        "threads": [
            {"id": 3, "time": 9, "state": "Waiting for table metadata lock", "info": "alter table t"},
            {"id": 4, "time": 1, "state": ""},
        ],
        "Seconds_Behind_Master": 12,
        "source": {"File": "b.7", "Position": 4},
    }  # fmt: skip
    assert [row["Command"] for row in process_list_of(outputs)] == ["Query", "Sleep"]
    assert replica_status_of(outputs) == {"Seconds_Behind_Master": 12}
    assert source_status_of(outputs) == {"File": "b.7", "Position": 4}


def test_words_are_passed_on_and_facts_are_not() -> None:
    evidence = {
        "outputs": {"stack": ["pthread_cond_wait"], "error_log": "page_cleaner", "size_MB": 180},
        "hardware": ["SSD"], "workload": ["one client"], "facts": ["it was the disk"],
        "config": {"server": ["sync_binlog = 1", "barrier off since May"]},
    }  # fmt: skip
    told = words_of(evidence, {"version": "8.0.36"})
    assert told["stack"] == ["stack: pthread_cond_wait"]
    assert told["log"] == ["error_log: page_cleaner"]
    assert told["notes"] == ["size_MB: 180", "SSD", "barrier off since May"]
    assert "disk" not in json.dumps(told)


CASE = {
    "server": {"flavour": "MySQL", "version": "8.0"}, "topology": "standalone", "decidable": True,
    "evidence": {"outputs": {"stack": "srv_conc_enter_innodb"}},
    "answer": {"causes": ["oversubscribed_threads"], "also_accept": [], "would_be_wrong": ["storage_slow"]},
}  # fmt: skip


def test_a_folder_of_cases_is_scored_and_a_locked_one_prints_totals_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("open", "locked"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a-very-peculiar-name.json").write_text(json.dumps(CASE))
    main([str(tmp_path / "open"), "-v"])
    assert "a-very-peculiar-name" in capsys.readouterr().out
    main([str(tmp_path / "locked"), "-v"])
    told = capsys.readouterr().out
    assert "peculiar" not in told
    assert "oversubscribed" not in told
    assert "right first 100%, among the first three 100%, would-be-wrong told 0%, no answer 0%" in told


@pytest.mark.parametrize(
    ("config", "outputs"),
    [
        (
            {"server": ["innodb_log_file_size = 48M (before)", "innodb_log_file_size = 2G (after)"]},
            {"import_minutes": {"before": 60, "after": 6}},
        ),
        (
            {"before": ["innodb_log_file_size = 48M"], "after": ["innodb_log_file_size = 2G"]},
            {"import_minutes_before": 60, "import_minutes_after": 6},
        ),
    ],
)
def test_figures_before_and_after_belong_to_what_was_changed(config: object, outputs: dict[str, object]) -> None:
    (entry,) = tried(outputs, config=config)
    assert (entry["what"], entry["from"], entry["to"]) == ("innodb_log_file_size", "48M", "2G")
    assert (entry["seconds_before"], entry["seconds_after"]) == (60, 6)


def test_sessions_are_counted_by_state_whatever_the_form_of_the_count() -> None:
    outputs = {"processlist_states": {"updating": 12, "Sending data": "8, 7, 6 s", "remark": 3}}
    assert states_of(outputs) == {"updating": 12, "Sending data": 3}


def test_memory_beside_other_hardware_is_told() -> None:
    told = observed_measurements({"hardware": ["8 cores, 64 GB of RAM", "NVMe"]}, "standalone")
    assert told["memory_bytes"] == 64 << 30


def test_differences_below_zero_are_no_rates() -> None:
    told = observed_measurements(
        {"outputs": {"change_by_setting": {"sync_binlog_1": -5, "sync_binlog_0": 3}}}, "standalone"
    )
    assert "throughput_per_second" not in told
    assert not told.get("tried")


def test_options_after_a_change_are_not_the_configuration() -> None:
    nodes = ("replica", "before", "after")
    assert [is_after_a_change(node, nodes) for node in nodes] == [False, False, True]
    assert not is_after_a_change("after", ("after",))
