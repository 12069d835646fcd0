"""A diagnosis: where the clients' time goes, which limit applies, why, what to change and what that will give."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from advisor.model.evidence import Fact
from advisor.model.record import field, record
from advisor.model.rules import Advice, Change, Finding

UNEXPLAINED: Final = "unexplained"  # the class of waits of what no other class claims
SURE: Final = 0.5  # the confidence from which a cause is an answer; below it, it is a candidate


class Side(StrEnum):
    """Whose time a share is of."""

    CLIENT = "client"  # of the writing sessions: their number × the interval; these shares add up
    APPLIER = "applier"  # of the threads that apply other members' transactions; these add up per member
    DEVICE = "device"  # during which at least one thread used the device; never added to the others


class Where(StrEnum):
    """The members whose evidence decides a cause or a ceiling."""

    WRITER = "writer"  # the server clients write to
    APPLIER = "applier"  # each member that applies other members' transactions
    MEMBER = "member"  # each member


class Threads(StrEnum):
    """A group of threads of one member whose time is looked at together."""

    WRITERS = "writers"  # sessions of clients, on a member that takes writes
    CLIENTS = "clients"  # sessions of clients elsewhere
    APPLIERS = "appliers"  # workers, or the one thread that applies
    COORDINATOR = "coordinator"  # hands transactions to workers
    RECEIVER = "receiver"
    DUMP = "dump"  # sends the binary log to a replica


class WaitGroup(StrEnum):
    """What kind of thing a class of waits is about."""

    CPU = "cpu"
    LOCK = "lock"
    ENGINE = "engine"
    LOG = "log"
    REPLICATION = "replication"
    NETWORK = "network"
    CLIENT = "client"
    APPLIER = "applier"
    UNEXPLAINED = "unexplained"


@record
class Sign:
    """One observation for a cause or against it.

    `strength` (0 to 1) is the part of the doubt that it removes: two signs of 0.5 leave a quarter.
    `separates`: it hardly ever occurs with any other cause. `says` is the sentence that reports print.
    """

    when: str
    strength: float
    says: str
    separates: bool = False
    tree: list[object] = field(default_factory=list)


@record
class Cause:
    """One answer to "why not more?". `id` is a label that never changes meaning.

    `symptom_of` names the deeper causes that this one may be a symptom of. `gain` is an expression: the rate after
    the advice if nothing else limits it; "" leaves it to the ceilings. `cpu_left` is one, too, for a cause that takes
    CPU time itself: the share of a transaction's CPU time that stays. `settles` says what to look at next when the
    evidence does not decide, `command` how. `explains`: group of threads → the classes of waits (rules/waits) by which
    it is known; `may_explain`: those that it makes as other causes do. It can be no likelier than the share of the time
    in all of them carries.
    """

    id: str
    title: str
    where: Where
    signs: tuple[Sign, ...]
    why: str
    plainly: str
    against: tuple[Sign, ...] = ()
    symptom_of: tuple[str, ...] = ()
    ceiling: str = ""
    gain: str = ""
    cpu_left: str = ""
    settles: str = ""
    command: str = ""
    advice: tuple[Advice, ...] = ()
    see: tuple[str, ...] = ()
    applies: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    explains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    may_explain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answer: str = "limit"  # "limit", or "no_fault": nothing to fix, or the comparison is at fault
    file: str = ""
    gain_tree: list[object] = field(default_factory=list)
    cpu_left_tree: list[object] = field(default_factory=list)


@record
class Ceiling:
    """The rate one resource permits, as an expression over facts. `lifted_by`: the causes whose advice raises it."""

    id: str
    title: str
    where: Where
    per_second: str
    finding: str
    why: str
    lifted_by: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    applies: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    file: str = ""
    tree: list[object] = field(default_factory=list)


@record
class TimeShare:
    """One line of the time breakdown: the share of its side's time that went into `what`, computed from `source`."""

    what: str
    side: Side
    member: str
    share: float
    source: str = ""


@record
class TimeBreakdown:
    """The time of the writing clients, `clients` × `interval_seconds`, and what it went into.

    `explained` is the sum of the client shares; it may be above or below 1. `little` is throughput × mean latency
    divided by `clients`: near 1 when all three are right. `states` are the sampled thread states and the share of the
    writing sessions in each, which do not depend on any counter.
    """

    member: str = ""
    clients: float | None = None
    throughput_per_second: float | None = None
    interval_seconds: float | None = None
    shares: tuple[TimeShare, ...] = ()
    explained: float | None = None
    little: float | None = None
    states: tuple[tuple[str, float], ...] = ()


@record
class ClassShare:
    """The share of a group's time in one class, what the class is about, and the words in which it was seen most."""

    wait_class: str
    title: str
    share: float
    words: tuple[str, ...] = ()
    about: WaitGroup = WaitGroup.UNEXPLAINED


@record
class ThreadProfile:
    """Where the wall time of a group of threads of one member went.

    `threads`: their number on average; `samples`: how often they were looked at. The shares are in descending order and
    sum to 1; `unexplained` is the part of them that no evidence explains. `instrumented`: how often with wait
    instruments, where these were on for a part of the time; `margin`: how far what they tell of the rest may be off.
    """

    member: str
    group: Threads
    threads: float
    samples: int
    shares: tuple[ClassShare, ...]
    unexplained: float
    instrumented: int = 0
    margin: float = 0.0

    def share(self, wait_class: str) -> float:
        """The share of one class; 0 where it was not seen."""
        return sum(each.share for each in self.shares if each.wait_class == wait_class)


