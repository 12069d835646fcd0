"""What is shown while a run is in progress? A line per moment and member on a terminal, with repeated headings."""

from __future__ import annotations

from typing import Final

from advisor.model.measurement import Phase, Second
from advisor.model.progress import Progress
from advisor.report.words.amounts import duration, rate, share, whole
from advisor.report.words.layout import Page

_PHASES: Final = {"warm_up": "warm-up", "measure": "measure", "drain": "drain"}
_HEADINGS: Final = (
    f"{'':>7}  {'':8}{'member':12}{'commits/s':>10}{'applies/s':>10}{'backlog':>9}{'lag':>9}{'throttled':>10}"
)
_LINES_PER_HEADING: Final = 20


class LiveLines:
    """Lines for one run after the other; remembers when headings are due and when the current run began."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._since_heading = _LINES_PER_HEADING
        self._began = 0.0
        self._phase: Phase | None = None

    def lines(self, second: Second) -> list[str]:
        """The lines of a moment; a warm-up after another phase begins a new run."""
        if self._phase is None or (second.phase is Phase.WARM_UP and self._phase is not Phase.WARM_UP):
            self._began = second.at_seconds
        self._phase = second.phase
        lines = []
        if self._since_heading >= _LINES_PER_HEADING:
            lines.append(self._page.paint(_HEADINGS.rstrip(), "faint"))
            self._since_heading = 0
        self._since_heading += len(second.members)
        for number, member in enumerate(second.members):
            at = f"{second.at_seconds - self._began:6.1f}s" if number == 0 else " " * 7
            phase = _PHASES[second.phase] if number == 0 else ""
            lines.append(f"{at}  {phase:8}{_member(member)}".rstrip())
        return lines


def _member(member: Progress) -> str:
    if member.error:
        return f"{member.member:12}{member.error}"
    applied = rate(member.applied_per_second) if member.backlog is not None else ""
    backlog = "" if member.backlog is None else whole(member.backlog)
    lag = duration(member.lag_ms) if member.backlog is not None else ""
    rates = f"{rate(member.committed_per_second):>10}{applied:>10}"
    return f"{member.member[:11]:12}{rates}{backlog:>9}{lag:>9}{_throttled(member):>10}"


def _throttled(member: Progress) -> str:
    """The share of time; for a group, which counts clients together, how many waited on average."""
    if member.throttled_share is not None:
        return share(member.throttled_share)
    return "" if member.throttled_clients is None else f"{member.throttled_clients:.1f} wait"
