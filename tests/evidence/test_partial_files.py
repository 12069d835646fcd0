"""What no file sets is told with a reservation where the files are visibly a part of the server's configuration."""

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.model.evidence import Cluster, Member
from advisor.options import read_text

RULES = [rule for rule in load_rules() if rule.id == "buffer-pool-never-chosen"]
OF_A_NODE = "[mysqld]\nwsrep_provider = /usr/lib64/galera3/libgalera_smm.so\nwsrep_cluster_address = gcomm://10.0.0.1\n"


def message(name: str, text: str) -> str:
    member = Member("server", options=read_text(text, name))
    (finding,) = check(Cluster(name, (member,)), RULES, parse_release("mariadb-10.11.9")).findings
    return finding.message


@pytest.mark.parametrize(
    ("name", "text", "reserved"),
    [
        ("/etc/mysql/conf.d/wsrep.cnf", OF_A_NODE, True),
        ("/etc/mysql/conf.d/replica.cnf", "[mysqld]\nserver_id = 2\nread_only\n", True),
        ("/etc/mysql/my.cnf", OF_A_NODE, False),
        ("/etc/mysql/conf.d/galera.cnf", OF_A_NODE + "datadir = /var/lib/mysql\n", False),
        ("/etc/mysql/conf.d/galera.cnf", OF_A_NODE + "max_connections = 500\n", False),
    ],
)
def test_a_part_is_told_with_a_reservation_and_a_whole_without(name, text, reserved):
    assert ("unless another file that is not here sets it" in message(name, text)) is reserved
