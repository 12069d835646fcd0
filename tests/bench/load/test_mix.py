"""A user's mix is read as written; what is wrong with it is said with its line."""

from __future__ import annotations

import re
from datetime import date

import pytest

from advisor.bench.load.column_values import literal
from advisor.bench.load.mix import Repeated, SpreadPart, Transaction, columns_of, read_mix
from advisor.bench.load.mix_lua import lua_data
from advisor.bench.load.placeholders import Column, Value
from advisor.errors import InputError

HEAD = "format: 1\ntransactions:\n"


def mix_of(tmp_path, text):
    path = tmp_path / "my.yaml"
    path.write_text(text, encoding="utf-8")
    return read_mix(str(path))


def test_a_mix_is_read_with_what_it_draws(tmp_path):
    mix = mix_of(
        tmp_path,
        "format: 1\ndatabase: shop\nignore_errors: [1062]\nprepare: [CREATE TABLE a (b INT)]\n"
        "reset: [TRUNCATE a]\ntransactions:\n"
        "  - name: order\n    weight: 2.5\n    values:\n      who: '{int:5:9:pareto}'\n    statements:\n"
        "      - UPDATE customer SET seen = NOW() WHERE id = {who}\n"
        "      - INSERT INTO basket VALUES ({who}, {string:20}, '{{\"a\":1}}')\n",
    )
    assert (mix.database, mix.ignore_errors, mix.prepare) == ("shop", (1062,), ("CREATE TABLE a (b INT)",))
    assert mix.reset == ("TRUNCATE a",)
    assert mix.transactions == (
        Transaction(
            name="order",
            weight=2.5,
            values=(Value("int", 5, 9, "pareto"), Value("string", length=20)),
            statements=(
                ("UPDATE customer SET seen = NOW() WHERE id = ", 0),
                ("INSERT INTO basket VALUES (", 0, ", ", 1, ", '", "{", '"a":1', "}", "')"),
            ),
        ),
    )


def test_the_same_placeholder_is_drawn_anew_and_a_named_value_is_not(tmp_path):
    mix = mix_of(tmp_path, HEAD + "  - values: {a: '{id}'}\n    statements: ['SELECT {id}, {id}, {a}, {a}']\n")
    assert mix.transactions[0].statements == (("SELECT ", 1, ", ", 2, ", ", 0, ", ", 0),)


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("transactions: []\n", 0, "format"),
        ("format: 2\n", 1, "format: must be 1"),
        (HEAD.replace("transactions:", "transactions: []"), 2, "at least one"),
        (HEAD + "  - name: a\n    share: 3\n    statements: [SELECT 1]\n", 4, "unknown key 'share'"),
        (HEAD + "  - name: a\n", 3, "statements"),
        (HEAD + "  - statements: []\n", 3, "at least"),
        (HEAD + "  - statements:\n      - SELECT 1\n      - SELECT 'a: b'\n", 5, "this is not a string"),
        (HEAD + "  - statements: [SELECT 1]\n    weight: 0\n", 4, "above 0"),
        (HEAD + "  - statements: [SELECT 1]\n    weight: -1\n", 4, "above 0"),
        (HEAD + "  - statements:\n      - SELECT 1\n      - SELECT {nobody}\n", 5, "{nobody} is not a placeholder"),
        (HEAD + "  - statements:\n      - SELECT {int:1:x}\n", 4, "not a placeholder"),
        (HEAD + "  - statements:\n      - SELECT {int:9:1}\n", 4, "LOW must not exceed HIGH"),
        (HEAD + "  - statements:\n      - SELECT {int:1:9999999999}\n", 4, "HIGH must not exceed 4294967295"),
        (HEAD + "  - statements:\n      - SELECT {int:1:9:zipf}\n", 4, "not one of the known distributions"),
        (HEAD + "  - statements:\n      - SELECT {string:0}\n", 4, "not a placeholder"),
        (HEAD + "  - statements:\n      - SELECT '}'\n", 4, "a single brace"),
        (HEAD + "  - values:\n      a: 7\n    statements: [SELECT 1]\n", 4, "single placeholder"),
        (HEAD + "  - values:\n      id: '{id}'\n    statements: [SELECT 1]\n", 4, "cannot be the name"),
        ("format: 1\nignore_errors: [all]\ntransactions: []\n", 3, "at least one"),
        ("format: 1\ndatabase: 'a`b'\n", 2, "name of a database"),
        ("- 1\n", 0, "must be a mapping"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, line, word):
    with pytest.raises(InputError, match=re.escape(word)) as caught:
        mix_of(tmp_path, text)
    assert caught.value.line == line
    assert caught.value.file.endswith("my.yaml")


