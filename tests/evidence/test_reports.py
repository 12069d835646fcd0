"""Reports of pt-mysql-summary and collections of pt-stalk."""

from __future__ import annotations

from pathlib import Path

from advisor.evidence import read_path
from advisor.evidence.pt_summary import read_report
from advisor.model.server import Role, Topology

SAMPLES = Path(__file__).parent / "samples"


def test_a_report_gives_variables_option_file_and_replication() -> None:
    path = SAMPLES / "pt_mysql_summary.txt"
    cluster = read_path(str(path))
    member = cluster.members[0]
    assert member.server == "mariadb 10.6.16-MariaDB-log"
    assert cluster.topology is Topology.ASYNC_MARIADB
    assert member.role is Role.SOURCE
    values = {name: fact.value for name, fact in member.variables.items()}
    assert values["innodb_flush_log_at_trx_commit"] == "2"
    assert values["sync_binlog"] == "0"
    assert values["innodb_read_io_threads"] == "4"
    assert values["log_bin"] == "ON"
    assert member.options
    assert [(a.text, a.line) for a in member.options.arguments if a.group == "mysqld"] == [
        ("--server-id=11", 44),
        ("--sync_binlog=0", 45),
    ]


def test_rounded_sizes_say_that_they_are_rounded_and_rates_are_no_counters() -> None:
    member = read_path(str(SAMPLES / "pt_mysql_summary.txt")).members[0]
    assert member.variables["innodb_buffer_pool_size"].value == str(1536 << 20)
    assert member.variables["innodb_buffer_pool_size"].source.endswith("(rounded)")
    assert member.samples == ()


def test_the_report_of_the_machine_gives_processors_and_memory() -> None:
    text = "# Percona Toolkit System Summary Report ######\n# Processor ####\n"
    text += "   Processors | physical = 2, cores = 8, virtual = 16\n"
    text += "# Memory ####\n       Total | 15.5G\n"
    host = read_report(text, "s.txt").host
    assert host["cpus"].value == 16
    assert host["memory_bytes"].value == int(15.5 * (1 << 30))


def test_the_newest_collection_of_pt_stalk_is_one_member() -> None:
    cluster = read_path(str(SAMPLES / "pt_stalk"))
    (member,) = cluster.members
    assert member.name == "db1.example"
    assert [sample.at_seconds for sample in member.samples] == [0, 10, 20]
    assert [(table.at_seconds, table.rows[0]["Seconds_Behind_Master"]) for table in member.tables] == [
        (1772359200.0, 3),
        (1772359201.0, 0),
    ]
    assert {name: fact.value for name, fact in member.host.items()} == {
        "cpus": 2,
        "memory_bytes": 16384 * 1024,
        "memory_available_bytes": 4096 * 1024,
        "swap_in_per_second": 10.0,
        "swap_out_per_second": 0.0,
    }
    assert [problem for problem in cluster.problems if "the last one is used" in problem]
