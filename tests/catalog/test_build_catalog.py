"""The data files are what the build makes of the readings, and each dated change is really in them."""

from __future__ import annotations

import json
import runpy

import pytest

from advisor.catalog.releases import DATA, eras
from advisor.catalog.table import row


@pytest.fixture(scope="module")
def build(checkout):
    with pytest.MonkeyPatch.context() as patch:  # a script finds its neighbours in its own folder
        patch.syspath_prepend(str(checkout / "scripts"))
        yield runpy.run_path(str(checkout / "scripts" / "build_catalog.py"))


def test_a_rebuild_gives_the_same_files(build, shared, tmp_path, checkout):
    build["main"](shared / "servers", tmp_path)
    for made in sorted(tmp_path.iterdir()):
        assert made.read_text() == (checkout / "advisor" / "catalog" / "data" / made.name).read_text(), made.name
    assert len(list(tmp_path.iterdir())) >= 14


def test_every_correction_is_in_the_data(build):
    for (family, series, name, fact), (when, value) in build["read_corrections"]().items():
        if fact == "auto":
            assert "d" not in row(f"{family}-{series}", name)
            continue
        if fact == "cli":
            assert row(f"{family}-{series}", name)["op"] == json.loads(value)
            continue
        dates = [step[0] for step in row(f"{family}-{series}", name)["ch"][build["CHANGING"][fact]]]
        assert when in dates, (family, series, name, fact)


def test_every_series_has_a_file_beside_the_eras():
    from pathlib import Path

    for era in eras():
        assert Path(DATA, f"{era.family}-{era.series}.tsv").is_file()
