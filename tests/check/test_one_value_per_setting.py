"""Do `check` and `why` advise the same value for the same setting? Every rule and cause takes it from one place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from advisor.data import read_documents

RULES: Final = Path(__file__).resolve().parents[2] / "rules"
# Settings of which rules advise different values, and why both can be right.
DIFFERENT: Final = {
    "max_binlog_cache_size": "a replica needs what its source has",
    "binlog_checksum": "groups before MySQL 8.0.21 refuse the checksum that everybody else should have",
    "group_replication_enforce_update_everywhere_checks": "it follows single- or multi-primary mode",
    "group_replication_flow_control_applier_threshold": "the default, unless it is above that already",
    "group_replication_flow_control_certifier_threshold": "the default, unless it is above that already",
    "innodb_buffer_pool_size": "one makes it larger by what memory is free, one fits it into the machine",
    "innodb_io_capacity_max": "one raises it, one brings it above innodb_io_capacity",
    "innodb_log_file_size": "of several files each has its part; without a measured rate 2 GiB to start with",
    "innodb_redo_log_capacity": "without a measured rate 2 GiB to start with",
    "replica_parallel_workers": "one raises the number, one lowers it",
    "replica_preserve_commit_order": "ON where the release always accepts it",
    "slave_parallel_threads": "one raises the number, one lowers it",
    "table_open_cache_instances": "the defaults of the two families",
    "transaction_write_set_extraction": "groups accept only one algorithm",
}


@cache
def advice_of(path: Path) -> list[Any]:
    document: Any = next(iter(read_documents(path)))
    advice = document.get("advice", []) if isinstance(document, dict) else []
    return advice if isinstance(advice, list) else [advice]


def advised() -> Iterator[tuple[str, str]]:
    """Every setting with the value or expression that some rule or cause advises for it."""
    for path in sorted(RULES.rglob("*.yaml")):
        for each in advice_of(path):
            yield from each.get("set", {}).items()


@cache
def values() -> dict[str, set[str]]:
    by_setting: dict[str, set[str]] = {}
    for setting, value in advised():
        by_setting.setdefault(setting, set()).add(str(value))
    return by_setting


@pytest.mark.parametrize("setting", sorted(values()))
def test_a_setting_is_advised_with_one_value_or_with_a_reason(setting: str) -> None:
    assert (len(values()[setting]) > 1) == (setting in DIFFERENT), values()[setting]


def test_why_and_check_size_appliers_and_redo_alike() -> None:
    for folder in ("causes", "applier", "redo"):
        expressions = {
            value
            for path in sorted((RULES / folder).glob("*.yaml"))
            for each in advice_of(path)
            for setting, value in each.get("set", {}).items()
            if setting in ("replica_parallel_workers", "innodb_redo_log_capacity")
        }
        assert any("_to_try" in value or "_to_set" in value for value in expressions), folder
