"""How servers are restarted: what cluster.yaml says, and an include file that is ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.cluster_file import read_cluster, write_cluster
from advisor.errors import InputError
from advisor.model.lab import ClusterFile, Restart, RestartMethod
from advisor.model.server import Role, Topology
from advisor.tune.trial import restart as restarting
from tests.tune.starting_points import member


def test_restarts_are_read_from_cluster_yaml_and_an_include_file_of_ours_comes_and_goes(tmp_path: Path):
    include = tmp_path / "zz-tune.cnf"
    how = Restart(RestartMethod.COMMAND, str(include), words=("docker", "restart", "{name}"))
    cluster = ClusterFile(
        str(tmp_path / "cluster.yaml"), "shop", Topology.STANDALONE, "", "dba", "",
        (member("m1", Role.STANDALONE, restart=how),),
    )  # fmt: skip
    write_cluster(cluster)
    again = read_cluster(cluster.path).members[0]
    assert again.restart == how
    assert restarting.restart_command(again) == ["docker", "restart", "m1"]
    assert restarting.can_restart(cluster)
    restarting.write_settings(again, {"innodb_purge_threads": "2"})
    assert "[mysqld]" in include.read_text()
    assert "innodb_purge_threads = 2" in include.read_text()
    restarting.write_settings(again, {"galera.gcs.fc_limit": "200", "galera.repl.max_ws_size": "9"})
    assert "wsrep_provider_options = gcs.fc_limit=200;repl.max_ws_size=9" in include.read_text()
    restarting.write_settings(again, {})
    assert not include.exists()


@pytest.mark.parametrize(
    ("restart", "said"),
    [("{method: reboot}", "not one of systemd, command"),
     ("{method: systemd, include_file: /etc/a.cnf}", "needs 'unit'"),
     ("{method: systemd, unit: mysql, include_file: a.cnf}", "absolute path"),
     ("{method: command, command: [a], include_file: /a, colour: red}", "no key 'colour'")],
)  # fmt: skip
def test_a_restart_that_cannot_be_is_refused_with_its_file(tmp_path: Path, restart, said):
    path = tmp_path / "cluster.yaml"
    path.write_text(
        'format: "1"\nname: a\ntopology: standalone\nuser: dba\nmembers:\n'
        f'  - {{name: m1, role: standalone, host: h, port: "3306", restart: {restart}}}\n'
    )
    with pytest.raises(InputError, match=said):
        read_cluster(path)
