"""Reports of pt-mysql-summary and collections of pt-stalk."""

from __future__ import annotations

from pathlib import Path

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence import read_path
from advisor.evidence.formats.dumps import read_dump
from advisor.evidence.formats.pt_summary import read_report
from advisor.evidence.member_facts import MemberFacts
from advisor.model.server import Role, Topology

SAMPLES = Path(__file__).parents[1] / "samples"


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


def test_an_option_file_for_clients_says_nothing_about_the_server() -> None:
    text = """# Percona Toolkit MySQL Summary Report #######
# Report On Port 3306 ########################
                     Version | 8.4.8 MySQL Community Server - GPL
# InnoDB #####################################################
         Buffer Pool Size | 32.0G
            Log File Size | 2 * 48.0M = 96.0M
# Configuration File #########################################
              Config File | /etc/mysql/my.cnf
[mysqldump]
quick
# The End ####################################################
"""
    builder = read_report(text, "summary.txt")
    assert builder.options is None
    view = MemberFacts(builder.member("db1")[0], parse_release("mysql-8.4.8")[0], None, None)
    assert isinstance(view.value("fact.redo_capacity_bytes"), Missing), "100 MiB is the default of nobody's server"


def test_a_list_that_a_server_shows_empty_is_not_configured() -> None:
    text = "binlog_do_db\t\nbinlog_ignore_db\t\nversion\t8.4.8\n"
    view = MemberFacts(read_dump(text, "v.txt").member("db1")[0], parse_release("mysql-8.4.8")[0], None, None)
    assert view.value("configured.binlog_do_db") is False


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


def test_what_pt_stalk_did_not_collect_is_said_with_what_is_not_known(tmp_path: Path) -> None:
    for file in (SAMPLES / "pt_stalk").iterdir():
        if not file.name.endswith("mysqladmin"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    problems = " ".join(read_path(str(tmp_path)).problems)
    assert "2026_03_01_10_00_00-mysqladmin is missing: rates per second are not known" in problems
    assert "2026_03_01_10_00_00-processlist is missing: the activity of the sessions is not known" in problems
    assert "-variables is" not in problems


def test_what_pt_stalk_left_empty_is_told_apart_from_what_it_did_not_write(tmp_path: Path) -> None:
    for file in (SAMPLES / "pt_stalk").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "2026_03_01_10_00_00-innodbstatus1").touch()
    problems = " ".join(read_path(str(tmp_path)).problems)
    assert "2026_03_01_10_00_00-innodbstatus1 is empty: the output of InnoDB's monitor is not known" in problems
    assert "2026_03_01_10_00_00-innodbstatus1 is missing" not in problems


def test_the_load_of_processors_and_of_the_disk_with_the_data_is_read_from_pt_stalk(tmp_path: Path) -> None:
    prefix = "2026_03_01_10_00_00"
    files = {
        "variables": "Variable_name\tValue\nversion\t8.4.3\ndatadir\t/var/lib/mysql/\n",
        "procstat": "TS 1.0 x\ncpu  0 0 0 0 0 0 0 0 0 0\nTS 11.0 x\ncpu  300 0 100 500 100 0 0 0 0 0\n",
        "diskstats": "TS 1.0 x\n 8 0 sda 1 0 1 1 1 0 1 1 0 0 1\nTS 11.0 x\n 8 0 sda 9 0 9 9 9 0 9 9 0 7500 9\n",
        "df": "TS 1.0 x\nFilesystem 1K-blocks Used Available Use% Mounted on\n/dev/sda 9 9 9 9% /\n",
        "trigger": "x\n",
    }
    for what, text in files.items():
        (tmp_path / f"{prefix}-{what}").write_text(text)
    (member,) = read_path(str(tmp_path)).members
    told = {name: (fact.value, fact.source) for name, fact in member.host.items()}
    assert told["cpu_util"] == (0.4, f"{prefix}-procstat")
    assert told["iowait"] == (0.1, f"{prefix}-procstat")
    assert told["disk_util"] == (0.75, f"{prefix}-diskstats, sda")
