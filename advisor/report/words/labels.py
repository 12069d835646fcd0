"""Which words stand for risk classes, moments of effect and counts?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.rules import Change, Judgement, Risk, Severity, TakesEffect, Verdict
from advisor.report.words.merge_members import told_once

RISKS: Final = {
    Risk.R0: "harmless",
    Risk.R1: "trades latency or resources",
    Risk.R2: "needs a restart, or replication stopped and started",
    Risk.C: "reads may be stale or inconsistent",
    Risk.D_OS: "loses commits when the operating system crashes",
    Risk.D_PROC: "loses commits even when only the server process crashes",
    Risk.D_DIV: "binary log and engine, or members, may diverge after a crash",
    Risk.X: "data corruption possible",
}
EFFECTS: Final = {
    TakesEffect.NO_CHANGE: "nothing changes: the line does not count",
    TakesEffect.AT_ONCE: "at once",
    TakesEffect.NEW_SESSIONS: "for new sessions",
    TakesEffect.RECONNECT: "when the receiver (IO) thread is restarted",
    TakesEffect.APPLIER_RESTART: "when the applier (SQL) threads are restarted",
    TakesEffect.GROUP_RESTART: "after STOP and START GROUP_REPLICATION on the member",
    TakesEffect.GROUP_REBOOT: "when the whole group is stopped and bootstrapped again",
    TakesEffect.SERVER_RESTART: "when the server is restarted",
}


def effects(changes: Sequence[Change]) -> list[TakesEffect]:
    """When the last of several changes counts; empty without changes."""
    order = list(TakesEffect)
    return [max((change.takes_effect for change in changes), key=order.index)] if changes else []


def summary(judgement: Judgement) -> str:
    """One line: how many findings of which severity, and what became of the other rules."""
    shown = [f for f in judgement.findings if f.verdict is Verdict.FINDING and not f.suppressed]
    told = [each.finding for each in told_once(shown)]
    counts = [(sum(f.severity is s for f in told), str(s)) for s in reversed(Severity)]
    plural = {"critical": "critical", "warning": "warnings", "info": "info"}
    found = ", ".join(f"{n} {plural[word] if n > 1 else word}" for n, word in counts if n) or "nothing found"
    uncertain = sum(not f.certain for f in told)
    hidden = sum(bool(f.suppressed) for f in judgement.findings)
    rest = [
        f"{uncertain} of them in some releases only" if uncertain else "",
        f"{hidden} suppressed" if hidden else "",
        f"{judgement.counts.get(Verdict.CLEAR, 0)} rules clear",
        f"{judgement.counts.get(Verdict.NOT_APPLICABLE, 0)} not applicable",
        f"{judgement.counts.get(Verdict.UNKNOWN, 0)} unknown" if judgement.counts.get(Verdict.UNKNOWN) else "",
    ]
    return f"{found}; {', '.join(filter(None, rest))}"
