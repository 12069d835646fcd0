"""What does a run say while it goes? A line per moment and member for a terminal, headings now and then."""

from __future__ import annotations

from typing import Final

from advisor.model.measurement import Second
from advisor.model.progress import Progress
from advisor.report.words.amounts import duration, rate, share, whole
from advisor.report.words.layout import Page

_PHASES: Final = {"warm_up": "warm-up", "measure": "measure", "drain": "drain"}
_HEADINGS: Final = (
    f"{'':>7}  {'':8}{'member':12}{'commits/s':>10}{'applies/s':>10}{'backlog':>9}{'lag':>9}{'throttled':>10}"
)
_LINES_PER_HEADING: Final = 20


class Moments:
    """Writes lines for one run after the other; it remembers when headings are due and when the run began."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._since_heading = _LINES_PER_HEADING
        self._first = 0.0

    def begin(self) -> None:
        """The next moment is the first of a run."""
        self._first = 0.0

    def lines(self, second: Second) -> list[str]:
        """The lines of a moment."""
        self._first = self._first or second.at_seconds
        found = []
        if self._since_heading >= _LINES_PER_HEADING:
            found.append(self._page.paint(_HEADINGS.rstrip(), "faint"))
            self._since_heading = 0
        self._since_heading += len(second.members)
        for number, member in enumerate(second.members):
            at = f"{second.at_seconds - self._first:6.1f}s" if number == 0 else " " * 7
            phase = _PHASES[second.phase] if number == 0 else ""
            found.append(f"{at}  {phase:8}{_member(member)}".rstrip())
        return found


def _member(member: Progress) -> str:
    if member.error:
        return f"{member.member:12}{member.error}"
    applied = rate(member.applied_per_second) if member.backlog is not None else ""
    backlog = "" if member.backlog is None else whole(member.backlog)
    lag = duration(member.lag_ms) if member.backlog is not None else ""
    rates = f"{rate(member.committed_per_second):>10}{applied:>10}"
    return f"{member.member[:11]:12}{rates}{backlog:>9}{lag:>9}{_throttled(member):>10}"


def _throttled(member: Progress) -> str:
    """The share of the time, or, where a server counts clients together (groups do), how many waited on average."""
    if member.throttled_share is not None:
        return share(member.throttled_share)
    return "" if member.throttled_clients is None else f"{member.throttled_clients:.1f} wait"
