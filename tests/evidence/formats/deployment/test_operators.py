"""Custom resources of operators give the options in their fields, and those that the operator sets itself."""

from __future__ import annotations

import pytest

from advisor.data import folder, read_yaml
from advisor.evidence import read_path
from advisor.evidence.formats.deployment.operator_sizing import SIZINGS, filled_in, moco, percona_server
from advisor.evidence.formats.deployment.operator_sizing import percona_xtradb_cluster as xtradb_cluster
from advisor.evidence.formats.deployment.operators import operators
from advisor.model.server import Topology

GIB = 1 << 30
PXC = """apiVersion: pxc.percona.com/v1
kind: PerconaXtraDBCluster
metadata: {name: c1}
spec:
  pxc:
    image: percona/percona-xtradb-cluster:8.0.36-28.1
    resources: {limits: {memory: 4Gi, cpu: 1500m}}
    configuration: |
      [mysqld]
      max_connections=250
      innodb_log_buffer_size={{containerMemoryLimit / 64}}
"""
PS = """apiVersion: ps.percona.com/v1
kind: PerconaServerMySQL
spec:
  mysql:
    clusterType: async
    configuration: |
      sync_binlog=0
"""
ORACLE = """apiVersion: mysql.oracle.com/v2
kind: InnoDBCluster
spec:
  version: 8.4.3
  mycnf: |
    [mysqld]
    port=1
"""
MARIADB = """apiVersion: k8s.mariadb.com/v1alpha1
kind: MariaDB
spec:
  image: docker-registry1.mariadb.com/library/mariadb:11.4.3
  galera:
    enabled: true
    replicaThreads: 4
    providerOptions: {gcs.fc_limit: '64'}
  myCnf: |
    [mariadb]
    sync_binlog=0
"""
MOCO = """apiVersion: moco.cybozu.com/v1beta2
kind: MySQLCluster
metadata: {name: test}
spec:
  mysqlConfigMapName: mycnf
  podTemplate:
    spec:
      containers:
      - name: mysqld
        image: ghcr.io/cybozu-go/moco/mysql:8.4.2
---
apiVersion: v1
kind: ConfigMap
metadata: {name: mycnf}
data:
  sync_binlog: "0"
  max_connections: "10"
  _include: |
    performance-schema-instrument='memory/%=ON'
"""


def cluster_of(folder_, text):
    path = folder_ / "resource.yaml"
    path.write_text(text, encoding="utf-8")
    return read_path(str(path))


def own_options(cluster):
    return [(a.name, a.value, a.line) for a in cluster.members[0].options.arguments if a.file.endswith("resource.yaml")]


@pytest.mark.parametrize(
    ("text", "server", "topology", "options"),
    [
        (
            PXC,
            "pxc 8.0.36",
            Topology.GALERA,
            [("max_connections", "250", 10), ("innodb_log_buffer_size", str(4 * GIB // 64), 11)],
        ),
        (PS, "percona unknown", Topology.ASYNC_MYSQL, [("sync_binlog", "0", 7)]),
        (ORACLE, "mysql 8.4.3", Topology.GROUP_REPLICATION, [("port", "1", 7)]),
        (
            MARIADB,
            "mariadb 11.4.3",
            Topology.GALERA,
            [("sync_binlog", "0", 11), ("wsrep_provider_options", "gcs.fc_limit=64", 8)],
        ),
        (
            MOCO,
            "mysql 8.4.2",
            Topology.SEMISYNC,
            [
                ("sync_binlog", "0", 16),
                ("max_connections", "10", 17),
                ("performance-schema-instrument", "memory/%=ON", 19),
            ],
        ),
    ],
    ids=["xtradb cluster", "percona server", "oracle", "mariadb", "moco"],
)
def test_options_release_and_topology(tmp_path, text, server, topology, options):
    cluster = cluster_of(tmp_path, text)
    assert (cluster.members[0].server, cluster.topology) == (server, topology)
    assert own_options(cluster) == options


def test_what_the_user_names_wins_over_what_the_operator_sets(tmp_path):
    arguments = cluster_of(tmp_path, PXC).members[0].options.arguments
    last = {a.name: a.value for a in arguments}
    assert last["innodb_flush_log_at_trx_commit"] == "0"
    assert last["innodb_buffer_pool_size"] == str(xtradb_cluster(4 * GIB)["innodb_buffer_pool_size"])
    assert [a.value for a in arguments if a.name == "max_connections"] == ["250"]


def test_limits_are_the_host(tmp_path):
    host = cluster_of(tmp_path, PXC).members[0].host
    assert (host["memory_bytes"].value, host["cpus"].value) == (4 * GIB, 1.5)
    assert host["memory_bytes"].source.endswith("resource.yaml:7")


def test_a_map_that_is_elsewhere_is_named(tmp_path):
    cluster = cluster_of(tmp_path, MOCO.partition("---")[0])
    assert [p.message for p in cluster.members[0].options.problems] == [
        "the ConfigMap mycnf is not in this file; its settings are not judged"
    ]


@pytest.mark.parametrize("api", ["pxc.percona.com/v9-99-0", ""])
def test_another_version_of_the_resource_is_read_alike(tmp_path, api):
    text = PXC.replace("pxc.percona.com/v1", api) if api else PXC.partition("\n")[2]
    assert cluster_of(tmp_path, text).members[0].server == "pxc 8.0.36"


def test_a_resource_of_the_same_kind_by_somebody_else_is_another_one(tmp_path):
    text = PXC.replace("pxc.percona.com/v1", "example.com/v1")
    assert cluster_of(tmp_path, text).topology is None


@pytest.mark.parametrize(
    ("sizing", "memory", "pool"),
    [
        (xtradb_cluster, 1 * GIB, 512 << 20),
        (xtradb_cluster, 8 * GIB, 8 * (769 << 20)),
        (percona_server, 2 * GIB, 1 * GIB),
        (percona_server, 4 * GIB, 2 * GIB),
        (moco, 10 * GIB, 7167 << 20),
        (moco, 64 << 20, 128 << 20),
    ],
)
def test_sizes_of_the_pool(sizing, memory, pool):
    assert sizing(memory)["innodb_buffer_pool_size"] == pool


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{containerMemoryLimit}}", "4096"),
        ("{{ containerMemoryLimit * 3 / 4 }}", "3072"),
        ("{{ containerMemoryLimit / 0 }}", "{{ containerMemoryLimit / 0 }}"),
        ("{{ somethingElse }}", "{{ somethingElse }}"),
    ],
)
def test_formulas_over_the_memory_limit(text, value):
    assert filled_in(text, 4096) == value
    assert filled_in(text, None) == text


