"""What kubectl prints of workloads, custom resources and ConfigMaps is an inventory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.fleet.inventory.read import read_inventory

MOUNT = [{"name": "c", "mountPath": "/etc/mysql/conf.d"}]
OWNER = {"ownerReferences": [{"kind": "PerconaXtraDBCluster", "name": "c1"}]}


def stateful_set(name: str, space: str, **more: Any) -> dict[str, Any]:
    container = {"name": "mysql", "image": "mysql:8.0.36", "args": ["--port=3307"], "volumeMounts": MOUNT}
    pod = {"containers": [container], "volumes": [{"name": "c", "configMap": {"name": "conf"}}]}
    metadata = {"name": name, "namespace": space, **more}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": {"template": {"spec": pod}}}


def config_map(space: str, value: int) -> dict[str, Any]:
    metadata = {"name": "conf", "namespace": space}
    data = {"my.cnf": f"[mysqld]\nmax_connections={value}\n"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


CUSTOM = {
    "apiVersion": "pxc.percona.com/v1",
    "kind": "PerconaXtraDBCluster",
    "metadata": {"name": "c1", "namespace": "shop"},
    "spec": {"pxc": {"image": "percona/percona-xtradb-cluster:8.0.36-28.1", "size": 3, "configuration": "[mysqld]\n"}},
}
ITEMS = [
    config_map("shop", 11),
    config_map("billing", 22),
    stateful_set("db", "shop"),
    stateful_set("db", "billing"),
    CUSTOM,
    stateful_set("c1-pxc", "shop", **OWNER),
]


def put(folder: Path, items: list[dict[str, Any]]) -> str:
    file = folder / "resources.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1), encoding="utf-8")
    return str(file)


def test_workloads_and_custom_resources_are_clusters_by_namespace(tmp_path: Path) -> None:
    file = put(tmp_path, ITEMS)
    assert [(entry.cluster, entry.name, entry.path) for entry in read_inventory(file).entries] == [
        ("shop/db", "mysql", f"{file}#shop/db.mysql"),
        ("billing/db", "mysql", f"{file}#billing/db.mysql"),
        ("shop/c1", "c1", f"{file}#shop/c1"),
    ]


@pytest.mark.parametrize(("server", "value"), [("shop", "11"), ("billing", "22")])
def test_a_map_of_another_namespace_is_not_mounted(tmp_path: Path, server: str, value: str) -> None:
    (member,) = read_path(f"{put(tmp_path, ITEMS)}#{server}/db.mysql").members
    assert member.options is not None
    assert [(a.name, a.value) for a in member.options.arguments] == [("max_connections", value), ("port", "3307")]


def test_of_one_namespace_names_stay_plain(tmp_path: Path) -> None:
    file = put(tmp_path, [config_map("shop", 11), stateful_set("db", "shop")])
    assert [(entry.cluster, entry.path) for entry in read_inventory(file).entries] == [("db", f"{file}#db.mysql")]


def test_a_workload_counts_where_the_resource_that_owns_it_is_not_there(tmp_path: Path) -> None:
    file = put(tmp_path, [config_map("shop", 11), stateful_set("c1-pxc", "shop", **OWNER)])
    assert [entry.cluster for entry in read_inventory(file).entries] == ["c1-pxc"]


def test_maps_alone_are_judged_as_they_are(tmp_path: Path) -> None:
    file = put(tmp_path, [config_map("shop", 11)])
    assert [entry.path for entry in read_inventory(file).entries] == [f"{file}#conf.my.cnf"]


def test_resources_without_a_server_are_no_inventory(tmp_path: Path) -> None:
    file = put(tmp_path, [{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}}])
    with pytest.raises(InputError, match="names no server"):
        read_inventory(file)
