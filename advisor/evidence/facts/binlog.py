"""What does the binary log of this server hold, for how long, and at which price?"""

from __future__ import annotations

from advisor.evidence.facts import fact
from advisor.evidence.view import View


@fact()
def binlog_on(e: View) -> bool:
    """Whether the server writes a binary log: `log_bin`, whose value as an option is a file name."""
    return e["log_bin"] not in (False, 0, "", "OFF", "0")
