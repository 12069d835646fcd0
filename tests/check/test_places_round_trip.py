"""In every place that --fix can change: read, fixed and read again, a setting has its new value, and all else stays.

Programs that read such a place by themselves are asked where this machine has them.
"""

from __future__ import annotations

import difflib
import shutil
import subprocess
from pathlib import Path

import pytest

from advisor.check import load_rules
from advisor.data import located_documents
from advisor.evidence import read_path
from tests.check.fixes import fixing

RULES = load_rules()
UNIT = """# by the package
[Unit]
Description=MySQL Server

[Service]
Type=simple
Environment="MYSQLD_OPTS=--innodb-doublewrite=OFF --port=3307"
ExecStart=/bin/true
ExecStart=
ExecStart=/usr/sbin/mysqld $MYSQLD_OPTS \\
  --max-connections=500

[Install]
WantedBy=multi-user.target
"""
COMPOSE_LIST = """services:
  db:
    image: mysql:8.0.36   # pinned
    command:
      - --innodb-doublewrite=OFF
      - --port=3307
    ports: ['3306:3306']
"""
COMPOSE_TEXT = """services:
  db:
    image: mysql:8.0.36
    command: >-
      --innodb-doublewrite=OFF
      --port=3307
"""
STATEFUL_SET = """apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  template:
    spec:
      containers:
      - name: mysql
        image: mysql:8.0.36
        args:
        - --innodb-doublewrite=OFF
        - --port=3307
"""
BLOCK = "|\n{indent}[mysqld]\n{indent}# ours\n{indent}innodb_doublewrite = OFF  # fast\n{indent}port = 3307\n"


def block(spaces: int) -> str:
    """An option file as a block text of YAML, so many blanks deep."""
    return BLOCK.format(indent=" " * spaces)


def custom(api: str, kind: str, spec: str) -> str:
    """A custom resource of an operator."""
    return f"apiVersion: {api}\nkind: {kind}\nmetadata:\n  name: shop  # ours\nspec:\n{spec}"


# What the place holds, and the release to judge it for where it shows none.
PLACES = {
    "option file": ("[mysqld]\n# ours\ninnodb_doublewrite = OFF  # fast\nport = 3307\n", "mysql-8.0.36"),
    "systemd unit": (UNIT, "mysql-8.0.36"),
    "Compose list": (COMPOSE_LIST, ""),
    "Compose text": (COMPOSE_TEXT, ""),
    "ConfigMap": (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n  my.cnf: {block(4)}  other: x\n",
        "mysql-8.0.36",
    ),
    "StatefulSet": (STATEFUL_SET, ""),
    "PerconaXtraDBCluster": (
        custom(
            "pxc.percona.com/v1",
            "PerconaXtraDBCluster",
            f"  pxc:\n    image: percona/percona-xtradb-cluster:8.0.36\n    configuration: {block(6)}    size: 3\n",
        ),
        "",
    ),
    "PerconaServerMySQL": (
        custom(
            "ps.percona.com/v1",
            "PerconaServerMySQL",
            f"  mysql:\n    clusterType: group-replication\n    image: percona/percona-server:8.0.36\n"
            f"    configuration: {block(6)}    size: 3\n",
        ),
        "",
    ),
    "InnoDBCluster": (
        custom("mysql.oracle.com/v2", "InnoDBCluster", f"  version: 8.4.3\n  instances: 3\n  mycnf: {block(4)}"),
        "mysql-8.4.3",
    ),
    "MariaDB": (
        custom("k8s.mariadb.com/v1alpha1", "MariaDB", f"  image: mariadb:10.11.9\n  myCnf: {block(4)}  replicas: 1\n"),
        "",
    ),
    "MOCO": (
        custom("moco.cybozu.com/v1beta2", "MySQLCluster", "  replicas: 3\n  mysqlConfigMapName: conf\n")
        + "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n"
        "  innodb_doublewrite: 'OFF'\n  port: '3307'\n",
        "mysql-8.0.36",
    ),
    "Bitpoke": (
        custom(
            "mysql.presslabs.org/v1alpha1",
            "MysqlCluster",
            "  replicas: 2\n  mysqlVersion: '8.0.36'\n  mysqlConf:\n    innodb_doublewrite: 'OFF'\n    port: 3307\n",
        ),
        "mysql-8.0.36",
    ),
    "Helm values": (f"primary:\n  configuration: {block(4)}  replicas: 2\n", "mysql-8.0.36"),
    "Ansible mapping": (
        "mysql_custom:\n  mysqld:\n    innodb_doublewrite: 'OFF'  # fast\n    port: 3307\n",
        "mysql-8.0.36",
    ),
}


def put(folder: Path, text: str) -> Path:
    """The place, in a file whose name says nothing of it."""
    file = folder / ("given.service" if "[Service]" in text else "given")
    file.write_text(text, encoding="utf-8")
    file.chmod(0o644)
    return file


def settings(file: Path) -> dict[str, str | None]:
    """What the place sets, by name."""
    (member,) = read_path(str(file)).members
    assert member.options is not None
    return {a.name.replace("-", "_").removeprefix("loose_"): a.value for a in member.options.arguments}


@pytest.mark.parametrize(("text", "server"), PLACES.values(), ids=PLACES)
def test_a_setting_is_changed_where_it_stands(tmp_path: Path, text: str, server: str) -> None:
    file = put(tmp_path, text)
    before = settings(file)
    planned = fixing(file, server, RULES)
    assert planned.text, planned.plan.left
    file.write_text(planned.text, encoding="utf-8")
    after = settings(file)
    assert before["innodb_doublewrite"] == "OFF"
    assert after["innodb_doublewrite"] == "ON"
    named = {change.name for _, changes in planned.plan.by_release for change in changes}
    assert {name for name in before | after if before.get(name) != after.get(name)} <= named
    gone = [line[2:] for line in difflib.ndiff(text.split("\n"), planned.text.split("\n")) if line.startswith("- ")]
    assert all("doublewrite" in line for line in gone), gone
    assert fixing(file, server, RULES).text == ""


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze on this machine")
def test_systemd_accepts_a_unit_that_was_changed(tmp_path: Path) -> None:
    # ExecStart must exist here: the program of the package is replaced by one that every machine has.
    file = put(tmp_path, UNIT)
    file.write_text(fixing(file, "mysql-8.0.36", RULES).text, encoding="utf-8")
    unit = tmp_path / "changed.service"
    unit.write_text(file.read_text(encoding="utf-8").replace("/usr/sbin/mysqld", "/bin/true"), encoding="utf-8")
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "changed.service" not in done.stderr
    assert done.returncode == 0, done.stderr


def compose_works() -> bool:
    """Whether Docker's Compose is here."""
    docker = shutil.which("docker")
    if docker is None:
        return False
    return subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("place", ["Compose list", "Compose text"])
def test_compose_accepts_a_file_that_was_changed(tmp_path: Path, place: str) -> None:
    text, server = PLACES[place]
    file = put(tmp_path, text)
    file.write_text(fixing(file, server, RULES).text, encoding="utf-8")
    (document,) = located_documents(file.read_text(encoding="utf-8"), str(file))
    services = document.get("services")
    command = services.get("db").get("command") if services else None  # type: ignore[union-attr]
    assert command is not None
    words = [entry.text for entry in command.entries()] or command.text.split()
    assert {"--innodb-doublewrite=ON", "--port=3307"} <= set(words)
    if not compose_works():
        return
    config = ["docker", "compose", "-f", str(file), "config", "--quiet"]
    done = subprocess.run(config, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
