"""How much of its threads' time does a cause explain? The shares of the wait profile, as a sign and as a limit.

A cause that a large share of the time points to gains by it. One that explains next to nothing of the time cannot be
what limits the rate, whatever else speaks for it; only a change that was tried says more than the profile.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp
from typing import Final

from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import UNEXPLAINED, Cause, ClassShare, SeenSign, ThreadProfile, Threads, WaitGroup
from advisor.model.record import record
from advisor.units import show
from advisor.why.confidence import MOST, UNDECIDED, EvidenceKind, Weight
from advisor.why.profile.other_sessions import Sightings
from advisor.why.profile.profiles import known_profiles
from advisor.why.rules.wait_class_files import load_wait_classes

_LEAST_MOMENTS: Final = 10  # process lists: with eight clients a share of 0.3 is then known to within 0.1
LEAST_SHARE: Final = 0.1  # of the time; a smaller one is no sign
_NEXT_TO_NOTHING: Final = 0.05
_CARRIES_ALL: Final = 0.25  # from this share on, nothing is taken from the confidence
OF_OTHERS: Final = 0.6  # what other causes explain as well carries less
_IDLE: Final = "worker_idle"
# Threads that queue most of their time for each other: chosen on the open plays of two bottlenecks at once.
_MOSTLY_QUEUED: Final = 0.5
_LEAST_OUTSIDE: Final = 0.03  # of all the time; of ten seconds of eight clients, this is about twenty moments
_OUTSIDE: Final = 0.75  # of the strength: it limits the rate only through the queue
_MOST_OUTSIDE: Final = 0.65
_BETWEEN_STATEMENTS: Final = "client_time"
_NO_WORK: Final = (_BETWEEN_STATEMENTS, "user_sleep", UNEXPLAINED)
_MOST_IDLE: Final = 0.98
# A third of the time is rather likely the limit (0.54), two thirds hardly anything else (0.77).
_BELIEF: Final = 2.5
_MOST_STRENGTH: Final = 0.95


@record
class ExplainedTime:
    """The share of a group's time that a cause explains, and the classes of waits it is made of, largest first.

    `own_share` and `own` are those of the classes by which the cause is known. `unqueued_share` is their share of the
    time in which the threads do not queue for each other; 0 where they seldom do.
    """

    group: Threads
    share: float
    classes: tuple[ClassShare, ...]
    own_share: float
    own: tuple[ClassShare, ...]
    unqueued_share: float = 0.0

    @property
    def of_whose_time(self) -> str:
        """Whose time the shares are of, in words."""
        if self.group is Threads.APPLIERS:
            return "the time in which appliers have work"
        return f"the time of the {self.group}"


def explained_time(cause: Cause, view: MemberFacts) -> ExplainedTime | None:
    """The group of which it explains most; None where the cause names no class, or the profile is not known."""
    profiles = {profile.group: profile for profile in known_profiles(view) if profile.samples >= _LEAST_MOMENTS}
    explained = [
        _of_group(profiles[group], cause, view)
        for name in dict.fromkeys((*cause.explains, *cause.may_explain))
        if (group := Threads(name)) in profiles
    ]
    return max(explained, key=lambda time: time.share, default=None)


def _of_group(profile: ThreadProfile, cause: Cause, view: MemberFacts) -> ExplainedTime:
    known_by = cause.explains.get(profile.group, ())
    own_share, own = _share_of(profile, known_by, view)
    share, classes = _share_of(profile, (*known_by, *cause.may_explain.get(profile.group, ())), view)
    unqueued = max(_unqueued_share(profile, own), _of_durable_commits(profile, own, view))
    return ExplainedTime(profile.group, share, classes, own_share, own, unqueued)


def _of_durable_commits(profile: ThreadProfile, own: Sequence[ClassShare], view: MemberFacts) -> float:
    """The same for syncs, with the time in which a thread that has synced waits for a CPU; 0 if commits do not sync.

    Whoever commits holds his row locks until the logs are synced. Unexplained time is not counted: beside a queue it is
    that of threads that had not been in it yet when InnoDB was asked.
    """
    seen = view.value("fact.thread_sightings")
    syncs = {each.wait_class for each in own if each.about is WaitGroup.LOG}
    durable = view.value("fact.commit_is_durable") is True
    if not durable or not syncs or profile.group is not Threads.WRITERS or not isinstance(seen, Sightings):
        return 0.0
    clients = {each: number for each, number in seen.threads.items() if each.kind == "client"}
    left_out = {*_queues(), *_NO_WORK}
    queued = sum(number for each, number in clients.items() if each.wait_class in _queues())
    working = sum(number for each, number in clients.items() if each.wait_class not in left_out)
    held = sum(number for each, number in clients.items() if each.wait_class in syncs or each.commits)
    least = _LEAST_OUTSIDE * profile.threads
    return min(1.0, held / working) if queued >= _MOSTLY_QUEUED * profile.threads and held >= least else 0.0


def _unqueued_share(profile: ThreadProfile, own: Sequence[ClassShare]) -> float:
    """The share that these classes have of the time outside queues; 0 where the threads seldom queue.

    Whoever holds a lock makes the others wait as long, so the time outside the queue shows what the queue is made of.
    One queue may stand in another: sessions wait to enter InnoDB, and there for a lock.
    """
    idle = profile.share(_IDLE) if profile.group is Threads.APPLIERS else 0.0
    queues = _queues() - {each.wait_class for each in own}
    queued = sum(each.share for each in profile.shares if each.wait_class in queues)
    held = sum(each.share for each in own)
    if queued < _MOSTLY_QUEUED * (1 - idle) or held < _LEAST_OUTSIDE:
        return 0.0
    share = min(1.0, held / (1 - idle - queued))
    locks = all(each.wait_class in _queues() for each in own) and profile.group is Threads.WRITERS
    return max(share, _with_everybody(share, (1 - queued) * profile.threads, profile.threads)) if locks else share


def _with_everybody(share: float, few: float, all_: float) -> float:
    """The share of their time that all threads would wait for a lock, given the share of the few that are let through.

    One of n threads waits while one of the n − 1 others has the lock, each for u of its time: share = u (n − 1). So of
    all of them 1 / u get through at a time, and the others wait.
    """
    if few <= 1:
        return 0.0
    each = share / (few - 1)
    return max(0.0, 1 - 1 / (all_ * each))


def _queues() -> frozenset[str]:
    return frozenset(each.id for each in load_wait_classes() if each.queue)


def _share_of(profile: ThreadProfile, names: Sequence[str], view: MemberFacts) -> tuple[float, tuple[ClassShare, ...]]:
    classes = tuple(each for each in profile.shares if each.wait_class in names and each.share > 0)
    share = sum(each.share for each in classes)
    if profile.group is Threads.APPLIERS:
        share = max(_of_busy_time(share, profile), *(_one_at_least(name, view) for name in names), 0.0)
    return min(1.0, share), classes


def _of_busy_time(share: float, profile: ThreadProfile) -> float:
    """Of the time in which workers have work; one busy worker of four is what holds the applier up."""
    idle = profile.share(_IDLE)
    return share / (1 - idle) if idle < _MOST_IDLE else 0.0


def _one_at_least(wait_class: str, view: MemberFacts) -> float:
    """The share of the moments at which a worker waited for a lock, which holds up all that commit after it."""
    value = view.get(f"fact.some_applier_{wait_class}_share", 0) if wait_class.endswith("_lock") else 0
    return float(value) if isinstance(value, int | float) else 0.0


def as_sign(time: ExplainedTime, separates: bool) -> tuple[Weight, SeenSign] | None:
    """What the share says for the cause; None where it is too small to say anything.

    Time between statements is left out: it may be all that is wanted, and points to no cause by itself.
    """
    waits = [each for each in time.own if each.wait_class != _BETWEEN_STATEMENTS]
    share = min(time.own_share, sum(each.share for each in waits)) if len(waits) < len(time.own) else time.own_share
    outside = _OUTSIDE * strength_of(time.unqueued_share)
    if share < LEAST_SHARE and time.unqueued_share < LEAST_SHARE:
        return None
    if outside > strength_of(share):
        return _outside_queues(time, round(outside, 3), waits, separates)
    strength = strength_of(share)
    weight = Weight(strength, separates, EvidenceKind.MEASURED, frozenset(("tables.processlist",)))
    return weight, SeenSign(in_words(time, share, waits), strength, (), True, separates)


def _outside_queues(
    time: ExplainedTime, strength: float, waits: Sequence[ClassShare], separates: bool
) -> tuple[Weight, SeenSign]:
    """The sign that the threads for which the others queue spend their time so."""
    titles = _titles(waits)
    says = f"{show(round(time.unqueued_share * 100))} % of the time in which the {time.group} do not queue: {titles}"
    weight = Weight(strength, separates, EvidenceKind.MEASURED, frozenset(("tables.processlist",)))
    return weight, SeenSign(says, strength, (), True, separates)


def strength_of(share: float) -> float:
    """The strength of a sign that says: this explains such a share of the time."""
    return round(_MOST_STRENGTH * (1 - exp(-_BELIEF * share)), 3)


def in_words(time: ExplainedTime, share: float, waits: Sequence[ClassShare]) -> str:
    """Whose time it is a share of, and what it was spent in."""
    return f"{show(round(share * 100))} % of {time.of_whose_time}: {_titles(waits)}"


def _titles(waits: Sequence[ClassShare]) -> str:
    return ", ".join(f"{each.title[:1].lower()}{each.title[1:]}" for each in waits)


def most_confidence(time: ExplainedTime | None, tried: bool) -> float:
    """The highest confidence that the share carries; no limit where the share is unknown, or a change was tried."""
    if time is None or tried:
        return MOST
    share = time.own_share + OF_OTHERS * (time.share - time.own_share)
    by_queue = UNDECIDED + (_MOST_OUTSIDE - UNDECIDED) * _carried(time.unqueued_share)
    return max(UNDECIDED + (MOST - UNDECIDED) * _carried(share), by_queue)


def _carried(share: float) -> float:
    return min(1.0, max(0.0, share - _NEXT_TO_NOTHING) / (_CARRIES_ALL - _NEXT_TO_NOTHING))


def owned_classes(causes: Sequence[Cause]) -> Collection[tuple[str, str]]:
    """The classes by which a single cause is known, each with the threads that wait so: seeing one there decides."""
    owners: dict[tuple[str, str], set[str]] = {}
    for cause in causes:
        for group, classes in cause.explains.items():
            for name in classes:
                owners.setdefault((group, name), set()).add(cause.id)
    return {of for of, ids in owners.items() if len(ids) == 1}
