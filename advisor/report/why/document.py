"""What does the JSON report of `advisor why` contain? schemas/diagnosis.json is made from these dataclasses."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.diagnosis import ComputedCeiling, Diagnosis, LiveChange, RankedCause, SeenSign, TimeBreakdown
from advisor.report.words.json_pieces import AdviceGiven, Because, because_of, setting_of
from advisor.report.words.labels import effects

SCHEMA: Final = "advisor/diagnosis/1"


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A share (of 1) of a side's time: "client" shares add up, "device" ones stand apart."""

    share: float
    what: str
    member: str
    side: str
    source: str


@dataclass(frozen=True, slots=True)
class BudgetCheck:
    """What the client shares add up to, what they leave unexplained (below 0: counted twice), and Little's law.

    `little` is throughput × mean latency / clients, near 1 where both are right. `states`: sampled thread state → share
    of the sessions. null: not known.
    """

    member: str
    clients: float | None
    explained: float | None
    unexplained: float | None
    little: float | None
    states: dict[str, float]


@dataclass(frozen=True, slots=True)
class CeilingFound:
    """The rate one resource permits, and the facts it was computed from."""

    ceiling: str
    title: str
    member: str
    per_second: float
    message: str
    because: list[Because]


@dataclass(frozen=True, slots=True)
class Reason:
    """One sign that was seen: the sentence, how strong it is (0 to 1), and the facts."""

    says: str
    strength: float
    because: list[Because]


@dataclass(frozen=True, slots=True)
class Predicted:
    """Transactions per second expected after the advice."""

    low: float
    mid: float
    high: float
    basis: str


@dataclass(frozen=True, slots=True)
class CauseFound:
    """A cause: label, how sure (0 to 1), what keeps that low, what speaks for it and against it.

    `symptom_of` names the causes in this report that lie deeper.
    """

    cause: str
    title: str
    member: str
    confidence: float
    limited: str
    because: list[Reason]
    against: list[Reason]
    symptom_of: list[str]
    ceiling_per_second: float | None
    advice: AdviceGiven | None
    predicted_per_second: Predicted | None
    holds_for: list[str]
    why: str
    see: list[str]


@dataclass(frozen=True, slots=True)
class NextLook:
    """The one observation that decides, the command for it, and the causes it tells apart."""

    need: str
    command: str
    between: list[str]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Evidence that is missing, the command that gets it, and the causes it would decide."""

    need: str
    command: str
    decides: list[str]


@dataclass(frozen=True, slots=True)
class Beside:
    """A finding on durability: no cause, but worth knowing. `rule` as in the report of `advisor check`."""

    rule: str
    member: str
    message: str


@dataclass(frozen=True, slots=True)
class TrialMade:
    """Settings that were in force for `seconds` on the running cluster, and put back: member → name → value.

    Rates are transactions per second of `member`: committed, or where `applied` is true, applied for others. `flaw`:
    why they do not compare, "" when they do.
    """

    settings: dict[str, dict[str, str]]
    before: dict[str, dict[str, str]]
    member: str
    applied: bool
    without_per_second: float
    during_per_second: float
    seconds: float
    predicted_per_second: Predicted | None
    stopped: str
    flaw: str


@dataclass(frozen=True, slots=True)
class DiagnosisDocument:
    """The report. `throughput` in transactions per second, null: not known; `interval_seconds` null: a moment."""

    schema: str
    target: str
    topology: str
    members: list[str]
    releases: list[str]
    writer: str
    throughput: float | None
    interval_seconds: float | None
    budget: list[BudgetLine]
    budget_check: BudgetCheck
    ceilings: list[CeilingFound]
    causes: list[CauseFound]
    next: NextLook | None
    unknown: list[Unknown]
    findings: list[Beside]
    summary: list[str]
    problems: list[str]
    trials: list[TrialMade]


def document(diagnosis: Diagnosis) -> DiagnosisDocument:
    """A diagnosis as the JSON report has it."""
    then = diagnosis.next
    return DiagnosisDocument(
        schema=SCHEMA,
        target=diagnosis.path,
        topology=diagnosis.topology,
        members=list(diagnosis.members),
        releases=list(diagnosis.releases),
        writer=diagnosis.writer,
        throughput=diagnosis.throughput_per_second,
        interval_seconds=diagnosis.interval_seconds,
        budget=[BudgetLine(s.share, s.what, s.member, str(s.side), s.source) for s in diagnosis.time_breakdown.shares],
        budget_check=_check(diagnosis.time_breakdown),
        ceilings=[_ceiling(rung) for rung in diagnosis.ceilings],
        causes=[_cause(suspect) for suspect in diagnosis.causes],
        next=NextLook(then.need, then.command, list(then.between)) if then else None,
        unknown=[Unknown(need.need, need.command, list(need.decides)) for need in diagnosis.unknown],
        findings=[Beside(found.rule.id, found.member, found.message) for found in diagnosis.durability_findings],
        summary=list(diagnosis.summary),
        problems=list(diagnosis.problems),
        trials=[_trial(trial) for trial in diagnosis.trials],
    )


def render(diagnosis: Diagnosis) -> str:
    """The document as text, indented by two."""
    import json

    text = json.dumps(asdict(document(diagnosis)), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _trial(trial: LiveChange) -> TrialMade:
    told = trial.predicted
    return TrialMade(
        settings={member: dict(values) for member, values in trial.settings.items()},
        before={member: dict(values) for member, values in trial.before.items()},
        member=trial.member,
        applied=trial.applied,
        without_per_second=trial.without,
        during_per_second=trial.during,
        seconds=trial.seconds,
        predicted_per_second=Predicted(told.low, told.mid, told.high, told.basis) if told else None,
        stopped=trial.stopped,
        flaw=trial.flaw,
    )


def _check(budget: TimeBreakdown) -> BudgetCheck:
    explained = budget.explained
    left = None if explained is None else 1 - explained
    return BudgetCheck(budget.member, budget.clients, explained, left, budget.little, dict(budget.states))


def _ceiling(rung: ComputedCeiling) -> CeilingFound:
    facts = [because_of(fact) for fact in rung.because]
    return CeilingFound(rung.ceiling.id, rung.ceiling.title, rung.member, rung.per_second, rung.message, facts)


def _cause(suspect: RankedCause) -> CauseFound:
    cause, advice, predicted = suspect.cause, suspect.advice, suspect.predicted
    last = effects(suspect.changes)
    given = AdviceGiven(
        set=[setting_of(change) for change in suspect.changes],
        do=advice.do,
        risk=[str(risk) for risk in advice.risk],
        takes_effect=str(last[0]) if last else None,
        costs=advice.costs,
    ) if advice else None  # fmt: skip
    return CauseFound(
        cause=cause.id,
        title=cause.title,
        member=suspect.member,
        confidence=round(suspect.confidence, 3),
        limited=suspect.limited,
        because=[_reason(ground) for ground in suspect.signs if ground.speaks_for],
        against=[_reason(ground) for ground in suspect.signs if not ground.speaks_for],
        symptom_of=list(suspect.deeper),
        ceiling_per_second=suspect.ceiling_per_second,
        advice=given,
        predicted_per_second=(
            Predicted(predicted.low, predicted.mid, predicted.high, predicted.basis) if predicted else None
        ),
        holds_for=list(suspect.holds_for),
        why=cause.why,
        see=list(cause.see),
    )


def _reason(ground: SeenSign) -> Reason:
    return Reason(ground.says, ground.strength, [because_of(fact) for fact in ground.because])
