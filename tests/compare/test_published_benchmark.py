"""A benchmark that Percona published in 2026: its 123 sets of files are read, and the two disputed differences found.

ADVISOR_PERCONA_2026 is the folder of a checkout of github.com/Percona-Lab-results/2026-interactive-metrics.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.compare import compare, load_quantities, side_of
from advisor.evidence import read_together
from advisor.model.comparison.comparability import Outcome
from advisor.model.rules import Severity, Verdict
from advisor.why import diagnose
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


def sets() -> list[tuple[str, list[str]]]:
    """Every server and memory size of the four runs: where its files are, and what they are."""
    found = []
    for options in sorted(LOGS.parent.rglob("Tier*G.cnf.txt")) if LOGS.is_dir() else ():
        stem = str(options).removesuffix(".cnf.txt")
        ends = (".cnf.txt", ".vars.txt", ".status.txt", "-pt-mysql-summary.txt")
        found.append((stem, [stem + end for end in ends]))
    return found


@pytest.mark.skipif(not LOGS.is_dir(), reason="ADVISOR_PERCONA_2026 is not the folder of a checkout")
def test_every_set_is_read_checked_and_diagnosed() -> None:
    every = sets()
    assert len(every) == 123
    rules = load_rules()
    for stem, files in every:
        cluster = read_together(files)
        judged = check(cluster, rules, ())
        assert set(judged.would_start.values()) == {True}, stem
        heavy = [f.rule.id for f in judged.findings if f.verdict is Verdict.FINDING and f.severity is not Severity.INFO]
        assert heavy == [], f"{stem}: the servers were durable, and nothing is known of their load"
        assert diagnose(cluster).causes == (), f"{stem}: counters that were read once show no cause"
        for file in files:
            read_together([file])
