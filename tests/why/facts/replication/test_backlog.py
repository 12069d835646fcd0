"""Positions: what the source is ahead of the receiver, and the receiver ahead of the applier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from advisor.evidence import read_path
from advisor.why import diagnose


def told(folder: Path, source: dict[str, Any], replica: dict[str, Any]) -> dict[str, float]:
    members = [
        {"name": "s", "role": "source", "server": "mysql 8.0.36"},
        {"name": "r", "role": "replica", "server": "mysql 8.0.36"},
    ]
    (folder / "bundle.json").write_text(json.dumps({"format": 1, "topology": "async_mysql", "members": members}))
    for name, table, row in (("s", "binary_log_status", source), ("r", "replica_status", replica)):
        (folder / "members" / name).mkdir(parents=True)
        moments = [{"at_seconds": 0, "tables": {table: [row]}}]
        (folder / "members" / name / "replication.json").write_text(json.dumps(moments))
    return {suspect.cause.id: suspect.confidence for suspect in diagnose(read_path(str(folder))).causes}


def status(file: str, read: int, applied: int, **more: Any) -> dict[str, Any]:
    return {"Source_Log_File": file, "Relay_Source_Log_File": file, "Read_Source_Log_Pos": read,
            "Exec_Source_Log_Pos": applied, "Seconds_Behind_Source": 540, "Replica_IO_Running": "Yes",
            "Replica_SQL_Running": "Yes", **more}  # fmt: skip


def test_a_source_far_ahead_of_what_was_received_is_the_receivers_matter(tmp_path: Path) -> None:
    causes = told(tmp_path, {"File": "b.7", "Position": 776_000_000}, status("b.7", 148_000_000, 147_900_000))
    assert next(iter(causes)) == "io_thread_bound"
    assert causes["io_thread_bound"] >= 0.5


def test_a_source_in_another_file_tells_nothing(tmp_path: Path) -> None:
    causes = told(tmp_path, {"File": "b.8", "Position": 4}, status("b.7", 900_000_000, 100_000_000))
    assert causes.get("io_thread_bound", 0) < 0.5


def test_a_replica_that_waits_by_order_is_not_slow(tmp_path: Path) -> None:
    causes = told(tmp_path, {"File": "b.7", "Position": 900}, status("b.7", 900, 400, SQL_Delay=600))
    assert next(iter(causes)) == "metric_misleading"
