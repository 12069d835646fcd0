"""The files of causes and ceilings: every name in them means something, every case of theirs holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.check.known_names import known_name
from advisor.check.message import holes
from advisor.conditions import names
from advisor.model.diagnosis import Cause
from advisor.why.rules.case_results import run_cases
from advisor.why.rules.loader import load_causes, load_ceilings

CAUSES = load_causes()
CEILINGS = load_ceilings()


def read_by(cause: Cause) -> list[str]:
    """Every name a cause reads or shows."""
    signs = [*cause.signs, *cause.against]
    told = [name for sign in signs for name in (*names(sign.tree), *holes(sign.says))]
    for advice in cause.advice:
        told += [*holes(advice.do), *(name for tree in advice.trees.values() for name in names(tree))]
    return told + (list(names(cause.gain_tree)) if cause.gain_tree else [])


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.id)
def test_every_name_a_cause_uses_means_something(cause: Cause) -> None:
    assert [name for name in read_by(cause) if not known_name(name)] == []


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.id)
def test_a_cause_says_what_its_own_cases_expect(cause: Cause) -> None:
    assert list(run_cases(cause)) == []


def test_every_name_a_ceiling_uses_means_something() -> None:
    used = [name for ceiling in CEILINGS for name in (*names(ceiling.tree), *holes(ceiling.finding))]
    assert [name for name in used if not known_name(name)] == []


def test_causes_and_ceilings_name_each_other_only_where_they_exist() -> None:
    causes, ceilings = {cause.id for cause in CAUSES}, {ceiling.id for ceiling in CEILINGS}
    assert {other for cause in CAUSES for other in cause.symptom_of} <= causes
    assert {cause.ceiling for cause in CAUSES if cause.ceiling} <= ceilings
    assert {cause for ceiling in CEILINGS for cause in ceiling.lifted_by} <= causes


def test_every_label_of_the_vocabulary_has_its_cause(shared: Path) -> None:
    text = (shared / "knowledge/causes.md").read_text(encoding="utf-8")
    assert {cause.id for cause in CAUSES} == set(re.findall(r"^- `([a-z_]+)`", text, re.MULTILINE))


def test_no_cause_names_a_case_or_its_poster(shared: Path) -> None:
    cases = [file.stem.partition("-")[2] for file in (shared / "cases/reported").glob("*.json")]
    text = "\n".join(Path(cause.file).read_text(encoding="utf-8") for cause in CAUSES)
    assert [case for case in cases if case in text] == []


def test_nothing_advised_trades_durability_without_its_class() -> None:
    relaxed = {"sync_binlog", "innodb_flush_log_at_trx_commit", "innodb_doublewrite", "innodb_flush_method"}
    assert [cause.id for cause in CAUSES for advice in cause.advice if relaxed & advice.set.keys()] == []
