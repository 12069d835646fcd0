"""Services of Compose files are judged as the servers that they start, each option with its line."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.evidence.formats.deployment.image import server_of_image
from advisor.evidence.formats.places import SeveralServersError
from advisor.model.rules import Verdict
from advisor.model.server import Role
from advisor.options import select

RULES = load_rules()
ONE = "services:\n  db:\n    image: mysql:8.4.8\n"


def member_of(folder, text, part=""):
    file = folder / "compose.yaml"
    file.write_text(text, encoding="utf-8")
    (member,) = read_path(str(file) + part).members
    return member


def options(folder, text, part=""):
    return [(a.name, a.value, a.line) for a in member_of(folder, text, part).options.arguments]


OPTION = ("sync-binlog", "0", 4)
COMMANDS = {
    "a text": ("command: --sync-binlog=0 --log-bin", [OPTION, ("log-bin", None, 4)]),
    "a text over lines": ("command: --sync-binlog=0\n      --log-bin=b", [OPTION, ("log-bin", "b", 5)]),
    "a folded text": (
        "command: >-\n      --sync-binlog=0\n      --log-bin=b",
        [("sync-binlog", "0", 5), ("log-bin", "b", 6)],
    ),
    "a list": ("command:\n      - mysqld\n      - --sync-binlog=0", [("sync-binlog", "0", 6)]),
    "a list on one line": ('command: ["--sync-binlog=0"]', [OPTION]),
    "with the entry point": ("command: docker-entrypoint.sh mysqld --sync-binlog=0", [OPTION]),
    "value apart": ("command: --sync-binlog 0", [OPTION]),
    "in quotes": ("command: --sync-binlog=0 --init-connect='SET x=1'", [OPTION, ("init-connect", "SET x=1", 4)]),
    "a dollar sign": ("command: --report-host=a$$b", [("report-host", "a$b", 4)]),
    "comments before a text": ("command:\n      # log\n      --sync-binlog=0", [("sync-binlog", "0", 6)]),
    "comments in a list": (
        "command: # all\n      # log\n      - --sync-binlog=0 # one\n      # two\n      - --log-bin=b",
        [("sync-binlog", "0", 6), ("log-bin", "b", 8)],
    ),
    "a list on several lines": ('command: [\n      # log\n      "--sync-binlog=0"\n    ]', [("sync-binlog", "0", 6)]),
    "with an anchor": ("command: &one\n      - --sync-binlog=0", [("sync-binlog", "0", 5)]),
    "an entry point": ('entrypoint: ["docker-entrypoint.sh", "mysqld", "--sync-binlog=0"]', [OPTION]),
    "both": (
        "entrypoint: docker-entrypoint.sh mysqld --log-bin\n    command: --sync-binlog=0",
        [("log-bin", None, 4), ("sync-binlog", "0", 5)],
    ),
    "a shell": ('command: sh -c "exec mysqld --sync-binlog=0"', [OPTION]),
    "a shell with a script": (
        "command:\n      - bash\n      - -ec\n      - |\n        ls\n        mysqld \\\n          --sync-binlog=0 & b",
        [("sync-binlog", "0", 7)],
    ),
    "none": ("restart: always", []),
}


@pytest.mark.parametrize(("command", "expected"), COMMANDS.values(), ids=COMMANDS)
def test_the_options_of_a_command(tmp_path, command, expected):
    assert options(tmp_path, f"{ONE}    {command}\n") == expected


def test_the_finding_names_the_file_and_the_line(tmp_path):
    file = tmp_path / "compose.yaml"
    file.write_text(f"{ONE}    command:\n      - --sync-binlog=0\n", encoding="utf-8")
    findings = check(read_path(str(file)), RULES).findings
    (finding,) = (f for f in findings if f.rule.id == "binlog-not-synced" and f.verdict is Verdict.FINDING)
    assert (finding.file, finding.line) == (str(file), 5)


def test_what_stands_in_the_environment_is_unknown_and_no_default(tmp_path):
    file = tmp_path / "compose.yaml"
    file.write_text(
        f"{ONE}    command: --sync-binlog=${{SYNC}} --innodb-buffer-pool-size=${{POOL:-1G}}\n", encoding="utf-8"
    )
    judgement = check(read_path(str(file)), RULES)
    assert judgement.would_start == {"mysql 8.4.8": None}
    verdicts = {f.rule.id: f.verdict for f in judgement.findings}
    assert verdicts["binlog-not-synced"] is Verdict.UNKNOWN
    assert "value-refused" not in verdicts


def test_a_mounted_option_file_counts_before_the_command(tmp_path):
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/my.cnf").write_text("[mysqld]\nsync_binlog=1\nmax_connections=7\n", encoding="utf-8")
    mount = "    volumes: ['./conf/my.cnf:/etc/mysql/conf.d/my.cnf:ro', 'data:/var/lib/mysql', './x:/backup']\n"
    member = member_of(tmp_path, f"{ONE}    command: --sync-binlog=0\n{mount}")
    assert [(a.name, a.value) for a in member.options.arguments] == [
        ("sync_binlog", "1"), ("max_connections", "7"), ("sync-binlog", "0"),
    ]  # fmt: skip
    assert member.options.arguments[0].file == str(tmp_path / "conf/my.cnf")
    assert not member.options.problems


@pytest.mark.parametrize(
    "mount",
    [
        "./gone.cnf:/etc/my.cnf",
        "/etc/hostname:/etc/mysql/conf.d/my.cnf",
        "${CONF}/my.cnf:/etc/mysql/conf.d/my.cnf",
        "{type: bind, source: ./gone, target: /etc/mysql/conf.d}",
    ],
)
def test_a_mounted_option_file_that_is_not_here_is_said_to_be_missing(tmp_path, mount):
    member = member_of(tmp_path, f"{ONE}    volumes:\n      - {mount}\n")
    (problem,) = member.options.problems
    assert "its settings are not judged" in problem.message
    assert problem.line == 5


def test_anchors_and_merge_keys_count(tmp_path):
    text = "x-db: &db\n  image: mysql:8.0.36\n  command: --sync-binlog=0\nservices:\n  db:\n    <<: *db\n"
    assert options(tmp_path, text) == [("sync-binlog", "0", 3)]


TWO = """services:
  web:
    image: nginx
  a:
    image: mysql:8.0
  b:
    image: mariadb:10.11
    command: --relay-log=r
