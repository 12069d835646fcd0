"""Which figures stand in messages that servers write to their error logs, where a report quotes one?"""

from __future__ import annotations

import re
from typing import Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError

# MySQL's note of the coordinator, every 120 s with log_error_verbosity 3; waits at clock conflicts are nanoseconds.
_ELAPSED: Final = re.compile(r"multi-threaded (?:slave|replica) statistics.*?seconds elapsed\W{1,3}(\d+)")
_CONFLICTS: Final = re.compile(r"waited at clock conflicts\W{1,3}(\d+)")
_NANOSECONDS: Final = 1e9
_LOOP: Final = re.compile(r"page cleaner\b.{0,60}loop took (\d+) ?ms.*?\bflushed\W{1,3}(\d+)")


@fact("share")
def clock_conflict_share(e: MemberFacts) -> float:
    """How long the coordinator waited because the next transaction depends on a running one / the time elapsed."""
    for line in e["fact.report_lines"]:
        elapsed, waited = _ELAPSED.search(line), _CONFLICTS.search(line)
        if elapsed and waited and int(elapsed[1]):
            return float(waited[1]) / _NANOSECONDS / float(elapsed[1])
    raise NeedsError(Missing(("observed.log",)))


@fact("s")
def empty_cleaner_loop_seconds(e: MemberFacts) -> float:
    """The longest loop of the page cleaner, where no loop flushed a page, so that no write can have slowed it."""
    loops = [found for line in e["fact.report_lines"] if (found := _LOOP.search(line))]
    if not loops or any(int(loop[2]) for loop in loops):
        raise NeedsError(Missing(("observed.log",)))
    return max(float(loop[1]) for loop in loops) / 1000
