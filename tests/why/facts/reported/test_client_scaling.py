"""What more clients bring, from rates at several numbers of clients."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.catalog import parse_release
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.why.facts import make_known

make_known()


def told(name: str, scaling: Any) -> Any:
    observed = {"scaling": Fact("scaling", scaling, "", "observations.yaml")}
    return MemberFacts(Member("a", observed=observed), parse_release("mysql-8.4.3")[0], None, None).value(
        f"fact.{name}"
    )


def test_throughput_by_clients_tells_what_more_of_them_bring() -> None:
    flat = ({"clients": 1, "throughput": 600}, {"clients": 16, "throughput": 610})
    linear = ({"clients": 1, "throughput": 100}, {"clients": 8, "throughput": 800})
    assert told("scaling_flat_ratio", scaling=flat) == pytest.approx(1.017, abs=0.001)
    assert told("more_clients_gain", scaling=linear) == 1
