"""The search gets the time that validation does not need."""

from __future__ import annotations

import pytest

from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.request.request import Request
from advisor.tune.request.time_budget import search_seconds


def test_the_search_gets_what_the_proof_does_not_need_and_never_less_than_a_third():
    request = Request("c", "w", 4, ("m1",), seconds=10.0, warm_up_least=4.0, for_seconds=3600.0, blocks=6)
    fresh = [Trial(0, Task(TrialKind.BASELINE, {}), Outcome(windows=(1.0,), restarted=True, seconds=60.0), 60.0)]
    assert search_seconds(request, fresh) == pytest.approx(3600 - 1.1 * 3 * 6 * 60)
    slow = [Trial(0, Task(TrialKind.BASELINE, {}), Outcome(windows=(1.0,), restarted=True, seconds=600.0), 600.0)]
    assert search_seconds(request, slow) == pytest.approx(0.35 * 3600)
    assert search_seconds(request, []) > search_seconds(request, fresh), (
        "nothing was seen yet: a guess from what is asked"
    )
