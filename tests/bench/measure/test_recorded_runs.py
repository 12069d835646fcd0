"""What is measured of recorded groups: each second of three members as real servers reported it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from advisor.bench.measure.summary import summarise
from advisor.model.measurement import Measurement, Phase, Second
from advisor.model.progress import Progress
from advisor.model.server import Role
from tests.bench.synthetic_runs import CIRCUMSTANCES

LOADED_SECONDS = 20


def moment(before: dict[str, Any], now: dict[str, Any]) -> Second:
    """A second: local transactions of the primary, what the secondaries applied, and what waits there."""
    interval = now["t"] - before["t"]
    members = []
    for name, row in now.items():
        if name == "t":
            continue
        backlog = row["aq"] + row["cq"]
        members.append(
            Progress(
                {"g1": "m1"}.get(name, name), Role.PRIMARY if name == "g1" else Role.SECONDARY, now["t"], interval,
                committed_per_second=(row["lp"] - before[name]["lp"]) / interval,
                applied_per_second=(row["ra"] - before[name]["ra"]) / interval,
                backlog=backlog, lag_ms=1000 * row.get("lag_s", 0.0) if backlog else 0.0, lag_method="timestamps",
            )
        )  # fmt: skip
    return Second(now["t"], Phase.MEASURE, tuple(members))


def recorded(shared: Path, case: str) -> Measurement:
    series = json.loads((shared / "cases/recorded" / case / "series.json").read_text(encoding="utf-8"))["series"]
    return summarise(CIRCUMSTANCES, [moment(*pair) for pair in pairwise(series[: LOADED_SECONDS + 1])])


@pytest.mark.parametrize(("case", "rate"), [("0_gr_healthy", 1612), ("3_gr_tiny_redo", 660)])
def test_a_healthy_group_sustains_what_it_commits(shared: Path, case: str, rate: float):
    found = recorded(shared, case)
    assert found.peak_per_second == pytest.approx(rate, rel=0.06)
    assert found.sustained_within_bound is True, found.sustained_because
    assert found.sustained[0].per_second == pytest.approx(found.peak_per_second, rel=0.03)


def test_a_throttled_group_is_neither_steady_nor_within_the_bound(shared: Path):
    found = recorded(shared, "1_gr_flowcontrol_throttled")
    assert found.sustained_within_bound is False
    assert "the lag p95 of g3 is" in found.sustained_because
    assert not found.steady
    # 4,692 committed; the slowest had applied 3,327 of them after 20 s.
    assert found.sustained[0].per_second == pytest.approx(3327 / 20.0, rel=0.02)
