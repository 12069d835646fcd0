"""What the rewritten option file says: renamed, translated and removed options, and nothing else touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import load, parse_release
from advisor.evidence import read_path
from advisor.model.catalog import NO_DEFAULT, VariableType
from advisor.model.server import Release
from advisor.move import plan_move, target_release
from advisor.move.defaults import as_text
from advisor.options import infer
from tests.move.moved import move_text, only_member, option, rewritten


@pytest.mark.parametrize(
    ("text", "origin", "target", "expected"),
    [
        ("log_slave_updates = 1\n", "mysql-5.7.44", "mysql-8.4", ["log_replica_updates = 1"]),
        ("log_slave_updates = 1\n", "mysql-5.7.44", "mysql-8.0.20", ["log_slave_updates = 1"]),
        ("skip-slave-start\n", "mysql-5.7.44", "mysql-8.4", ["skip-replica-start"]),
        ("skip-log-slave-updates\n", "mysql-5.7.44", "mysql-8.4", ["skip-log-replica-updates"]),
        ("log_replica_updates\n", "mysql-8.4.3", "mariadb-11.4", ["log_slave_updates"]),
        ("tx_isolation = SERIALIZABLE\n", "mysql-5.7.44", "mysql-8.0", ["transaction_isolation = SERIALIZABLE"]),
        (
            "innodb_log_file_size = 1G\ninnodb_log_files_in_group = 3\n",
            "mysql-8.0.36", "mysql-8.4", ["innodb_redo_log_capacity = 3G"],
        ),
        ("innodb_log_file_size = 1G\n", "mysql-5.7.44", "mysql-9.7", ["innodb_redo_log_capacity = 2G"]),
        ("innodb_log_file_size = 1G\n", "mysql-5.7.44", "mysql-8.0.28", ["innodb_log_file_size = 1G"]),
        ("innodb_log_file_size = 1G\n", "mysql-5.7.44", "mariadb-11.4", ["innodb_log_file_size = 2G"]),
        ("innodb_log_file_size = 4G\n", "mariadb-10.11.19", "mysql-8.4", ["innodb_redo_log_capacity = 4G"]),
        ("innodb_redo_log_capacity = 8G\n", "mysql-8.4.3", "mariadb-11.8", ["innodb_log_file_size = 8G"]),
        (
            "innodb_redo_log_capacity = 8G\ninnodb_log_file_size = 1G\n",
            "mysql-8.0.36", "mysql-9.7", ["innodb_redo_log_capacity = 8G"],
        ),
        ("expire_logs_days = 7\n", "mysql-5.7.44", "mysql-8.4", ["binlog_expire_logs_seconds = 604800"]),
        ("expire_logs_days = 7\n", "mysql-8.0.36", "mariadb-10.11", ["expire_logs_days = 7"]),
        ("binlog_expire_logs_seconds = 604800\n", "mysql-8.0.36", "mariadb-10.5", ["expire_logs_days = 7"]),
        ("binlog_expire_logs_seconds = 100\n", "mysql-8.0.36", "mariadb-10.5", []),
        ("replica_parallel_workers = 8\n", "mysql-8.4.3", "mariadb-11.4", ["slave_parallel_threads = 8"]),
        ("slave_parallel_workers = 8\n", "mysql-5.7.44", "mariadb-11.4", ["slave_parallel_threads = 8"]),
        ("slave_parallel_threads = 8\n", "mariadb-11.4.7", "mysql-8.4", ["replica_parallel_workers = 8"]),
        ("max_execution_time = 1500\n", "mysql-8.0.36", "mariadb-10.11", ["max_statement_time = 1.5"]),
        ("max_statement_time = 2\n", "mariadb-10.11.19", "mysql-8.4", ["max_execution_time = 2000"]),
        ("log_warnings = 1\n", "mysql-5.7.44", "mysql-8.0", ["log_error_verbosity = 2"]),
        ("query_cache_type = 0\nquery_cache_size = 0\n", "mysql-5.7.44", "mysql-8.0", []),
        ("sql_mode = NO_AUTO_CREATE_USER,STRICT_TRANS_TABLES\n", "mysql-5.7.44", "mysql-8.0",
         ["sql_mode = STRICT_TRANS_TABLES"]),
        ("sql_mode = NO_AUTO_CREATE_USER\n", "mysql-5.7.44", "mysql-8.0", ['sql_mode = ""']),
        ("key_buf = 32M\n", "mariadb-10.11.19", "mysql-8.4", ["key_buffer_size = 32M"]),
        ("skip-innodb\n", "mysql-8.0.36", "mariadb-11.4", []),
        ("wsrep_sst_method = rsync\n", "mariadb-10.11.19", "mysql-8.4", []),
        ("log_slow_query_time = 0.5\n", "mariadb-11.4.7", "mysql-8.4", ["long_query_time = 0.5"]),
        ("default_authentication_plugin = mysql_native_password\n", "mysql-8.0.36", "mysql-8.4",
         ["mysql_native_password = ON"]),
        ("default_authentication_plugin = mysql_native_password\n", "mysql-8.0.36", "mysql-9.7", []),
    ],
)  # fmt: skip
def test_an_option_gets_the_spelling_and_the_form_of_the_target(
    tmp_path: Path, text: str, origin: str, target: str, expected: list[str]
) -> None:
    move = move_text(tmp_path, text, origin, target)
    assert rewritten(move) == expected
    assert only_member(move).starts_rewritten is True


def test_semi_sync_gets_its_new_plugin_and_options_together(tmp_path: Path) -> None:
    text = (
        "plugin_load_add = semisync_master.so\nrpl_semi_sync_master_enabled = 1\nrpl_semi_sync_master_timeout = 2000\n"
    )
    new = [
        "plugin_load_add = semisync_source.so",
        "rpl_semi_sync_source_enabled = ON",
        "rpl_semi_sync_source_timeout = 2000",
    ]
    assert rewritten(move_text(tmp_path, text, "mysql-5.7.44", "mysql-9.7")) == new
    assert rewritten(move_text(tmp_path, "\n".join(new), "mysql-8.4.3", "mysql-9.7")) == new


def test_semi_sync_of_mariadb_needs_no_plugin(tmp_path: Path) -> None:
    text = "plugin_load_add = semisync_source.so\nrpl_semi_sync_source_enabled = ON\n"
    assert rewritten(move_text(tmp_path, text, "mysql-8.4.3", "mariadb-11.4")) == ["rpl_semi_sync_master_enabled = ON"]
    back = move_text(tmp_path, "rpl_semi_sync_master_enabled = 1\n", "mariadb-11.4.7", "mysql-8.4")
    assert rewritten(back) == ["plugin_load_add = semisync_source.so", "rpl_semi_sync_source_enabled = ON"]


def test_what_the_target_refuses_is_commented_out_below_the_reason(tmp_path: Path) -> None:
    move = move_text(tmp_path, "port = 3306\n  query_cache_type = 0 # off\n", "mysql-5.7.44", "mysql-8.0.36")
    assert only_member(move).rewritten[0][2].decode().splitlines() == [
        "[mysqld]",
        "port = 3306",
        "  # mysql 8.0.36: MySQL 8.0 has no query cache.",
        "  # query_cache_type = 0 # off",
    ]
    assert option(move, "query_cache_type").refused


def test_lines_that_stay_are_the_same_bytes(tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    before = b"# \xe9t\xe9\r\n[mysqld]\r\nport=3306   # caf\xc3\xa9\r\nlog_slave_updates   = 1\r\nsocket = '/tmp/a b'"
    file.write_bytes(before)
    move = plan_move(read_path(str(file)), target_release("mysql-8.0.36") and (target_release("mysql-8.0.36"),),
                     target_release("mysql-8.4"))  # fmt: skip
    assert only_member(move).rewritten[0][2] == before.replace(b"log_slave_updates   =", b"log_replica_updates =")


def test_a_file_that_fits_is_left_alone(tmp_path: Path) -> None:
    move = move_text(tmp_path, "sync_binlog = 1\ninnodb_redo_log_capacity = 4G\n", "mysql-8.4.3", "mysql-9.7")
    assert only_member(move).rewritten == ()
    assert only_member(move).starts is True


def test_groups_that_the_target_does_not_read_become_mysqld(tmp_path: Path) -> None:
    move = move_text(tmp_path, "max_connections = 5\n", "mysql-5.7.44", "mysql-8.0", group="[mysqld-5.7]\n")
    assert only_member(move).rewritten[0][2].decode().startswith("[mysqld]\n")
    assert any("[mysqld-5.7]" in obstacle for obstacle in move.obstacles)
    clients = move_text(tmp_path, "port = 3307\n", "mariadb-11.4.7", "mysql-8.4", group="[client-server]\n")
    assert "copy the options they need to [client]" in only_member(clients).rewritten[0][2].decode()


def test_groups_that_only_the_target_reads_are_told(tmp_path: Path) -> None:
    text = "port = 3306\n[mariadb]\nmax_connections = 5\n"
    assert only_member(move_text(tmp_path, text, "mysql-8.0.36", "mariadb-11.4")).new_groups == ("mariadb",)


def test_a_secret_stays_in_the_file_and_out_of_the_report(tmp_path: Path) -> None:
    move = move_text(tmp_path, "wsrep_sst_auth = root:hunter2\nlog_slave_updates\n", "mysql-5.7.44", "mysql-8.4")
    assert b"hunter2" in only_member(move).rewritten[0][2]
    assert "hunter2" not in repr(only_member(move).options)


def test_included_files_are_rewritten_where_the_option_stands(tmp_path: Path) -> None:
    (tmp_path / "redo.cnf").write_text("[mysqld]\ninnodb_log_file_size = 1G\n", encoding="utf-8")
    text = f"log_slave_updates = 1\n!include {tmp_path}/redo.cnf\n"
    changed = only_member(move_text(tmp_path, text, "mysql-8.0.36", "mysql-8.4")).rewritten
    assert [Path(path).name for path, *_ in changed] == ["my.cnf", "redo.cnf"]
    assert b"innodb_redo_log_capacity = 2G" in changed[1][2]


def test_a_formula_without_a_value_says_what_is_missing(tmp_path: Path) -> None:
    move = move_text(tmp_path, "innodb_log_file_size = ${SIZE}\n", "mysql-8.0.36", "mysql-9.7")
    moved = option(move, "innodb_log_file_size")
    assert moved.why.endswith("Not computed: the value of innodb_log_file_size is not known.")
    assert rewritten(move) == []


def every_option(release: Release) -> str:
    """An option file with every option of the plain server at its default."""
    catalog, lines = load(release), ["[mysqld]"]
    for name in catalog.names():
        variable = catalog.get(name)
        if variable is None or variable.option in ("", "none") or variable.owner or variable.default in (None, ""):
            continue
        named_file = variable.option_type is VariableType.STR and variable.type is VariableType.BOOL
        if variable.default is not NO_DEFAULT and not named_file and name not in ("bootstrap", "validate_config"):
            lines.append(f"{name} = {as_text(variable.default)}")  # type: ignore[arg-type]
    return "\n".join(lines) + "\n"


PAIRS = [  # within a family forwards, across, and back
    ("mysql-5.7.44", "mysql-8.0"),
    ("mysql-8.0.46", "mariadb-11.4"),
    ("mariadb-11.8.9", "mysql-9.7"),
]
OTHER_PAIRS = [
    ("mysql-8.0.46", "mysql-8.4"),
    ("mysql-8.4.13", "mysql-9.7"),
    ("mysql-9.7.4", "mysql-8.0"),
    ("mysql-5.7.44", "mariadb-10.11"),
    ("mysql-9.7.4", "mariadb-11.8"),
    ("mariadb-10.5.23", "mariadb-11.8"),
    ("mariadb-11.8.9", "mariadb-10.6"),
    ("mariadb-10.11.19", "mysql-8.4"),
]


@pytest.mark.parametrize(
    ("origin", "target"), [*PAIRS, *(pytest.param(*pair, marks=pytest.mark.gate) for pair in OTHER_PAIRS)]
)
def test_every_option_of_a_release_finds_its_place_in_another(tmp_path: Path, origin: str, target: str) -> None:
    file = tmp_path / "my.cnf"
    file.write_text(every_option(parse_release(origin)[0]), encoding="utf-8")
    member = only_member(plan_move(read_path(str(file)), parse_release(origin), target_release(target)))
    assert member.refusals == ()
    assert member.starts_rewritten is not False
    assert len(member.options) > 300


@pytest.mark.parametrize("target", ["mysql-9.7.4", "mariadb-11.8.9"])
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.gate)])
def test_public_files_start_rewritten_and_are_rewritten_once(
    shared: Path, tmp_path: Path, target: str, every: int
) -> None:
    release, refused, again = target_release(target), [], []
    for file in sorted((shared / "corpus").glob("*.cnf"))[::every]:
        evidence = read_path(str(file))
        (server,) = evidence.members
        if server.options is None or any(problem.fatal for problem in server.options.problems):
            continue  # a file that no server reads
        member = only_member(plan_move(evidence, infer(server.options)[0][:1], release))
        refused += [file.name] if member.starts_rewritten is False else []
        if member.rewritten:
            copy = tmp_path / file.name
            copy.write_bytes(member.rewritten[0][2])
            again += [file.name] if only_member(plan_move(read_path(str(copy)), (release,), release)).rewritten else []
    assert (refused, again) == ([], [])


def test_options_of_mariadb_are_not_taken_for_a_vendors_own(tmp_path: Path) -> None:
    text = "log_slow_query = 1\naria_pagecache_buffer_size = 128M\nthread_handling = pool-of-threads\n"
    move = move_text(tmp_path, text, "mariadb-11.4.7", "percona-8.4.8")
    assert rewritten(move) == ["slow_query_log = 1", "thread_handling = pool-of-threads"]
