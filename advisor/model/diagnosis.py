"""A diagnosis: where the commits' time goes, which limit binds, why, what to change and what that will give."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.evidence import Fact
from advisor.model.record import field, record
from advisor.model.rules import Advice, Change, Finding


class Side(StrEnum):
    """Whose time a share is of."""

    CLIENT = "client"  # the writing sessions: their number × the interval; these shares add up
    APPLIER = "applier"  # the threads that apply what others committed; these add up per member
    DEVICE = "device"  # the time in which at least one thread used it; never added to the others


class Where(StrEnum):
    """Whose evidence decides a cause or a ceiling."""

    WRITER = "writer"  # the server clients write to
    APPLIER = "applier"  # each member that applies what others committed
    MEMBER = "member"  # each member


@record
class Sign:
    """One observation that speaks for a cause, or against it.

    `strength` (0 to 1) is how much doubt it takes away when it is the only one: two signs of 0.5 leave a quarter.
    `separates`: it is hardly ever seen with any other cause. `says` is the sentence for people.
    """

    when: str
    strength: float
    says: str
    separates: bool = False
    tree: list[object] = field(default_factory=list)


@record
class Cause:
    """One answer to "why not more?". `id` is a label that never changes meaning.

    `symptom_of` names causes that lie deeper: with one of them present, this is how it shows. `gain` is an expression:
    the rate after the advice, when the cause is all that binds; "" leaves it to the ceilings. `settles` is what
    to look at next when the evidence does not decide, `command` how.
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
    settles: str = ""
    command: str = ""
    advice: tuple[Advice, ...] = ()
    see: tuple[str, ...] = ()
    applies: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    answer: str = "limit"  # "limit", or "no_fault": nothing to fix, or the comparison is at fault
    file: str = ""
    gain_tree: list[object] = field(default_factory=list)


@record
class Ceiling:
    """The rate one resource permits, as an expression over facts. `lifted_by` are the causes whose advice raises it."""

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
class Share:
    """One line of the budget: what share of its side's time went into `what`, computed from `source`."""

    what: str
    side: Side
    member: str
    share: float
    source: str = ""


@record
class Budget:
    """The writers' time: `clients` × `interval_seconds`, and what it went into.

    `explained` adds the client shares up; what is over 1 or under it is told as it is. `little` is the number of
    clients that throughput × mean latency accounts for, divided by `clients`: near 1 when both are right. `states` are
    the thread states sampled and the share of the writing sessions in each: an independent witness.
    """

    member: str = ""
    clients: float | None = None
    throughput_per_second: float | None = None
    interval_seconds: float | None = None
    shares: tuple[Share, ...] = ()
    explained: float | None = None
    little: float | None = None
    states: tuple[tuple[str, float], ...] = ()


@record
class Rung:
    """One ceiling as it stands here: the rate it permits and what it was computed from."""

    ceiling: Ceiling
    member: str
    per_second: float
    message: str
    because: tuple[Fact, ...] = ()


@record
class Ground:
    """One sign that was seen: its sentence, the facts it rests on, and whether it speaks for the cause."""

    says: str
    strength: float
    because: tuple[Fact, ...]
    speaks_for: bool = True
    separates: bool = False


@record
class Prediction:
    """Expected transactions per second once the first advice is followed, and what that rests on."""

    low: float
    mid: float
    high: float
    basis: str


@record
class Suspect:
    """A cause with how sure it is (0 to 1), and why. `limited` says in words what keeps the confidence down.

    `deeper` names the suspects this one is a symptom of. `missing` are names whose evidence could change it.
    """

    cause: Cause
    member: str
    confidence: float
    grounds: tuple[Ground, ...]
    limited: str = ""
    deeper: tuple[str, ...] = ()
    ceiling_per_second: float | None = None
    advice: Advice | None = None
    changes: tuple[Change, ...] = ()
    predicted: Prediction | None = None
    missing: tuple[str, ...] = ()
    holds_for: tuple[str, ...] = ()
    out_of: int = 1


@record
class Next:
    """The one observation that would tell the candidates apart, and the command that makes it."""

    need: str
    command: str
    between: tuple[str, ...] = ()


@record
class Need:
    """Evidence nobody has, what it would decide, and the command that gets it."""

    need: str
    command: str
    decides: tuple[str, ...] = ()


@record
class Trial:
    """What settings gave while they were in force on a running cluster; they have been put back.

    `settings` and `before`: member → name → value. Rates are transactions per second that `member` committed, or
    applied for others: `without` the settings (the mean of before and after them), `during`. `predicted` is what was
    expected of them, None where nothing was. `stopped` says why it was ended early, `flaw` why the rates do not compare
    and nothing follows from them; "" for neither.
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


@record
class Diagnosis:
    """Everything `why` has to say about one cluster. `suspects` are strongest first, deeper before their symptoms.

    `interval_seconds` None: a single moment, or none at all; then nothing was measured as a change. `summary` is what
    to tell somebody who asked, in a few plain sentences. `beside` are findings on durability: settings people take for
    the cause, and ought to know of whatever the cause is.
    """

    path: str
    topology: str
    members: tuple[str, ...]
    releases: tuple[str, ...]
    writer: str
    throughput_per_second: float | None
    interval_seconds: float | None
    budget: Budget
    ladder: tuple[Rung, ...]
    suspects: tuple[Suspect, ...]
    next: Next | None
    unknown: tuple[Need, ...] = ()
    beside: tuple[Finding, ...] = ()
    summary: tuple[str, ...] = ()
    trials: tuple[Trial, ...] = ()
    problems: tuple[str, ...] = ()
