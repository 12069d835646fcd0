"""Which words stand for risk classes, moments of effect, counts and sets of releases?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.model.rules import Change, Judgement, Risk, Severity, TakesEffect, Verdict
from advisor.model.server import join_labels
from advisor.report.words.merge_members import merge_members

RISKS: Final = {
    Risk.R0: "harmless",
    Risk.R1: "trades latency or resources",
    Risk.R2: "needs a restart, or a stop and start of replication",
    Risk.C: "reads may be stale or inconsistent",
    Risk.D_OS: "loses commits when the operating system crashes",
    Risk.D_PROC: "loses commits even when only the server process crashes",
    Risk.D_DIV: "binary log and engine, or members, may diverge after a crash",
    Risk.X: "data may be corrupted",
}
EFFECTS: Final = {
    TakesEffect.NO_CHANGE: "no change: the line has no effect",
    TakesEffect.AT_ONCE: "immediately",
    TakesEffect.NEW_SESSIONS: "for new sessions",
    TakesEffect.RECONNECT: "when the receiver (IO) thread is restarted",
    TakesEffect.APPLIER_RESTART: "when the applier (SQL) threads are restarted",
    TakesEffect.GROUP_RESTART: "after STOP and START GROUP_REPLICATION on the member",
    TakesEffect.GROUP_REBOOT: "when the whole group is stopped and bootstrapped again",
    TakesEffect.SERVER_RESTART: "when the server is restarted",
}


def effects(changes: Sequence[Change]) -> list[TakesEffect]:
    """When the last of several changes takes effect; empty without changes."""
    order = list(TakesEffect)
    return [max((change.takes_effect for change in changes), key=order.index)] if changes else []


def only_in(change: Change) -> str:
    """The releases that a change is for, if it is not for all that the finding holds for; else ""."""
    return f" in {join_labels(change.releases)}" if change.releases else ""


def summary(judgement: Judgement) -> str:
    """One line: findings by severity, and the number of rules by verdict."""
    shown = [f for f in judgement.findings if f.verdict is Verdict.FINDING and not f.suppressed]
    merged = [member.finding for member in merge_members(shown)]
    counts = [(sum(f.severity is s for f in merged), str(s)) for s in reversed(Severity)]
    plural = {"critical": "critical", "warning": "warnings", "info": "info"}
    findings = ", ".join(f"{n} {plural[word] if n > 1 else word}" for n, word in counts if n) or "no findings"
    uncertain = sum(not f.certain for f in merged)
    hidden = sum(bool(f.suppressed) for f in judgement.findings)
    rest = [
        f"{uncertain} on some releases only" if uncertain else "",
        f"{hidden} suppressed" if hidden else "",
        f"{judgement.counts.get(Verdict.CLEAR, 0)} rules clear",
        f"{judgement.counts.get(Verdict.NOT_APPLICABLE, 0)} not applicable",
        f"{judgement.counts.get(Verdict.UNKNOWN, 0)} unknown" if judgement.counts.get(Verdict.UNKNOWN) else "",
    ]
    return f"{findings}; {', '.join(filter(None, rest))}"


def holds_for(labels: Sequence[str], possible: Sequence[str]) -> str:
    """The releases something holds for, or the exceptions if they are fewer."""
    rest = [label for label in possible if label not in labels]
    if 0 < len(rest) < len(labels):
        return f"every possible release except {join_labels(rest)}"
    return join_labels(labels)


def would_start(answers: Mapping[str, bool | None]) -> str:
    """Whether the server starts with these options, in one sentence; "" when every release does."""
    yes, no, open_ = (
        [label for label, answer in answers.items() if answer is wanted] for wanted in (True, False, None)
    )
    if not no:
        return ""
    if not yes and not open_:
        return "the server does not start with these options"
    parts = [f"does not start on {join_labels(no)}"]
    parts += [f"starts on {join_labels(yes)}"] if yes else []
    parts += [f"not known for {join_labels(open_)}"] if open_ else []
    return "the server " + "; ".join(parts)
