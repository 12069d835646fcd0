"""The same evidence as a folder and as an archive: the same judgement."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.evidence import read_path
from advisor.model.rules import Judgement

RULES = load_rules()


def said(judgement: Judgement) -> list[tuple[object, ...]]:
    """Everything a judgement says, places apart: those name the archive or the folder."""
    return [
        (f.rule.id, f.member, f.item, f.verdict, f.severity, f.message, f.missing, f.line, f.certain, f.changes)
        for f in judgement.findings
    ]


def packed(folder: Path, where: Path) -> Path:
    archive = where / f"{folder.name}.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, arcname=folder.name)
    return archive


def assert_same(folder: Path, where: Path) -> None:
    loose = check(read_path(str(folder)), RULES)
    archived = check(read_path(str(packed(folder, where))), RULES)
    assert said(loose)
    assert said(archived) == said(loose)
    assert (archived.topology, archived.members, archived.releases) == (loose.topology, loose.members, loose.releases)
    assert len(archived.problems) == len(loose.problems)


def test_a_bundle_of_members(checkout: Path, tmp_path: Path) -> None:
    assert_same(checkout / "tests/evidence/samples/bundle", tmp_path)


@pytest.mark.parametrize("case", ["02-gr-5300-inserts-no-mts", "30-import-92-rows-per-second"])
def test_bundles_of_reported_cases(shared: Path, tmp_path: Path, case: str) -> None:
    assert_same(shared / "cases/bundles" / case, tmp_path)


@pytest.mark.parametrize("case", ["1_gr_flowcontrol_throttled", "7_mariadb_replica_threads0"])
def test_recorded_snapshots(shared: Path, tmp_path: Path, case: str) -> None:
    assert_same(shared / "cases/recorded" / case, tmp_path)
