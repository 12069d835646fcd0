"""Switches that take a value in another way than most. Tried on 5.7.22, 8.0.15, 9.7.4, MariaDB 10.11.18 and 11.8.9."""

from __future__ import annotations

import pytest

from advisor.catalog import load, parse_release
from advisor.model.options import NoteKind, Settings
from advisor.options import read_text, resolve

M57, M80, M84, M97 = "mysql-5.7.44", "mysql-8.0.36", "mysql-8.4.4", "mysql-9.7.4"
MARIA = "mariadb-10.11.19"


def resolved(lines: str, release: str) -> Settings:
    return resolve(read_text(f"[mysqld]\n{lines}\n"), parse_release(release)[0], bare=True)


@pytest.mark.parametrize("release", [M57, M80, M84, M97, MARIA])
@pytest.mark.parametrize("name", ["innodb_file_per_table", "innodb_deadlock_detect", "innodb_use_native_aio"])
def test_some_switches_of_innodb_ignore_a_word_they_do_not_know(name: str, release: str) -> None:
    settings = resolved(f"{name}=OFF\n{name}=YES", release)
    assert settings.effective[name].value is False
    assert settings.effective[name].argument.line == 2


@pytest.mark.parametrize("release", [M57, M80, M84, M97, MARIA])
@pytest.mark.parametrize("name", ["innodb_print_all_deadlocks", "innodb_strict_mode", "autocommit", "read_only"])
def test_others_take_it_for_off(name: str, release: str) -> None:
    settings = resolved(f"{name}=ON\n{name}=YES", release)
    assert settings.effective[name].value is False
    assert settings.effective[name].argument.line == 3


@pytest.mark.parametrize("release", [M57, M97])
def test_consumers_of_performance_schema_are_no_system_variables_and_take_it_for_off(release: str) -> None:
    settings = resolved("performance_schema_consumer_events_statements_current=YES", release)
    assert settings.effective["performance_schema_consumer_events_statements_current"].value is False


@pytest.mark.parametrize("release", [M57, M80, M84, M97, MARIA])
@pytest.mark.parametrize("name", ["innodb_buffer_pool_dump_at_shutdown", "innodb_buffer_pool_load_at_startup"])
def test_some_switches_need_a_value(name: str, release: str) -> None:
    assert resolved(name, release).would_start is False
    assert resolved(f"{name}=1", release).effective[name].value is True
    assert resolved(f"skip-{name}", release).effective[name].value is False


def test_a_dedicated_server_is_said_to_be_one() -> None:
    assert resolved("innodb_dedicated_server", M97).would_start is False
    assert resolved("innodb_dedicated_server=ON", M97).effective["innodb_dedicated_server"].value is True


@pytest.mark.parametrize("release", [M57, M80, M84, M97])
@pytest.mark.parametrize("line", ["ansi=1", "ansi=OFF", "ansi=", "enable-ansi", "skip_stack_trace=TRUE"])
def test_three_options_of_mysql_stand_alone(line: str, release: str) -> None:
    settings = resolved(line, release)
    assert settings.would_start is False
    assert settings.all[0].notes[0].kind is NoteKind.REFUSED_VALUE


@pytest.mark.parametrize("release", [M57, M97])
def test_alone_they_are_on(release: str) -> None:
    assert resolved("ansi", release).effective["ansi"].value is True


def test_a_switch_of_a_plugin_of_mariadb_was_not_tried_so_it_stays_open() -> None:
    release = parse_release(MARIA)[0]
    variable = load(release).get("mroonga_libgroonga_embedded")
    assert variable is not None
    assert variable.option == "none"
    found = resolved("plugin_load_add=ha_mroonga\nmroonga_libgroonga_embedded=YES", MARIA).all[1]
    assert found.value is None
    assert found.notes[0].kind is NoteKind.MISREAD


@pytest.mark.parametrize(("text", "on"), [("1.0", True), ("10", True), ("00", False), ("0x", False)])
def test_of_numbers_mariadb_looks_at_the_first_digit_where_mysql_ignores_them(text: str, on: bool) -> None:
    lines = f"innodb_file_per_table={int(not on)}\ninnodb_file_per_table={text}"
    assert resolved(lines, MARIA).effective["innodb_file_per_table"].value is on
    assert resolved(lines, M97).effective["innodb_file_per_table"].value is not on
