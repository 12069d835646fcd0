"""What can nobody see of this server, because it was told not to show it?"""

from __future__ import annotations

from advisor.evidence.facts import fact
from advisor.evidence.option_items import settings_of
from advisor.evidence.view import View


@fact()
def unseen_without_performance_schema(e: View) -> str:
    """What is not to be seen while the Performance Schema is off, in words.

    MySQL 5.7 keeps only variables and counters then; 8.0 also fills some of the replication tables (manual of both,
    performance_schema).
    """
    gone = "statement digests, waits, stages and memory by use"
    return f"{gone}, and all replication tables" if e.release.version < (8, 0, 0) else gone


@fact()
def all_instruments_off(e: View) -> bool:
    """Whether the option files switch every instrument off (`performance_schema_instrument = '%=OFF'`).

    These lines add up, and the last one that fits an instrument counts: a line that switches some on again is enough.
    """
    last = True
    for setting in settings_of(e).all:
        if setting.name == "performance_schema_instrument":
            pattern, _, state = (setting.argument.value or "").replace(" ", "").partition("=")
            off = state.lower() in ("off", "false", "0", "no")
            last = not off if pattern == "%" else last or not off
    return not last
