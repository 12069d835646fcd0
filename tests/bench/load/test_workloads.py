"""The shipped workloads are found with their options, and a load that cannot be is refused before anything starts."""

from __future__ import annotations

import pytest

from advisor.bench.load.workloads import WorkloadOption, check_load, find_workload, workload_names
from advisor.errors import InputError, UsageError
from advisor.model.measurement import Load
from advisor.model.record import replace

LOAD = Load("update_index", 4, ("m1",))
MEMBERS = ("m1", "m2")


@pytest.mark.parametrize("name", workload_names())
def test_a_workload_says_what_it_does_in_a_sentence_and_documents_its_options(name):
    workload = find_workload(name)
    assert workload.title.endswith(".")
    assert len(workload.title) <= 118
    assert all(option.description for option in workload.options.values())
    assert set(workload.options) == ({"rows_per_transaction"} if name == "insert" else {"keys", "hot_rows"})


def test_options_of_a_shared_library_may_have_other_defaults_in_a_workload():
    usual, conflict = find_workload("update_index").options, find_workload("conflict").options
    assert (usual["keys"].default, usual["hot_rows"].default) == ("disjoint", "0")
    assert (conflict["keys"].default, conflict["hot_rows"].default) == ("shared", "10")


def test_the_names_are_those_promised_and_the_options_those_of_the_file():
    assert workload_names() == [
        "conflict", "insert", "read_write", "short_transactions", "update_index", "update_non_index", "write_only",
    ]  # fmt: skip
    assert find_workload("insert").options == {
        "rows_per_transaction": WorkloadOption(
            "from 1: rows each transaction inserts, one statement each", "1", least=1
        )
    }
    assert find_workload("write-only").options["keys"].words == ("disjoint", "shared")


def test_an_unknown_workload_is_refused_with_the_known_ones():
    with pytest.raises(UsageError) as caught:
        find_workload("tpcc")
    assert "insert, read_write" in caught.value.hint


def test_a_mix_is_a_workload_by_its_path(tmp_path, checkout):
    workload = find_workload(str(checkout / "examples/shop.yaml"))
    assert (workload.name, workload.database, workload.ignored_errors) == ("shop", "advisor_bench", (1062,))
    assert set(workload.options) == {"keys", "hot_rows"}
    with pytest.raises(InputError, match="cannot be read"):
        find_workload(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"settings": {"rows_per_transaction": "5"}}, "has no option 'rows_per_transaction'"),
        ({"settings": {"keys": "mine"}}, "'mine' is not one of disjoint, shared"),
        ({"settings": {"hot_rows": "-1"}}, "'-1' is not a whole number of at least 0"),
        ({"settings": {"hot_rows": "1e3"}}, "not a whole number"),
        ({"workload": "insert", "settings": {"rows_per_transaction": "0"}}, "not a whole number of at least 1"),
        ({"settings": {"tables": "9"}}, "has no option 'tables'"),
        ({"writers": ("m3",)}, "'m3' is not a member"),
        ({"writers": ()}, "has no writer"),
        ({"writers": ("m1", "m1")}, "named twice"),
        ({"writers": ("m1", "m2"), "threads": 1}, "not enough for"),
        ({"threads": 0}, "not enough for"),
        ({"rate_per_second": -5.0}, "a rate of -5 tx/s is too low"),
        ({"rate_per_second": 0.5}, "a rate of 0.5 tx/s is too low"),
        ({"rows_per_table": 0}, "too small"),
        ({"tables": 0}, "too small"),
    ],
)
def test_a_load_that_cannot_be_is_refused(changes, word):
    with pytest.raises(UsageError, match=word):
        check_load(replace(LOAD, **changes), MEMBERS)


def test_a_load_that_can_be_is_its_workload():
    load = replace(LOAD, workload="insert", writers=("m1", "m2"), settings={"rows_per_transaction": "10"})
    assert check_load(load, MEMBERS).name == "insert"
