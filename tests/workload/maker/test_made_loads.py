"""A load is made of shapes and numbers: it draws them again, and holds no name and no value of the user's."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from advisor.bench.load.mix import read_mix
from advisor.binlog.changed_rows import Wanted
from advisor.binlog.events.table_map import TableMap
from advisor.binlog.read import LogReading
from advisor.model.workload.made_load import MadeLoad
from advisor.model.workload.transaction import Kind, RowChange, Step, Transaction
from advisor.workload.maker.compose import LoadSources, made_load
from advisor.workload.maker.definitions import TableDefinition, stated_definitions
from advisor.workload.maker.digests import Digest, digests_of_text
from advisor.workload.maker.histogram import Histogram
from advisor.workload.maker.load_file import render
from advisor.workload.maker.row_choice import RowChoice
from advisor.workload.maker.transaction_kinds import KindsTally

SAMPLES = Path(__file__).parents[2] / "binlog/samples"
ORDERS, ITEMS = "shop.orders", "shop.items_2"
TABLES = {
    ORDERS: TableMap(ORDERS, (3, 3, 15), (0, 0, 400), (0,), full_metadata=True),
    ITEMS: TableMap(ITEMS, (3, 15), (0, 80), (0,), full_metadata=True),
    "shop.items_1": TableMap("shop.items_1", (3, 15), (0, 80), (0,), full_metadata=True),
}
DEFINITIONS = """-- Host: localhost    Database: shop
CREATE TABLE `orders` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `kind` enum('secret-member','b') COLLATE utf8mb4_bin DEFAULT 'b',
  `note` varchar(100) DEFAULT 'secret-default' COMMENT 'secret-comment',
  PRIMARY KEY (`id`),
  UNIQUE KEY `secret_index` (`note`(10)),
  KEY `other` (`kind`,`id`),
  CONSTRAINT `secret_constraint` FOREIGN KEY (`kind`) REFERENCES `secret_table` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=7777 DEFAULT CHARSET=utf8mb4 COMMENT='secret-comment'
