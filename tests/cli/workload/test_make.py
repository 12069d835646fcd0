"""`advisor workload make`: a load from files without a word of theirs, and one line for sources that hold none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.bench.load.mix import read_mix
from tests.cli.runs import Runner
from tests.cli.workload.test_command import MARIADB, MYSQL, NOT_A_SERVER

SQL = """-- Host: localhost    Database: shop
CREATE TABLE `orders` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `secret_column` int DEFAULT '4711',
  `at` datetime(6) DEFAULT NULL,
  `price` decimal(10,2) DEFAULT NULL,
  `note` varchar(300) DEFAULT 'secret-default',
  `j` json DEFAULT NULL,
  `e` enum('secret-member') DEFAULT NULL,
  `b` bit(10) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `secret_index` (`secret_column`)
) ENGINE=InnoDB;
"""
DIGESTS = (
    "SCHEMA_NAME\tDIGEST\tDIGEST_TEXT\tCOUNT_STAR\tSUM_TIMER_WAIT\tSUM_ROWS_EXAMINED\tSUM_ROWS_SENT\n"
    "shop\tab\tSELECT `secret_column` FROM `orders` WHERE `id` = ?\t300\t5000000000\t300\t300\n"
    "shop\tcd\tUPDATE `orders` SET `secret_column` = ? WHERE `id` = ?\t100\t5000000000\t100\t0\n"
)
SIZES = "TABLE_SCHEMA\tTABLE_NAME\tTABLE_ROWS\nshop\torders\t4321\n"
QUERY_DIGEST = {
    "classes": [
        {"fingerprint": "select note from shop.orders where id = ?", "query_count": 60,
         "example": {"query": "select note from shop.orders where id = 'secret-literal'"},
         "metrics": {"Rows_examined": {"sum": "6000"}, "Rows_sent": {"sum": "6000"}, "Query_time": {"sum": "1.5"}}},
        {"fingerprint": "update shop.orders set note = ? where id = ?", "query_count": "30", "metrics": {}},
    ]
}  # fmt: skip


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, str]:
    """Files of a user."""
    (tmp_path / "tables.sql").write_text(SQL, encoding="utf-8")
    (tmp_path / "digests.txt").write_text(DIGESTS, encoding="utf-8")
    (tmp_path / "sizes.txt").write_text(SIZES, encoding="utf-8")
    (tmp_path / "slow.json").write_text(json.dumps(QUERY_DIGEST), encoding="utf-8")
    return {path.name: str(path) for path in tmp_path.iterdir() if path.suffix in (".sql", ".txt", ".json")}


def test_a_load_is_made_of_every_kind_of_source(run: Runner, sources: dict[str, str], tmp_path: Path) -> None:
    words = (MYSQL, *(sources[name] for name in ("tables.sql", "digests.txt", "sizes.txt")))
    done = run("workload", "make", *words, "-o", "load.yaml", "--width", "80")
    assert (done.code, done.err) == (0, "")
    assert "shop.orders" in done.out, "the summary says which table became which"
    assert max(len(line) for line in done.out.splitlines() if "advisor bench" not in line) <= 80
    text = (tmp_path / "load.yaml").read_text(encoding="utf-8")
    for word in ("secret", "4711", "shop", "orders", "note", "price"):
        assert word not in text
    mix = read_mix(str(tmp_path / "load.yaml"))
    assert any("CREATE TABLE a1 (c1 bigint unsigned NOT NULL AUTO_INCREMENT, c2 int" in each for each in mix.prepare)
    assert any("KEY (c2)" in each for each in mix.prepare)
    assert any("BETWEEN" not in each and "<= 4321 - 1 + 1" in each for each in mix.prepare), "rows as stated"
    assert mix.observed["read_share"] == pytest.approx(0.75)


def test_a_report_of_pt_query_digest_gives_reads_and_no_example(run: Runner, sources: dict[str, str]) -> None:
    done = run("workload", "make", MYSQL, sources["slow.json"], sources["sizes.txt"], "--key", "*=1")
    assert (done.code, done.err) == (0, "")
    assert "SELECT c" in done.out
    assert "+ 100 - 1" in done.out, "a read of 100 rows"
    assert "secret" not in done.out


@pytest.mark.parametrize(("begin", "known"), [(1795425310, True), (1795000000, False)])
def test_a_bundle_gives_what_counters_tell_of_the_time_of_the_log(
    run: Runner, tmp_path: Path, begin: int, known: bool
) -> None:
    bundle = tmp_path / "bundle/members/m1"
    bundle.mkdir(parents=True)
    (tmp_path / "bundle/bundle.json").write_text('{"format": 1, "topology": "standalone"}', encoding="utf-8")
    for number, selects in ((1, 100), (2, 400)):
        text = f"TS {begin + 10 * number}\nVariable_name\tValue\nUptime\t{100 + 10 * number}\nQuestions\t5\n"
        text += f"Com_select\t{selects}\nCom_update\t{100 * number}\nInnodb_row_lock_waits\t7\n"
        (bundle / f"status-{number}.txt").write_text(text, encoding="utf-8")
    done = run("workload", "make", MYSQL, str(tmp_path / "bundle"), "-o", "load.yaml")
    assert (done.code, done.err) == (0, "")
    observed = read_mix(str(tmp_path / "load.yaml")).observed
    assert observed.get("read_share") == (pytest.approx(0.75) if known else None)
    assert observed.get("lock_waits_per_commit") == (0 if known else None)
    assert ("the counters cover a different time than the log" in " ".join(done.out.split())) == (not known)


@pytest.mark.parametrize("log", [MYSQL, MARIADB])
def test_without_a_file_stdout_has_the_load_alone(run: Runner, log: str, tmp_path: Path) -> None:
    done = run("workload", "make", log)
    assert (done.code, done.err) == (0, "")
    (tmp_path / "load.yaml").write_text(done.out, encoding="utf-8")
    assert read_mix(str(tmp_path / "load.yaml")).transactions
    assert "# Not known from the sources: the reads: a binary log has none" in done.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name a binary log"),
        (("digests.txt",), "name a binary log too"),
        (("absent.sql",), "absent.sql"),
        ((MYSQL, "my.cnf"), "nothing in it that a load could be made from"),
        ((MYSQL, "other.json"), "not a report of pt-query-digest"),
        ((MYSQL, "-o", "absent/load.yaml"), "the folder does not exist"),
        ((MYSQL, "--from", "2100-01-01"), "no transaction in this log"),
        (("--dsn", NOT_A_SERVER, "--for", "1s", "--last", "1h"), "cannot be combined"),
    ],
)
@pytest.mark.usefixtures("sources")
def test_sources_that_hold_no_load_are_refused_in_one_message(
    run: Runner, words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    (tmp_path / "other.json").write_text('{"a": 1}', encoding="utf-8")
    done = run("workload", "make", *words)
    assert done.code == (4 if "--dsn" in words else 2)
    assert told in done.err or "127.0.0.1:1" in done.err
    assert "Traceback" not in done.err
