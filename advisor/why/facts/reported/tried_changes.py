"""What did users try, and how many times as fast was it afterwards? Changes that were tried are evidence like counters.

A gain is a ratio of rates: 2 means twice as fast after the change it is named for (or before it, if the change was
made the other way round). An entry counts for a gain if nothing else was changed in it. Lag, the time to catch up and
the time that the same work takes (`seconds_before`, `seconds_after`) count like a rate: half of it is twice as fast.
Where only words are known, `effect` is none, better, solved or worse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.server import Role
from advisor.why.facts.reported.told_trials import told_trials

Entry = Mapping[str, Any]
Level = Callable[[Any], float | None]
# What an `effect` in words counts: nothing, or at least as much as makes a person say so.
_EFFECTS: Final[Mapping[str, float]] = {"none": 1.0, "better": 1.3, "solved": 2.0, "worse": 0.7}
_WITHOUT_LAG: Final = (Role.SOURCE, Role.PRIMARY)  # lag belongs to the members that apply
_LOAD: Final = frozenset(
    {"rows_per_transaction", "clients", "storage", "cpus", "memory_bytes", "data", "tables", "workload"}
)


def entries(e: MemberFacts) -> Iterator[Entry]:
    """What was tried on this member, or in the cluster as a whole."""
    own = e.get("observed.tried", None)
    tried = (
        own if own is not None else next((v for p in e.peers if (v := p.get("observed.tried", None)) is not None), ())
    )
    stated = [entry for entry in tried if isinstance(entry, Mapping)]
    yield from stated
    known = {str(entry.get("what")) for entry in stated}
    yield from (entry for entry in told_trials(e) if entry["what"] not in known)


def ratio(entry: Entry, *, lag_counts: bool = True) -> float | None:
    """How many times as fast afterwards; None without a pair of figures and without a known `effect`."""
    slow, fast = entry.get("throughput_before"), entry.get("throughput_after")
    if are_numbers(slow, fast) and slow:
        return float(fast) / float(slow)  # type: ignore[arg-type]
    if (told := _EFFECTS.get(str(entry.get("effect", "")).lower())) is not None:
        return told
    longer, shorter = entry.get("seconds_before"), entry.get("seconds_after")
    if are_numbers(longer, shorter) and shorter:
        return float(longer) / float(shorter)  # type: ignore[arg-type]
    if not lag_counts:
        return None
    late, later = entry.get("lag_seconds_before"), entry.get("lag_seconds_after")
    if are_numbers(late, later) and later:
        return float(late) / float(later)  # type: ignore[arg-type]
    return None


def gain(e: MemberFacts, levels: Mapping[str, Level], together: Mapping[str, Level] | None = None) -> float:
    """The gain of the entry with the largest effect among those that changed these settings and nothing else.

    `levels` gives for each setting how much of the factor a value means; settings in `together` may change with them.
    NeedsError if nobody tried it.
    """
    gains: list[float] = []
    for entry in entries(e):
        step = _step(entry, levels, together or {})
        change = ratio(entry, lag_counts=e.member.role not in _WITHOUT_LAG)
        if step and change:
            gains.append(change if step > 0 else 1 / change)
    if not gains:
        raise NeedsError(Missing(("observed.tried",)))
    return max(gains, key=lambda value: max(value, 1 / value))


def _step(entry: Entry, levels: Mapping[str, Level], together: Mapping[str, Level]) -> float:
    """In which direction the entry changes the level; 0.0 when it changes something else, or nothing."""
    names, before, after = (_listed(entry.get(key)) for key in ("what", "from", "to"))
    if not names or len(before) != len(names) or len(after) != len(names):
        return 0.0
    steps = []
    for name, was, now in zip(names, before, after, strict=True):
        plain = str(name).lower().replace("-", "_")
        level = levels.get(plain) or together.get(plain)
        if level is None:
            return 0.0
        low, high = level(was), level(now)
        if low is None or high is None:
            return 0.0
        steps.append((plain in levels, high - low))
    own = [step for counts, step in steps if counts]
    down, up = min(step for _, step in steps), max(step for _, step in steps)
    if not own or (down < 0 < up):
        return 0.0
    return up if up > 0 else down


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else () if value is None else (value,)


def are_numbers(*values: Any) -> bool:
    """Whether all of them are numbers; true and false are none."""
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


@fact()
def comparison_changed_several_things(e: MemberFacts) -> bool:
    """Whether every comparison changed the load or the machine together with the setting."""
    compared = [entry for entry in entries(e) if ratio(entry)]
    if not compared:
        raise NeedsError(Missing(("observed.tried",)))
    named = [set(map(str, w)) if isinstance(w := entry.get("what"), list | tuple) else {str(w)} for entry in compared]
    return all(len(what) > 1 and what & _LOAD for what in named)


@fact()
def data_sync_default_differs(e: MemberFacts) -> bool:
    """Whether both a flush method and a version were compared."""
    named = {str(entry.get("what")) for entry in entries(e)}
    return {"innodb_flush_method", "version"} <= named
