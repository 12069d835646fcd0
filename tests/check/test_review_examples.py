"""Does `advisor check` say what a reviewer missed? The smallest example of each problem, with the release it is for."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.evidence import read_path
from advisor.model.rules import Verdict

MEMBER = (
    "server_id = 1\ngtid_mode = ON\nenforce_gtid_consistency = ON\nplugin_load_add = group_replication.so\n"
    'loose-group_replication_group_seeds = "a:33061,b:33061,c:33061"\n'
)
NAME = "loose-group_replication_group_name = aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa\n"
NODE = (
    "wsrep_on = ON\nbinlog_format = ROW\nwsrep_provider = /usr/lib/galera/libgalera_smm.so\n"
    "wsrep_cluster_address = gcomm://10.0.0.1,10.0.0.2,10.0.0.3\n"
)

# name: (server, lines below [mysqld], rules that must give a finding)
EXAMPLES = {
    "innodb-skipped": ("mariadb-10.11.19", "skip-innodb\n", ["default-engine-is-off"]),
    "innodb-off": ("mariadb-10.11.19", "innodb = OFF\n", ["default-engine-is-off"]),
    "innodb-built-in-ignored": ("mariadb-10.11.19", "ignore-builtin-innodb\n", ["default-engine-is-off"]),
    "group-name-with-a-long-dash": (
        "mysql-9.7.4",
        MEMBER + "loose-group_replication_group_name = aaaaaaaa-aaaa–aaaa-aaaa-aaaaaaaaaaaa\n",
        ["gr-group-name-not-uuid"],
    ),
    "group-name-set-by-the-shell": (
        "mysql-8.4.8",
        MEMBER.replace("gtid_mode = ON\n", ""),
        ["gr-requires-gtid"],
    ),
    "member-without-server-id": (
        "mysql-8.4.8",
        (MEMBER + NAME).replace("server_id = 1\n", ""),
        ["server-id-left-at-default"],
    ),
    "redo-log-in-memory": ("mysql-8.4.8", "innodb_log_group_home_dir = /dev/shm\n", ["data-kept-in-memory"]),
    "redo-log-in-memory-mariadb": (
        "mariadb-10.11.19",
        "innodb_log_group_home_dir = /dev/shm\n",
        ["data-kept-in-memory"],
    ),
    "provider-options-overwritten": (
        "mariadb-10.11.19",
        NODE
        + 'wsrep_provider_options = "socket.ssl_key=/etc/k.pem"\nwsrep_provider_options = "gcs.fc_limit=256"\n'
        + 'wsrep_provider_options = "gcache.size=2G"\n',
        ["galera-provider-options-lost"],
    ),
    "redo-20M-beside-500M": (
        "mysql-5.7.44",
        "innodb_buffer_pool_size = 500M\ninnodb_log_file_size = 10M\ninnodb_log_files_in_group = 2\n",
        ["redo-below-default"],
    ),
    "redo-5M-beside-16M": (
        "mysql-5.7.44",
        "innodb_buffer_pool_size = 16M\ninnodb_log_file_size = 5M\n",
        ["redo-below-default"],
    ),
    "redo-capacity-8M": ("mysql-8.4.8", "innodb_redo_log_capacity = 8M\n", ["redo-below-default"]),
    "replica-by-filter": ("mysql-5.7.44", "server-id = 2\nreplicate-do-db = shop\n", ["applier-single-threaded"]),
    "replica-by-skipped-errors": (
        "mysql-5.7.44",
        "server-id = 2\nslave_skip_errors = 1062\n",
        ["applier-single-threaded", "replica-errors-skipped"],
    ),
    "replica-by-relay-log-and-its-own-log": (
        "mysql-5.7.44",
        "server-id = 2\nlog-bin = x\nrelay-log = relay\nlog_slave_updates\n",
        ["applier-single-threaded"],
    ),
    "commits-lost-where-filters-alone-show-a-replica": (
        "mysql-8.0.36",
        "server-id = 2\nreplicate-do-db = shop\ninnodb_flush_log_at_trx_commit = 0\nsync_binlog = 0\n",
        ["redo-not-written-at-commit", "binlog-not-synced"],
    ),
    "autocommit-off-by-init-connect": (
        "mysql-8.4.8",
        "init_connect = 'set autocommit=0'\n",
        ["init-connect-autocommit-off"],
    ),
    "state-transfer-by-xtrabackup": (
        "mariadb-10.11.19",
        NODE + "wsrep_sst_method = xtrabackup\nwsrep_sst_auth = a:b\n",
        ["galera-transfer-method-gone"],
    ),
}


def judged(tmp_path, lines, server=None):
    file = tmp_path / "my.cnf"
    file.write_text(f"[mysqld]\n{lines}", encoding="utf-8")
    return check(read_path(str(file)), load_rules(), parse_release(server) if server else None)


def found(judgement):
    return {finding.rule.id for finding in judgement.findings if finding.verdict is Verdict.FINDING}


@pytest.mark.parametrize(("server", "lines", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_the_problem_is_found(tmp_path, server, lines, expected):
    assert set(expected) <= found(judged(tmp_path, lines, server))


WINDOWS = 'datadir = "C:/ProgramData/MySQL/data"\n'
UNDECIDED = {
    "shared-memory-on-windows": ("mysql-8.4.8", WINDOWS + "shared-memory\nshared-memory-base-name = MYSQL\n"),
    "named-pipe-on-windows": ("mysql-8.4.8", WINDOWS + "enable-named-pipe\n"),
    "flush-method-of-windows": ("mysql-8.4.8", WINDOWS + "innodb_flush_method = unbuffered\n"),
    "flush-method-of-windows-mariadb": ("mariadb-10.11.19", WINDOWS + "innodb_flush_method = unbuffered\n"),
    "ndb-cluster-8.0": ("mysql-8.0.45", "ndbcluster\nndb-connectstring = 10.0.0.1\n"),
}


@pytest.mark.parametrize(("server", "lines"), UNDECIDED.values(), ids=UNDECIDED)
def test_what_another_build_accepts_is_not_called_refused(tmp_path, server, lines):
    assert not found(judged(tmp_path, lines, server)) & {"option-unknown", "option-removed", "value-refused"}


def test_options_of_windows_are_refused_where_nothing_shows_windows(tmp_path):
    assert "option-unknown" in found(judged(tmp_path, "shared-memory\n", "mysql-8.4.8"))


def test_ndb_options_do_not_move_the_file_to_a_newer_series(tmp_path):
    judgement = judged(tmp_path, "ndbcluster\nndb-connectstring = 10.0.0.1\nskip-character-set-client-handshake\n")
    assert {label.split()[1].split(".")[0] for label in judgement.releases} == {"5", "8"}
    assert "option-removed" not in found(judgement)


PROVIDER = "wsrep_cluster_address = gcomm://10.0.0.1,10.0.0.2,10.0.0.3\nbinlog_format = ROW\nwsrep_provider = "


@pytest.mark.parametrize(
    ("lines", "families"),
    [
        (f"{PROVIDER}/usr/lib/libgalera_smm.so\nwsrep_cluster_name = pxc-shop\n", {"pxc"}),
        (f"{PROVIDER}/usr/lib/galera3/libgalera_smm.so\n", {"pxc"}),
        (f"{PROVIDER}/usr/lib/libgalera_smm.so\n", {"pxc", "mariadb"}),
        (f"{PROVIDER}/usr/lib/galera/libgalera_smm.so\nwsrep_on = ON\n", {"mariadb"}),
    ],
    ids=["named-pxc", "library-of-pxc", "nothing-tells", "switched-on"],
)
def test_a_galera_file_is_judged_for_every_server_that_it_may_be_for(tmp_path, lines, families):
    judgement = judged(tmp_path, lines)
    assert {label.split()[0] for label in judgement.releases} == families
    certain = [f for f in judgement.findings if f.rule.id == "galera-left-off" and f.verdict is Verdict.FINDING]
    assert not any(finding.certain for finding in certain)
