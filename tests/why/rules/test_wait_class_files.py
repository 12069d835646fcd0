"""The files of wait classes: well formed, no word claimed twice, every name in them means something."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from advisor.check.known_names import known_name
from advisor.conditions import names
from advisor.errors import RuleError
from advisor.why.facts import make_known
from advisor.why.rules.wait_class_files import build_wait_class, load_wait_classes, wait_class_names

CLASSES = load_wait_classes()
COLUMNS = ("commands", "trx", "events", "os", "states", "calls", "wchan", "verbs")
LEAST: dict[str, Any] = {"class": "x", "title": "Waits", "group": "log", "source": ["a manual"]}


def test_every_file_is_a_class_and_has_a_source() -> None:
    assert tuple(each.id for each in CLASSES) == wait_class_names()
    assert [each.id for each in CLASSES if not all(each.source)] == []


def test_titles_fit_beside_their_bars() -> None:
    assert [each.title for each in CLASSES if len(each.title) > 50] == []


@pytest.mark.parametrize("column", COLUMNS)
def test_no_word_is_claimed_twice_under_the_same_restrictions(column: str) -> None:
    claims = Counter(
        (word, kind, signature.inside, signature.statements, signature.when)
        for each in CLASSES
        for signature in each.signatures
        for word in getattr(signature, column)
        for kind in signature.kinds or ("any",)
    )
    assert [claim for claim, times in claims.items() if times > 1] == []


def test_every_condition_and_measure_names_something_known() -> None:
    make_known()
    read = {name for each in CLASSES for s in each.signatures if s.tree for name in names(s.tree)}
    read |= {f"fact.{measured.fact}" for each in CLASSES for measured in each.measured}
    assert [name for name in sorted(read) if not known_name(name)] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"class": "y"}, "differs from the name of the file"),
        ({"wait": "x"}, "no key 'wait'"),
        ({"group": "mood"}, "not one of"),
        ({"kinds": ["robot"]}, "not one of"),
        ({"source": ""}, "source"),
        ({"leads": "perhaps"}, "not one of"),
        ({"also": [{"title": "x"}]}, "no key 'title'"),
        ({"also": [{"when": "a >"}]}, "invalid syntax"),
        ({"measured": [{"fact": "f", "of": "writers"}]}, "hides_in"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_the_key(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        build_wait_class({**LEAST, **change}, "x", "x.yaml")


def test_a_further_signature_holds_for_the_threads_of_its_class() -> None:
    data = {**LEAST, "kinds": ["client"], "also": [{"states": ["A"]}, {"kinds": ["dump"], "states": ["B"]}]}
    own, first, second = build_wait_class(data, "x", "x.yaml").signatures
    assert (own.kinds, first.kinds, second.kinds) == (("client",), ("client",), ("dump",))
    assert (first.states, second.states) == (("a",), ("b",))
