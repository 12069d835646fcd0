"""Counting transactions in sets of ids agrees with counting them one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.gtid.sets import from_server, missing, parse_gtid_set, transactions, union

A, B = "3e11fa47-71ca-11e1-9e33-c80aa9429562", "4e11fa47-71ca-11e1-9e33-c80aa9429562"
ONE = st.tuples(st.sampled_from([A, B]), st.sampled_from(["", "blue", "_red2"]), st.integers(1, 40))
SETS = st.frozensets(ONE, max_size=60)


def text(ids: frozenset[tuple[str, str, int]], spread: bool) -> str:
    """As a server may print it: untagged ids first, tags after, ranges where numbers follow each other if `spread`."""
    parts = []
    for server in (A, B):
        words = [server.upper()]
        for tag in ("", "blue", "_red2"):
            numbers = sorted(number for origin, its, number in ids if origin == server and its == tag)
            if numbers and tag:
                words.append(tag)
            while numbers:
                first = last = numbers.pop(0)
                while spread and numbers and numbers[0] == last + 1:
                    last = numbers.pop(0)
                words.append(str(first) if first == last else f"{first}-{last}")
        if len(words) > 1:
            parts.append(":".join(words))
    return ",\n".join(parts)


@given(SETS, st.booleans())
def test_a_set_has_as_many_transactions_as_ids(ids, spread):
    assert transactions(parse_gtid_set(text(ids, spread))) == len(ids)


@given(SETS, SETS)
def test_what_is_missing_is_the_difference(wanted, there):
    assert missing(parse_gtid_set(text(wanted, True)), parse_gtid_set(text(there, False))) == len(wanted - there)


@given(st.lists(SETS, max_size=4))
def test_a_union_holds_every_id_once(sets):
    together = union(parse_gtid_set(text(ids, True)) for ids in sets)
    assert transactions(together) == len(frozenset().union(*sets))


@given(SETS)
def test_a_servers_own_transactions_are_those_of_its_uuid_under_any_tag(ids):
    own = from_server(parse_gtid_set(text(ids, True)), A.upper())
    assert transactions(own) == sum(server == A for server, _, _ in ids)


@pytest.mark.parametrize("words", [f"{A}:", f"{A}:1-2-3", "1-2:x-:1a"])
def test_what_is_no_set_is_refused(words):
    with pytest.raises(ValueError, match=r"."):
        parse_gtid_set(words)
