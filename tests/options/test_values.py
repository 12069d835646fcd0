"""Values as the servers take them. MariaDB's were tried on 10.11.19."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.options import Note, NoteKind, Setting
from advisor.options import read_text, resolve

M57, M80, M84, M97 = "mysql-5.7.44", "mysql-8.0.36", "mysql-8.4.4", "mysql-9.7.4"
MARIA = "mariadb-10.11.19"
ALL = (M57, M80, M84, M97, MARIA)


def setting(line: str, release: str) -> Setting:
    """The last setting of a file with these lines."""
    return resolve(read_text(f"[mysqld]\n{line}\n"), parse_release(release)[0]).all[-1]


def kinds(notes: tuple[Note, ...]) -> set[NoteKind]:
    """Without the remark that an option is going away."""
    return {note.kind for note in notes} - {NoteKind.DEPRECATED}


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["=1", "=ON", "=on", "=True", "=TRUE", ""])
def test_a_switch_is_on(text: str, release: str) -> None:
    found = setting(f"slow_query_log{text}", release)
    assert (found.value, kinds(found.notes)) == (True, set())


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["0", "OFF", "off", "false"])
def test_a_switch_is_off(text: str, release: str) -> None:
    found = setting(f"slow_query_log={text}", release)
    assert (found.value, kinds(found.notes)) == (False, set())


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["YES", "enabled", "2", "", "on please"])
def test_everything_else_is_off_though_it_does_not_look_so(text: str, release: str) -> None:
    found = setting(f"slow_query_log={text}", release)
    assert (found.value, kinds(found.notes)) == (False, {NoteKind.MISREAD})


def test_yes_comes_with_the_right_word() -> None:
    assert setting("slow_query_log=YES", M80).notes[0].instead == "ON"


@pytest.mark.parametrize("release", [M57, M80, M97])
def test_a_switch_without_values_ignores_a_wrong_one(release: str) -> None:
    reading = read_text("[mysqld]\nsymbolic-links=1\nsymbolic-links=YES\n")
    settings = resolve(reading, parse_release(release)[0])
    assert NoteKind.MISREAD in kinds(settings.all[1].notes)
    assert settings.effective["symbolic_links"].argument.line == 2


@pytest.mark.parametrize(
    ("text", "number"),
    [("200", 200), ("+200", 200), ("1k", 1024), ("1K", 1024), ("1M", 1 << 20), ("3G", 3 << 30), ("007", 7)],
)
@pytest.mark.parametrize("release", ALL)
def test_numbers_and_suffixes(text: str, number: int, release: str) -> None:
    found = setting(f"max_binlog_cache_size={text}", release)
    assert found.value == max(number // 4096 * 4096, 4096)


@pytest.mark.parametrize(("text", "number"), [("1T", 1 << 40), ("1p", 1 << 50), ("1E", 1 << 60)])
def test_the_large_suffixes_are_unknown_to_5_7(text: str, number: int) -> None:
    assert kinds(setting(f"max_binlog_cache_size={text}", M57).notes) == {NoteKind.REFUSED_VALUE}
    for release in (M80, M84, M97, MARIA):
        assert setting(f"max_binlog_cache_size={text}", release).value == number


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize(("text", "number"), [("2MB", 2 << 20), ("2MiB", 2 << 20), ("8Kxyz", 8192)])
def test_what_follows_the_suffix_is_ignored(text: str, number: int, release: str) -> None:
    found = setting(f"max_binlog_cache_size={text}", release)
    assert (found.value, kinds(found.notes)) == (number, {NoteKind.MISREAD})


def test_1e6_is_an_exabyte_and_an_error_in_5_7() -> None:
    assert kinds(setting("max_binlog_cache_size=1e6", M57).notes) == {NoteKind.REFUSED_VALUE}
    for release in (M80, M97, MARIA):
        found = setting("max_binlog_cache_size=1e6", release)
        assert (found.value, kinds(found.notes)) == (1 << 60, {NoteKind.MISREAD})


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["1.5M", "0x10", "1 M", "ON", "1h", "abc", "99999999999999999999999"])
def test_what_is_no_number_stops_the_start(text: str, release: str) -> None:
    found = setting(f"max_connections={text}", release)
    assert (found.value, kinds(found.notes)) == (None, {NoteKind.REFUSED_VALUE})


def test_more_than_64_bits_is_refused_by_mysql_8_and_wraps_in_mariadb() -> None:
    assert kinds(setting("innodb_buffer_pool_size=100e6", M80).notes) == {NoteKind.REFUSED_VALUE}
    assert setting("innodb_buffer_pool_size=100e6", MARIA).value == 1 << 62
    assert setting("max_connections=17E", MARIA).value == 100000


@pytest.mark.parametrize("release", ALL)
def test_out_of_limits_is_set_to_the_limit(release: str) -> None:
    high = setting("max_connections=1000000", release)
    assert (high.value, kinds(high.notes)) == (100000, {NoteKind.CLAMPED})
    low = setting("max_connections=0", release)
    assert (low.value, kinds(low.notes)) == (10 if release == MARIA else 1, {NoteKind.CLAMPED})


@pytest.mark.parametrize("release", ALL)
def test_a_multiple_of_the_step_is_rounded_down(release: str) -> None:
    found = setting("key_cache_block_size=1000", release)
    assert (found.value, kinds(found.notes)) == (512, {NoteKind.ROUNDED})


def test_a_negative_number_becomes_the_lower_limit_in_mysql_and_stops_mariadb() -> None:
    for release in (M57, M80, M97):
        found = setting("max_connections=-5", release)
        assert (found.value, kinds(found.notes)) == (1, {NoteKind.CLAMPED})
    assert kinds(setting("max_connections=-5", MARIA).notes) == {NoteKind.REFUSED_VALUE}


@pytest.mark.parametrize("name", ["max_connections", "long_query_time", "binlog_format"])
def test_an_empty_value_is_refused_by_mysql(name: str) -> None:
    for release in (M57, M80, M97):
        assert kinds(setting(f"{name}=", release).notes) == {NoteKind.REFUSED_VALUE}


def test_an_empty_value_is_zero_in_mariadb_lifted_to_the_lower_limit() -> None:
    found = setting("max_connections=", MARIA)
    assert (found.value, kinds(found.notes)) == (10, {NoteKind.MISREAD, NoteKind.CLAMPED})
    assert setting("long_query_time=", MARIA).value == 0
    assert setting("binlog_format=", MARIA).value == "MIXED"


@pytest.mark.parametrize("release", ALL)
def test_decimals_take_no_suffix_and_are_kept_inside_limits(release: str) -> None:
    assert setting("long_query_time=0.5", release).value == 0.5
    assert kinds(setting("long_query_time=1K", release).notes) == {NoteKind.REFUSED_VALUE}
    found = setting("long_query_time=99999999999", release)
    assert (found.value, kinds(found.notes)) == (31536000, {NoteKind.CLAMPED})


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize(
    ("text", "word"), [("ROW", "ROW"), ("row", "ROW"), ("st", "STATEMENT"), ("0", "MIXED"), ("2", "ROW")]
)
def test_a_word_a_beginning_of_it_or_its_number(text: str, word: str, release: str) -> None:
    found = setting(f"binlog_format={text}", release)
    assert (found.value, kinds(found.notes)) == (word, set())


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["genlog", "3", "-1", "ROW,STATEMENT"])
def test_a_wrong_word_stops_the_start(text: str, release: str) -> None:
    assert kinds(setting(f"binlog_format={text}", release).notes) == {NoteKind.REFUSED_VALUE}


def test_innodbs_switches_in_mysql_ignore_a_wrong_word_or_take_it_for_off() -> None:
    found = setting("innodb_file_per_table=YES", M80)
    assert (found.value, kinds(found.notes)) == (None, {NoteKind.MISREAD})


@pytest.mark.parametrize("release", ALL)
def test_an_ambiguous_word_stops_the_start(release: str) -> None:
    assert kinds(setting("transaction_isolation=READ", release).notes) == {NoteKind.REFUSED_VALUE}
    assert setting("transaction_isolation=read-c", release).value == "READ-COMMITTED"


@pytest.mark.parametrize("release", ALL)
def test_a_set_takes_words_their_beginnings_and_a_bit_number(release: str) -> None:
    assert setting("sql_mode=PIPES,real_as_float", release).value == "REAL_AS_FLOAT,PIPES_AS_CONCAT"
    assert setting("sql_mode=3", release).value == "REAL_AS_FLOAT,PIPES_AS_CONCAT"
    assert setting("sql_mode=", release).value == ""


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["FOO", "NO", "ANSI, TRADITIONAL", "ANSI,", "ANSI,,TRADITIONAL"])
def test_a_wrong_word_of_a_set_stops_the_start(text: str, release: str) -> None:
    assert kinds(setting(f"sql_mode={text}", release).notes) == {NoteKind.REFUSED_VALUE}


def test_no_auto_create_user_is_no_word_of_mysql_8() -> None:
    assert kinds(setting("sql_mode=NO_AUTO_CREATE_USER", M80).notes) == {NoteKind.REFUSED_VALUE}
    assert setting("sql_mode=NO_AUTO_CREATE_USER", M57).value == "NO_AUTO_CREATE_USER"


def test_traditional_and_ansi_bring_other_modes_with_them() -> None:
    assert "STRICT_ALL_TABLES" in str(setting("sql_mode=TRADITIONAL", M80).value)
    assert "ONLY_FULL_GROUP_BY" in str(setting("sql_mode=ANSI", M57).value)
    assert setting("sql_mode=ANSI", MARIA).value == "REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,IGNORE_SPACE,ANSI"


@pytest.mark.parametrize("release", ALL)
def test_a_later_set_replaces_the_former(release: str) -> None:
    settings = resolve(read_text("[mysqld]\nsql_mode=ANSI_QUOTES\nsql_mode=IGNORE_SPACE\n"), parse_release(release)[0])
    assert settings.effective["sql_mode"].value == "IGNORE_SPACE"
    assert settings.all[0].shadowed_by is settings.all[1].argument


@pytest.mark.parametrize("release", ALL)
def test_lines_of_a_switch_list_add_up(release: str) -> None:
    lines = "optimizer_switch=mrr=on,mrr_cost_based=on\noptimizer_switch=MRR=off\n"
    settings = resolve(read_text(f"[mysqld]\n{lines}"), parse_release(release)[0])
    value = str(settings.effective["optimizer_switch"].value).split(",")
    assert "mrr=off" in value
    assert "mrr_cost_based=on" in value
    assert settings.all[0].shadowed_by is None


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["mrr", "foo=on", "mrr=maybe", "mrr=on,mrr=off", "mrr=of", "mrr=on,"])
def test_a_wrong_switch_list_stops_the_start(text: str, release: str) -> None:
    assert kinds(setting(f"optimizer_switch={text}", release).notes) == {NoteKind.REFUSED_VALUE}


def test_default_resets_a_switch_list() -> None:
    lines = "optimizer_switch=mrr=on\noptimizer_switch=default,mrr_cost_based=on\n"
    value = str(setting(lines, MARIA).value).split(",")
    assert "mrr=off" in value
    assert "mrr_cost_based=on" in value


@pytest.mark.parametrize("release", ALL)
def test_text_is_taken_as_it_is(release: str) -> None:
    found = setting("default_storage_engine=foo", release)
    assert (found.value, kinds(found.notes)) == ("foo", set())


@pytest.mark.parametrize("release", ALL)
def test_a_wrong_character_set_is_noticed_at_once(release: str) -> None:
    assert kinds(setting("character_set_server=utf8x", release).notes) == {NoteKind.REFUSED_VALUE}
    assert kinds(setting("character_set_server=UTF8MB4", release).notes) == set()


def test_utf8_is_no_character_set_of_9_7() -> None:
    assert kinds(setting("character_set_server=utf8", M97).notes) == {NoteKind.REFUSED_VALUE}
    assert kinds(setting("character_set_server=utf8", M84).notes) == set()


@pytest.mark.parametrize("release", ALL)
def test_a_value_that_is_needed_and_missing_stops_the_start(release: str) -> None:
    assert kinds(setting("server_id", release).notes) == {NoteKind.REFUSED_VALUE}


def test_a_windows_path_with_an_escape_is_another_path() -> None:
    assert kinds(setting(r"tmpdir=C:\temp", M80).notes) == {NoteKind.MISREAD}
    assert kinds(setting(r"tmpdir=C:/temp", M80).notes) == set()


def test_a_hash_right_behind_a_value_is_remarked() -> None:
    found = setting("init_connect=a#b", M80)
    assert (found.value, kinds(found.notes)) == ("a", {NoteKind.MISREAD})


@pytest.mark.parametrize("release", ALL)
def test_the_binary_log_takes_a_file_name_not_a_switch(release: str) -> None:
    assert setting("log_bin", release).value is True
    assert setting("log-bin=binlog", release).value is True
    zero = setting("server_id=7\nlog_bin=0", release)
    assert (zero.value, kinds(zero.notes), zero.notes[0].instead) == (True, {NoteKind.MISREAD}, "skip_log_bin")
    assert setting("skip-log-bin", release).value is False
    assert setting("disable-log-bin", release).value is False


def test_a_set_ends_its_words_at_an_equals_sign_in_mariadb_and_in_sql_mode() -> None:
    for release in (M57, M80, M97):
        assert kinds(setting("log_output=FILE=x", release).notes) == {NoteKind.REFUSED_VALUE}
        assert setting("sql_mode=REAL_AS_FLOAT=x", release).value == "REAL_AS_FLOAT"
    assert setting("log_output=FILE=x", MARIA).value == "FILE"


def test_all_alone_is_every_word_of_a_set_in_mariadb() -> None:
    assert setting("log_output=ALL", MARIA).value == "NONE,FILE,TABLE"
    assert setting("slave_type_conversions=all", MARIA).value == "ALL_LOSSY,ALL_NON_LOSSY"
    assert setting("sql_mode=all", MARIA).value == "ALLOW_INVALID_DATES"
    assert kinds(setting("log_output=ALL,FILE", MARIA).notes) == {NoteKind.REFUSED_VALUE}
    assert kinds(setting("log_output=ALL", M97).notes) == {NoteKind.REFUSED_VALUE}
