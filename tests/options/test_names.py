"""Names as the servers understand them: dashes, case, prefixes, abbreviations, caches."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.options import NoteKind, Setting
from advisor.model.server import Family
from advisor.options import read_text, resolve
from advisor.options.names import plain_name

M57, M80, M97 = "mysql-5.7.44", "mysql-8.0.36", "mysql-9.7.4"
MARIA, MARIA118 = "mariadb-10.11.19", "mariadb-11.8.9"
ALL = (M57, M80, M97, MARIA, MARIA118)


def setting(line: str, release: str) -> Setting:
    return resolve(read_text(f"[mysqld]\n{line}\n"), parse_release(release)[0]).all[-1]


def kinds(line: str, release: str) -> set[NoteKind]:
    return {note.kind for note in setting(line, release).notes} - {NoteKind.DEPRECATED}


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("name", ["max_connections", "max-connections", "max-user_connections"])
def test_dashes_and_underscores_are_the_same(name: str, release: str) -> None:
    assert setting(f"{name}=50", release).name == name.replace("-", "_")


def test_mysql_minds_the_case_and_mariadb_does_not() -> None:
    for release in (M57, M80, M97):
        found = setting("Max_Connections=50", release)
        assert (found.name, found.notes[0].kind, found.notes[0].instead) == ("", NoteKind.UNKNOWN, "max_connections")
    assert setting("Max_Connections=50", MARIA).name == "max_connections"


def test_mariadb_takes_a_unique_beginning_and_mysql_none() -> None:
    found = setting("key_buffer=16M", MARIA)
    assert (found.name, found.value) == ("key_buffer_size", 16 << 20)
    assert kinds("key_buffer=16M", MARIA) == {NoteKind.ABBREVIATED}
    assert kinds("key_buffer=16M", M80) == {NoteKind.UNKNOWN}
    assert setting("MAX-CONNECTION=50", MARIA).name == "max_connections"


@pytest.mark.parametrize("name", ["innodb_lo", "max_", "log_b"])
def test_an_ambiguous_beginning_stops_mariadb(name: str) -> None:
    assert kinds(f"{name}=1", MARIA) == {NoteKind.AMBIGUOUS}


def test_a_beginning_of_an_option_mariadb_ignores_is_ignored_too() -> None:
    assert kinds("innodb_file_f=Barracuda", MARIA) == {NoteKind.IGNORED}


def test_abbreviations_end_where_they_are_switched_off() -> None:
    reading = read_text("[mysqld]\nkey_buffer=16M\ngetopt_prefix_matching=0\nkey_buffer=32M\n")
    first, _, last = resolve(reading, parse_release(MARIA118)[0]).all
    assert (first.name, last.name) == ("key_buffer_size", "")


@pytest.mark.parametrize("release", ALL)
def test_an_unknown_name_stops_the_start(release: str) -> None:
    for line in ("nonsense=1", "nonsense", "max_connections 100", "--max_connections=100"):
        assert kinds(line, release) == {NoteKind.UNKNOWN}
    assert resolve(read_text("[mysqld]\nnonsense=1\n"), parse_release(release)[0]).would_start is False


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("line", ["loose-nonsense=1", "loose_nonsense", "loose-skip-nonsense"])
def test_loose_makes_an_unknown_name_harmless(line: str, release: str) -> None:
    assert kinds(line, release) == {NoteKind.IGNORED}
    assert resolve(read_text(f"[mysqld]\n{line}\n"), parse_release(release)[0]).would_start is True


def test_only_mariadb_takes_loose_in_capitals() -> None:
    assert kinds("LOOSE-nonsense=1", MARIA) == {NoteKind.IGNORED}
    assert kinds("LOOSE-nonsense=1", M80) == {NoteKind.UNKNOWN}


def test_loose_forgives_a_bad_value_in_mariadb_only() -> None:
    for release in (M57, M80, M97):
        assert kinds("loose-max_connections=abc", release) == {NoteKind.REFUSED_VALUE}
    found = setting("loose-max_connections=abc", MARIA)
    assert (found.value, kinds("loose-max_connections=abc", MARIA)) == (None, {NoteKind.MISREAD})


@pytest.mark.parametrize("release", ALL)
def test_loose_goes_first(release: str) -> None:
    assert setting("loose-skip-slow_query_log", release).value is False
    assert setting("skip-loose-slow_query_log", release).value is True


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("prefix", ["skip-", "disable-", "skip_", "disable_"])
def test_skip_and_disable_are_zero(prefix: str, release: str) -> None:
    assert setting(f"{prefix}slow_query_log", release).value is False
    assert setting(f"{prefix}slow_query_log=1", release).value is False
    assert setting(f"{prefix}max_connections", release).value == (10 if "maria" in release else 1)


@pytest.mark.parametrize("release", ALL)
def test_twice_no_is_yes(release: str) -> None:
    assert setting("skip-slow_query_log=0", release).value is True
    assert setting("disable-slow_query_log=0", release).value is True
    assert setting("skip-slow_query_log=OFF", release).value is False


@pytest.mark.parametrize("release", ALL)
def test_enable_is_one_and_enable_zero_is_off(release: str) -> None:
    assert setting("enable-slow_query_log", release).value is True
    assert setting("enable-slow_query_log=0", release).value is False


@pytest.mark.parametrize("release", ALL)
def test_maximum_limits_later_sets_and_not_the_value(release: str) -> None:
    settings = resolve(
        read_text("[mysqld]\nsort_buffer_size=1M\nmaximum-sort_buffer_size=2M\n"), parse_release(release)[0]
    )
    assert settings.all[1].limit_only
    assert not settings.all[1].effective
    assert settings.effective["sort_buffer_size"].value == 1 << 20


@pytest.mark.parametrize("release", ALL)
def test_maximum_needs_a_variable_with_a_session_value(release: str) -> None:
    assert kinds("maximum-max_connections=5", release) == {NoteKind.REFUSED_VALUE}


def test_autoset_is_a_prefix_of_mariadb() -> None:
    assert resolve(read_text("[mysqld]\nautoset_open_files_limit\n"), parse_release(MARIA)[0]).would_start is True
    assert kinds("autoset_max_connections", MARIA) == {NoteKind.REFUSED_VALUE}
    assert kinds("autoset_max_connections", M80) == {NoteKind.UNKNOWN}


@pytest.mark.parametrize("release", ALL)
def test_names_that_begin_with_skip_are_ordinary_switches(release: str) -> None:
    assert setting("skip-networking", release).value is True
    assert setting("skip-networking=0", release).value is False
    assert setting("skip_networking", release).name == "skip_networking"


def test_skip_name_resolve_zero_is_on_in_mysql() -> None:
    for release in (M57, M80, M97):
        assert setting("skip-name-resolve=0", release).value is True
        assert setting("skip-name-resolve", release).value is True
    assert setting("skip-name-resolve=OFF", M57).value is True
    assert setting("skip-name-resolve=OFF", M80).value is False
    assert setting("skip-name-resolve=0", MARIA).value is False


@pytest.mark.parametrize("release", ALL)
def test_there_is_no_prefix_no(release: str) -> None:
    assert kinds("no-slow_query_log", release) == {NoteKind.UNKNOWN}


@pytest.mark.parametrize("release", ALL)
def test_a_named_key_cache_leaves_the_default_one_alone(release: str) -> None:
    settings = resolve(read_text("[mysqld]\nhot.key_buffer_size=8M\n"), parse_release(release)[0])
    assert "key_buffer_size" not in settings.effective
    assert settings.effective["hot.key_buffer_size"].value == 8 << 20


@pytest.mark.parametrize("release", ALL)
def test_the_key_cache_named_default_is_the_default_one(release: str) -> None:
    assert setting("default.key_buffer_size=8M", release).name == "key_buffer_size"


def test_another_word_before_a_dot_is_dropped_by_mariadb_and_5_7() -> None:
    assert kinds("x.max_connections=55", MARIA) == {NoteKind.MISREAD}
    assert setting("x.max_connections=55", M57).name == "max_connections"
    assert kinds("x.max_connections=55", M80) == {NoteKind.UNKNOWN}
    assert kinds("loose-validate_password.length=8", MARIA) == {NoteKind.UNKNOWN}


@pytest.mark.parametrize("name", ["validate_password.length", "validate-password.length"])
def test_a_components_variable_depends_on_its_installation(name: str) -> None:
    assert kinds(f"{name}=8", M80) == {NoteKind.UNDECIDED}
    assert kinds(f"loose-{name}=8", M80) == {NoteKind.IGNORED}


def test_plugin_before_a_plugins_option_is_the_same_option() -> None:
    for release in ALL:
        assert setting("plugin-innodb-buffer-pool-size=64M", release).name == "innodb_buffer_pool_size"
        assert kinds("plugin-max_connections=4", release) == {NoteKind.UNKNOWN}


def test_a_plugins_option_is_undecided_unless_the_files_load_it() -> None:
    option = "group_replication_bootstrap_group=OFF"
    release = parse_release(M80)[0]
    assert resolve(read_text(f"[mysqld]\n{option}\n"), release).would_start is None
    assert resolve(read_text(f"[mysqld]\n{option}\n"), release, bare=True).would_start is False
    for load in ("plugin_load_add=group_replication.so", "plugin-load='a=b.so;group_replication=group_replication.so'"):
        assert resolve(read_text(f"[mysqld]\n{option}\n{load}\n"), release).would_start is True
    assert resolve(read_text(f"[mysqld]\nloose-{option}\n"), release).would_start is True


def test_plugin_load_replaces_what_was_loaded_before() -> None:
    lines = "plugin_load_add=group_replication.so\nplugin_load=x.so\ngroup_replication_bootstrap_group=OFF\n"
    assert resolve(read_text(f"[mysqld]\n{lines}"), parse_release(M80)[0]).would_start is None


def test_a_library_may_be_called_otherwise_than_its_plugin() -> None:
    lines = "plugin_load_add=semisync_source.so\nrpl_semi_sync_source_enabled=1\n"
    assert resolve(read_text(f"[mysqld]\n{lines}"), parse_release("mysql-8.0.36")[0]).would_start is True


def test_mariadb_has_galera_and_semisync_built_in() -> None:
    lines = "wsrep_slave_threads=4\nrpl_semi_sync_master_enabled=1\n"
    assert resolve(read_text(f"[mysqld]\n{lines}"), parse_release(MARIA)[0]).would_start is True


def test_skip_of_an_option_the_manuals_name_with_skip_is_understood() -> None:
    assert setting("skip-ssl", MARIA).name == "ssl"


@pytest.mark.parametrize("release", [M57, M97, MARIA])
def test_what_maximum_does_to_options_of_engines_and_to_words_is_not_told(release: str) -> None:
    for line in ("maximum-innodb_io_capacity=5", "maximum-slow_query_log=1", "maximum-myisam_mmap_size=7"):
        assert resolve(read_text(f"[mysqld]\n{line}\n"), parse_release(release)[0]).would_start is None


def test_loose_forgives_a_bad_value_of_a_plugin_which_is_then_off() -> None:
    bad = "group_replication_clone_threshold=ON"
    for lines in (f"loose-{bad}", f"plugin_load_add=group_replication.so\nloose-{bad}"):
        assert resolve(read_text(f"[mysqld]\n{lines}\n"), parse_release(M97)[0], bare=True).would_start is True
    lines = f"plugin_load_add=group_replication.so\n{bad}"
    assert resolve(read_text(f"[mysqld]\n{lines}\n"), parse_release(M97)[0], bare=True).would_start is False


@pytest.mark.parametrize("release", [M97, MARIA])
def test_loose_does_not_forgive_a_bad_value_of_innodb_which_must_come_up(release: str) -> None:
    assert kinds("loose-innodb_purge_threads=ON", release) == {NoteKind.REFUSED_VALUE}


@pytest.mark.parametrize("line", ["binlog_format=foo", "sql_mode=x", "long_query_time=abc", "aria_repair_threads=x"])
def test_mariadb_passes_over_bad_numbers_and_words_behind_loose(line: str) -> None:
    assert kinds(line, MARIA) == {NoteKind.REFUSED_VALUE}
    assert kinds(f"loose-{line}", MARIA) == {NoteKind.MISREAD}


@pytest.mark.parametrize("line", ["max_connections", "collation_server=foo", "replicate_do_table=foo"])
def test_but_not_over_missing_values_and_texts(line: str) -> None:
    assert kinds(f"loose-{line}", MARIA) == {NoteKind.REFUSED_VALUE}


@pytest.mark.parametrize("line", ["feedback=TRUE", "feedback_send_timeout=1 M", "innodb_metrics=YES"])
def test_mariadb_does_without_a_small_plugin_whose_value_is_bad(line: str) -> None:
    assert kinds(line, MARIA) == {NoteKind.MISREAD}


def test_mysql_minds_the_case_of_a_name_and_mariadb_does_not() -> None:
    assert plain_name("loose-Max-Connections", Family.MYSQL) == "Max_Connections"
    assert plain_name("LOOSE_Max-Connections", Family.MARIADB) == "max_connections"
