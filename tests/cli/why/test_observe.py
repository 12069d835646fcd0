"""`--observe`: what it takes, what it refuses, and that it decides causes like counters do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from advisor.cli.app import build_app
from advisor.cli.why.observe import observe, split_observations
from advisor.errors import InputError, UsageError
from advisor.evidence import read_path

DURABLE = "[mysqld]\nsync_binlog = 1\ninnodb_flush_log_at_trx_commit = 1\n"


@pytest.fixture
def option_file(tmp_path: Path) -> str:
    file = tmp_path / "my.cnf"
    file.write_text(DURABLE, encoding="utf-8")
    return str(file)


def why(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(build_app(["why"]), ["why", *words, "--format", "json"])
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_words_with_an_equals_sign_are_observations_and_the_rest_are_paths() -> None:
    assert split_observations(["my.cnf", "clients=64", "host.cpu_util=0.9"]) == (
        ["my.cnf"], ["clients=64", "host.cpu_util=0.9"],
    )  # fmt: skip


def test_one_commit_per_sync_is_decided_from_three_figures(option_file: str) -> None:
    answer = why(option_file, "--server", "mysql-8.4.3", "throughput_per_second=400", "clients=1", "fsync_ms=2.2")
    first = answer["causes"][0]
    assert (first["cause"], first["confidence"] >= 0.5) == ("fsync_per_commit", True)
    assert answer["throughput"] == 400


def test_a_change_that_did_nothing_speaks_against_its_cause(option_file: str) -> None:
    told = ["throughput_per_second=400", "clients=1", "fsync_ms=2.2", "tried=sync_binlog:1:0:400:404"]
    causes = {
        cause["cause"]: cause["confidence"] for cause in why(option_file, "--server", "mysql-8.4.3", *told)["causes"]
    }
    assert causes["fsync_per_commit"] < 0.5


def test_one_round_trip_per_commit_is_the_way_to_the_other_servers(tmp_path: Path) -> None:
    file = tmp_path / "node.cnf"
    file.write_text("[mysqld]\nwsrep_on = ON\nwsrep_cluster_address = gcomm://a,b,c\nwsrep_provider = galera.so\n")
    answer = why(str(file), "--server", "mariadb-10.11.6", "clients=1", "throughput_per_second=21", "rtt_ms=45")
    sure = {cause["cause"] for cause in answer["causes"] if cause["confidence"] >= 0.5}
    assert {"galera_commit_latency", "network_latency"} <= sure


def test_the_json_report_is_what_the_schema_says(option_file: str, checkout: Path) -> None:
    schema = json.loads((checkout / "schemas/diagnosis.json").read_text(encoding="utf-8"))
    jsonschema.validate(why(option_file, "throughput_per_second=400"), schema)


@pytest.mark.parametrize(
    "text",
    ["clients", "clients=", "nonsense=3", "tried=sync_binlog:1", "scaling=1", "scaling=a:b", "tried=a:1:0:b:c"],
)
def test_what_is_no_observation_is_wrong_usage(option_file: str, text: str) -> None:
    with pytest.raises(UsageError):
        observe(read_path(option_file), [text])


def test_a_word_where_a_number_is_wanted_is_refused(option_file: str) -> None:
    with pytest.raises(InputError, match="not a number"):
        observe(read_path(option_file), ["clients=many"])
