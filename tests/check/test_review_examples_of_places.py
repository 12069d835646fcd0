"""Do the smallest examples of problems that a review found `check` silent on now give their findings?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.check.stated import parse_host, state
from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.evidence.member.redaction import redact_text
from advisor.evidence.read import read_together
from advisor.model.evidence import Cluster, Fact, Member
from advisor.model.rules import Judgement, Verdict

PROVIDER: Final = "wsrep_provider=/usr/lib/galera/libgalera_smm.so"
NODE: Final = f"wsrep_on=ON\n{PROVIDER}\nbinlog_format=ROW"
OTHERS: Final = "wsrep_cluster_address=gcomm://10.0.0.1,10.0.0.2,10.0.0.3"
MARIADB: Final = "mariadb-10.11.19"
MYSQL: Final = "mysql-8.4.8"
GROUP: Final = """server_id=1
gtid_mode=ON
enforce_gtid_consistency=ON
plugin_load_add=group_replication.so
group_replication_group_name=aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa
group_replication_local_address=10.0.0.1:33061
group_replication_group_seeds=10.0.0.1:33061,10.0.0.2:33061"""
PERCONA: Final = Fact("version_comment", "Percona Server (GPL), Release 5.5")
SESSIONS: Final = """max_connections=1500
sort_buffer_size=16M
join_buffer_size=16M
read_buffer_size=4M
read_rnd_buffer_size=4M
innodb_buffer_pool_size=43G"""
# name, lines of the option file, --server, --host, rules that must report, words of their messages
EXAMPLES: Final = [
    ("node address", f"{NODE}\n{OTHERS}\nwsrep_node_address=127.0.0.1", MARIADB, "", {"galera-address-unreachable"}),
    (
        "cluster of localhost",
        f"{NODE}\nwsrep_cluster_address=gcomm://127.0.0.1",
        MARIADB,
        "",
        {"galera-address-unreachable"},
    ),
    (
        "address not filled in",
        f"{NODE}\nwsrep_cluster_address=gcomm://x.x.x.x",
        MARIADB,
        "",
        {"galera-address-unreachable"},
    ),
    (
        "transfer without user",
        f"{NODE}\n{OTHERS}\nwsrep_sst_method=mariabackup",
        MARIADB,
        "",
        {"galera-transfer-without-user"},
    ),
    ("provider alone", PROVIDER, MARIADB, "", {"galera-provider-alone"}),
    ("two members in the seeds", GROUP, MYSQL, "", {"gr-two-members"}),
    (
        "member that calls itself localhost",
        GROUP.replace("local_address=10.0.0.1", "local_address=127.0.0.1"),
        MYSQL,
        "",
        {"gr-address-unreachable"},
    ),
    ("options of mysqld_safe", "[mysqld_safe]\ninnodb_buffer_pool_size=4G", MYSQL, "", {"options-left-to-safe-script"}),
    ("shutdown as a crash", "innodb_fast_shutdown=2", MYSQL, "", {"fast-shutdown-as-crash"}),
    ("sessions beside the pool", SESSIONS, MYSQL, "memory=64G", {"session-buffers-exceed-memory"}),
    ("InnoDB skipped", "skip-innodb", MARIADB, "", {"default-engine-is-off"}),
    ("InnoDB off", "innodb=OFF", MARIADB, "", {"default-engine-is-off"}),
    ("built-in InnoDB ignored", "ignore-builtin-innodb", MARIADB, "", {"default-engine-is-off"}),
]


def judged(path: Path, server: str = "", host: str = "") -> Judgement:
    """What `advisor check PATH --server … --host …` judges."""
    cluster = state(read_path(str(path)), None, None, parse_host([host] if host else []))
    return check(cluster, load_rules(), parse_release(server) if server else ())


def reported(judgement: Judgement) -> dict[str, str]:
    """The message of each rule that reports a problem."""
    return {f.rule.id: f.message for f in judgement.findings if f.verdict is Verdict.FINDING}


@pytest.mark.parametrize(
    ("lines", "server", "host", "rules"), [example[1:] for example in EXAMPLES], ids=[e[0] for e in EXAMPLES]
)
def test_the_example_gives_its_finding(lines, server, host, rules, tmp_path):
    file = tmp_path / "my.cnf"
    file.write_text(f"[mysqld]\n{lines}\n", encoding="utf-8")
    assert rules <= set(reported(judged(file, server, host)))


def test_what_stands_in_groups_is_judged_although_a_line_before_them_stops_the_start(tmp_path):
    file = tmp_path / "my.cnf"
    file.write_text("max_connections=500\nport=3306\n[mysqld]\ninnodb_flush_log_at_trx_commit=0\n", encoding="utf-8")
    judgement = judged(file, MYSQL)
    assert judgement.would_start == {"mysql 8.4.8": False}
    messages = reported(judgement)
    assert "before the first group" in messages["option-file-unreadable"]
    assert "redo-not-written-at-commit" in messages


# What the file holds, and words of the refusal.
NO_OPTION_FILES: Final = {
    "compose file of others": ("services:\n  db:\n    image: nginx\n    command: --sync-binlog=0\n", "YAML"),
    "ConfigMap of others": ("apiVersion: v1\nkind: ConfigMap\ndata:\n  a.cnf: |\n    [x]\n    sync_binlog=0\n", "YAML"),
    "YAML document": ("---\nmysql:\n  sync_binlog: 0\n", "YAML"),
}


@pytest.mark.parametrize(("text", "words"), NO_OPTION_FILES.values(), ids=NO_OPTION_FILES)
def test_a_file_of_another_kind_is_refused_and_not_taken_for_an_option_file(text, words, tmp_path):
    file = tmp_path / "given"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_path(str(file))


SETTING: Final = "innodb_flush_log_at_trx_commit=0"
READ: Final = {
    "compose file": f"services:\n  db:\n    image: mysql:8.4\n    command: --{SETTING}\n",
    "ConfigMap": f"apiVersion: v1\nkind: ConfigMap\ndata:\n  my.cnf: |\n    [mysqld]\n    {SETTING}\n",
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_settings_of_containers_are_judged(text, tmp_path):
    file = tmp_path / "given"
    file.write_text(text, encoding="utf-8")
    assert "redo-not-written-at-commit" in reported(judged(file, MYSQL))


@pytest.mark.parametrize("first", ["# apiVersion: 1", "", "[mysqld]", "!includedir /nowhere"])
def test_an_option_file_is_none_of_them(first, tmp_path):
    file = tmp_path / "my.cnf"
    file.write_text(f"{first}\n[mysqld]\nname: x\n", encoding="utf-8")
    assert read_path(str(file)).members[0].options is not None


@pytest.mark.parametrize("sign", [",", ";"])
def test_variables_that_a_desktop_client_exported_are_read(sign, tmp_path):
    rows = [
        ("Variable_name", "Value"),
        ("version", "8.4.8"),
        ("log_bin", "ON"),
        ("innodb_flush_log_at_trx_commit", "0"),
    ]
    file = tmp_path / "variables.csv"
    file.write_text("".join(f'"{name}"{sign}"{value}"\n' for name, value in rows), encoding="utf-8")
    judgement = judged(file)
    message = reported(judgement)["redo-not-written-at-commit"]
    assert "about once a second by default" in message
    assert "?" not in message


def test_a_table_whose_lower_border_is_quoted_does_not_break_off(tmp_path):
    border = "+---------------+-------+"
    file = tmp_path / "session.txt"
    file.write_text(
        f"'{border}\n| Variable_name | Value |\n{border}\n| sync_binlog   | 1     |\n'{border}\nand so on\n",
        encoding="utf-8",
    )
    cluster = read_path(str(file))
    assert cluster.members[0].variables["sync_binlog"].value in (1, "1")
    assert not [problem for problem in cluster.problems if "ends early" in problem]


def test_percona_server_5_5_is_not_maintained_either():
    member = Member("a", variables={"version": Fact("version", "5.5.23-55-log"), "version_comment": PERCONA})
    assert "series-not-maintained" in reported(check(Cluster("x", (member,)), load_rules(), ()))


@pytest.mark.parametrize(
    "value",
    [
        "curl -u me:hush http://x/",
        "curl --user 'me:hush' http://x/",
        "curl http://x/?secret=hush&a=b",
        "curl http://x/?a=b&pass=hush",
        "socket.ssl=yes;secret=hush",
    ],
)
def test_a_secret_inside_a_value_is_masked(value):
    assert "hush" not in redact_text(value)


def test_a_folder_of_rules_without_a_rule_is_refused(tmp_path):
    with pytest.raises(InputError, match="no rules"):
        load_rules([tmp_path])


def test_an_include_that_is_too_deep_loses_that_file_alone(tmp_path):
    for depth in range(12):
        text = f"!include {tmp_path}/{depth + 1}.cnf\n[mysqld]\nmax_connections={100 + depth}\n"
        (tmp_path / f"{depth}.cnf").write_text(text, encoding="utf-8")
    message = reported(judged(tmp_path / "0.cnf", MYSQL))["option-file-passed-over"]
    assert "The settings of the file that this line includes are not in force" in message
    assert "None of its settings" not in message


def test_a_damaged_archive_is_not_judged_as_an_option_file(tmp_path):
    file = tmp_path / "bundle.tar.gz"
    file.write_text("what is left of it\n", encoding="utf-8")
    with pytest.raises(InputError, match="not an archive"):
        read_path(str(file))


def test_the_release_of_persisted_variables_is_the_one_the_user_names(tmp_path):
    file = tmp_path / "mysqld-auto.cnf"
    file.write_text('{"Version": 2, "mysql_dynamic_variables": {"sync_binlog": {"Value": "0"}}}', encoding="utf-8")
    assert list(judged(file, MYSQL).would_start) == ["mysql 8.4.8"]


def changes(judgement: Judgement) -> dict[str, str | None]:
    """What the advice sets, by name."""
    found = (f for f in judgement.findings if f.verdict is Verdict.FINDING)
    return {change.name: change.value for f in found for change in f.changes}


def test_the_value_that_counts_is_carried_over_to_the_new_name(tmp_path):
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\nexpire_logs_days=14\nexpire_logs_days=7\n", encoding="utf-8")
    assert changes(judged(file, "mysql-9.7.4"))["binlog_expire_logs_seconds"] == str(7 * 86400)


def test_switching_galera_on_needs_the_permission_to_lose_data(tmp_path):
    file = tmp_path / "my.cnf"
    file.write_text(f"[mysqld]\n{PROVIDER}\n{OTHERS}\n", encoding="utf-8")
    left_off = next(f for f in judged(file, MARIADB).findings if f.rule.id == "galera-left-off")
    assert left_off.verdict is Verdict.FINDING
    assert "D-div" in {str(risk) for risk in left_off.advice.risk}


def test_a_checksum_that_a_group_may_need_is_left_alone(tmp_path):
    file = tmp_path / "my.cnf"
    file.write_text(
        "[mysqld]\nserver_id=1\nplugin_load_add=group_replication.so\nbinlog_checksum=NONE\n", encoding="utf-8"
    )
    assert "binlog_checksum" not in changes(judged(file, "mysql-8.0.20"))


def test_provider_options_that_a_later_line_overrides_are_not_removed(tmp_path):
    file = tmp_path / "my.cnf"
    lines = 'wsrep_provider_options="socket.ssl_key=/k.pem"\nwsrep_provider_options="gcache.size=1G"'
    file.write_text(f"[mysqld]\n{NODE}\n{OTHERS}\n{lines}\n", encoding="utf-8")
    judgement = judged(file, MARIADB)
    assert "socket.ssl_key" in reported(judgement)["galera-provider-options-lost"]
    assert "wsrep_provider_options" not in changes(judgement)


def test_a_parameter_group_is_read(tmp_path):
    parameters = [{"ParameterName": "innodb_flush_log_at_trx_commit", "ParameterValue": "0"}]
    file = tmp_path / "rds.json"
    file.write_text(json.dumps({"Parameters": parameters}), encoding="utf-8")
    assert "redo-not-written-at-commit" in reported(judged(file, "mysql-8.0.40"))


def test_observations_that_are_no_utf_8_are_refused(tmp_path):
    file = tmp_path / "observations.yaml"
    file.write_bytes(b"throughput_per_second: 5 \xf9\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_together([str(file)])
