"""The sentences of causes and ceilings with their values filled in: no unit twice, and one thing is never many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest

from advisor.catalog import all_releases, load, spelling
from advisor.check.advice import choose_advice
from advisor.evidence.facts import derived_facts
from advisor.evidence.member.value_types import unit_of
from advisor.model.rules import Risk
from advisor.model.server import Release
from advisor.units import show
from advisor.why.rules.loader import load_causes, load_ceilings

HOLE: Final = re.compile(r"\{([a-zA-Z_][\w.]*)(?::(\w+))?\}")
PLURAL: Final = ("are", "were", "have", "wait", "apply", "do", "arrive")
PER_SECOND: Final = re.compile(r"^\s*(\w+ )?(/s|per second|a second|each second)")


class Sentence(NamedTuple):
    """A sentence with holes: whose it is, and under which condition it is shown ("" for any)."""

    of: str
    when: str
    text: str


class Filled(NamedTuple):
    """A hole: the name, the unit its value is shown with, and the words after it."""

    name: str
    unit: str
    after: str


def sentences() -> Iterator[Sentence]:
    for cause in load_causes():
        yield from (Sentence(cause.id, sign.when, sign.says) for sign in (*cause.signs, *cause.against))
        yield from (Sentence(cause.id, "", text) for advice in cause.advice for text in (advice.do, advice.costs))
    yield from (Sentence(ceiling.id, "", ceiling.finding) for ceiling in load_ceilings())


WITH_HOLES: Final = [sentence for sentence in sentences() if "{" in sentence.text]


def filled(sentence: Sentence) -> Iterator[Filled]:
    for hole in HOLE.finditer(sentence.text):
        yield Filled(hole[1], hole[2] or unit(hole[1]), sentence.text[hole.end() :])


def unit(name: str) -> str:
    """The unit that a fact or a counter is shown with."""
    name = name.removeprefix("source.")
    if name.startswith("fact."):
        return derived_facts()[name.removeprefix("fact.")].unit
    return unit_of(name.rpartition(".")[2])


def is_counted(word: str) -> bool:
    """Whether it is a noun with a plural that values are shown with: "rows", "clients"."""
    return word.endswith("s") and show(1, word) == f"1 {word[:-1]}"


def words_after(text: str, number: int) -> list[str]:
    return re.findall(r"[a-zA-Z]+", re.split(r"[,;:()“]", text)[0])[:number]


def holes_filled() -> Iterator[tuple[Sentence, Filled]]:
    """Every hole of every sentence."""
    assert len(WITH_HOLES) > 300
    return ((sentence, hole) for sentence in WITH_HOLES for hole in filled(sentence))


def test_a_unit_is_not_written_again_after_its_value() -> None:
    for sentence, (name, shown, after) in holes_filled():
        following = words_after(after, 3)
        nouns = {shown, shown.removesuffix("s")} & set(following) - {""}
        assert nouns == set(), f"{sentence.of}: {name} is shown with its unit already: {sentence.text}"
        if shown:
            assert not any(map(is_counted, following[:1])), f"{sentence.of}: {name} has two units: {sentence.text}"
        if show(2, shown).endswith("/s"):
            assert not PER_SECOND.match(after), f"{sentence.of}: {name} is a rate already: {sentence.text}"


def test_a_sentence_about_many_is_not_said_of_one() -> None:
    for sentence, (name, shown, after) in holes_filled():
        following = words_after(after, 2)
        plural = (shown and is_counted(shown) and following[:1] and following[0] in PLURAL) or (
            not shown and len(following) > 1 and is_counted(following[0]) and following[1] in PLURAL
        )
        if plural:
            parts = [part for part in re.split(r" and | or ", sentence.when) if name in part]
            least = [int(n) + (sign == ">") for part in parts for sign, n in re.findall(r"(>=?)\s*(\d+)", part)]
            assert any(number >= 2 for number in least), f"{sentence.of}: {name} may be 1: {sentence.text}"


@pytest.mark.parametrize("release", all_releases(), ids=lambda release: release.label)
def test_what_takes_effect_at_once_does_not_need_a_restart_and_the_other_way_round(release: Release) -> None:
    for cause in load_causes():
        advice = choose_advice(cause, release)
        names = [own for name in advice.set if (own := spelling(name, release))] if advice else []
        if advice is None or not names or advice.takes_effect is not None:
            continue
        variables = [load(release).get(name) for name in names]
        if any(variable is None or variable.option_only for variable in variables):
            continue  # known from --help, which does not say whether it can be set at run time
        at_once = all(variable is not None and variable.dynamic for variable in variables)
        assert (Risk.R2 in advice.risk) is not at_once, f"{cause.id}: {names}"
