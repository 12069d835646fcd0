"""Who wins, what adds up, and whether the server would start."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.options import NoteKind, Settings
from advisor.options import read_text, resolve


def settings(lines: str, release: str = "mysql-8.0.36") -> Settings:
    return resolve(read_text(f"[mysqld]\n{lines}"), parse_release(release)[0])


def test_the_last_line_wins_and_the_others_say_so() -> None:
    found = settings("port=1\nport=2\nport=3\n")
    assert found.effective["port"].value == 3
    assert [s.shadowed_by and s.shadowed_by.line for s in found.all] == [3, 4, None]


def test_two_spellings_of_one_variable_shadow_each_other() -> None:
    found = settings("slave_parallel_workers=4\nreplica_parallel_workers=8\nslave_parallel_workers=2\n")
    assert {s.name for s in found.all} == {"replica_parallel_workers"}
    assert found.effective["replica_parallel_workers"].value == 2


def test_mariadbs_own_aliases_shadow_each_other_too() -> None:
    found = settings("slave_parallel_threads=4\nslave_parallel_workers=8\n", "mariadb-10.11.19")
    assert found.all[0].name == found.all[1].name == "slave_parallel_threads"
    assert found.effective["slave_parallel_threads"].value == 8


def test_an_old_release_keeps_the_old_spelling() -> None:
    assert settings("slave_parallel_workers=4\n", "mysql-5.7.44").all[0].name == "slave_parallel_workers"


@pytest.mark.parametrize(
    ("name", "release"),
    [
        ("plugin_load_add", "mysql-8.0.36"),
        ("binlog_do_db", "mysql-8.0.36"),
        ("binlog_ignore_db", "mysql-8.0.36"),
        ("replicate_do_db", "mysql-8.0.36"),
        ("replicate_wild_ignore_table", "mysql-8.0.36"),
        ("performance_schema_instrument", "mysql-8.0.36"),
        ("ignore_db_dir", "mysql-5.7.44"),
        ("replicate_rewrite_db", "mariadb-10.11.19"),
    ],
)
def test_some_options_add_up(name: str, release: str) -> None:
    found = settings(f"{name}=a.b->c\n{name}=d.e->f\n", release)
    assert [s.effective for s in found.all] == [True, True]
    assert found.effective[name].value == "d.e->f"


def test_a_fault_in_the_file_stops_the_start() -> None:
    release = parse_release("mysql-8.0.36")[0]
    assert resolve(read_text("port=1\n"), release).would_start is False
    assert resolve(read_text("[mysqld]\nport=1\n"), release).would_start is True


def test_a_fault_only_older_servers_see_is_theirs_alone() -> None:
    reading = read_text("[mysqld]\nport=1\n# " + "x" * 4092 + "nonsense=1\n")
    assert resolve(reading, parse_release("mysql-8.0.36")[0]).would_start is False
    assert resolve(reading, parse_release("mysql-9.7.4")[0]).would_start is True


def test_the_state_of_deprecated_options_is_remarked() -> None:
    notes = settings("binlog_format=ROW\n", "mysql-8.4.4").all[0].notes
    assert [note.kind for note in notes] == [NoteKind.DEPRECATED]


GALERA = "wsrep_on=ON\nwsrep_provider=/usr/lib/galera/libgalera_smm.so\n"


def test_mariadb_with_galera_starts_only_with_row_format_and_an_address() -> None:
    release = "mariadb-10.11.19"
    whole = f"{GALERA}wsrep_cluster_address=gcomm://\nbinlog_format=ROW\n"
    assert settings(whole, release).would_start is True
    assert settings(f"{GALERA}binlog_format=ROW\n", release).would_start is False
    assert settings(f"{GALERA}binlog_format=ROW\nwsrep_sst_method=mysqldump\n", release).would_start is True
    assert settings(f"{GALERA}wsrep_cluster_address=gcomm://\n", release).would_start is False
    assert settings(whole + "binlog_format=MIXED\n", release).would_start is False


def test_mariadb_with_galera_switched_off_does_not_mind() -> None:
    assert settings("wsrep_on=OFF\nwsrep_provider=/x.so\n", "mariadb-10.11.19").would_start is True
    assert settings("wsrep_on=ON\nwsrep_provider=none\n", "mariadb-10.11.19").would_start is True
