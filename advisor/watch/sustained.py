"""Which rate did every member keep up over the last minute? That of the slowest member, where it completed less."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.monitoring.now import ClusterNow

_KNOWN_SHARE = 0.5  # of the seconds


def sustained_per_second(last_minute: Sequence[ClusterNow]) -> float | None:
    """Transactions per second; None where the rate of a member that can be read is unknown."""
    rates = [_mean([now.committed_per_second for now in last_minute])]
    newest = last_minute[-1].members
    for member in newest if len(newest) > 1 else ():
        if not member.unreachable:
            own = [each for now in last_minute for each in now.members if each.member == member.member]
            rates.append(_mean([each.progress_per_second for each in own]))
    known = [rate for rate in rates if rate is not None]
    return min(known) if len(known) == len(rates) else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) >= _KNOWN_SHARE * len(values) else None
