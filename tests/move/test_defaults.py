"""Are the changed defaults those that real servers show, and only of variables that the files leave alone?"""

from __future__ import annotations

import itertools
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from advisor.catalog import load
from advisor.model.move import DefaultChange
from advisor.move.defaults import as_text
from tests.move.moved import move_text, only_member

FULL = ["mysql-5.7.42", "mysql-8.0.46", "mysql-8.4.13", "mysql-9.7.4",
        "mariadb-10.5.23", "mariadb-10.6.23", "mariadb-10.11.19", "mariadb-11.4.7", "mariadb-11.8.9"]  # fmt: skip


@cache
def shown_by_servers(shared: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Family → version → variable → what an unconfigured real server showed."""
    facts: dict[str, dict[str, dict[str, Any]]] = json.loads((shared / "servers/variables.json").read_text())["facts"]
    return facts


def plain(value: Any) -> str:
    """A default as text; switches that are words are printed as ON or as TRUE."""
    return {"true": "on", "false": "off"}.get(text := as_text(value).lower(), text)


def defaults(folder: Path, text: str, origin: str, target: str) -> dict[str, DefaultChange]:
    """The changed defaults by the target's name."""
    return {change.name: change for change in only_member(move_text(folder, text, origin, target)).defaults}


@pytest.mark.parametrize(("origin", "target"), list(itertools.permutations(FULL, 2)))
def test_a_changed_default_is_what_the_real_servers_show(
    shared: Path, tmp_path: Path, origin: str, target: str
) -> None:
    facts = shown_by_servers(shared)
    old, new = (facts[family][version] for family, _, version in (name.partition("-") for name in (origin, target)))
    checked = 0
    for change in defaults(tmp_path, "", origin, target).values():
        if change.stated or change.name not in new or change.old_name not in old:
            continue
        if change.now is not None and "def" in new[change.name] and "why" not in new[change.name]:
            assert plain(change.now) == plain(new[change.name]["def"]), change
            checked += 1
        if change.was[0] is not None and "def" in old[change.old_name]:
            assert plain(change.was[0]) == plain(old[change.old_name]["def"]), change
    assert checked >= 3


@pytest.mark.parametrize(
    ("origin", "target"),
    [pair for pair in itertools.permutations(FULL, 2) if pair[0].split("-")[0] == pair[1].split("-")[0]],
)
def test_no_default_that_real_servers_show_to_differ_is_left_out(
    shared: Path, tmp_path: Path, origin: str, target: str
) -> None:
    facts = shown_by_servers(shared)
    old, new = (facts[family][version] for family, _, version in (name.partition("-") for name in (origin, target)))
    told = defaults(tmp_path, "", origin, target)
    named = {name for change in told.values() for name in (change.name, change.old_name)}
    catalog = load(only_member(move_text(tmp_path, "", origin, target)).releases[0])
    missing = []
    for name in old.keys() & new.keys():
        before, after, variable = old[name], new[name], catalog.get(name)
        fixed = "def" in before and "def" in after and not any("why" in f or f.get("auto") for f in (before, after))
        lists = before.get("type") in ("set", "flagset") or after.get("type") in ("set", "flagset")
        single = fixed and not lists and before.get("var", True) and after.get("var", True)
        # The servers compute some that the readings show as plain numbers.
        settable = variable is not None and not variable.auto and bool(variable.option or variable.dynamic)
        if single and settable and plain(before["def"]) != plain(after["def"]):
            missing.append(name)
    assert [name for name in missing if name not in named and not aliased(name, named)] == []


def aliased(name: str, named: set[str]) -> bool:
    """Whether the variable is told under its other spelling."""
    from advisor.catalog import canonical
    from advisor.model.server import Family

    return any(canonical(name, family) == canonical(other, family) for family in Family for other in named)


def test_what_the_file_sets_does_not_change(tmp_path: Path) -> None:
    text = "innodb_flush_method = fsync\ninnodb_io_capacity = 400\n"
    told = defaults(tmp_path, text, "mysql-8.0.36", "mysql-8.4")
    assert "innodb_adaptive_hash_index" in told
    assert not told.keys() & {"innodb_flush_method", "innodb_io_capacity"}


def test_another_spelling_and_a_translation_count_as_set(tmp_path: Path) -> None:
    text = "log_slave_updates = 0\nslave_parallel_workers = 0\ninnodb_log_file_size = 1G\nexpire_logs_days = 3\n"
    told = defaults(tmp_path, text, "mysql-5.7.44", "mysql-8.4")
    names = {
        "log_replica_updates",
        "replica_parallel_workers",
        "innodb_redo_log_capacity",
        "binlog_expire_logs_seconds",
    }
    assert not told.keys() & names
    assert told.keys() >= {"log_bin", "character_set_server"}


def test_a_collation_follows_the_character_set_of_the_file(tmp_path: Path) -> None:
    told = defaults(tmp_path, "character_set_server = latin1\n", "mysql-5.7.44", "mysql-8.0.36")
    assert not told.keys() & {"character_set_server", "collation_server"}


def test_a_default_of_now_that_depends_on_the_exact_release_says_so(tmp_path: Path) -> None:
    (change,) = [
        c for c in defaults(tmp_path, "", "mysql-8.0", "mysql-8.4").values() if c.name == "replica_parallel_workers"
    ]
    assert (change.was, change.now, change.certain) == ((0, 4), 4, False)


def test_the_group_plugin_counts_as_loaded_where_the_files_load_it(tmp_path: Path) -> None:
    name = "group_replication_exit_state_action"
    assert not defaults(tmp_path, "", "mysql-8.0.36", "mysql-8.4")[name].loaded
    assert defaults(tmp_path, "plugin_load_add = group_replication.so\n", "mysql-8.0.36", "mysql-8.4")[name].loaded


def test_a_switch_that_became_a_word_is_no_change(tmp_path: Path) -> None:
    assert "innodb_doublewrite" not in defaults(tmp_path, "", "mysql-5.7.44", "mysql-8.0.36")


def test_a_computed_default_says_how(tmp_path: Path) -> None:
    change = defaults(tmp_path, "", "mysql-8.0.36", "mysql-8.4")["innodb_purge_threads"]
    assert change.was == (4,)
    assert change.now is None
    assert change.computed