@pytest.mark.parametrize("operator", operators(), ids=lambda operator: operator["id"])
def test_what_is_known_of_an_operator_has_its_source(operator):
    known = {
        "id", "kind", "api", "server", "topology", "topologies", "options", "map", "image", "version", "resources",
        "container", "container_name", "provider_options", "sizing", "before", "before_when", "after", "fields",
        "members", "pod", "see",
    }  # fmt: skip
    assert set(operator) <= known
    assert operator["see"]
    assert operator.get("sizing") in (None, *SIZINGS)
    assert read_yaml(f"{folder('rules')}/operators/{operator['id']}.yaml") == operator


@pytest.mark.parametrize(
    ("text", "topology"),
    [
        (PXC.replace("  pxc:\n", "  pxc:\n    size: 1\n"), Topology.STANDALONE),
        (ORACLE.replace("spec:\n", "spec:\n  instances: 1\n"), Topology.STANDALONE),
        (PXC.replace("  pxc:\n", "  pxc:\n    size: 3\n"), Topology.GALERA),
    ],
)
def test_a_single_member_is_no_cluster(tmp_path, text, topology):
    assert cluster_of(tmp_path, text).topology == topology


def test_the_transfer_method_is_the_users_else_the_operators(tmp_path):
    def method(text):
        arguments = cluster_of(tmp_path, text).members[0].options.arguments
        return [a.value for a in arguments if a.name == "wsrep_sst_method"]

    assert method(MARIADB) == ["mariabackup"]
    assert method(MARIADB.replace("galera:\n", "galera:\n    sst: rsync\n")) == ["rsync"]


def test_settings_of_the_operator_are_marked_and_those_of_the_user_are_not(tmp_path):
    arguments = cluster_of(tmp_path, PXC).members[0].options.arguments
    assert {a.name for a in arguments if not a.by_operator} == {"max_connections", "innodb_log_buffer_size"}


@pytest.mark.parametrize(("size", "listed"), [("2", 2), ("3", 3), ("1", 0), ("{{ size }}", 0)])
def test_the_operator_lists_the_pods_of_a_cluster(tmp_path, size, listed):
    file = tmp_path / "cr.yaml"
    file.write_text(
        "apiVersion: pxc.percona.com/v1\nkind: PerconaXtraDBCluster\nmetadata:\n  name: c\nspec:\n  pxc:\n"
        f"    size: {size!r}\n    image: percona/percona-xtradb-cluster:8.0.36-28.1\n",
        encoding="utf-8",
    )
    (member,) = read_path(str(file)).members
    addresses = [a.value for a in member.options.arguments if a.name == "wsrep_cluster_address"]
    assert [address.count("c-pxc-") for address in addresses] == ([listed] if listed else [])