def test_an_error_to_ignore_is_a_number(tmp_path):
    with pytest.raises(InputError, match="'all' is not a server error number") as caught:
        mix_of(tmp_path, "format: 1\nignore_errors:\n  - 1062\n  - all\ntransactions:\n  - statements: [SELECT 1]\n")
    assert caught.value.line == 4


def test_no_text_can_leave_the_lua_string_it_is_in(tmp_path):
    mix = mix_of(tmp_path, HEAD + "  - statements:\n      - |\n        SELECT 'ä', \"]] .. os.exit() .. [[\\\"\n")
    text = lua_data(mix)
    inside = re.search(r'statements = \{\{"([^"]*)"\}\}', text)
    assert inside
    assert re.fullmatch(r"(?:[A-Za-z0-9 _]|\\\d{3})*", inside[1])
    octets = re.sub(rb"\\(\d{3})", lambda match: bytes([int(match[1])]), inside[1].encode())
    assert octets.decode() == "SELECT 'ä', \"]] .. os.exit() .. [[\\\"\n"


def test_values_of_a_column_are_drawn_from_a_list_that_all_its_placeholders_share(tmp_path):
    mix = mix_of(
        tmp_path,
        HEAD + "  - statements: ['SELECT {row:a.id}, {row:b.code}']\n  - statements: ['SELECT {row:a.id}']\n",
    )
    ids, codes = Column("a", "id"), Column("b", "code")
    assert columns_of(mix) == [ids, codes]
    text = lua_data(mix, {ids: ["1", "2"], codes: ["_utf8mb4 X'61'"]})
    assert 'local column0 = (function() return {"1", "2"} end)()\n' in text
    assert 'local column1 = (function() return {"_utf8mb4 X\\03961\\039"} end)()\n' in text
    assert text.count("column = column0") == 2
    assert text.count("column = column1") == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (-7, "-7"),
        (b"\x00'", "X'0027'"),
        ("o'neill; --", "_utf8mb4 X'6f276e65696c6c3b202d2d'"),
        (date(2026, 11, 23), "_utf8mb4 X'323032362d31312d3233'"),
    ],
)
def test_a_value_of_a_column_cannot_end_a_statement(value, text):
    assert literal(value) == text


def test_the_example_of_the_page_is_a_mix(tmp_path, checkout):
    page = (checkout / "docs/workloads.md").read_text(encoding="utf-8")
    mix = mix_of(tmp_path, page.partition("```yaml\n")[2].partition("```")[0])
    assert [(each.name, each.weight, len(each.statements)) for each in mix.transactions] == [
        ("look", 6, 1),
        ("move", 1.5, 2),
    ]


def test_the_shipped_example_is_a_mix(checkout):
    mix = read_mix(str(checkout / "examples/shop.yaml"))
    assert [each.name for each in mix.transactions] == ["look", "pay", "voucher"]
    assert [each.weight for each in mix.transactions] == [6, 3, 1]


