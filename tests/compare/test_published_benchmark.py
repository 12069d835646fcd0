"""The two disputed differences of a benchmark that Percona published in 2026 are found in its own files.

ADVISOR_PERCONA_2026 is the folder of a checkout of github.com/Percona-Lab-results/2026-interactive-metrics.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from advisor.compare import compare, load_quantities, side_of
from advisor.evidence import read_together
from advisor.model.comparison.comparability import Outcome
from tests.compare.sides import of

LOGS = Path(os.environ.get("ADVISOR_PERCONA_2026", "nowhere")) / "benchmark_logs"
FILES = ("Tier32G.cnf.txt", "Tier32G.vars.txt", "Tier32G.status.txt", "Tier32G-pt-mysql-summary.txt")
SERVERS = {
    "mysql 8.4": "mysql/8.4.8",
    "mysql 9.6": "mysql/9.6.0",
    "percona 8.0": "percona-server/8.0.45-36",
    "mysql 5.7": "mysql/5.7.44",
    "mariadb 10.11": "mariadb/10.11.16-MariaDB-ubu2204",
    "mariadb 11.4": "mariadb/11.4.10-MariaDB-ubu2404",
    "mariadb 12.1": "mariadb/12.1.2-MariaDB-ubu2404",
}


@pytest.mark.skipif(not LOGS.is_dir(), reason="ADVISOR_PERCONA_2026 is not the folder of a checkout")
def test_half_the_redo_of_mariadb_and_the_gtids_of_mysql_9_6_are_found() -> None:
    sides = [
        side_of(label, read_together([str(LOGS / folder / file) for file in FILES]))
        for label, folder in SERVERS.items()
    ]
    comparison = compare(sides, load_quantities())
    labels = list(SERVERS)
    redo, gtid = of(comparison, "redo-capacity"), of(comparison, "gtid")
    assert [label for label, outcome in zip(labels, redo.outcomes, strict=True) if outcome is Outcome.DIFFERS] == [
        label for label in labels if label.startswith("mariadb")
    ]
    assert [label for label, outcome in zip(labels, gtid.outcomes, strict=True) if outcome is Outcome.DIFFERS] == [
        "mysql 9.6"
    ]
    assert comparison.groups == ((0, 2, 3), (1,), (4, 5, 6))
