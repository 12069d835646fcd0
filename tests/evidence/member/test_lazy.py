"""Values typed only when somebody looks: what leaves is what an eager reader would have kept."""

from __future__ import annotations

import json

import pytest

from advisor.errors import InputError
from advisor.evidence.formats.json_dump import read_json


def moments(**values: object) -> str:
    return json.dumps([{"at_seconds": at, "values": {"Uptime": str(at), **values}} for at in (1, 2)])


def test_counters_are_numbers_words_and_null_whoever_asks() -> None:
    text = moments(Questions="12", Rpl_status="AUTH_MASTER", Com_commit=7, Load="0.5", Gone=None)
    pieces = read_json(text, "s", "status")
    values = pieces.moments[0].values
    wanted = {"Uptime": 1, "Questions": 12, "Rpl_status": "AUTH_MASTER", "Com_commit": 7, "Load": 0.5, "Gone": None}
    assert dict(values) == wanted == values
    assert (values.get("Questions"), values.get("Absent"), values.get("Absent", 3)) == (12, None, 3)
    assert "Gone" in values
    assert repr(values) == repr(wanted)


def test_no_secret_leaves_a_counter_or_a_row() -> None:
    counters = read_json(moments(Questions="1", Client_password="hunter2", Peer="root:hunter2@db1"), "s", "status")
    rows = [{"CHANNEL_NAME": "", "WORKER_ID": 1, "SERVICE_STATE": "root:hunter2@db1", "USER_PASSWORD": "hunter2"}]
    table = read_json(json.dumps({"replication_applier_status_by_worker": rows}), "r", "replication").tables[0]
    assert "hunter2" not in repr(counters.moments[0].values) + repr(table.rows) + repr(table)
    assert counters.moments[0].values["Peer"] == "root:********@db1"
    assert table.rows[0]["USER_PASSWORD"] == "********"


def test_rows_are_a_sequence_like_any_other() -> None:
    printed = [{"ID": str(number), "COMMAND": "Query", "USER": "app", "TIME": "0", "STATE": ""} for number in (1, 2, 3)]
    rows = read_json(json.dumps(printed), "p", "processlist").tables[0].rows
    assert (len(rows), rows[-1]["ID"], [row["ID"] for row in rows[1:]], bool(rows)) == (3, 3, [2, 3], True)
    assert rows == tuple(rows)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_what_is_no_number_is_refused_while_it_is_read(number: str) -> None:
    with pytest.raises(InputError, match="not a number that a server can report"):
        read_json(f'[{{"at_seconds": 1, "values": {{"Questions": {number}}}}}]', "s", "status")
