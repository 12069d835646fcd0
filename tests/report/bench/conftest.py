"""A run to render."""

from __future__ import annotations

import pytest

from advisor.bench.measure.summary import summarise
from advisor.model.measurement import Run
from tests.bench.synthetic_runs import CIRCUMSTANCES, synthetic_run


@pytest.fixture
def slow() -> Run:
    """A run with a member that cannot keep up."""
    seconds = synthetic_run(1000, 400)
    return Run(summarise(CIRCUMSTANCES, seconds), tuple(seconds), 1.8e9)
