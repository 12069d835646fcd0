"""What a move means for a cluster: its path, its features, its steps, and what is in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.check.stated import state
from advisor.errors import UsageError
from advisor.evidence import read_members, read_path
from advisor.model.move import Direction, Move
from advisor.model.server import Topology
from advisor.move import plan_move, target_release
from advisor.move.plan import option_file_of
from tests.move.moved import move_text, only_member


def features(move: Move) -> dict[str, bool]:
    """The features by id: whether they are certain."""
    return {feature.claim.id: feature.certain for feature in move.features}


@pytest.mark.parametrize(
    ("origin", "target", "by", "blocks"),
    [
        ("mysql-5.7.44", "mysql-8.0", (), False),
        ("mysql-5.7.44", "mysql-8.4", ("mysql-8.0",), False),
        ("mysql-5.7.44", "mysql-9.7", ("mysql-8.0", "mysql-8.4"), False),
        ("mysql-8.0.36", "mysql-9.7", ("mysql-8.4",), False),
        ("mysql-8.4.3", "mysql-9.7", (), False),
        ("mysql-8.4.3", "mysql-8.0", (), True),
        ("mysql-8.4.8", "mysql-8.4.13", (), False),
        ("mariadb-10.5.23", "mariadb-11.8", (), False),
        ("mariadb-11.8.3", "mariadb-10.11", (), True),
        ("mysql-8.0.36", "mariadb-11.4.7", (), False),
        ("mariadb-11.4.7", "mysql-8.4", (), False),
    ],
)
def test_the_path_follows_what_the_vendors_support(
    tmp_path: Path, origin: str, target: str, by: tuple[str, ...], blocks: bool
) -> None:
    route = move_text(tmp_path, "port = 3306\n", origin, target).route
    assert route is not None
    assert (route.by, route.blocks) == (by, blocks)


def test_a_galera_cluster_that_stays_up_moves_one_series_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\nport = 3306\n", encoding="utf-8")
    cluster = state(read_path(str(file)), None, Topology.GALERA, {})
    move = plan_move(cluster, parse_release("mariadb-10.6.23"), target_release("mariadb-11.4"))
    assert move.route is not None
    assert move.route.by == ("mariadb-10.11",)
    assert any("gcache.size" in step.does for step in move.steps)


def test_replicas_come_first_and_the_source_last(tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\nport = 3306\n", encoding="utf-8")
    cluster = state(read_path(str(file)), None, Topology.ASYNC_MYSQL, {})
    steps = [step.does for step in plan_move(cluster, parse_release("mysql-8.0.36"), target_release("mysql-8.4")).steps]
    backup = next(i for i, does in enumerate(steps) if "backup" in does)
    replicas = next(i for i, does in enumerate(steps) if does.startswith("Upgrade one replica"))
    source = next(i for i, does in enumerate(steps) if "make it the source" in does)
    assert backup < replicas < source


def test_a_condition_on_the_evidence_decides_a_feature(tmp_path: Path) -> None:
    pool = "thread_handling = pool-of-threads\n"
    assert features(move_text(tmp_path, pool, "mariadb-11.4.7", "mysql-8.4"))["thread-pool-gone"]
    assert "thread-pool-gone" not in features(move_text(tmp_path, "", "mariadb-11.4.7", "mysql-8.4"))
    assert "thread-pool-gone" not in features(move_text(tmp_path, pool, "mariadb-11.4.7", "percona-8.4"))
    cache = "query_cache_type = 1\nquery_cache_size = 64M\n"
    assert "query-cache-gone" in features(move_text(tmp_path, cache, "mysql-5.7.44", "mysql-8.0"))
    assert "query-cache-gone" not in features(move_text(tmp_path, "", "mysql-8.0.36", "mysql-8.4"))


def test_what_a_statement_must_show_is_never_certain_and_never_in_the_way(tmp_path: Path) -> None:
    move = move_text(tmp_path, "port = 3306\n", "mysql-8.0.36", "mysql-9.7")
    assert features(move)["native-password-gone"] is False
    assert not any("mysql_native_password" in obstacle for obstacle in move.obstacles)


def test_compressed_transactions_are_in_the_way_of_mariadb(tmp_path: Path) -> None:
    move = move_text(tmp_path, "binlog_transaction_compression = ON\n", "mysql-8.0.36", "mariadb-11.4.7")
    assert "MariaDB cannot replicate compressed transactions of MySQL" in move.obstacles
    assert move_text(tmp_path, "", "mysql-8.0.36", "mariadb-11.4.7").obstacles == ()


def test_nothing_is_in_the_way_of_a_file_that_fits(tmp_path: Path) -> None:
    move = move_text(tmp_path, "sync_binlog = 1\n", "mysql-8.0.36", "mysql-8.4")
    assert move.obstacles == ()
    assert move.direction is Direction.UP


def test_the_release_must_be_known_to_one_series(tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\nport = 3306\n", encoding="utf-8")
    with pytest.raises(UsageError) as error:
        plan_move(read_path(str(file)), (), target_release("mysql-8.4"))
    assert "--server" in error.value.hint


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("mysql-27.1", "mysql-26.10"),
        ("mariadb-13.0", "mariadb-12.3"),
        ("mysql-5.6", "mysql-5.7"),
        ("mysql-8.5", "mysql-8.4, mysql-9.7"),
        ("percona-9.9", "percona-9.7, percona-26.10"),
    ],
)
def test_an_unknown_release_names_the_nearest_known_ones(text: str, nearest: str) -> None:
    with pytest.raises(UsageError) as error:
        target_release(text)
    assert error.value.message == f"--to {text}: this release is not known"
    assert error.value.hint.endswith(f": {nearest}")


def test_of_a_series_the_newest_release_is_the_target() -> None:
    assert target_release("mysql-8.0").version == (8, 0, 46)
    assert target_release("pxc-8.4").vendor == "pxc"


def test_members_move_together(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.cnf").write_text(
            f"[mysqld]\nserver_id = {ord(name)}\nlog_slave_updates = 1\n", encoding="utf-8"
        )
    cluster = read_members([str(tmp_path / "a.cnf"), str(tmp_path / "b.cnf")])
    move = plan_move(cluster, parse_release("mysql-8.0.36"), target_release("mysql-8.4"))
    assert len(move.members) == 2
    assert all(member.rewritten for member in move.members)


def test_running_variables_alone_say_what_was_chosen(tmp_path: Path) -> None:
    from advisor.catalog import load
    from advisor.model.catalog import NO_DEFAULT
    from advisor.move.defaults import as_text

    catalog = load(parse_release("mysql-8.0.36")[0])
    shown = {
        name: as_text(variable.default)  # type: ignore[arg-type]
        for name in catalog.names()
        if (variable := catalog.get(name)) is not None
        and not variable.option_only
        and not variable.owner
        and variable.default is not NO_DEFAULT
    }
    shown |= {"version": "8.0.36", "innodb_io_capacity": "700"}
    rows = "".join(f"{name}\t{value}\n" for name, value in sorted(shown.items()))
    file = tmp_path / "variables.txt"
    file.write_text(f"Variable_name\tValue\n{rows}", encoding="utf-8")
    move = plan_move(read_path(str(file)), (), target_release("mysql-8.4"))
    told = {change.name for change in only_member(move).defaults}
    assert "innodb_adaptive_hash_index" in told
    assert "innodb_io_capacity" not in told
    assert only_member(move).starts is None


def test_the_rewritten_file_is_the_whole_file(tmp_path: Path) -> None:
    move = move_text(tmp_path, "log_slave_updates = 1\nport = 3306\n", "mysql-8.0.36", "mysql-8.4")
    assert option_file_of(move)[1] == b"[mysqld]\nlog_replica_updates = 1\nport = 3306\n"


def test_nothing_is_written_by_planning(tmp_path: Path) -> None:
    move_text(tmp_path, "log_slave_updates = 1\n", "mysql-8.0.36", "mysql-8.4")
    assert (tmp_path / "my.cnf").read_text(encoding="utf-8") == "[mysqld]\nlog_slave_updates = 1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["my.cnf"]
