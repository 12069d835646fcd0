"""Small hand-written evidence, from its text to the report: the expected cause comes first in every format.

This part of the score needs nothing beside the checkout. A folder of `samples` is one server: option file, counters
read twice, process list, replica status, observations, each as the server or a DBA writes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from advisor.cli.app import build_app

SAMPLES = Path(__file__).parent / "samples"
FIRST = {
    "group_flow_control": "gr_flow_control",
    "hot_row": "row_lock_contention",
    "idle": "healthy_or_expected",
    "one_client_durable": "fsync_per_commit",
    "receiver_stopped": "io_thread_bound",
    "small_redo_log": "redo_too_small",
    "table_cache": "table_cache_churn",
}


def why(*words: str, form: str = "json") -> str:
    command = ["why", *words, "--server", "mysql-8.4.3", "--format", form]
    done = CliRunner().invoke(build_app(["why"]), command)
    assert done.exit_code == 0, done.output
    return done.stdout


def diagnosed(*words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(why(*words))
    return answer


@pytest.mark.parametrize(("sample", "first"), FIRST.items())
def test_the_expected_cause_comes_first_and_is_claimed(sample: str, first: str) -> None:
    cause = diagnosed(str(SAMPLES / sample))["causes"][0]
    assert (cause["cause"], cause["confidence"] >= 0.5) == (first, True)


def test_every_sample_is_used() -> None:
    assert {folder.name for folder in SAMPLES.iterdir()} == {*FIRST, "serial_replica", "settings_alone"}


def test_settings_alone_claim_nothing_and_the_report_says_what_is_missing() -> None:
    answer = diagnosed(str(SAMPLES / "settings_alone"))
    assert [cause for cause in answer["causes"] if cause["confidence"] >= 0.5] == []
    assert "mysqladmin -i 60 -c 2" in answer["next"]["command"]


def test_of_a_source_and_its_replica_the_one_that_falls_behind_is_named() -> None:
    folders = [str(SAMPLES / "serial_replica" / member) for member in ("source", "replica")]
    answer = diagnosed(*folders, "--members")
    first = answer["causes"][0]
    assert (first["cause"], first["member"], answer["throughput"]) == ("applier_single_threaded", "replica", 1000)
    assert "on replica" in " ".join(answer["summary"]), "the reply says where to set it"


def test_counters_read_twice_give_the_rate_and_the_shares_of_the_clients_time() -> None:
    answer = diagnosed(str(SAMPLES / "group_flow_control"))
    shares = {line["what"]: line["share"] for line in answer["budget"]}
    assert (answer["throughput"], answer["interval_seconds"]) == (40, 10)
    assert shares["flow control of the group"] == pytest.approx(0.75)  # 60 s of waits by eight clients in 10 s


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
@pytest.mark.parametrize("sample", FIRST)
def test_every_report_tells_the_cause_its_evidence_and_the_reply(sample: str, form: str) -> None:
    cause, text = diagnosed(str(SAMPLES / sample))["causes"][0], why(str(SAMPLES / sample), form=form)
    assert cause["cause"] in text
    assert cause["title"].split(";")[0].split("'")[0] in " ".join(text.split())
