"""What is asked of a live tuning run?"""

from __future__ import annotations

from typing import Final

from advisor.model.record import record
from advisor.tune.live.limits import MEMORY_SHARE, Watched

DEFAULT_SECONDS: Final = 4 * 3600.0
_LONGEST_DEFAULT_WATCH: Final = 3600.0
_SHARE_OF_DEFAULT_WATCH: Final = 0.25


@record
class LiveRequest:
    """Times in seconds. `watch_seconds` 0.0: a quarter of the run, at most an hour.

    `latency_bound_ms` and `error_bound` 0.0: as the watch finds them. `given_up` are limits that need not be watched.
    `excluded`, `host`, `folders`, `not_primary` choose the search space as in other tuning runs. `only_watch`: change
    nothing. `keep`: leave in force what helps.
    """

    cluster: str
    for_seconds: float = DEFAULT_SECONDS
    watch_seconds: float = 0.0
    lag_bound_ms: float = 1000.0
    latency_bound_ms: float = 0.0
    error_bound: float = 0.0
    memory_bound: float = MEMORY_SHARE
    given_up: tuple[Watched, ...] = ()
    excluded: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    not_primary: bool = False
    only_watch: bool = False
    keep: bool = False
    seed: int = 0


def watch_seconds(request: LiveRequest) -> float:
    """How long the first part only watches."""
    return request.watch_seconds or min(_LONGEST_DEFAULT_WATCH, _SHARE_OF_DEFAULT_WATCH * request.for_seconds)
