"""When was each set of counters read, and which of them may be compared? Moments → samples.

mysqladmin prints no time, so `Uptime` is the clock where no time was given. Only the run after the last reset
(restart, FLUSH STATUS) is kept, or the one before when that is a single moment: a difference across a reset means
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from advisor.model.evidence import Moment, Sample, Scalar

# Only ever grow while the server runs. Bytes_sent is left out: MySQL 9.7.4 prints nonsense for it.
GROWING: Final = (
    "Questions Queries Connections Com_commit Com_insert Com_update Com_delete Com_select Com_begin Handler_commit"
    " Handler_write Innodb_os_log_written Innodb_data_written Innodb_data_fsyncs Innodb_log_writes"
    " Innodb_rows_inserted Innodb_rows_updated Binlog_commits wsrep_replicated wsrep_received"
).split()
_NEVER_FALLS: Final = ("Uptime", *GROWING)
_NUMBERS: Final = (int, float)
_NEVER_ZERO: Final = ("Max_used_connections", "Connections", "Threads_connected")


def samples(moments: Sequence[Moment]) -> tuple[list[Sample], list[str]]:
    """Samples with rising times, and remarks on what could not be used."""
    ordered = _in_order(moments)
    remarks: list[str] = []
    if _are_differences(ordered):
        ordered = _added_up(ordered)
    ordered, reset = _after_reset(ordered)
    if reset:
        remarks.append(reset)
    times = _times(ordered)
    if times is None:
        remarks.append(
            f"{ordered[-1].source}: {len(ordered)} sets of counters without a time or Uptime; rates per second"
            " are not known, and only the last set is used"
        )
        return [Sample(0.0, ordered[-1].values, ordered[-1].source)], remarks
    kept: list[Sample] = []
    for at_seconds, moment in zip(times, ordered, strict=True):
        if kept and at_seconds <= kept[-1].at_seconds:
            kept.pop()  # read within one second of Uptime: the later one is as good
        kept.append(Sample(at_seconds, moment.values, moment.source))
    return kept, remarks


def _in_order(moments: Sequence[Moment]) -> list[Moment]:
    """By the time given, when every moment has one; else as they came."""
    dated = [(moment.at_seconds, moment) for moment in moments if moment.at_seconds is not None]
    if len(dated) == len(moments):
        return [moment for _, moment in sorted(dated, key=lambda pair: pair[0])]
    return list(moments)


def _number(moment: Moment, name: str) -> float | None:
    value = moment.values.get(name)
    return None if isinstance(value, (str, bool)) or value is None else value


def _are_differences(moments: Sequence[Moment]) -> bool:
    """Whether `mysqladmin --relative` printed them: the first is whole, the others are differences.

    A server that answers has at least one connection, so a later set without any cannot be whole.
    """
    if len(moments) < 2:
        return False
    first, last = _number(moments[0], "Uptime"), _number(moments[-1], "Uptime")
    if first is None or last is None or last >= first:
        return False
    return all(any(_number(moment, name) == 0 for name in _NEVER_ZERO) for moment in moments[1:])


def _added_up(moments: Sequence[Moment]) -> list[Moment]:
    """Whole values from a whole set and the differences after it; exact, as whole numbers are what was subtracted."""
    total: dict[str, Scalar] = dict(moments[0].values)
    whole = [moments[0]]
    for moment in moments[1:]:
        for name, value in moment.values.items():
            before = total.get(name)
            if isinstance(before, int) and isinstance(value, int):
                total[name] = before + value
        whole.append(Moment(dict(total), moment.at_seconds, f"{moment.source} (differences added up)"))
    return whole


def _after_reset(moments: list[Moment]) -> tuple[list[Moment], str]:
    """The moments after the last reset, or where that is one alone, before it; and what to say about it."""
    read = [_growing(moment) for moment in moments]
    fallen = [(later, _dropped(*pair)) for later, pair in enumerate(pairwise(read), 1)]
    resets = [(later, name) for later, name in fallen if name]
    if not resets:
        return moments, ""
    bounds = [0, *(later for later, _ in resets), len(moments)]
    runs = [moments[begin:end] for begin, end in pairwise(bounds)]
    told = next((run for run in reversed(runs) if len(run) > 1), runs[-1])
    later, name = resets[-1]
    before, now = moments[later - 1], moments[later]
    what = "the server was restarted" if name == "Uptime" else "counters were reset (FLUSH STATUS?)"
    used = "after it" if told is runs[-1] else "before it"
    fell = f"{name} fell from {before.values[name]} to {now.values[name]}"
    return told, f"{now.source}: {fell}: {what}; only readings {used} are used"


def _growing(moment: Moment) -> dict[str, float]:
    """The counters of a moment that only ever grow."""
    values = moment.values
    return {name: value for name in _NEVER_FALLS if isinstance(value := values.get(name), _NUMBERS)}


def _dropped(before: dict[str, float], now: dict[str, float]) -> str:
    """The first counter that fell; "" for none."""
    return next((name for name, value in now.items() if value < before.get(name, value)), "")


def _times(moments: Sequence[Moment]) -> list[float] | None:
    """Seconds from the first moment by Uptime, or as given; None when several moments have neither."""
    given = [moment.at_seconds for moment in moments if moment.at_seconds is not None]
    if len(given) == len(moments):
        return given
    uptimes = [uptime for moment in moments if (uptime := _number(moment, "Uptime")) is not None]
    if len(uptimes) == len(moments):
        return [uptime - uptimes[0] for uptime in uptimes]
    return [0.0] if len(moments) == 1 else None
