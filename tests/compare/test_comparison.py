"""What is in effect is compared, across releases, families and spellings; unknown is never equal."""

from __future__ import annotations

import pytest

from advisor.catalog import all_releases
from advisor.check.cases import build_cluster
from advisor.compare import compare, load_quantities, side_of
from advisor.compare.sides import sides_of_members
from advisor.model.comparison.comparability import Outcome, ReasonKind, ValueState
from advisor.model.comparison.quantity import Effect
from advisor.model.evidence import Cluster, Member
from advisor.options import read_text
from tests.compare.sides import compared, of, outcomes, side, texts

NEVER_IN_A_FILE = (
    "host.",
    "observed.",
    "status.",
    "topology",
    "role",
    "fact.transactions_per_second",
    "fact.storage_is_flash",
)


def test_mariadb_has_half_the_redo_that_its_option_file_asks_for() -> None:
    mysql = side("mysql-8.4.8", cnf="innodb_redo_log_capacity = 4G")
    mariadb = side("mariadb-10.11.9", label="B", cnf="innodb_log_file_size = 2G\ninnodb_log_files_in_group = 2")
    comparison = compared(mysql, mariadb)
    redo = of(comparison, "redo-capacity")
    assert redo.outcomes[1] is Outcome.DIFFERS
    assert [value.values[0].value for value in redo.sides] == [4 << 30, 2 << 30]
    assert texts(redo, 1) == [
        "innodb_log_file_size = 2 GiB | my.cnf:2",
        "MariaDB accepts 'innodb_log_files_in_group' and ignores it | my.cnf:3",
    ]
    assert comparison.comparable == (True, False)


def test_the_same_redo_in_other_words_is_alike() -> None:
    old = side("mysql-8.0.28", cnf="innodb_log_file_size = 2G\ninnodb_log_files_in_group = 2")
    new = side("mysql-8.4.8", label="B", cnf="innodb_redo_log_capacity = 4G")
    assert of(compared(old, new), "redo-capacity").outcomes[1] is Outcome.ALIKE


def test_running_servers_with_and_without_gtids_are_not_comparable() -> None:
    off = side(cnf="[]", variables={"version": "8.4.8", "gtid_mode": "OFF", "log_bin": "ON"})
    on = side(label="B", cnf="[]", variables={"version": "9.6.0", "gtid_mode": "ON", "log_bin": "ON"})
    gtid = of(compared(off, on), "gtid")
    assert gtid.outcomes[1] is Outcome.DIFFERS
    assert "GTIDs are on by default from 9.5." in [reason.text for reason in gtid.sides[1].reasons]


def test_mariadbs_own_gtids_are_not_compared_with_those_of_mysql() -> None:
    gtid = of(compared(side("mysql-8.4.8", cnf="gtid_mode = OFF"), side("mariadb-11.4.4", cnf="log_bin")), "gtid")
    assert (gtid.outcomes[1], gtid.sides[1].state) == (Outcome.NOT_COMPARED, ValueState.NOT_APPLICABLE)


@pytest.mark.parametrize(("count", "outcome"), [("0", Outcome.ALIKE), ("20", Outcome.DIFFERS)])
def test_a_wait_for_the_commit_group_counts_only_if_mariadb_waits_for_somebody(count: str, outcome: Outcome) -> None:
    mysql = side("mysql-8.4.8", cnf="log_bin")
    mariadb = side("mariadb-10.11.9", label="B", cnf=f"log_bin\nbinlog_commit_wait_count = {count}")
    assert of(compared(mysql, mariadb), "group-commit-wait").outcomes[1] is outcome


def test_a_default_that_differs_between_families_is_named_as_one() -> None:
    binlog_sync = of(compared(side("mysql-8.4.8", cnf="log_bin"), side("mariadb-11.4.4", cnf="log_bin")), "binlog-sync")
    assert binlog_sync.outcomes[1] is Outcome.DIFFERS
    reasons = [value.reasons[0] for value in binlog_sync.sides]
    assert [(reason.kind, reason.source) for reason in reasons] == [
        (ReasonKind.DEFAULT, "default of mysql 8.4.8"),
        (ReasonKind.DEFAULT, "default of mariadb 11.4.4"),
    ]


