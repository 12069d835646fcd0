"""Do lines and files on which a reviewer saw `advisor check` fall short give what they should now?

Those that need the command line; tests/check/test_review_examples.py and _of_places.py have those that do not.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.runs import Runner

PROVIDER = "wsrep_provider = /usr/lib/galera/libgalera_smm.so\n"
NODE = f"wsrep_on = ON\n{PROVIDER}binlog_format = ROW\n"
OTHERS = "wsrep_cluster_address = gcomm://10.0.0.1,10.0.0.2,10.0.0.3\n"
MEMBER = "server_id = 1\nplugin_load_add = group_replication.so\n"


@dataclass(frozen=True)
class Example:
    """Lines below [mysqld] (or whole files by name), words behind `check`, and what comes of it.

    `says` and `silent` are regular expressions that the output (all runs of blanks as one) must and must not match.
    """

    lines: str | dict[str, str]
    words: str
    says: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    code: int | None = None


def ends_well(lines: str | dict[str, str], words: str, *says: str) -> Example:
    """An example that gives no warning."""
    return Example(lines, words, says, code=0)


EXAMPLES = {
    # whether it would start
    "a line without a name": Example("= 5\n", "--server mysql-9.7.4", ("does not start",), code=1),
    "a line without a name, MariaDB": Example("= 5\n", "--server mariadb-10.11.19", ("does not start",), code=1),
    "InnoDB skipped, both engines others": Example(
        "skip-innodb\ndefault_storage_engine = Aria\ndefault_tmp_storage_engine = Aria\n",
        "--server mariadb-10.11.19",
        silent=("does not start", "default-engine-is-off"),
    ),
    # noise
    "a fault of one era of many": ends_well(
        "server_id = 1\nlog_bin = x\ngtid_mode = ON\nenforce_gtid_consistency = ON\n", ""
    ),
    "causal reads that are off": Example(
        f"{NODE}{OTHERS}wsrep_causal_reads = 0\n",
        "--server mariadb-11.8",
        silent=("wsrep_sync_wait",),
    ),
    "causal reads that are off and deprecated": Example(
        f"{NODE}{OTHERS}wsrep_causal_reads = 0\n", "--server mariadb-10.11.19", silent=("wsrep_sync_wait",)
    ),
    "a template whose values are blank": Example(
        f"{NODE}wsrep_cluster_address = gcomm://\nwsrep_node_address =\nwsrep_cluster_name =\n",
        "--server mariadb-10.11.19",
        ("values-blanked-out",),
        ("galera-starts-alone",),
    ),
    # dumps
    "an old MySQL": Example(
        {"v.txt": "Variable_name\tValue\nversion\t5.1.34-log\n"}, "v.txt", ("series-not-maintained",)
    ),
    "an old Percona Server": Example(
        {
            "v.txt": "Variable_name\tValue\nversion\t5.1.43-60.jaunty.11-log\n"
            "version_comment\tPercona SQL Server (GPL), XtraDB 60, Revision 11\n"
        },
        "v.txt",
        ("series-not-maintained",),
    ),
    # what --fix would write
    "checksums of a group's member": Example(
        f"{MEMBER}log_bin = x\nbinlog_checksum = NONE\n",
        "--server mysql-8.0.20 --diff",
        silent=(r"\+ ?binlog_checksum",),
    ),
    "days set twice": Example(
        "expire_logs_days = 14\nexpire_logs_days = 7\n",
        "--server mysql-9.7.4 --diff",
        (r"\+binlog_expire_logs_seconds ?= ?604800",),
        ("1209600",),
    ),
    "Galera left off": Example(
        f"{PROVIDER}{OTHERS}",
        "--server mariadb-10.11.19 --diff",
        ("galera-left-off: risk D-div; allow it with --allow",),
        (r"\+wsrep_on",),
    ),
    "provider options that a later line overrides": Example(
        f'{NODE}{OTHERS}wsrep_provider_options = "socket.ssl_key=/k.pem"\nwsrep_provider_options = "gcache.size=1G"\n',
        "--server mariadb-10.11.19 --diff",
        silent=("-wsrep_provider_options",),
    ),
    "binary logs kept for ever": Example(
        "server_id = 1\nlog_bin = x\nbinlog_expire_logs_seconds = 0\n",
        "--server mysql-8.4.8 --diff",
        silent=(r"\+binlog_expire",),
    ),
    "doublewrite of MariaDB before 11": Example(
        "innodb_doublewrite = OFF\n", "--server mariadb-10.11.19", ("takes effect when the server is restarted",)
    ),
    "doublewrite of MariaDB 11": Example(
        "innodb_doublewrite = OFF\n", "--server mariadb-11.8", ("takes effect immediately",)
    ),
    "doublewrite of a MariaDB that is not named": Example(
        "innodb_doublewrite = OFF\n", "--server mariadb", ("takes effect when the server is restarted",)
    ),
    # hostile input
    "an archive that is none": Example({"d.tar.gz": "what is left of it\n"}, "d.tar.gz", ("not an archive",), code=2),
    "nothing but a byte that is no UTF-8": Example(
        {"observations.yaml": "throughput_per_second: 5 \udcf9\n"},
        "my.cnf observations.yaml --together",
        ("not UTF-8",),
        code=2,
    ),
    # a new user's lines
    "a parameter group": Example(
        {"rds.json": '{"Parameters": [{"ParameterName": "sync_binlog", "ParameterValue": "0"}]}'},
        "rds.json",
        ("a parameter group with 1 value",),
    ),
    "persisted variables": Example(
        {"mysqld-auto.cnf": '{"Version": 2, "mysql_dynamic_variables": {"sync_binlog": {"Value": "0"}}}'},
        "mysqld-auto.cnf",
        ("1 persisted variable",),
    ),
    "printed options": Example(
        {"p.txt": "mysqld would have been started with the following arguments:\n--sync_binlog=0 --server_id=1\n"},
        "p.txt --server mysql-8.4.8",
        ("binlog-not-synced",),
        code=1,
    ),
    "an exported table": Example(
        {"v.csv": '"Variable_name","Value"\n"version","8.4.8"\n"sync_binlog","0"\n"log_bin","ON"\n'},
        "v.csv",
        ("binlog-not-synced",),
        code=1,
    ),
    "a Compose file": Example(
        {"c.yml": "services:\n  db:\n    image: mysql:8.4\n    command: --sync-binlog=0\n"},
        "c.yml",
        ("binlog-not-synced",),
        code=1,
    ),
    "a ConfigMap": Example(
        {"c.yml": "apiVersion: v1\nkind: ConfigMap\ndata:\n  my.cnf: |\n    [mysqld]\n    sync_binlog=0\n"},
        "c.yml --server mysql-8.4.8",
        ("binlog-not-synced",),
        code=1,
    ),
    "a series that nobody covers": ends_well("port = 3306\n", "--server percona-5.6", "percona 5.6 is not covered"),
    "a release that nobody covers": Example(
        "port = 3306\n", "--server mysql-9.9.9", ("mysql 9.9.9 is not covered",), ("with the point release",), code=0
    ),
    "a release known from its manual": ends_well("port = 3306\n", "--server mariadb-12.0", "judged as mariadb 11.8"),
    "a file for clients alone": ends_well(
        {"c.cnf": "[client]\nport = 3306\n"}, "c.cnf", "no server settings were judged", "may be any of"
    ),
    "a member of a group": Example(
        f"{MEMBER}loose-group_replication_local_address = 10.0.0.1:33061\n",
        "--server mysql-8.0.36",
        ("mysql 8.0.36, group replication",),
    ),
    "a role of old": Example("port = 3306\n", "--role slave", ("did you mean --role replica",), code=2),
    "annotations for GitHub": Example(
        "sync_binlog = 0\nserver_id = 1\nlog_bin = x\n",
        "--server mysql-8.4.8 --format github",
        ("^::warning file=my.cnf,line=2,title=binlog-not-synced::",),
        code=1,
    ),
}  # fmt: skip


def given(lines: str | dict[str, str]) -> None:
    """The files of an example, in the current folder."""
    files = lines if isinstance(lines, dict) else {"my.cnf": f"[mysqld]\n{lines}"}
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8", errors="surrogateescape")
        Path(name).chmod(0o644)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_the_example_gives_what_it_should(run: Runner, example: Example) -> None:
    given(example.lines)
    words = example.words.split()
    named = any(word in ("my.cnf", *(example.lines if isinstance(example.lines, dict) else ())) for word in words)
    done = run("check", *words, *([] if named else ["my.cnf"]))
    output = re.sub(r"\s+", " ", done.out + done.err)
    for pattern in example.says:
        assert re.search(pattern, output), output[:2000]
    for pattern in example.silent:
        assert not re.search(pattern, output), output[:2000]
    assert example.code is None or done.code == example.code


def test_the_way_back_from_a_fix_can_be_pasted(run: Runner) -> None:
    Path("a b").mkdir()
    given({"a b/a b.cnf": "[mysqld]\nexpire_logs_days = 7\n"})
    Path("link.cnf").symlink_to("a b/a b.cnf")
    out = run("check", "link.cnf", "--server", "mysql-9.7.4", "--fix").out
    assert "mv 'a b/a b.cnf.advisor-backup' 'a b/a b.cnf'" in out


def test_sarif_says_where_the_program_is_from_and_which_lines_it_is_about(run: Runner) -> None:
    given("sync_binlog = 0\nserver_id = 1\nlog_bin = x\n")
    (found,) = json.loads(run("check", "my.cnf", "--server", "mysql-8.4.8", "--format", "sarif").out)["runs"]
    assert found["tool"]["driver"]["informationUri"].startswith("https://")
    assert all(place["physicalLocation"]["region"] for result in found["results"] for place in result["locations"])
