"""Containers of Kubernetes give their servers options by arguments, flags in the environment and mounted maps."""

from __future__ import annotations

import base64

import pytest

from advisor.errors import InputError
from advisor.evidence import read_path

POD = """apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  template:
    spec:
      containers:
      - name: mysql
        image: mysql:8.0.36
"""
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata:\n  my.cnf: |\n    [mysqld]\n    port=1\n---\n"
MOUNT = """        volumeMounts: [{name: config, mountPath: /etc/mysql/conf.d}]
      volumes: [{name: config, configMap: {name: conf}}]
"""


def member_of(folder, text, part="", name="pod.yaml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    (member,) = read_path(f"{path}{part}").members
    return member


def options(member):
    return [(a.name, a.value, a.line) for a in member.options.arguments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("        args:\n        - --port=1\n        - --log-bin\n", [("port", "1", 11), ("log-bin", None, 12)]),
        ("        command: [mysqld, --port=1]\n        args: [--port=2]\n", [("port", "1", 10), ("port", "2", 11)]),
        (
            "        env:\n        - {name: MYSQL_EXTRA_FLAGS, value: --port=1 --log-bin}\n",
            [("port", "1", 11), ("log-bin", None, 11)],
        ),
    ],
)
def test_options_with_their_lines(tmp_path, text, expected):
    member = member_of(tmp_path, POD + text)
    assert options(member) == expected
    assert member.server == "mysql 8.0.36"


def test_a_mounted_map_comes_before_the_arguments(tmp_path):
    text = MAP + POD.replace("mysql:8.0.36\n", "mysql:8.0.36\n        args: [--port=2]\n") + MOUNT
    assert options(member_of(tmp_path, text)) == [("port", "1", 7), ("port", "2", 18)]


def test_a_client_with_the_image_of_a_server_is_none(tmp_path):
    with pytest.raises(InputError, match="no server settings"):
        member_of(tmp_path, POD + "        command: [sleep]\n        args: ['100500']\n")


def test_the_text_of_a_secret_is_decoded(tmp_path):
    held = base64.b64encode(b"[mysqld]\nport=1\n").decode()
    text = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata:\n  root: cHc=\n  my.cnf: {held}\n  bad: '%%'\n"
    member = member_of(tmp_path, text)
    assert options(member) == [("port", "1", 6)]
    assert member.options.kept_in == "the base64 text of a Secret"


def test_the_same_as_json(tmp_path):
    text = """{"apiVersion": "v1", "kind": "List", "items": [
 {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"my.cnf": "[mysqld]\\nport=1\\n"}}]}
"""
    assert options(member_of(tmp_path, text, name="list.json")) == [("port", "1", 2)]


def test_flags_in_the_values_of_a_chart(tmp_path):
    member = member_of(tmp_path, 'primary:\n  extraFlags: "--port=1 --log-bin"\n')
    assert options(member) == [("port", "1", 2), ("log-bin", None, 2)]


def test_a_container_without_settings_says_so(tmp_path):
    with pytest.raises(InputError, match="no server settings"):
        member_of(tmp_path, POD)


@pytest.mark.parametrize(
    ("path", "words", "expected"),
    [
        ("/etc/mysql/conf.d", "--defaults-file=/config/my.cnf", []),
        ("/config", "--defaults-file=/config/my.cnf", [("port", "1", 7)]),
        ("/config", "--defaults-extra-file=/config/my.cnf", [("port", "1", 7)]),
        ("/config", "--defaults-file=/elsewhere/my.cnf", []),
    ],
)
def test_the_option_file_that_a_command_names_is_the_mounted_one(tmp_path, path, words, expected):
    mount = MOUNT.replace("/etc/mysql/conf.d", path)
    text = MAP + POD.replace("mysql:8.0.36\n", f'mysql:8.0.36\n        args: ["{words}", --port=2]\n') + mount
    member = member_of(tmp_path, text, "#db.mysql" if path == "/config" and "elsewhere" in words else "")
    assert options(member) == [*expected, ("port", "2", 18)]
    assert bool(member.options.problems) is (not expected)


def test_a_file_of_bitnamis_galera_image_and_its_address_in_the_environment(tmp_path):
    pod = POD.replace("mysql:8.0.36", "bitnami/mariadb-galera:10.11.4")
    environment = "        env: [{name: MARIADB_GALERA_CLUSTER_ADDRESS, value: 'gcomm://a,b,c'}]\n"
    member = member_of(tmp_path, MAP + pod + environment + MOUNT.replace("/etc/mysql/conf.d", "/bitnami/conf/"))
    assert member.server == "mariadb 10.11.4"
    assert [(name, value) for name, value, _ in options(member)] == [
        ("port", "1"),
        ("wsrep_cluster_address", "gcomm://a,b,c"),
    ]