def test_old_and_new_spellings_of_a_setting_are_the_same() -> None:
    old = side("mysql-8.0.25", cnf="slave_parallel_workers = 8")
    new = side("mysql-8.4.8", label="B", cnf="replica_parallel_workers = 8")
    assert of(compared(old, new), "applier-workers").outcomes[1] is Outcome.ALIKE


def test_what_a_release_does_without_the_variable_is_compared() -> None:
    without = side("mysql-8.4.8")
    off, on = side("mariadb-11.4.4", cnf="query_cache_type = 0"), side("mariadb-11.4.4", cnf="query_cache_type = 1")
    assert of(compared(without, off), "query-cache").outcomes[1] is Outcome.ALIKE
    assert of(compared(without, on), "query-cache").outcomes[1] is Outcome.DIFFERS


def test_what_depends_on_a_switch_is_compared_only_where_both_have_it_on() -> None:
    with_binlog = side("mysql-8.4.8", cnf="sync_binlog = 0")
    without = side("mysql-8.4.8", label="B", cnf="skip_log_bin")
    comparison = compared(with_binlog, without)
    assert of(comparison, "binlog").outcomes[1] is Outcome.DIFFERS
    assert of(comparison, "binlog-sync").outcomes[1] is Outcome.NOT_COMPARED
    assert of(compared(without, without), "binlog-sync").outcomes[1] is Outcome.ALIKE


def test_unknown_is_neither_equal_nor_different() -> None:
    known, silent = side("mysql-8.4.8", host={"cpus": 16}), side("mysql-8.4.8", label="B")
    comparison = compared(known, silent)
    assert of(comparison, "cpus").outcomes[1] is Outcome.UNKNOWN
    assert of(compared(silent, silent), "cpus").outcomes[1] is Outcome.UNKNOWN
    assert comparison.comparable == (True, None)


def test_numbers_within_the_tolerance_are_alike() -> None:
    sides = [side("mysql-8.4.8", host={"memory_bytes": size}) for size in (100 << 30, 97 << 30, 64 << 30)]
    assert of(compared(*sides), "memory").outcomes[1:] == (Outcome.ALIKE, Outcome.DIFFERS)


def test_load_and_data_decide() -> None:
    few = side("mysql-8.4.8", observed={"clients": 16, "data_bytes": 10 << 30})
    many = side("mysql-8.4.8", label="B", observed={"clients": 64, "data_bytes": 10 << 30})
    comparison = compared(few, many)
    assert of(comparison, "clients").outcomes[1] is Outcome.DIFFERS
    assert of(comparison, "data-size").outcomes[1] is Outcome.ALIKE
    assert comparison.comparable == (True, False)


def test_a_result_is_not_a_condition_of_the_measurement() -> None:
    slow, fast = (side("mysql-8.4.8", observed={"throughput_per_second": rate}) for rate in (900, 4000))
    comparison = compared(slow, fast)
    assert of(comparison, "throughput").outcomes[1] is Outcome.DIFFERS
    assert comparison.comparable == (True, None)


def test_of_several_possible_releases_only_what_holds_for_all_counts() -> None:
    # 5.7 would have 4 GiB of redo, MariaDB 2 GiB; both accept the file.
    open_file = "innodb_log_file_size = 2G\ninnodb_log_files_in_group = 2"
    four, eight = (side("mysql-8.4.8", cnf=f"innodb_redo_log_capacity = {size}") for size in ("4G", "8G"))
    several = of(compared(four, side(label="B", cnf=open_file)), "redo-capacity")
    assert (several.sides[1].state, several.outcomes[1]) == (ValueState.SEVERAL, Outcome.UNKNOWN)
    assert of(compared(eight, side(label="B", cnf=open_file)), "redo-capacity").outcomes[1] is Outcome.DIFFERS


