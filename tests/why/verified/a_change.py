"""A change as `--verify` measures it, and the pair and the line that are kept of such a change."""

from __future__ import annotations

import json
from typing import Final

from advisor.model.diagnosis import LiveChange, Prediction
from advisor.why.verified.lines import as_line
from advisor.why.verified.pair import VerifiedChange

CHANGE: Final = LiveChange(
    settings={"db2.example.com": {"replica_parallel_workers": "8", "replica_parallel_type": "LOGICAL_CLOCK"}},
    before={"db2.example.com": {"replica_parallel_workers": "1", "replica_parallel_type": "DATABASE"}},
    member="db2.example.com",
    applied=True,
    without=1180.0,
    during=3120.0,
    seconds=10.0,
    predicted=Prediction(1900.0, 2600.0, 3400.0, "fact.more_workers_gain", now=1200.0),
    cause="applier_single_threaded",
)
PAIR: Final = VerifiedChange(
    cause="applier_single_threaded",
    settings=("replica_parallel_workers",),
    low=1900.0,
    mid=2600.0,
    high=3400.0,
    without=1180.5,
    measured=3120.25,
    at="2026-11-22T10:00:00Z",
    topology="async_mysql",
    release="mysql 9.7.4",
)
LINE: Final = as_line(PAIR)


def changed(**keys: object) -> str:
    """The line with some of its keys replaced."""
    return json.dumps({**json.loads(LINE), **keys}) + "\n"
