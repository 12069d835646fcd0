"""When the former values return: with a margin, for commits that hang as well; and what cannot be watched is named."""

from __future__ import annotations

import pytest

from advisor.errors import UsageError
from advisor.model.record import replace
from advisor.tune.live.limit_bounds import with_bounds
from advisor.tune.live.limits import Limits, State, Watched, latest, unset_limits
from advisor.tune.live.traffic.figures import Reading, figures_of
from advisor.tune.live.watch import SeenTraffic, refuse_unwatched


def limits(**changes: object) -> Limits:
    return replace(unset_limits(1000.0, 50.0, 0.1, 0.9), **changes)


def readings(
    p95_ms: float = 10.0, lag_ms: float | None = 5.0, seconds: float = 10.0, per_second: float = 50.0, **others: object
) -> list[Reading]:
    """Two a second, with 10 % of the commits in the slow bucket."""
    return [
        Reading(
            at_seconds=0.5 * number,
            transactions=per_second * 0.5 * number,
            commits=per_second * 0.5 * number,
            commit_seconds=0.001 * number,
            buckets={1.0: 0.9 * per_second * 0.5 * number, p95_ms: 0.1 * per_second * 0.5 * number},
            lag_ms=lag_ms,
            backlog=0.0,
            failures=0.0,
            memory_share=0.5,
            **others,  # type: ignore[arg-type]
        )
        for number in range(int(2 * seconds) + 1)
    ]


def traffic(seen: list[Reading]) -> SeenTraffic:
    windows = [figures_of(latest(seen[:end])) for end in range(1, len(seen) + 1)]
    return SeenTraffic(tuple(seen), tuple(windows))


def states(found: Limits, seen: list[Reading]) -> dict[Watched, State]:
    return {standing.watched: standing.state for standing in found.standings(seen)}


def test_limits_that_are_kept() -> None:
    assert set(states(limits(), readings()).values()) == {State.KEPT}


@pytest.mark.parametrize(
    ("seen", "touched"),
    [
        (readings(p95_ms=43.0), Watched.LATENCY),  # 85 % of the limit are 42.5
        (readings(lag_ms=851.0), Watched.LAG),
        ([replace(each, memory_share=0.88) for each in readings()], Watched.MEMORY),
        ([replace(each, failures=6.0 * at) for at, each in enumerate(readings())], Watched.ERRORS),
    ],
    ids=lambda value: str(value) if isinstance(value, Watched) else "",
)
def test_a_limit_is_touched_before_it_is_reached(seen: list[Reading], touched: Watched) -> None:
    found = states(limits(), seen)
    assert found[touched] is State.TOUCHED
    assert sum(state is State.TOUCHED for state in found.values()) == 1


@pytest.mark.parametrize("seen", [readings(p95_ms=42.0), readings(lag_ms=849.0)], ids=["latency", "lag"])
def test_just_below_it_is_not(seen: list[Reading]) -> None:
    assert set(states(limits(), seen).values()) == {State.KEPT}


def test_commits_that_hang_touch_the_latency_limit() -> None:
    busy = limits(commits_per_second=50.0)
    running = readings()
    hanging = [replace(running[-1], at_seconds=running[-1].at_seconds + 0.5 * number) for number in range(1, 6)]
    assert states(busy, running)[Watched.LATENCY] is State.KEPT
    found = [each for each in busy.standings([*running, *hanging]) if each.state is State.TOUCHED]
    assert [each.why for each in found] == ["no commit ended for 2 s"]


def test_few_commits_are_enough_where_most_are_far_too_slow() -> None:
    seen = readings(per_second=4.0, seconds=2.0)[:4]
    slow = [replace(each, buckets={1.0: 0.0, 160.0: each.commits or 0.0}) for each in seen]
    touched = [each for each in limits().standings(slow) if each.state is State.TOUCHED]
    assert [each.why for each in touched] == ["6 of 6 commits took longer than 42 ms (limit 50 ms, acted on at 42 ms)"]
    one_slow = [
        replace(each, buckets={1.0: max(0, at - 1) * 2.0, 160.0: float(at > 0)}) for at, each in enumerate(seen)
    ]
    assert set(states(limits(), one_slow).values()) == {State.KEPT}


def test_commits_seen_in_progress_for_too_long_are_slow() -> None:
    seen = [
        replace(each, buckets=None, looks=5, ages_ms=(90.0,) * 20) for each in readings(per_second=4.0, seconds=2.0)[:4]
    ]
    touched = [each for each in limits().standings(seen) if each.state is State.TOUCHED]
    assert "4 of 10 commits" in touched[0].why


def test_quiet_users_are_no_hang() -> None:
    quiet = limits(commits_per_second=0.5)
    running = readings(per_second=0.5)
    assert states(quiet, [*running, replace(running[-1], at_seconds=15.0)])[Watched.LATENCY] is State.KEPT


def test_what_cannot_be_watched_is_refused_by_name_unless_it_is_given_up() -> None:
    seen = readings(lag_ms=None, missing={"lag": "m2: lost", "memory": "m2 runs on another machine"})
    with pytest.raises(UsageError) as refused:
        refuse_unwatched(limits().standings(seen))
    assert "lag (m2: lost); memory (m2 runs on another machine)" in refused.value.message
    assert "--give-up lag --give-up memory" in refused.value.hint
    refuse_unwatched(limits(given_up=(Watched.LAG, Watched.MEMORY)).standings(seen))


def test_lag_is_not_applicable_where_no_member_applies() -> None:
    assert states(limits(applies=False), readings(lag_ms=None))[Watched.LAG] is State.NOT_APPLICABLE


def test_limits_that_are_not_stated_follow_from_what_is_watched() -> None:
    seen = readings(p95_ms=10.0, seconds=60.0)
    found = with_bounds(unset_limits(1000.0, 0.0, 0.0, 0.9), traffic(seen))
    assert found.latency_ms.acts_at == pytest.approx(20.0)
    assert found.errors.acts_at == pytest.approx(0.01)
    assert found.commits_per_second == pytest.approx(50.0)
    assert set(states(found, seen).values()) == {State.KEPT}


def test_a_limit_that_the_traffic_itself_touches_is_refused() -> None:
    with pytest.raises(UsageError, match="although nothing was changed: commit latency p95 60 ms"):
        with_bounds(limits(), traffic(readings(p95_ms=60.0, seconds=60.0)))
