"""Do the smallest examples of problems that a review found `check` silent on now give their findings?"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.check.stated import parse_host, state
from advisor.evidence import read_path
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