@record
class ComputedCeiling:
    """A ceiling with the rate it permits in this cluster, and what that was computed from."""

    ceiling: Ceiling
    member: str
    per_second: float
    message: str
    because: tuple[Fact, ...] = ()


@record
class SeenSign:
    """A sign that was seen: its sentence, the facts it rests on, and whether it speaks for or against the cause."""

    says: str
    strength: float
    because: tuple[Fact, ...]
    speaks_for: bool = True
    separates: bool = False


@record
class Prediction:
    """Expected transactions per second once the first advice is followed, and what that rests on; `now`: the rate now.

    `verified`: the changes verified on this machine that corrected it, `uncorrected` what it was before; 0 and None
    without a correction.
    """

    low: float
    mid: float
    high: float
    basis: str
    now: float = 0.0
    verified: int = 0
    uncorrected: Prediction | None = None


@record
class RankedCause:
    """A cause with its confidence (0 to 1) and its signs. `limited` says what keeps the confidence below one half.

    `deeper` names the causes that this one is a symptom of. `missing`: facts that could change the confidence.
    It holds in the releases `holds_for`, out of `out_of` possible ones. `by_signs`: the confidence before it was
    calibrated. `time_share`: the share of the threads' time that it explains; None where that is not known.
    """

    cause: Cause
    member: str
    confidence: float
    signs: tuple[SeenSign, ...]
    limited: str = ""
    deeper: tuple[str, ...] = ()
    ceiling_per_second: float | None = None
    advice: Advice | None = None
    changes: tuple[Change, ...] = ()
    predicted: Prediction | None = None
    missing: tuple[str, ...] = ()
    holds_for: tuple[str, ...] = ()
    out_of: int = 1
    by_signs: float = 0.0
    time_share: float | None = None


@record
class Hypothesis:
    """A cause that it may be where none is an answer, and how probable it is that it is this one."""

    ranked: RankedCause
    probability: float


@record
class Differential:
    """What it may be where no cause is an answer: hypotheses in their order. `rest`: the probability of anything else.

    `doubt_bits`: the entropy of these probabilities, which is the doubt that observations have to settle.
    """

    hypotheses: tuple[Hypothesis, ...]
    rest: float
    doubt_bits: float


@record
class NextObservation:
    """The one observation that would decide between the candidates, and the command that makes it.

    Where nothing decides: `bits` of the `doubt_bits` are what it is expected to settle, `takes` says what it takes, and
    a yes speaks for the hypotheses `yes_for` (none: it is no yes-or-no question).
    """

    need: str
    command: str
    between: tuple[str, ...] = ()
    yes_for: tuple[str, ...] = ()
    bits: float = 0.0
    doubt_bits: float = 0.0
    takes: str = ""

    @property
    def settles(self) -> float:
        """The share of the doubt that it is expected to settle; 0 where that is not known."""
        return self.bits / self.doubt_bits if self.doubt_bits else 0.0


@record
class MissingEvidence:
    """Evidence that is missing, the causes it would decide, and the command that gets it."""

    need: str
    command: str
    decides: tuple[str, ...] = ()


@record
class LiveChange:
    """What a change of settings on the running cluster gave; the old settings were restored afterwards.

    `settings` and `before`: member → name → value. Rates are transactions per second that `member` committed, or
    applied if `applied`: `without` the settings (the mean of before and after) and `during` them. `predicted`: what was
    expected, if anything. `stopped` says why it ended early, `flaw` why the rates cannot be compared; "" for neither.
    `cause`: the one whose advice it is, if it is any.
    """

    settings: Mapping[str, Mapping[str, str]]
    before: Mapping[str, Mapping[str, str]]
    member: str
    applied: bool
    without: float
    during: float
    seconds: float
    predicted: Prediction | None = None
    stopped: str = ""
    flaw: str = ""
    cause: str = ""


@record
class Diagnosis:
    """Everything `why` reports about one cluster. `causes` are ordered: the most likely first, deeper before symptom.

    `interval_seconds` None: counters were read once or never, so no rate is known. `summary` is the reply to the
    customer, a few plain sentences. `durability_findings` are settings that people often take for the cause, and should
    know about whatever the cause is. `profile`: where the time of each group of threads went, writers first.
    `differential`: what it may be where no cause is an answer.
    """

    path: str
    topology: str
    members: tuple[str, ...]
    releases: tuple[str, ...]
    writer: str
    throughput_per_second: float | None
    interval_seconds: float | None
    time_breakdown: TimeBreakdown
    ceilings: tuple[ComputedCeiling, ...]
    causes: tuple[RankedCause, ...]
    next: NextObservation | None
    unknown: tuple[MissingEvidence, ...] = ()
    durability_findings: tuple[Finding, ...] = ()
    summary: tuple[str, ...] = ()
    trials: tuple[LiveChange, ...] = ()
    problems: tuple[str, ...] = ()
    profile: tuple[ThreadProfile, ...] = ()
    differential: Differential | None = None