"""


def test_several_servers_are_named_and_each_can_be_chosen(tmp_path):
    with pytest.raises(SeveralServersError) as several:
        member_of(tmp_path, TWO)
    assert [part.rpartition("#")[2] for part in several.value.parts] == ["a", "b"]
    assert options(tmp_path, TWO, "#b") == [("relay-log", "r", 8)]
    with pytest.raises(InputError, match="there is no server 'web'"):
        member_of(tmp_path, TWO, "#web")


def test_another_program_than_the_server_is_said(tmp_path):
    member = member_of(tmp_path, f'{ONE}    command: ["bash", "/start.sh", "--sync-binlog=0"]\n')
    assert not member.options.arguments
    assert "the command runs bash" in member.options.problems[0].message


SCRIPTS = {
    "another script": "entrypoint: /wait.sh\n    command: mysqld --sync-binlog=0",
    "a branch": 'command: sh -c "if true; then mysqld --sync-binlog=0; fi"',
    "two servers": 'command: sh -c "mysqld --initialize; mysqld --sync-binlog=0"',
    "its own words": 'command: sh -c "mysqld --sync-binlog=0 $$(cat /options)"',
}


@pytest.mark.parametrize("command", SCRIPTS.values(), ids=SCRIPTS)
def test_what_a_script_gives_the_server_is_not_guessed(tmp_path, command):
    member = member_of(tmp_path, f"{ONE}    {command}\n")
    assert member.options.arguments == ()
    assert [problem.elsewhere for problem in member.options.problems] == [True]


@pytest.mark.parametrize("head", [" # by hand\n  # of one\n", "# c\nversion: '3'\n", "'x-a': 1\n"])
def test_comments_and_keys_before_the_services(tmp_path, head):
    text = f"{head}'services':\n  'db':\n    'image': mysql:8.4.8\n    'command': --sync-binlog=0\n"
    assert [name for name, _, _ in options(tmp_path, text)] == ["sync-binlog"]


def test_a_comment_accepts_a_finding(tmp_path):
    text = f"{ONE}    command:\n      # advisor: ignore[binlog-not-synced] a test server\n      - --sync-binlog=0\n"
    (suppression,) = member_of(tmp_path, text).options.suppressions
    assert (suppression.rule, suppression.line) == ("binlog-not-synced", 6)


def test_passwords_are_masked(tmp_path):
    member = member_of(tmp_path, f"{ONE}    command: --report-password=hush\n")
    assert "hush" not in repr(member)


def test_an_alias_of_an_alias_does_not_grow(tmp_path):
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    with pytest.raises(InputError, match="no server settings"):
        member_of(tmp_path, f"version: x\nl0: &l0 text\n{levels}")


@pytest.mark.parametrize(
    ("image", "server"),
    [
        ("mysql", "mysql latest"),
        ("docker.io/library/mariadb:lts-noble", "mariadb latest"),
        ("mysql:innovation", "mysql latest"),
        ("mysql:8", "mysql 8 latest"),
        ("mysql@sha256:00", "mysql unknown"),
        ("mysql/mysql-server", "mysql unknown"),
        ("bitnami/mariadb:latest", "mariadb unknown"),
        ("mysql:8.0.36", "mysql 8.0.36"),
        ("mysql:8.4-oraclelinux9", "mysql 8.4"),
        ("docker.io/library/mariadb:10.11.9-jammy", "mariadb 10.11.9"),
        ("registry.local:5000/team/mysql:5.7@sha256:00", "mysql 5.7"),
        ("percona:8.0", "percona 8.0"),
        ("percona/percona-server:8.4.3", "percona 8.4.3"),
        ("percona/percona-xtradb-cluster:8.0.36-28.1", "pxc 8.0.36"),
        ("bitnami/mariadb-galera:11.4", "mariadb 11.4"),
        ("container-registry.oracle.com/mysql/community-server:8.4", "mysql 8.4"),
        ("mysql:${TAG:-8.0}", "mysql unknown"),
        ("${REGISTRY}/mariadb:10.6", "mariadb unknown"),
        ("nginx", ""),
        ("prom/mysqld-exporter", ""),
        ("mysql/mysql-router:8.0", ""),
        ("phpmyadmin/phpmyadmin", ""),
        ("percona/pmm-server:2", ""),
    ],
)
def test_the_server_in_an_image(image, server):
    assert server_of_image(image) == server


def service(tmp_path, command, *mounts):
    """The options of a service with this command and these mounts."""
    files = {
        "my.cnf": "[mysqld]\nport=1\n!includedir /etc/mysql/conf.d/\n[mysqld]\nsync_binlog=1\n",
        "conf.d/a.cnf": "[mysqld]\nport=2\n",
        "other.cnf": "[mysqld]\nport=3\n[mysqld_b]\nport=4\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    volumes = "".join(f'      - "./{mount}"\n' for mount in mounts)
    member = member_of(tmp_path, f'{ONE}    command: "{command} --server-id=9"\n    volumes:\n{volumes}')
    return [a.text for a in select(member.options, parse_release("mysql-8.4.8")[0])], member.options.problems


MAIN, FOLDER, OTHER = "my.cnf:/etc/my.cnf", "conf.d:/etc/mysql/conf.d:ro", "other.cnf:/config/other.cnf"


@pytest.mark.parametrize(
    ("command", "mounts", "expected", "remark"),
    [
        ("mysqld", [MAIN, FOLDER], ["--port=1", "--port=2", "--sync_binlog=1"], ""),
        ("--defaults-file=/config/other.cnf", [MAIN, OTHER], ["--port=3"], "/etc/my.cnf is not read"),
        ("--defaults-file=/config/other.cnf", [".:/config"], ["--port=3"], ""),
        ("--defaults-extra-file=/config/other.cnf", [FOLDER, OTHER], ["--port=2", "--port=3"], ""),
        ("--defaults-extra-file=/config/other.cnf --defaults-group-suffix=_b", [OTHER], ["--port=3", "--port=4"], ""),
        ("--defaults-file=/config/gone.cnf", [".:/config"], [], "this file is not part of the evidence"),
        ("--no-defaults", [FOLDER], [], "/etc/mysql/conf.d is not read because of --no-defaults"),
    ],
)  # fmt: skip
def test_the_mounted_files_that_the_server_reads_count_in_its_order(tmp_path, command, mounts, expected, remark):
    texts, problems = service(tmp_path, command, *mounts)
    assert texts == [*expected, "--server-id=9"]
    assert [problem.message for problem in problems if remark not in problem.message or not remark] == []
    assert bool(problems) is bool(remark)


@pytest.mark.parametrize(
    ("name", "role"),
    [("mysql-slave", Role.REPLICA), ("db_replica2", Role.REPLICA), ("replicaset-db", None), ("db", None)],
)
def test_a_service_that_is_called_a_replica_is_judged_as_one(tmp_path, name, role):
    member = member_of(tmp_path, f"services:\n  {name}:\n    image: mysql:8.4.8\n    command: --port=1\n")
    assert member.role is role