def test_a_file_that_a_running_value_contradicts_is_not_believed() -> None:
    running = {"version": "8.4.8", "innodb_buffer_pool_size": str(32 << 30)}
    in_doubt = side(label="B", cnf="innodb_buffer_pool_size = 1G", variables=running)
    other = side("mysql-8.4.8", cnf="innodb_buffer_pool_size = 32G")
    comparison = compared(other, in_doubt)
    assert of(comparison, "buffer-pool").outcomes[1] is Outcome.ALIKE
    redo = of(comparison, "redo-capacity")
    assert redo.outcomes[1] is Outcome.UNKNOWN
    assert "the running value of innodb_buffer_pool_size is neither in the option file" in redo.sides[1].doubt


def test_a_value_that_the_server_changes_is_compared_as_changed() -> None:
    small = side("mysql-8.4.8", cnf="innodb_log_buffer_size = 64M\nsync_binlog = -1")
    large = side("mysql-8.4.8", label="B", cnf="innodb_log_buffer_size = 64M\nsync_binlog = 0")
    assert of(compared(small, large), "binlog-sync").outcomes[1] is Outcome.ALIKE


def test_sides_that_are_comparable_with_each_other_are_grouped() -> None:
    sizes = ("4G", "2G", "4G", "2G")
    sides = [
        side("mysql-8.4.8", label=str(at), cnf=f"innodb_redo_log_capacity = {size}") for at, size in enumerate(sizes)
    ]
    comparison = compared(*sides)
    assert comparison.groups == ((0, 2), (1, 3))
    assert comparison.comparable == (True, False, None, False)


def test_members_of_clusters_stand_against_each_other() -> None:
    def cluster(label: str, sync: str) -> Cluster:
        members = [
            {"name": f"{label}1", "role": "source", "server": "mysql 8.4.8", "my.cnf": "log_bin"},
            {"name": f"{label}2", "role": "replica", "server": "mysql 8.4.8", "my.cnf": f"sync_binlog = {sync}"},
        ]
        return build_cluster({"members": members}, label)

    comparison = compare([side_of("A", cluster("a", "1")), side_of("B", cluster("b", "0"))], load_quantities())
    rows = {row.members: row.outcomes[1] for row in comparison.quantities if row.quantity.id == "binlog-sync"}
    assert rows == {("a1",): Outcome.ALIKE, ("a2",): Outcome.DIFFERS}
    assert of(comparison, "buffer-pool").members == ()  # the same on both


def test_a_member_without_a_counterpart_leaves_the_answer_open() -> None:
    facts = {"my.cnf": "log_bin", "server": "mysql 8.4.8", "host": {"cpus": 4}}
    two = build_cluster({"members": [{"name": "a", "role": "source", **facts}, {"name": "b", **facts}]}, "two")
    one = build_cluster({"name": "c", "role": "source", **facts}, "one")
    comparison = compare([side_of("A", one), side_of("B", two)], [q for q in load_quantities() if q.id == "cpus"])
    assert comparison.sides[1].unmatched == ("b",)
    assert comparison.comparable == (True, None)


def test_members_of_one_cluster_are_sides_of_their_own() -> None:
    members = [{"name": name, "server": "mysql 8.4.8", "my.cnf": f"sync_binlog = {name[-1]}"} for name in ("n1", "n0")]
    sides = sides_of_members(build_cluster({"members": members}, "bundle"))
    comparison = compare(sides, load_quantities())
    assert [each.label for each in comparison.sides] == ["n1", "n0"]
    assert of(comparison, "binlog-sync").outcomes[1] is Outcome.DIFFERS


@pytest.mark.parametrize("release", all_releases(), ids=lambda release: release.label)
def test_every_quantity_can_be_read_from_the_defaults_of_every_release(release: object) -> None:
    # An empty option file says everything that a file can say: what is unknown then is a hole in the data.
    empty = Cluster("my.cnf", (Member("server", options=read_text("[mysqld]\nlog_bin\nserver_id=1\n", "my.cnf")),))
    one = side_of("A", empty, (release,))  # type: ignore[arg-type]
    comparison = compare([one, side_of("B", empty, (release,))], load_quantities())  # type: ignore[arg-type]
    assert outcomes(comparison, Outcome.DIFFERS) == set()
    deciding = comparison.of(Effect.DECIDES, Outcome.UNKNOWN)
    assert {name for row in deciding for name in row.quantity.names if not name.startswith(NEVER_IN_A_FILE)} == set()
