"""Which empty values were taken out before a file was shared, and which are mistakes of whoever runs the server?"""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.options import NoteKind, Reading
from advisor.model.record import replace
from advisor.options import read_text, resolve
from advisor.options.blanked import blanked

THREE_EMPTY = ("server_id =", "auto_increment_offset =", "report_host =")


def blanked_lines(*lines: str) -> list[int]:
    """The numbers, from 1, of the lines that count as blanked out."""
    settings = resolve(read_text("\n".join(["[mysqld]", *lines]) + "\n"), parse_release("mysql-8.4.8")[0])
    return [setting.argument.line - 1 for setting in blanked(settings.all)]


def test_three_empty_values_that_tell_servers_apart_were_blanked_out() -> None:
    assert blanked_lines(*THREE_EMPTY) == [1, 2, 3]
    assert blanked_lines(*THREE_EMPTY[:2]) == []


def test_the_same_option_empty_three_times_is_one() -> None:
    assert blanked_lines("report_host =", "report_host =", "report_host =") == []


@pytest.mark.parametrize("value", ["0", "ON", "7"])
def test_an_empty_line_that_a_later_one_overrides_does_not_count(value: str) -> None:
    assert blanked_lines(*THREE_EMPTY, f"server-id = {value}") == []


def test_an_empty_line_that_decides_counts_whatever_stands_before_it() -> None:
    assert blanked_lines("server-id = 7", *THREE_EMPTY) == [2, 3, 4]


def test_taking_out_a_line_that_does_not_count_leaves_the_others_as_they_are() -> None:
    lines = ["server_id =", *THREE_EMPTY[1:], "server_id = 7"]
    release = parse_release("mysql-8.4.8")[0]
    before = resolve(read_text("\n".join(["[mysqld]", *lines])), release).effective
    after = resolve(read_text("\n".join(["[mysqld]", *lines[1:]])), release).effective
    assert {name: setting.value for name, setting in before.items()} == {
        name: setting.value for name, setting in after.items()
    }
    assert all(note.kind is not NoteKind.BLANKED for setting in before.values() for note in setting.notes)


def test_the_value_of_a_template_is_filled_in_elsewhere() -> None:
    text = "[mysqld]\nserver_id = {{ host_number }}\nmax_connections = <%= @connections %>\nport = {x}\n"
    settings = resolve(read_text(text, "my.cnf"), parse_release("mysql-8.4.3")[0])
    notes = {setting.name: {note.kind for note in setting.notes} for setting in settings.all}
    assert notes["server_id"] == notes["max_connections"] == {NoteKind.UNDECIDED}
    assert NoteKind.REFUSED_VALUE in notes["port"]


def test_what_an_operator_sets_is_no_mistake_of_the_user() -> None:
    own = replace(read_text("[mysqld]\nquery_cache_size = 0\n", "my.cnf").arguments[0], by_operator=True)
    settings = resolve(Reading((own,)), parse_release("mysql-8.4.3")[0])
    assert settings.all[0].notes == ()
    assert settings.would_start
