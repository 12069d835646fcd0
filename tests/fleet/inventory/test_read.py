"""Inventories of every form name their servers, each once and in its cluster."""

from __future__ import annotations

import pytest

from advisor.errors import InputError
from advisor.fleet.inventory.read import read_inventory

ANSIBLE = """# ours
web1 ansible_host=10.0.0.9
[orders]
db[01:03] ansible_host=10.0.0.1 mysql_port=3307
other ansible_host=10.0.0.2
[databases:children]
orders
[databases]
db01
other
extra
[all:vars]
ansible_user=root
"""
ANSIBLE_YAML = """all:
  children:
    orders:
      hosts:
        db1: {ansible_host: "fd00::1"}
        db2:
      vars: {mariadb_port: 3310}
"""
FILE_SD = '[{"targets": ["db1:9104", "db2:9104"], "labels": {"cluster": "orders", "mysql_port": "3308"}}]'
PROMETHEUS = """global: {scrape_interval: 15s}
scrape_configs:
  - job_name: node
    static_configs: [{targets: ["web:9100"]}]
  - job_name: mysql
    static_configs: [{targets: ["db1:9104", "http://db2:9104"]}]
  - job_name: mysql-found
    consul_sd_configs: []
"""
OWN = """clusters:
  orders:
    - a/*.cnf
    - db9: mysql://watch@db9:3307
    - none/*.cnf
  billing: {one: b.cnf}
"""


def entries_of(folder, text):
    file = folder / "inventory"
    file.write_text(text, encoding="utf-8")
    inventory = read_inventory(str(file))
    shown = [(e.cluster, e.name, e.dsn or e.path.removeprefix(f"{folder}/")) for e in inventory.entries]
    return shown, [problem.removeprefix(f"{file}") for problem in inventory.problems]


def test_ansible_in_ini(tmp_path):
    entries, problems = entries_of(tmp_path, ANSIBLE)
    assert entries == [
        ("ungrouped", "web1", "mysql://10.0.0.9"),
        ("databases", "db01", "mysql://10.0.0.1:3307"),
        ("databases", "other", "mysql://10.0.0.2"),
        ("databases", "extra", "mysql://extra"),
    ]
    assert problems == [
        ":4: db02 is the same server as db01; it is judged once",
        ":4: db03 is the same server as db01; it is judged once",
    ]


def test_ansible_in_yaml(tmp_path):
    entries, _ = entries_of(tmp_path, ANSIBLE_YAML)
    assert entries == [("orders", "db1", "mysql://[fd00::1]:3310"), ("orders", "db2", "mysql://db2:3310")]


def test_targets_of_prometheus(tmp_path):
    entries, _ = entries_of(tmp_path, FILE_SD)
    assert entries == [("orders", "db1", "mysql://db1:3308"), ("orders", "db2", "mysql://db2:3308")]
    entries, problems = entries_of(tmp_path, PROMETHEUS)
    assert entries == [("mysql", "db1", "mysql://db1"), ("mysql", "db2", "mysql://db2")]
    assert problems == [":7: the job mysql-found has no static_configs; its targets are not known"]


def test_our_own_form(tmp_path):
    (tmp_path / "a").mkdir()
    for name in ("x.cnf", "y.cnf"):
        (tmp_path / "a" / name).write_text("[mysqld]\n", encoding="utf-8")
    entries, problems = entries_of(tmp_path, OWN)
    assert entries == [
        ("orders", "x", "a/x.cnf"),
        ("orders", "y", "a/y.cnf"),
        ("orders", "db9", "mysql://watch@db9:3307"),
        ("billing", "one", "b.cnf"),
    ]
    assert problems == [":5: nothing matches none/*.cnf"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not an inventory"),
        ("a: b\n", "not an inventory"),
        ("[group]\n", "names no server"),
        ("clusters: [a]\n", "must list clusters"),
        ("clusters: {a: [{b: [c]}]}\n", "must be a path or an address"),
        ("clusters: {a: [b]}\nextra: 1\n", "no key 'extra'"),
        ("[a]\nb 'c\n", "never closed"),
        ("[a]\ndb[1:999999999]\n", "a range of more than"),
        ("clusters: {a: [\n", "not YAML"),
    ],
)
def test_what_is_no_inventory_says_so(tmp_path, text, says):
    with pytest.raises(InputError, match=says):
        entries_of(tmp_path, text)
