"""How much redo a crash would leave to apply is read from servers of both families; refused, it is unknown."""

from __future__ import annotations

import pytest

from advisor.bench.open_cluster import open_cluster
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.measurement import Phase, Second
from advisor.model.server import Family
from advisor.tune.trial.redo import checkpoint_age_bytes, open_redo_reader
from tests.servers.conftest import Up

FILL = "INSERT INTO redo_test.t (body) SELECT REPEAT('x', 1000) FROM redo_test.ten a, redo_test.ten b, redo_test.ten c"


@pytest.mark.parametrize("family", [Family.MYSQL, Family.MARIADB])
def test_what_was_written_since_the_checkpoint_is_seen(up: Up, family: Family):
    cluster = up("standalone", family, 1, durability="relaxed")
    with open_redo_reader(cluster) as reader:
        reader.take(Second(0.0, Phase.WARM_UP, ()))
        assert reader.most_bytes is None, "nothing was measured yet"
        with connect(addresses(cluster)["m1"], answer_seconds=60.0) as session:
            session.run(
                "CREATE DATABASE redo_test", "CREATE TABLE redo_test.ten (n INT PRIMARY KEY)",
                f"INSERT INTO redo_test.ten VALUES {', '.join(f'({number})' for number in range(10))}",
                "CREATE TABLE redo_test.t (id INT AUTO_INCREMENT PRIMARY KEY, body VARCHAR(1000) NOT NULL)",
                FILL, FILL, FILL,
            )  # fmt: skip
        reader.take(Second(10.0, Phase.MEASURE, ()))
        assert reader.most_bytes is not None
        assert 1_000_000 < reader.most_bytes < 100_000_000, "three million bytes of rows"
    with open_cluster(cluster) as opened:
        (node,) = opened.nodes
        assert checkpoint_age_bytes(node) is not None
        node.session.close()
        assert checkpoint_age_bytes(node) is None, "unknown, and no error"
