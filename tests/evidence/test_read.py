"""What lies at a path is decided by its content."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.evidence import expand, read_path, read_together
from advisor.evidence.formats.detect_format import TextKind, kind_of

SAMPLES = Path(__file__).parent / "samples"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[mysqld]\nport=1\n", TextKind.OPTIONS),
        ("# mysql> show variables\n+ ignored\n[mysqld]\n", TextKind.OPTIONS),
        ("!include /etc/x.cnf\n", TextKind.OPTIONS),
        ("[mysqld\nport=1\n", TextKind.OPTIONS),
        ("port\t= 3306\n", TextKind.OPTIONS),
        ("", TextKind.OPTIONS),
        ("port\t3306\n", TextKind.DUMP),
        ("mysql> show variables;\n", TextKind.DUMP),
        ("(root@localhost) [(none)]>show global variables;\n", TextKind.DUMP),
        ('{"port": 1}', TextKind.JSON),
        ('[\n {"at_seconds": 0}]', TextKind.JSON),
        ("# Instances ######\n[mysqld]\n", TextKind.REPORT),
    ],
)
def test_the_first_telling_line_decides(text: str, kind: TextKind) -> None:
    assert kind_of(text) is kind


def test_the_name_of_a_file_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("Variable_name\tValue\nport\t3306\n")
    assert read_path(str(path)).members[0].variables["port"].value == "3306"
    path = tmp_path / "variables.txt"
    path.write_text("[mysqld]\nport=3306\n")
    assert read_path(str(path)).members[0].options


def test_an_option_file_names_its_own_path(tmp_path: Path) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("[mysqld]\nport=3306\n")
    options = read_path(str(path)).members[0].options
    assert options
    assert options.arguments[0].file == str(path)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"[mysqld]\n\0\0", "not a text file"),
        (b"+---+---+---+\n| a | b | c |\n+---+---+---+\n| 1 | 2 | 3 |\n+---+---+---+\n", "does not contain the output"),
        (b'{"a": ', "not JSON"),
    ],
)
def test_unusable_files_are_refused(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(InputError, match=says):
        read_path(str(path))


def test_an_empty_file_is_an_option_file_with_nothing_in_it_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("\n")
    cluster = read_path(str(path))
    assert cluster.members[0].options
    assert cluster.problems == (f"{path}: the file is empty",)


def test_devices_and_missing_files_are_refused(tmp_path: Path) -> None:
    for path in ("/dev/zero", str(tmp_path / "absent")):
        with pytest.raises(InputError):
            read_path(path)


def test_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("Variable_name\tValue\nport\t3306\n",))
    writer.start()
    assert read_path(str(path)).members[0].variables["port"].value == "3306"
    writer.join()


def test_dumps_of_two_servers_are_not_read_as_one(tmp_path: Path) -> None:
    paths = []
    for number in (1, 2):
        path = tmp_path / f"v{number}.txt"
        path.write_text(f"Variable_name\tValue\nserver_id\t{number}\n")
        paths.append(str(path))
    with pytest.raises(InputError, match="these are different servers"):
        read_together(paths)


def test_two_option_files_are_not_read_as_one_server(tmp_path: Path) -> None:
    for name in ("a.cnf", "b.cnf"):
        (tmp_path / name).write_text("[mysqld]\n")
    with pytest.raises(InputError, match="two option files for one server"):
        read_together([str(tmp_path / "a.cnf"), str(tmp_path / "b.cnf")])


@pytest.mark.parametrize("name", ["report.txt", "a-report.txt"])  # before and after the option file
def test_the_option_file_itself_counts_and_not_the_copy_in_a_report(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes((SAMPLES / "pt_mysql_summary.txt").read_bytes())
    assert read_path(str(tmp_path / name)).members[0].options  # the report prints one
    (tmp_path / "my.cnf.txt").write_text("[mysqld]\nserver_id = 1\nsync_binlog = 7\n")
    for cluster in (
        read_together([str(tmp_path / name), str(tmp_path / "my.cnf.txt")]),
        read_path(str(tmp_path)),
    ):
        options = cluster.members[0].options
        assert options is not None
        assert [argument.text for argument in options.arguments] == ["--server_id=1", "--sync_binlog=7"]
        assert "the option file printed in this report is not used" in " ".join(cluster.problems)


def test_a_folder_of_dumps_is_one_server(tmp_path: Path) -> None:
    for name in ("variables_tabs.txt", "status-1.txt", "status-2.txt"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    (tmp_path / "my.cnf").write_text("[mysqld]\nport=1\n")
    (tmp_path / "README").write_text("from Bob")
    cluster = read_path(str(tmp_path))
    (member,) = cluster.members
    assert (len(member.samples), len(member.variables) > 5, bool(member.options)) == (2, True, True)
    assert [problem for problem in cluster.problems if "README: neither an option file nor the output" in problem]


def test_a_folder_is_every_option_file_below_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("b.cnf", "a.ini", "sub/c.cnf", ".git/d.cnf"):
        (tmp_path / name).write_text("[mysqld]\n")
    (tmp_path / "openssl.cnf").write_text("[ req ]\nbits=1\n")
    (tmp_path / "notes.txt").write_text("[mysqld]\n")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    found = expand([str(tmp_path)])
    assert [os.path.relpath(path, tmp_path) for path in found] == ["a.ini", "b.cnf", "sub/c.cnf"]


def test_an_option_file_that_another_one_includes_is_no_target(tmp_path: Path) -> None:
    etc = tmp_path / "etc/mysql"
    (etc / "conf.d").mkdir(parents=True)
    (etc / "mysql.cnf").write_text("[mysqld]\nport=1\n!includedir /etc/mysql/conf.d\n!include /etc/mysql/loop.cnf\n")
    (etc / "loop.cnf").write_text("!include /etc/mysql/mysql.cnf\n")
    (etc / "conf.d/a.cnf").write_text("[mysqld]\nserver_id=7\n")
    (etc / "my.cnf").symlink_to(etc / "mysql.cnf")
    root = str(tmp_path)
    assert expand([str(etc)], root) == [str(etc / "loop.cnf")], "of two that include each other, the first"
    (etc / "loop.cnf").unlink()
    assert expand([str(etc)], root) == [str(etc / "mysql.cnf")]
    options = read_path(str(etc / "mysql.cnf"), root=root).members[0].options
    assert options
    assert [argument.text for argument in options.arguments] == ["--port=1", "--server_id=7"]


def test_option_files_with_nothing_for_a_server_are_targets_only_where_there_is_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "debian.cnf").write_text("[client]\npassword=x\n[mariadb-client]\n")
    assert [os.path.basename(path) for path in expand([str(tmp_path)])] == ["debian.cnf"]
    (tmp_path / "my.cnf").write_text("[mysqld]\n")
    assert [os.path.basename(path) for path in expand([str(tmp_path)])] == ["my.cnf"]
    (tmp_path / "status.txt").write_text("Uptime\t10\nQuestions\t5\n")
    assert expand([str(tmp_path)]) == [str(tmp_path)]
    (member,) = read_path(str(tmp_path)).members
    assert member.options
    assert member.options.files == (str(tmp_path / "my.cnf"),)


def test_dumps_beside_one_option_file_make_the_folder_one_server(tmp_path: Path) -> None:
    for name in ("db1", "db2", "plain"):
        (tmp_path / name / "conf.d").mkdir(parents=True)
        (tmp_path / name / "my.cnf").write_text(f"[mysqld]\n!include {tmp_path}/{name}/conf.d/x.cnf\n")
        (tmp_path / name / "conf.d/x.cnf").write_text("[mysqld]\nport=1\n")
    for name in ("db1", "db2"):
        (tmp_path / name / "variables.txt").write_text(f"Variable_name\tValue\nserver_uuid\t{name}\nport\t1\n")
    (tmp_path / "db1/observations.yaml").write_text("clients: 8\n")
    (tmp_path / "db1/package.json").write_text('{"name": "x"}')
    found = expand([str(tmp_path)])
    assert [os.path.relpath(path, tmp_path) for path in found] == ["db1", "db2", "plain/my.cnf"]
    (member,) = read_path(found[0]).members
    assert member.options
    assert member.options.arguments[0].file == f"{tmp_path}/db1/conf.d/x.cnf"
    assert member.variables["server_uuid"].source == f"{tmp_path}/db1/variables.txt:2"
    assert member.observed["clients"].value == 8


def test_dumps_beside_several_option_files_are_never_dropped_silently(tmp_path: Path) -> None:
    for name in ("a.cnf", "b.cnf"):
        (tmp_path / name).write_text("[mysqld]\n")
    (tmp_path / "status.txt").write_text("Uptime\t10\nQuestions\t5\n")
    with pytest.raises(InputError, match=r"dumps \(status.txt\) next to several option files"):
        expand([str(tmp_path)])


def test_bundles_and_collections_below_a_folder_are_targets(tmp_path: Path) -> None:
    for name in ("bundle", "pt_stalk"):
        shutil.copytree(SAMPLES / name, tmp_path / "case" / name)
    found = expand([str(tmp_path)])
    assert [os.path.relpath(path, tmp_path) for path in found] == ["case/bundle", "case/pt_stalk"]


def test_bundles_collections_and_folders_of_dumps_stay_one_target(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("port\t1\n")
    for path in (SAMPLES / "bundle", SAMPLES / "pt_stalk", tmp_path, SAMPLES / "help.txt"):
        assert expand([str(path), str(path)]) == [str(path)]
    with pytest.raises(InputError):
        expand([str(tmp_path / "absent")])


def test_files_that_deploy_servers_are_targets_of_a_folder_and_what_they_mount_is_part_of_them(tmp_path: Path) -> None:
    compose = "services:\n  db:\n    image: mysql:8.0.36\n    volumes: [./my.cnf:/etc/mysql/conf.d/my.cnf]\n"
    files = {
        "compose/docker-compose.yml": compose,
        "compose/my.cnf": "[mysqld]\nport=1\n",
        "tf/main.tf": 'resource "aws_db_parameter_group" "a" {\n  family = "mysql8.0"\n}\n',
        "k8s/map.yaml": "kind: ConfigMap\ndata:\n  my.cnf: |\n    [mysqld]\n    port=1\n",
        "k8s/template.yaml": "{{- if .x }}\nmysql: {{ .y }}\n{{ end }}\n",
        "k8s/service.yaml": "kind: Service\nmetadata: {name: mysql}\n",
        "unit/mysqld.service": "[Service]\nExecStart=/usr/sbin/mysqld --port=1\n",
        "other/values.json": '{"mysql": 1}',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o644)
    found = [path.removeprefix(f"{tmp_path}/") for path in expand([str(tmp_path)])]
    assert found == ["compose/docker-compose.yml", "k8s/map.yaml", "tf/main.tf", "unit/mysqld.service"]
