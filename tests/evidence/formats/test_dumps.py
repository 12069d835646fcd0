"""Dumps of SHOW statements become variables, counters, tables."""

from __future__ import annotations

from pathlib import Path

from advisor.evidence import read_path, read_together
from advisor.evidence.formats.dumps import read_dump
from advisor.model.evidence import Member

SAMPLES = Path(__file__).parents[1] / "samples"


def only(path: Path) -> Member:
    cluster = read_path(str(path))
    assert cluster.problems == ()
    return cluster.members[0]


def test_variables_keep_their_text_and_place() -> None:
    member = only(SAMPLES / "variables_tabs.txt")
    assert member.server == "mysql 8.0.36"
    fact = member.variables["sync_binlog"]
    assert (fact.value, fact.source) == ("1", f"{SAMPLES / 'variables_tabs.txt'}:9")
    assert member.variables["relay_log"].value == ""
    assert member.variables["init_connect"].value == 'SET @note="a\nb"'


def test_counters_with_words_in_their_names_are_read_without_a_heading() -> None:
    # MySQL 9.6 counts the use of features under such names; mysql -N prints no heading.
    found = read_dump("Aborted_clients\t3\noption_tracker_usage:JSON Duality View\t0\n", "status.txt")
    assert [dict(moment.values)["Aborted_clients"] for moment in found.moments] == [3]


def test_counters_are_numbers_where_they_are_numbers() -> None:
    values = only(SAMPLES / "status-1.txt").samples[0].values
    assert values["Com_commit"] == 1200
    assert values["Rpl_semi_sync_source_avg_wait_time"] == -1
    assert values["Ssl_cipher"] == ""


def test_values_over_several_lines_of_a_box_are_one_value() -> None:
    values = only(SAMPLES / "status_box.txt").samples[0].values
    assert str(values["Caching_sha2_password_rsa_public_key"]).startswith("-----BEGIN")
    assert values["Com_commit"] == 7
    assert values["wsrep_local_recv_queue_avg"] == 0.25


def test_a_session_log_gives_every_statement_it_holds() -> None:
    member = only(SAMPLES / "session.txt")
    assert member.variables["ft_boolean_syntax"].value == '+ -><()~*:""&|'
    assert member.variables["binlog_row_image"].source.endswith("session.txt:6")
    (status,) = (table for table in member.tables if table.table != "processlist")
    assert [row["Channel_Name"] for row in status.rows] == ["east", "west"]
    assert [row["Seconds_Behind_Master"] for row in status.rows] == [44, None]
    assert status.rows[0]["Executed_Gtid_Set"] == (
        "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5,\n4a6f2a67-5d87-11e6-a6bd-0242ac110002:1-77"
    )
    assert member.innodb_status.endswith("END OF INNODB MONITOR OUTPUT")
    assert [row["Command"] for row in member.processlist] == ["Connect", "Query"]


def test_several_dumps_of_one_server_are_one_member() -> None:
    cluster = read_together(
        [str(SAMPLES / name) for name in ("variables_tabs.txt", "status-1.txt", "status-2.txt", "replica_mariadb.txt")]
    )
    (member,) = cluster.members
    assert [sample.at_seconds for sample in member.samples] == [0, 10]
    assert member.variables["binlog_format"].value == "ROW"
    assert [table.table for table in member.tables] == ["replica_status"]


def test_counters_of_two_statements_at_one_time_are_one_sample(tmp_path: Path) -> None:
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text("Variable_name\tValue\nCom_commit\t5\nUptime\t9\n")
    two.write_text("Variable_name\tValue\nwsrep_local_recv_queue\t3\nwsrep_ready\tON\n")
    (sample,) = read_together([str(one), str(two)]).members[0].samples
    assert sample.values == {"Com_commit": 5, "Uptime": 9, "wsrep_local_recv_queue": 3, "wsrep_ready": "ON"}


def test_galera_variables_and_counters_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("wsrep_on\tON\nwsrep_provider\tnone\nwsrep_slave_threads\t4\n")
    member = read_path(str(path)).members[0]
    assert set(member.variables) == {"wsrep_on", "wsrep_provider", "wsrep_slave_threads"}
    path.write_text("wsrep_cert_deps_distance\t1.5\nwsrep_flow_control_paused\t0.000000\nwsrep_local_state\t4\n")
    member = read_path(str(path)).members[0]
    assert member.samples[0].values == {
        "wsrep_cert_deps_distance": 1.5,
        "wsrep_flow_control_paused": 0.0,
        "wsrep_local_state": 4,
    }


def test_names_of_information_schema_are_those_of_show(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("VARIABLE_NAME\tVARIABLE_VALUE\nCOM_COMMIT\t5\nUPTIME\t9\nWSREP_READY\tON\n")
    assert set(read_path(str(path)).members[0].samples[0].values) == {"Com_commit", "Uptime", "wsrep_ready"}
    path.write_text("VARIABLE_NAME\tVARIABLE_VALUE\nSYNC_BINLOG\t1\nPORT\t3306\n")
    assert set(read_path(str(path)).members[0].variables) == {"sync_binlog", "port"}


def test_an_empty_replica_status_is_known_to_be_empty(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("mysql> show replica status\\G\nEmpty set (0.00 sec)\n\nmysql> show master status;\n")
    (table,) = read_path(str(path)).members[0].tables
    assert (table.table, table.rows) == ("replica_status", ())


def test_selected_variables_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("mysql> select @@global.sync_binlog, @@version;\n@@global.sync_binlog\t@@version\n1\t8.4.3\n")
    variables = read_path(str(path)).members[0].variables
    assert (variables["sync_binlog"].value, variables["version"].value) == ("1", "8.4.3")


def test_the_listing_of_verbose_help_gives_values_after_reading_options() -> None:
    member = only(SAMPLES / "help.txt")
    assert member.server == "mysql 8.0.36"
    assert member.variables["sync_binlog"].value == "100"
    assert member.variables["log_replica_updates"].value == "ON"
    assert member.variables["log_bin"].value == "ON"
    assert member.variables["log_error"].value == ""
    assert "relay_log" not in member.variables


def test_dumps_saved_by_powershell_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes("Variable_name\tValue\r\nport\t3306\r\n".encode("utf-16"))
    assert read_path(str(path)).members[0].variables["port"].value == "3306"


def test_bytes_that_are_no_utf8_do_not_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"Variable_name\tValue\nversion_comment\tcaf\xe9\nport\t3306\n")
    assert read_path(str(path)).members[0].variables["port"].value == "3306"