REPEATED = """format: 1
threads: 12
spreads:
  rows: {1: 0.5, 4: 0.5, 20: 1}
prepare:
  - CREATE TABLE a (b INT)
  - rows: 20001
    sql: INSERT INTO a SELECT n FROM numbers WHERE n BETWEEN {first} AND {last}
transactions:
  - statements:
      - times: "{spread:rows}"
        values: {who: "{int:1:9}"}
        sql: ["UPDATE a SET b = {string:rows} WHERE b = {who}", "SELECT {who}"]
      - times: 3
        each: "({int:1:5})"
        sql: INSERT INTO a VALUES {each}
observed: {rows_p99: 20, read_share: 0.25}
"""


def test_statements_are_repeated_with_values_of_their_own(tmp_path):
    mix = mix_of(tmp_path, REPEATED)
    (transaction,) = mix.transactions
    assert transaction.values == (
        Value("spread", spread="rows"), Value("int", 1, 9, "uniform"), Value("string", spread="rows"),
        Value("int", 1, 5, "uniform"),
    )  # fmt: skip
    assert transaction.statements == (
        Repeated((("UPDATE a SET b = ", 2, " WHERE b = ", 1), ("SELECT ", 1)), 0, 0, (1, 2)),
        Repeated((("INSERT INTO a VALUES ", -1),), 3, -1, (3,), ("(", 3, ")")),
    )
    assert mix.spreads == {"rows": (SpreadPart(1, 0.5), SpreadPart(4, 0.5), SpreadPart(20, 1.0))}
    assert (mix.threads, mix.observed) == (12, {"rows_p99": 20.0, "read_share": 0.25})
    text = lua_data(mix)
    assert "local spread_rows = {{1, 0.5}, {4, 0.5}, {20, 1.0}}" in text
    assert "drawn = 1, again = {2, 3}}" in text
    assert "times = 3, again = {4}, each = {" in text


def test_a_table_is_filled_by_statements_of_ten_thousand_rows(tmp_path):
    created, *filled = mix_of(tmp_path, REPEATED).prepare
    assert created == "CREATE TABLE a (b INT)"
    assert [text.partition("BETWEEN ")[2] for text in filled] == ["1 AND 10000", "10001 AND 20000", "20001 AND 20001"]


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("20: 1}", "20: 0.9}", 4, "the last share must be 1"),
        ("{1: 0.5, 4", "{9: 0.5, 4", 4, "must rise"),
        ("{spread:rows}", "{spread:columns}", 11, "'columns' is not a name of `spreads`"),
        ("times: 3", "times: 0", 14, "a number from 1 to 100000"),
        ("{each}", "{every}", 16, "`each` needs one {each}"),
        ("rows: 20001", "rows: all", 7, "a number from 1 to"),
        ("{last}", "9", 7, "must have {first} and {last}"),
        ("threads: 12", "prepared: maybe", 2, "must be yes or no"),
        ("threads: 12", "threads: many", 2, "is not a number"),
        ("rows_p99: 20", "rows_p98: 20", 17, "unknown key 'rows_p98'"),
        ("who: ", "id: ", 12, "cannot be the name"),
        ("      - times: 3\n        each", "      - each", 14, "also needs `times`"),
    ],
)
def test_what_is_wrong_with_repetitions_is_said_with_its_line(tmp_path, old, new, line, word):
    assert old in REPEATED
    with pytest.raises(InputError, match=re.escape(word)) as caught:
        mix_of(tmp_path, REPEATED.replace(old, new))
    assert caught.value.line == line


def test_the_load_of_three_applications_is_a_mix(checkout):
    mix = read_mix(str(checkout / "benchmarks/load_copies/three_applications.yaml"))
    assert len(mix.transactions) == 5


def test_a_mix_says_whether_its_statements_are_prepared(tmp_path):
    plain = mix_of(tmp_path, HEAD + "  - statements: [SELECT 1]\n")
    prepared = mix_of(tmp_path, "prepared: yes\n" + HEAD + "  - statements: [SELECT 1]\n")
    assert (plain.prepared, prepared.prepared) == (False, True)
    assert "return {prepared = true," in lua_data(prepared)
    assert "return {prepared = false," in lua_data(plain)
