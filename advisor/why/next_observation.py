"""What should be looked at next, and what evidence is missing? One observation that decides; commands for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import SURE, Differential, MissingEvidence, NextObservation, RankedCause
from advisor.report.check.missing_evidence import way_to
from advisor.why.causes import CauseAssessment
from advisor.why.differential.choice import best_observation
from advisor.why.members import MembersByRole

LIKELY: Final = 0.25  # below it a cause is not even a candidate
_CLOSE: Final = 0.15  # confidences nearer than this do not separate two answers
_COUNTERS_TWICE: Final = NextObservation(
    "the counters of every member twice, 60 s apart, while the load runs",
    "mysqladmin -i 60 -c 2 extended-status > status.txt   # on each member",
)
_WAITS: Final = NextObservation(
    "what the sessions wait for, and how long the logs' syncs take",
    "advisor collect --for 30s -o bundle.tar.gz   # while the load runs",
)
_NOT_ASKED_FOR: Final = ("observed.tried", "observed.scaling", "observed.offered", "host.storage", "observed.dips")
_MOST_NAMES: Final = 4
_TABLES: Final = ("processlist", "stmts_top")


def next_observation(
    causes: Sequence[RankedCause],
    unassessed: Sequence[CauseAssessment],
    members: MembersByRole,
    differential: Differential | None = None,
) -> NextObservation | None:
    """What would confirm the answer, or decide between hypotheses where there is none; None: nothing is left to decide.

    `differential`: the hypotheses where no cause is an answer.
    """
    if not causes or causes[0].confidence < SURE:
        return _between(differential, unassessed, members)
    if causes[0].cause.answer != "limit":
        return _to_settle(causes[0], (causes[0].cause.id,)) if causes[0].cause.settles else None
    likely = [each for each in causes if each.confidence >= LIKELY and each.cause.answer == "limit"]
    testable = [each for each in likely if each.cause.settles]
    if not testable:
        return None
    # A symptom is quicker to test than the deeper cause before it.
    first = next((each for each in testable if testable[0].cause.id in each.deeper), testable[0])
    rivals = [each.cause.id for each in likely if abs(each.confidence - first.confidence) <= _CLOSE]
    return _to_settle(first, tuple(rivals) if len(rivals) > 1 else (first.cause.id,))


def _between(
    differential: Differential | None, unassessed: Sequence[CauseAssessment], members: MembersByRole
) -> NextObservation | None:
    """What separates the hypotheses most; without any, what would make some."""
    collected = any(len(view.member.samples) > 1 for view in members.views)
    best = best_observation(differential, collected=collected) if differential else None
    if best is not None:
        return best
    if not collected:
        return _COUNTERS_TWICE
    unread = any(_is_table(name) for assessment in unassessed for name in assessment.missing)
    return _WAITS if unread else None


def _to_settle(candidate: RankedCause, between: tuple[str, ...]) -> NextObservation:
    return NextObservation(candidate.cause.settles, candidate.cause.command, between)


def missing_evidence(
    causes: Sequence[RankedCause], unassessed: Sequence[CauseAssessment]
) -> tuple[MissingEvidence, ...]:
    """The evidence that is missing, by the command that gets it; that of the likeliest causes first."""
    by_command: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    missing_by_cause = [(each.cause.id, each.missing) for each in causes]
    missing_by_cause += [(each.cause.id, each.missing) for each in unassessed]
    for cause, missing in missing_by_cause:
        for name in (name for name in missing if not name.startswith(_NOT_ASKED_FOR)):
            names, decides = by_command.setdefault(_command(name), ({}, {}))
            names[name] = decides[cause] = None
    return tuple(
        MissingEvidence(_listed(list(names)), command, tuple(decides))
        for command, (names, decides) in by_command.items()
    )


def _listed(names: Sequence[str]) -> str:
    """The names, or the first few of many."""
    rest = len(names) - _MOST_NAMES
    return ", ".join(names) if rest <= 1 else f"{', '.join(names[:_MOST_NAMES])} and {rest} more"


def _command(name: str) -> str:
    """How to get it; tables of the server are read twice while the load runs."""
    if _is_table(name):
        return "advisor collect --for 30s, while the load runs"
    if name.startswith("observed."):
        return f"--observe {name.removeprefix('observed.')}=… as you measured it"
    if name.startswith(("rate.", "delta.")):
        return _COUNTERS_TWICE.command
    return way_to(name)


def _is_table(name: str) -> bool:
    return name.startswith("tables.") or name in _TABLES
