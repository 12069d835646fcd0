"""What of this server cannot be seen, because its instrumentation is off?"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.evidence.option_items import settings_of


@fact()
def unseen_without_performance_schema(e: MemberFacts) -> str:
    """What is not to be seen while the Performance Schema is off, in words.

    MySQL 5.7 keeps only variables and counters then; 8.0 also fills some of the replication tables (manual of both,
    performance_schema).
    """
    gone = "statement digests, waits, stages and memory use"
    return f"{gone}, and all replication tables" if e.release.version < (8, 0, 0) else gone


@fact()
def all_instruments_off(e: MemberFacts) -> bool:
    """Whether the option files switch every instrument off (`performance_schema_instrument = '%=OFF'`).

    These lines add up, and the last one that fits an instrument counts: a line that switches some on again is enough.
    """
    last = True
    for pattern, on in _instrument_lines(e):
        last = on if pattern == "%" else last or on
    return not last


@fact()
def all_instruments_on(e: MemberFacts) -> str:
    """The line of the option files that switches every instrument of locks on, "" without one.

    That is `performance_schema_instrument = '%=ON'`, or the same with wait/% or wait/synch/%. A later line that
    switches them off again takes it back.
    """
    everything = ""
    for pattern, on in _instrument_lines(e):
        if pattern in ("%", "wait/%", "wait/synch/%"):
            everything = (everything or f"'{pattern}=ON'") if on else ""
    return everything


def _instrument_lines(e: MemberFacts) -> Iterator[tuple[str, bool]]:
    """Pattern and state of each performance_schema_instrument line, in reading order."""
    for setting in settings_of(e).all:
        if setting.name == "performance_schema_instrument":
            pattern, _, state = (setting.argument.value or "").replace(" ", "").partition("=")
            yield pattern, state.lower() not in ("off", "false", "0", "no")
