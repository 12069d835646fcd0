"""What does the JSON report of `advisor why` contain? schemas/diagnosis.json is made from these dataclasses."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.diagnosis import (
    ComputedCeiling,
    Diagnosis,
    Differential,
    LiveChange,
    NextObservation,
    Prediction,
    RankedCause,
    SeenSign,
    ThreadProfile,
    TimeBreakdown,
)
from advisor.report.words.json_pieces import AdviceGiven, Because, because_of, setting_of
from advisor.report.words.labels import effects

SCHEMA: Final = "advisor/diagnosis/1"


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A share (0 to 1) of a side's time. "client" shares add up; "device" shares are separate."""

    share: float
    what: str
    member: str
    side: str
    source: str


@dataclass(frozen=True, slots=True)
class BudgetCheck:
    """The sum of the client shares, the rest that they leave unexplained (below 0: counted twice), and Little's law.

    `little` is throughput × mean latency / clients, near 1 when all three are right. `states`: sampled thread state →
    share of the sessions. null: not known.
    """

    member: str
    clients: float | None
    explained: float | None
    unexplained: float | None
    little: float | None
    states: dict[str, float]


@dataclass(frozen=True, slots=True)
class WaitShare:
    """The share (0 to 1) of a group's time in one class of waits, and the words in which it was seen most often.

    `about`: cpu, lock, engine, log, replication, network, client, applier or unexplained.
    """

    wait_class: str
    title: str
    share: float
    words: list[str]
    about: str


@dataclass(frozen=True, slots=True)
class GroupProfile:
    """Where the wall time of a group of threads of one member went; the shares sum to 1, `unexplained` is part of them.

    `group`: writers, clients (of a member that applies), appliers, coordinator, receiver or dump. `threads`: their
    number on average. `samples`: process lists that were read; `instrumented`: of these with wait instruments, where
    these were on for a part of the time; `margin`: how far a share may be off because of the others (95 %).
    """

    member: str
    group: str
    threads: float
    samples: int
    unexplained: float
    shares: list[WaitShare]
    instrumented: int
    margin: float


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
    """One sign that was seen: its sentence, its strength (0 to 1), and the facts it rests on."""

    says: str
    strength: float
    because: list[Because]


@dataclass(frozen=True, slots=True)
class Predicted:
    """Transactions per second expected after the advice, and what the prediction is computed from.

    `calibrated_on`: the changes verified on this machine that corrected it; `uncalibrated`: low, mid and high without
    them, null where it is the same.
    """

    low: float
    mid: float
    high: float
    basis: str
    calibrated_on: int
    uncalibrated: list[float] | None


@dataclass(frozen=True, slots=True)
class CauseFound:
    """A cause: its id, its confidence (0 to 1), what limits that, and the signs for it and against it.

    `symptom_of` names the causes in this report that this one is a symptom of.
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
    """The one observation that would settle it, its command, and the causes it decides between.

    Where no cause is an answer: `bits` is what it is expected to tell of the differential's `doubt_bits`, `settles` the
    share of them (0 to 1), `takes` what it takes, and `yes_for` are the causes that a yes speaks for ([]: it is no
    yes-or-no question). null, "" and [] elsewhere.
    """

    need: str
    command: str
    between: list[str]
    yes_for: list[str]
    takes: str
    bits: float | None
    settles: float | None


@dataclass(frozen=True, slots=True)
class HypothesisFound:
    """A cause that it may be, how probable that is (0 to 1), what speaks for it, and what would settle it."""

    cause: str
    title: str
    member: str
    probability: float
    because: list[Reason]
    settles: str
    command: str


@dataclass(frozen=True, slots=True)
class DifferentialFound:
    """What it may be where no cause is an answer. The probabilities and `something_else` add up to 1.

    `doubt_bits`: their entropy.
    """

    hypotheses: list[HypothesisFound]
    something_else: float
    doubt_bits: float


@dataclass(frozen=True, slots=True)
class Unknown:
    """Evidence that is missing, the command that gets it, and the causes it would decide."""

    need: str
    command: str
    decides: list[str]


@dataclass(frozen=True, slots=True)
class Beside:
    """A finding on durability: not a cause, but worth knowing. `rule` as in the report of `advisor check`."""

    rule: str
    member: str
    message: str


@dataclass(frozen=True, slots=True)
class TrialMade:
    """Settings that were in force for `seconds` on the running cluster and then restored: member → name → value.

    Rates are transactions per second that `member` committed, or applied if `applied` is true. `stopped`: why it ended
    early, "" otherwise. `flaw`: why the rates cannot be compared, "" when they can. `cause`: whose advice it is, or "".
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
    cause: str


@dataclass(frozen=True, slots=True)
class DiagnosisDocument:
    """The report. `throughput` in transactions per second, null: not known; `interval_seconds` null: read only once.

    `differential` null: a cause is an answer, or the evidence says nothing.
    """

    schema: str
    target: str
    topology: str
    members: list[str]
    releases: list[str]
    writer: str
    throughput: float | None
    interval_seconds: float | None
    profile: list[GroupProfile]
    budget: list[BudgetLine]
    budget_check: BudgetCheck
    ceilings: list[CeilingFound]
    causes: list[CauseFound]
    differential: DifferentialFound | None
    next: NextLook | None
    unknown: list[Unknown]
    findings: list[Beside]
    summary: list[str]
    problems: list[str]
    trials: list[TrialMade]


