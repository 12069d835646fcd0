"""Which changes are tried, in which order? What `why` advises first, then the knobs of the search space.

Only what takes effect at once and comes back at once, on this release: no restart of anything, nothing for new sessions
only (the users keep theirs), nothing that the server resizes in the background. And nothing that costs more than
latency or resources (risk class R1): no setting that anyone relies on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from advisor.catalog import canonical
from advisor.conditions import bind
from advisor.model.applying import Application
from advisor.model.diagnosis import RankedCause
from advisor.model.lab import ClusterMember
from advisor.model.record import field, record, replace
from advisor.model.rules import Risk
from advisor.model.tuning import Knob, Scale, SearchSpace, Settings
from advisor.tune.space.constraints import constraint_check, lookup
from advisor.tune.space.encoding import as_text, difference
from advisor.tune.space.member_values import applies_to_role, as_digits
from advisor.tune.trial.apply_configuration import IN_BACKGROUND

_AT_ONCE: Final = (Application.DYNAMIC, Application.PROVIDER_OPTION)
_BEARABLE: Final = frozenset({Risk.R0, Risk.R1})
_WORTH_A_TURN: Final = 0.2  # confidence of a cause: to try its advice for some moments costs little
_STEP: Final = 2.0  # a knob without advice is tried at twice and at half its value
_LINEAR_STEP: Final = 0.25  # of the range
_SOON_SECONDS: Final = 3
_SLOW_SECONDS: Final = 30
_UNLIMITED: Final = ("innodb_thread_concurrency", "binlog_group_commit_sync_no_delay_count")  # if 0
# They act by what is flushed, purged or cached, of which the pool is full when a turn begins; others act on the next
# commit.
_SLOW: Final = (
    "innodb_io_capacity",
    "innodb_io_capacity_max",
    "innodb_flush_neighbors",
    "innodb_lru_scan_depth",
    "innodb_max_dirty_pages_pct",
    "innodb_adaptive_flushing_lwm",
    "innodb_adaptive_hash_index",
)


@record
class Candidate:
    """One change: member → name → value, and why it is tried. `former` are the values before, of the same names.

    The first `left_out_seconds` of a turn may still show effects of the turn before. A lower `rank` is tried first.
    `edges`: the number next to 0 where that is a word of its own, by name.
    """

    because: str
    former: Mapping[str, Mapping[str, str]]
    changed: Mapping[str, Mapping[str, str]]
    left_out_seconds: int
    rank: int = 0
    edges: Mapping[str, float] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """The changed values by name, of the members together."""
        return {name: value for own in self.changed.values() for name, value in own.items()}


def members_of(settings: Mapping[str, Mapping[str, str]], name: str) -> list[str]:
    """The members on which a setting is changed."""
    return [member for member, own in settings.items() if name in own]


def live_space(space: SearchSpace) -> SearchSpace:
    """The search space with those knobs alone that may change under the users' traffic."""
    return replace(space, knobs=tuple(knob for knob in space.knobs if may_change(knob)))


def may_change(knob: Knob) -> bool:
    """Whether a knob takes effect and comes back at once, at the lowest risk."""
    return (
        knob.how in _AT_ONCE and set(knob.risk) <= _BEARABLE and knob.promise is None and knob.name not in IN_BACKGROUND
    )


def candidates(
    space: SearchSpace,
    members: Sequence[ClusterMember],
    values: Mapping[str, Mapping[str, str]],
    running: Settings,
    causes: Sequence[RankedCause],
) -> list[Candidate]:
    """Every change worth a try, each once, the most promising first.

    Of equals those come first that need the shortest turns. `space` is one of `live_space`.
    """
    sources = (_advised(space, running, causes), _advice_of_space(space, running), _steps(space, running))
    proposed = [(rank, *one) for rank, source in enumerate(sources) for one in source]
    legal = constraint_check(space)
    edges = {knob.name: _edge(knob) for knob in space.knobs if knob.special}
    found: dict[object, Candidate] = {}
    for rank, because, settings in proposed:
        change = {name: after for name, (_, after) in difference(running, settings).items()}
        placed = _placed(space, members, change)
        if not placed or not legal(settings):
            continue
        former = {member: {name: values[member][name] for name in own} for member, own in placed.items()}
        found.setdefault(
            str(sorted(change.items())), Candidate(because, former, placed, _left_out(change), rank, edges)
        )
    return sorted(found.values(), key=lambda one: (one.rank, one.left_out_seconds))


def _advised(space: SearchSpace, running: Settings, causes: Sequence[RankedCause]) -> Iterator[tuple[str, Settings]]:
    """What the limits advise that `why` finds possible, where knobs of the space alone can follow it."""
    for ranked in causes:
        if ranked.confidence < _WORTH_A_TURN or ranked.cause.answer != "limit" or not _bearable(ranked):
            continue
        family = space.release.family
        knobs = {canonical(knob.name, family): knob for knob in space.knobs}
        wanted = {canonical(change.name, family): change.value for change in ranked.changes if change.value is not None}
        if wanted and wanted.keys() <= knobs.keys():
            settings = {
                knobs[name].name: value if knobs[name].choices else as_digits(value) for name, value in wanted.items()
            }
            yield f"why: {ranked.cause.title} ({ranked.confidence:.0%})", {**running, **settings}


def _bearable(ranked: RankedCause) -> bool:
    return ranked.advice is not None and set(ranked.advice.risk) <= _BEARABLE


def _advice_of_space(space: SearchSpace, running: Settings) -> Iterator[tuple[str, Settings]]:
    for knob in _active(space, running):
        if knob.advice and knob.advice != running[knob.name]:
            yield "the search space advises this value", {**running, knob.name: knob.advice}


def _steps(space: SearchSpace, running: Settings) -> Iterator[tuple[str, Settings]]:
    """One step up and one down of every knob, or each of its other words."""
    for knob in _active(space, running):
        for value in _neighbours(knob, running[knob.name]):
            yield "one step from the current value", {**running, knob.name: value}


def _active(space: SearchSpace, running: Settings) -> list[Knob]:
    """The knobs that have an effect as things are."""
    find = lookup(space, running)
    return [knob for knob in space.knobs if not knob.tree or bind(knob.tree)(find) is not False]


def _neighbours(knob: Knob, value: str) -> list[str]:
    if knob.choices:
        return [choice for choice in knob.choices if choice.lower() != value.lower()]
    try:
        number = float(value)
    except ValueError:
        return []
    if value in knob.special:
        return [as_text(_edge(knob), knob.step)]
    if knob.scale is Scale.LOG:
        wanted = [number * _STEP, number / _STEP]
    else:
        wanted = [number + _LINEAR_STEP * (knob.high - knob.low), number - _LINEAR_STEP * (knob.high - knob.low)]
    kept = [min(max(round(each / knob.step) * knob.step, knob.low), knob.high) for each in wanted]
    return [text for each in kept if (text := as_text(each, knob.step)) != value]


def _edge(knob: Knob) -> float:
    """The number next to a special value: the largest where 0 is "no limit", else the smallest."""
    return knob.high if knob.name in _UNLIMITED else knob.low


def _placed(space: SearchSpace, members: Sequence[ClusterMember], change: Settings) -> dict[str, dict[str, str]]:
    knobs = {knob.name: knob for knob in space.knobs}
    placed = {
        member.name: {name: value for name, value in change.items() if applies_to_role(knobs[name], member.role)}
        for member in members
    }
    return {member: own for member, own in placed.items() if own}


def _left_out(change: Settings) -> int:
    return _SLOW_SECONDS if any(name in _SLOW for name in change) else _SOON_SECONDS
