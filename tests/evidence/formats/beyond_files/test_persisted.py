"""Settings that a server keeps elsewhere than in option files are read as what they are, never passed over silently."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.errors import InputError
from advisor.evidence import expand, read_path, read_together, read_where_servers_look
from advisor.evidence.formats.json_dump import read_json

ENTRY = {"Value": "0", "Metadata": {"Timestamp": 1700000000000000, "User": "root", "Host": "localhost"}}
STATIC = {"innodb_log_buffer_size": {"Value": "1048576", "Metadata": {}}}
VERSION_1 = {"Version": 1, "mysql_server": {"sync_binlog": ENTRY, "mysql_server_static_options": STATIC}}
VERSION_2 = {"Version": 2, "mysql_dynamic_variables": {"sync_binlog": ENTRY}, "mysql_static_variables": STATIC}
BEFORE_METADATA = {"mysql_server": {"sync_binlog": "0", "innodb_log_buffer_size": "1048576"}}
MY_CNF = "[mysqld]\nserver_id = 1\nlog_bin = b\ndatadir = /srv/mysql\nsync_binlog = 1\n"


@pytest.mark.parametrize("content", [VERSION_1, VERSION_2, BEFORE_METADATA])
def test_both_versions_of_mysqld_auto_cnf_are_persisted_variables(content: object) -> None:
    builder = read_json(json.dumps(content), "mysqld-auto.cnf")
    values = {name: fact.value for name, fact in builder.variables.items()}
    assert values == {"sync_binlog": "0", "innodb_log_buffer_size": "1048576"}
    assert builder.server.startswith("mysql")
    assert "2 persisted variables (SET PERSIST); they override the option files" in builder.problems[0]


def files_of(folder: Path) -> tuple[Path, Path]:
    (folder / "etc").mkdir()
    (folder / "srv/mysql").mkdir(parents=True)
    option_file, auto = folder / "etc/my.cnf", folder / "srv/mysql/mysqld-auto.cnf"
    option_file.write_text(MY_CNF, encoding="utf-8")
    option_file.chmod(0o644)
    auto.write_text(json.dumps(VERSION_2), encoding="utf-8")
    return option_file, auto


def test_what_is_persisted_wins_over_the_option_file(tmp_path: Path) -> None:
    option_file, auto = files_of(tmp_path)
    for cluster in (
        read_together([str(option_file), str(auto)]),
        read_path(str(option_file), root=str(tmp_path)),
        read_where_servers_look(root=str(tmp_path)),
    ):
        findings = {finding.rule.id for finding in check(cluster, load_rules()).findings if finding.message}
        assert "binlog-not-synced" in findings
    alone = check(read_path(str(option_file)), load_rules()).findings
    assert "binlog-not-synced" not in {finding.rule.id for finding in alone if finding.message}


def test_in_a_folder_it_belongs_to_the_option_file_next_to_it(tmp_path: Path) -> None:
    option_file, auto = files_of(tmp_path)
    auto.rename(option_file.parent / "mysqld-auto.cnf")
    assert expand([str(tmp_path)]) == [str(option_file.parent)]


@pytest.mark.parametrize("text", ['{"services": {"db": [1]}}', '{"rows": [{"a": 1}]}', '{"colour": "red"}', "{}"])
def test_json_of_which_nothing_is_known_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_json(text, "some.json")