/*!50100 PARTITION BY KEY (`id`) */;
"""
INSERT, UPDATE, DELETE = RowChange


def step(table: str, change: RowChange, key: int, rows: int = 1, columns: tuple[int, ...] = ()) -> Step:
    """A statement that changes the rows from that key on."""
    lengths = (4, 4, 30) if table == ORDERS else (4, 12)
    return Step(table, change, rows, columns, lengths, tuple(range(key, key + rows)))


def transaction(*steps: Step) -> Transaction:
    return Transaction(
        "binlog.000001", 4, 100, 1, None, 1000.0, 1000, None, None, None, None, None, None, Kind.ROWS, 96, None, 5,
        len(steps), (), steps=steps,
    )  # fmt: skip


def kinds_of(*transactions: Transaction) -> KindsTally:
    tally = KindsTally(TABLES)
    for each in transactions:
        tally.add(each)
    return tally


def load_of(kinds: KindsTally, definitions: dict[str, TableDefinition] | None = None, **more: object) -> MadeLoad:
    return made_load(kinds, LoadSources(definitions or {}, {ORDERS: 500}, **more), {"rows_p99": 3.0})  # type: ignore[arg-type]


def test_an_order_with_its_items_becomes_a_repeated_pair_of_statements() -> None:
    orders = [
        transaction(
            step(ORDERS, INSERT, 1000 + number),
            *(each for item in range(number % 3 + 1) for each in (
                step(ITEMS, INSERT, 9000 + 10 * number + item), step(ORDERS, UPDATE, 7 * number + item, columns=(2,)),
            )),
        )
        for number in range(60)
    ]  # fmt: skip
    kinds = kinds_of(*orders)
    (made,) = load_of(kinds).transactions
    assert made.weight == 60
    first, repeated = made.statements
    assert isinstance(first, str)
    assert first.startswith("INSERT INTO a1 (c2, c3) VALUES ")
    assert not isinstance(repeated, str)
    assert [text.split()[0] for text in repeated.sql] == ["INSERT", "UPDATE"]
    spread = load_of(kinds).spreads[repeated.times.strip("{}").partition(":")[2]]
    assert spread == ((1, 0.333333), (2, 0.666667), (3, 1.0))


def test_a_row_that_is_deleted_and_inserted_again_is_the_same_row() -> None:
    kinds = kinds_of(*(transaction(step(ORDERS, DELETE, key), step(ORDERS, INSERT, key)) for key in range(50)))
    (made,) = load_of(kinds).transactions
    assert made.values == {"row_0_0": "{int:1:500}"}
    assert made.statements[0] == "DELETE FROM a1 WHERE c1 = {row_0_0}"
    assert str(made.statements[1]).startswith("INSERT INTO a1 (c1, c2, c3) VALUES ({row_0_0}, ")


def test_values_of_new_rows_and_of_changes_have_lengths_of_their_own() -> None:
    new = step(ORDERS, INSERT, 900)._replace(lengths=(4, 4, 80))
    change = step(ORDERS, UPDATE, 5, columns=(2,))._replace(lengths=(4, 4, 8))
    insert, update = load_of(kinds_of(*[transaction(new), transaction(change)] * 20)).transactions
    assert str(insert.statements[0]).endswith("{string:80})")
    assert "SET c3 = {string:8} WHERE" in str(update.statements[0])


def test_statements_are_prepared_if_most_of_theirs_were() -> None:
    kinds = kinds_of(transaction(step(ORDERS, UPDATE, 1)))
    prepared = digests_of_text(
        "SCHEMA_NAME\tDIGEST_TEXT\tCOUNT_STAR\nshop\tEXECUTE UPDATE `orders` SET `note` = ?\t9\n"
        "shop\tUPDATE `a` . `b`\t2\n"
    )
    assert load_of(kinds, digests=prepared).prepared
    assert "prepared: yes" in render(load_of(kinds, digests=prepared))
    assert "prepared" not in render(load_of(kinds, digests=prepared[1:]))


def test_rows_that_are_deleted_for_good_are_the_next_ones_that_are_there() -> None:
    (made,) = load_of(kinds_of(*(transaction(step(ORDERS, DELETE, key, rows=3)) for key in range(50)))).transactions
    assert str(made.statements[0]).endswith("ORDER BY c1 LIMIT 3")


def test_tables_that_differ_in_a_number_are_one_group() -> None:
    kinds = kinds_of(*(transaction(step(f"shop.items_{1 + key % 2}", UPDATE, key, columns=(1,))) for key in range(50)))
    load = load_of(kinds)
    (copy,) = load.copies
    assert (copy.name, copy.tables) == ("a1", ("shop.items_1", "shop.items_2"))
    assert str(load.transactions[0].statements[0]).startswith("UPDATE a1_{int:1:2} SET c2 = {string:12} WHERE")


def test_definitions_give_keys_and_widths_and_nothing_else() -> None:
    (name, definition), *_ = stated_definitions(DEFINITIONS).items()
    assert name == ORDERS
    assert [kind.sql for kind in definition.types] == ["int unsigned", "tinyint unsigned", "varchar(100)"]
    assert (definition.counter, definition.primary and definition.primary.columns) == (0, (0,))
    assert [(key.columns, key.prefixes, key.unique) for key in definition.keys] == [
        ((2,), (10,), True), ((1, 0), (0, 0), False),
    ]  # fmt: skip
    assert definition.left_out == ("foreign keys and checks", "partitions")
    assert stated_definitions(DEFINITIONS.replace("\n", "\\n"))[ORDERS] == definition, "as mysql -B prints it"
    assert list(stated_definitions(DEFINITIONS.replace("-- Host", "-- host"))) == ["orders"]


def test_nothing_of_the_user_is_in_the_file(tmp_path: Path) -> None:
    """Planted in definitions: members, defaults, comments, names. In the sample logs: every word of their rows."""
    kinds = kinds_of(*(transaction(step(ORDERS, UPDATE, key % 50, columns=(2,))) for key in range(500)))
    digests = (Digest("select", (ORDERS,), 900, 900, 900), Digest("update", (ORDERS,), 500, 500))
    text = render(load_of(kinds, stated_definitions(DEFINITIONS), digests=digests))
    assert not re.search(r"secret|shop|orders|kind\b.*enum|note|7777", text)
    for folder, words in (("mysql-9.7.4", ("shop", "orders", "note")), ("mariadb-10.11.19", ("shop", "orders"))):
        reading = LogReading([str(SAMPLES / folder)], Wanted(keys=True, steps=True))
        tally = KindsTally(reading.tables)
        for each in reading.transactions():
            tally.add(each)
        text = render(made_load(tally, LoadSources({}, {}), {}))
        (tmp_path / "load.yaml").write_text(text, encoding="utf-8")
        assert read_mix(str(tmp_path / "load.yaml")).transactions, "the load can be run"
        written = set(re.findall(r"[A-Za-z]{4,}", text.partition("format: 1")[2]))
        logged = b"".join(path.read_bytes() for path in (SAMPLES / folder).glob("*.0*"))
        stored = {word.decode() for word in re.findall(rb"[A-Za-z]{4,}", logged)}
        assert not written & set(words)
        assert not {word for word in written & stored if word not in _WORDS_OF_SQL}, "words of rows"


_WORDS_OF_SQL = {
    "CREATE", "TABLE", "INSERT", "INTO", "VALUES", "SELECT", "FROM", "UPDATE", "DELETE", "WHERE", "NULL", "PRIMARY",
    "REPEAT", "DROP", "datetime", "decimal", "json", "LEFT", "DATE", "time", "year", "blob", "string", "ORDER", "char",
    "AUTO", "INCREMENT", "varchar", "double", "float", "date", "timestamp", "bigint", "smallint", "mediumint",
    "tinyint", "JSON", "QUOTE", "RAND", "INTERVAL", "TIME", "unsigned", "binary", "varbinary", "LIMIT", "BETWEEN",
    "name", "text", "kind", "values", "LAST", "IGNORE", "LEAST", "GREATEST", "EXISTS", "longblob", "bytes", "rows",
    "first", "last", "BINARY",
}  # fmt: skip


@pytest.mark.parametrize(("transactions", "inside"), [(100, True), (1000, False), (None, True)])
def test_reads_are_inside_of_transactions_unless_the_server_counted_more_of_these(
    transactions: int | None, inside: bool
) -> None:
    pair = [step(ORDERS, UPDATE, 1, columns=(1,)), step(ORDERS, UPDATE, 2, columns=(2,))]
    digests = (Digest("select", (ORDERS,), 900, 900, 900), Digest("update", (ORDERS,), 200, 200))
    load = load_of(kinds_of(*[transaction(*pair)] * 100), digests=digests, transactions=transactions)
    assert len(load.transactions) == (1 if inside else 2)
    if inside:
        repeated = load.transactions[0].statements[0]
        assert not isinstance(repeated, str)
        assert (repeated.times, repeated.sql[0].split()[0]) == ("9", "SELECT")
    else:
        assert load.transactions[1].weight == 900
    assert any("inside of transactions" in note for note in load.notes) == (transactions is None)


def test_without_digests_and_counters_reads_are_unknown() -> None:
    load = load_of(kinds_of(transaction(step(ORDERS, UPDATE, 1))))
    assert any(note.startswith("the reads: a binary log has none") for note in load.notes)


def test_rows_that_are_changed_again_and_again_are_found_and_chance_is_not() -> None:
    skewed, alike, draw = RowChoice(), RowChoice(), random.Random(1)
    for _ in range(6000):
        skewed.add((hash(str(draw.randrange(13) if draw.random() < 0.4 else draw.randrange(13, 2013))),))
        alike.add((hash(str(draw.randrange(2000))),))
    assert alike.points(2000) is None
    points = skewed.points(2100)
    assert points
    shares = dict(points)
    assert 0.3 < shares[16] < 0.5
    assert points[-1] == (2100, 1.0)
    assert 1800 < alike.rows < 2300


def test_spreads_keep_the_median_and_the_tail() -> None:
    exact, tail = Histogram(), Histogram()
    for value, times in ((1, 50), (3, 40), (50, 10)):
        exact.add(value, times)
    assert exact.points() == ((1, 0.5), (2, 0.5), (3, 0.9), (49, 0.9), (50, 1.0))
    for value in range(1, 2001):
        tail.add(value)
    points = dict(tail.points())
    near = {share: value for value, share in points.items()}
    assert abs(min(near, key=lambda share: abs(share - 0.5)) - 0.5) < 0.01
    assert 1950 <= max(points) <= 2000
    assert Counter(tail.counts).total() == 2000


def test_a_row_that_is_locked_by_a_read_is_the_one_that_is_changed() -> None:
    digests = (
        Digest("select", (ORDERS,), 100, 100, 100, locks=True),
        Digest("update", (ORDERS,), 100, 100),
    )
    load = load_of(kinds_of(*[transaction(step(ORDERS, UPDATE, 7))] * 100), digests=digests, transactions=None)
    (kind,) = load.transactions
    read, change = (str(statement) for statement in kind.statements)
    assert "FOR UPDATE" in read
    assert "WHERE c1 = {row_0_0}" in read
    assert "WHERE c1 = {row_0_0}" in change
    assert set(kind.values) == {"row_0_0"}
