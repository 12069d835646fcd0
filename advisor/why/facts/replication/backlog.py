"""How many bytes of the source's binary log has a replica not received, and how many not applied?"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN

_HARDLY_ANY_BYTES: Final = 1_000_000
_BYTES_PER_SECOND_IN_IDLENESS: Final = 1000  # two or three transactions of one row with their GTIDs


@fact("bytes")
def receiver_behind_bytes(e: MemberFacts) -> Any:
    """How much of the binary log file that is being received the source has written and this replica has not read.

    Unknown when the source is in another file already: its size is not known.
    """
    source = e.source
    rows = source.rows("binary_log_status") if source is not None else ()
    if not rows:
        raise NeedsError(Missing(("tables.binary_log_status",)))
    told = {key.lower(): value for key, value in rows[0].items()}
    position = told.get("position")
    if told.get("file") != e["replica.Source_Log_File"] or not isinstance(position, int | float):
        return UNKNOWN
    return max(0, position - e["replica.Read_Source_Log_Pos"])


@fact("bytes")
def applier_backlog_bytes(e: MemberFacts) -> Any:
    """How much of what was received is not applied yet; unknown when that spans several files."""
    if e["replica.Source_Log_File"] != e["replica.Relay_Source_Log_File"]:
        return UNKNOWN
    return max(0, e["replica.Read_Source_Log_Pos"] - e["replica.Exec_Source_Log_Pos"])


@fact()
def received_is_applied(e: MemberFacts) -> bool:
    """Whether hardly anything of what was received waits to be applied: less than an idle source writes meanwhile."""
    behind = e.get("fact.replica_is_behind_seconds", 0)
    seconds = behind if isinstance(behind, int | float) else 0
    return bool(e["fact.applier_backlog_bytes"] < max(_HARDLY_ANY_BYTES, _BYTES_PER_SECOND_IN_IDLENESS * seconds))
