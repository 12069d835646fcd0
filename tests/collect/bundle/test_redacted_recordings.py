"""Pseudonyms: the same for a name everywhere, none for words of the server, and the findings stay."""

from __future__ import annotations

import json

import pytest

from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.innodb_text import without_statements
from advisor.collect.bundle.pseudonyms import Pseudonyms
from advisor.collect.bundle.redacted_recordings import redact
from tests.collect.recordings import SAMPLES, gathered, recorded, wanted

NAMES = ["orders-db", "10.1.2.3", "10.9.8.7", "shop", "copyist", "customers", "watch", "hunter2", "Miller", "carol"]


def redacted_files(key: bytes = b"key") -> dict[str, bytes]:
    return pack(*redact(gathered(), wanted(), Pseudonyms(key)), redacted=True)


def test_no_name_is_left_in_any_file_or_file_name() -> None:
    files = redacted_files()
    text = "\n".join([*files, *(data.decode() for data in files.values())]).lower()
    plain = "\n".join(data.decode() for data in pack(gathered(), wanted(), redacted=False).values()).lower()
    hidden = [name for name in NAMES if name.lower() in plain]
    assert len(hidden) == len(NAMES) - 1, "all but the password, which is nowhere"
    assert [name for name in NAMES if name.lower() in text] == []


def test_a_name_has_one_pseudonym_in_a_bundle_and_another_in_the_next() -> None:
    files = redacted_files()
    (member,) = {name.split("/")[1] for name in files if name.startswith("members/")}
    variables = json.loads(files[f"members/{member}/variables.json"])
    assert variables["hostname"] == member
    assert variables["datadir"] == f"/srv/{member}/data/"
    assert f"report-host = {variables['report_host']}".encode() in files[f"members/{member}/my.cnf"]
    others = redacted_files(b"another")
    assert member not in " ".join(others)


def test_words_of_the_server_numbers_and_transaction_ids_stay() -> None:
    before = recorded()
    (after,) = redact(gathered(before), wanted(), Pseudonyms(b"key"))[0].recordings
    kept = ["version", "binlog_format", "sync_binlog", "server_uuid", "gtid_executed"]
    assert {name: after.variables[name] for name in kept} == {name: before.variables[name] for name in kept}
    assert after.variables["init_replica"] == "", "empty stays empty"
    assert after.samples == before.samples
    row = after.tables[0][1]["replica_status"][0]
    assert (row["Seconds_Behind_Source"], row["Last_SQL_Errno"]) == (None, 1032)
    assert row["Replica_IO_State"] == "Waiting for source to send event"
    assert str(row["Last_SQL_Error"]).startswith("Could not execute Delete_rows event on table schema-")


def test_an_option_file_keeps_its_lines_and_its_suppressions() -> None:
    (after,) = redact(gathered(), wanted(), Pseudonyms(b"key"))[0].recordings
    (text,) = after.option_files.values()
    lines = text.splitlines()
    assert len(lines) == 7
    assert lines[0] == "#"
    assert "advisor: ignore[some-rule]" in lines[4]
    assert lines[6] == "sync_binlog = 1"


@pytest.mark.parametrize("word", ["binlog", "innodb", "state", "sql"])
def test_a_schema_called_like_a_word_of_the_server_changes_no_counter_or_instrument(word: str) -> None:
    recording = recorded()
    recording.once["mine"] = [{"db": word}]
    instrument = {"EVENT_NAME": "wait/io/file/innodb/innodb_log_file", "SUM_TIMER_WAIT": 5}
    recording.once["waits"] = [instrument, {"EVENT_NAME": "wait/io/file/sql/binlog"}]
    (after,) = redact(gathered(recording), wanted(), Pseudonyms(b"key"))[0].recordings
    assert after.once["mine"] != recording.once["mine"]
    assert after.once["waits"] == recording.once["waits"]
    assert after.once["plugins"] == recording.once["plugins"]
    assert set(after.variables) == set(recording.variables)


def test_the_monitor_keeps_its_figures_and_loses_statements_and_rows() -> None:
    for path in SAMPLES.glob("innodb-status-*.txt"):
        text = path.read_text(encoding="utf-8")
        kept = without_statements(text)
        assert "carol-secret" in text
        assert "carol" not in kept
        assert "customers" not in kept
        for line in ("History list length", "Log sequence number", "Last checkpoint at", "Buffer pool size"):
            assert line in kept, path.name
        assert kept.count("---TRANSACTION") == text.split("TRANSACTIONS\n----")[-1].count("---TRANSACTION")