def document(diagnosis: Diagnosis) -> DiagnosisDocument:
    """A diagnosis as the JSON report has it."""
    return DiagnosisDocument(
        schema=SCHEMA,
        target=diagnosis.path,
        topology=diagnosis.topology,
        members=list(diagnosis.members),
        releases=list(diagnosis.releases),
        writer=diagnosis.writer,
        throughput=diagnosis.throughput_per_second,
        interval_seconds=diagnosis.interval_seconds,
        profile=[_group(profile) for profile in diagnosis.profile],
        budget=[BudgetLine(s.share, s.what, s.member, str(s.side), s.source) for s in diagnosis.time_breakdown.shares],
        budget_check=_check(diagnosis.time_breakdown),
        ceilings=[_ceiling(ceiling) for ceiling in diagnosis.ceilings],
        causes=[_cause(candidate) for candidate in diagnosis.causes],
        differential=_differential(diagnosis.differential) if diagnosis.differential else None,
        next=_next(diagnosis.next) if diagnosis.next else None,
        unknown=[Unknown(each.need, each.command, list(each.decides)) for each in diagnosis.unknown],
        findings=[Beside(each.rule.id, each.member, each.message) for each in diagnosis.durability_findings],
        summary=list(diagnosis.summary),
        problems=list(diagnosis.problems),
        trials=[_trial(change) for change in diagnosis.trials],
    )


def render(diagnosis: Diagnosis) -> str:
    """The document as text, indented by two."""
    import json

    text = json.dumps(asdict(document(diagnosis)), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _group(profile: ThreadProfile) -> GroupProfile:
    shares = [WaitShare(s.wait_class, s.title, s.share, list(s.words), str(s.about)) for s in profile.shares]
    return GroupProfile(
        member=profile.member,
        group=str(profile.group),
        threads=round(profile.threads, 2),
        samples=profile.samples,
        unexplained=profile.unexplained,
        shares=shares,
        instrumented=profile.instrumented,
        margin=profile.margin,
    )


def _trial(change: LiveChange) -> TrialMade:
    expected = change.predicted
    return TrialMade(
        settings={member: dict(values) for member, values in change.settings.items()},
        before={member: dict(values) for member, values in change.before.items()},
        member=change.member,
        applied=change.applied,
        without_per_second=change.without,
        during_per_second=change.during,
        seconds=change.seconds,
        predicted_per_second=_predicted(expected) if expected else None,
        stopped=change.stopped,
        flaw=change.flaw,
        cause=change.cause,
    )


def _check(breakdown: TimeBreakdown) -> BudgetCheck:
    explained = breakdown.explained
    rest = None if explained is None else 1 - explained
    return BudgetCheck(breakdown.member, breakdown.clients, explained, rest, breakdown.little, dict(breakdown.states))


def _ceiling(computed: ComputedCeiling) -> CeilingFound:
    facts = [because_of(fact) for fact in computed.because]
    ceiling = computed.ceiling
    return CeilingFound(ceiling.id, ceiling.title, computed.member, computed.per_second, computed.message, facts)


def _cause(ranked: RankedCause) -> CauseFound:
    cause, advice, predicted = ranked.cause, ranked.advice, ranked.predicted
    last = effects(ranked.changes)
    advice_given = AdviceGiven(
        set=[setting_of(change) for change in ranked.changes],
        do=advice.do,
        risk=[str(risk) for risk in advice.risk],
        takes_effect=str(last[0]) if last else None,
        costs=advice.costs,
    ) if advice else None  # fmt: skip
    return CauseFound(
        cause=cause.id,
        title=cause.title,
        member=ranked.member,
        confidence=round(ranked.confidence, 3),
        limited=ranked.limited,
        because=[_reason(sign) for sign in ranked.signs if sign.speaks_for],
        against=[_reason(sign) for sign in ranked.signs if not sign.speaks_for],
        symptom_of=list(ranked.deeper),
        ceiling_per_second=ranked.ceiling_per_second,
        advice=advice_given,
        predicted_per_second=_predicted(predicted) if predicted else None,
        holds_for=list(ranked.holds_for),
        why=cause.why,
        see=list(cause.see),
    )


def _differential(differential: Differential) -> DifferentialFound:
    hypotheses = [
        HypothesisFound(
            cause=each.ranked.cause.id,
            title=each.ranked.cause.title,
            member=each.ranked.member,
            probability=round(each.probability, 3),
            because=[_reason(sign) for sign in each.ranked.signs if sign.speaks_for],
            settles=each.ranked.cause.settles,
            command=each.ranked.cause.command,
        )
        for each in differential.hypotheses
    ]
    return DifferentialFound(hypotheses, round(differential.rest, 3), round(differential.doubt_bits, 3))


def _next(observation: NextObservation) -> NextLook:
    known = observation.doubt_bits > 0
    return NextLook(
        need=observation.need,
        command=observation.command,
        between=list(observation.between),
        yes_for=list(observation.yes_for),
        takes=observation.takes,
        bits=round(observation.bits, 3) if known else None,
        settles=round(observation.settles, 3) if known else None,
    )


def _predicted(prediction: Prediction) -> Predicted:
    before = prediction.uncorrected
    default = [before.low, before.mid, before.high] if before else None
    rates = (prediction.low, prediction.mid, prediction.high)
    return Predicted(*rates, prediction.basis, prediction.verified, default)


def _reason(sign: SeenSign) -> Reason:
    return Reason(sign.says, sign.strength, [because_of(fact) for fact in sign.because])
