"""Which causes do the signs point to? Assesses every cause on the members it is about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from advisor.check.message import fill
from advisor.conditions import Missing, bind, decide, names, satisfies
from advisor.errors import RuleError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Cause, Ceiling, SeenSign, Sign, Where
from advisor.model.evidence import Fact
from advisor.model.record import record, replace
from advisor.units import show
from advisor.why.confidence import EvidenceKind, Weight, confidence
from advisor.why.explained_time import ExplainedTime, as_sign, explained_time, most_confidence, owned_classes
from advisor.why.members import MembersByRole


@record
class CauseAssessment:
    """A cause on one member under one assumption: its confidence, the signs seen, and what evidence is missing.

    `time`: the share of the threads' time that it explains; None where that is not known.
    """

    cause: Cause
    view: MemberFacts
    confidence: float
    signs: tuple[SeenSign, ...]
    limited: str
    missing: tuple[str, ...]
    time: ExplainedTime | None = None


def assess(members: MembersByRole, causes: Sequence[Cause]) -> list[CauseAssessment]:
    """Every cause that some sign points to, on the member where it is likeliest."""
    likeliest = []
    owned = {view.member.name: owned_classes([c for c in causes if concerns(c, view)]) for view in members.views}
    for cause in causes:
        indicated = [each for each in _assessments(cause, members, owned) if each.confidence > 0]
        if indicated:
            likeliest.append(max(indicated, key=_likelihood))
    return likeliest


def causes_without_evidence(members: MembersByRole, causes: Sequence[Cause]) -> Iterator[CauseAssessment]:
    """Every cause that no sign points to because evidence is missing."""
    for cause in causes:
        assessments = _assessments(cause, members)
        if assessments and not any(each.confidence > 0 for each in assessments):
            yield from (each for each in assessments[:1] if each.missing)


def unsigned(members: MembersByRole, causes: Sequence[Cause]) -> Iterator[CauseAssessment]:
    """Every cause that can apply and that no sign points to, with what speaks against it."""
    for cause in causes:
        assessments = _assessments(cause, members)
        if assessments and not any(each.confidence > 0 for each in assessments):
            view = assessments[0].view
            yield replace(assessments[0], signs=tuple(speaking_against(cause, view)))


_Classes = Collection[tuple[str, str]]  # threads and what they wait for
_Owned = Mapping[str, _Classes]  # member → what a single cause explains there


def _assessments(cause: Cause, members: MembersByRole, owned: _Owned | None = None) -> list[CauseAssessment]:
    owned = owned or {}
    return [
        _assess(cause, view, owned.get(view.member.name, ()))
        for view in members.deciding(cause.where)
        if concerns(cause, view)
    ]


def concerns(claim: Cause | Ceiling, view: MemberFacts) -> bool:
    """Whether a claim applies to this release, topology and role; what is not known excludes nothing."""
    wanted = claim.applies
    if "mysql" in wanted or "mariadb" in wanted:
        constraint = wanted.get(str(view.release.family))
        if constraint is None or not satisfies(view.release.version, str(constraint)):
            return False
    if "vendors" in wanted and view.release.vendor not in wanted["vendors"]:
        return False
    for key, name in (("topologies", "topology"), ("roles", "role")):
        word = view.value(name)
        if key in wanted and not isinstance(word, Missing) and word not in wanted[key]:
            return False
    return "topologies" not in wanted or view.topology is not None or _may_be(wanted["topologies"], view)


def _may_be(topologies: Sequence[str], view: MemberFacts) -> bool:
    """Whether a server whose topology is not stated may be in one of these; settings reveal a group or a cluster."""
    shown = {"group_replication": "fact.is_group_member", "galera": "fact.is_galera_node"}
    return any(topology not in shown or view.value(shown[topology]) is True for topology in topologies)


def _likelihood(assessment: CauseAssessment) -> tuple[float, float]:
    """By confidence; among equals, first the member that applies least."""
    applied = assessment.view.get("fact.applied_per_second", 0)
    return assessment.confidence, -float(applied) if isinstance(applied, int | float) else 0.0


def _assess(cause: Cause, view: MemberFacts, owned: _Classes) -> CauseAssessment:
    missing: dict[str, None] = {}
    seen = [sign for sign in cause.signs if _holds(sign, view, missing, cause)]
    against = [sign for sign in cause.against if _holds(sign, view, missing, cause)]
    weights = [_weight(sign, view) for sign in seen]
    shown = [_seen_sign(sign, view, True) for sign in seen]
    time = explained_time(cause, view)
    by_profile = as_sign(time, _separates(time, owned)) if time and matters(cause, view) else None
    if by_profile and (weights or by_profile[0].separates):  # alone, a wait that several explain points to none of them
        weights.append(by_profile[0])
        shown.insert(0, by_profile[1])
    value, limited = confidence(weights, [sign.strength for sign in against])
    most = most_confidence(time, tried=any(weight.roots & _TRIED for weight in weights))
    if time and value > most:
        value = most
        limited = limited or f"it explains only {show(round(time.share * 100))} % of {time.of_whose_time}"
    shown += [_seen_sign(sign, view, False) for sign in against]
    return CauseAssessment(cause, view, value, tuple(shown) if value else (), limited, tuple(missing), time)


def speaking_against(cause: Cause, view: MemberFacts) -> list[SeenSign]:
    """The signs against a cause that are seen."""
    return [_seen_sign(sign, view, False) for sign in cause.against if _holds(sign, view, {}, cause)]


def matters(cause: Cause, view: MemberFacts) -> bool:
    """Whether anything waits for this member: how an applier spends its time says nothing while it keeps up."""
    if cause.where is not Where.APPLIER:
        return True
    return any(
        isinstance(value := view.get(f"fact.{name}", None), int | float) and value >= felt
        for name, felt in _WAITED_FOR.items()
    )


def _separates(time: ExplainedTime, owned: _Classes) -> bool:
    """Whether most of the share is in classes by which this cause is known, and no other."""
    return sum(each.share for each in time.own if (time.group, each.wait_class) in owned) > time.own_share / 2


def _holds(sign: Sign, view: MemberFacts, missing: dict[str, None], cause: Cause) -> bool:
    try:
        truth = decide(bind(sign.tree), view.value)
    except RuleError as error:
        if unread := view.garbled(names(sign.tree)) or _printed(names(sign.tree)):
            missing.update(dict.fromkeys(unread))
            return False
        raise RuleError(f"{error.message}: {sign.when}", file=cause.file) from None
    if isinstance(truth, Missing):
        missing.update(dict.fromkeys(truth.needs))
        return False
    return truth


def _printed(asked: Iterable[str]) -> tuple[str, ...]:
    """The names whose values somebody printed: a tool may print 4 where the server says Synced."""
    return tuple(name for name in asked if name.removeprefix("source.").startswith(("status.", "replica.")))


def _weight(sign: Sign, view: MemberFacts) -> Weight:
    roots = frozenset(_roots(sign, view))
    return Weight(sign.strength, sign.separates, _kind(roots), roots)


def _roots(sign: Sign, view: MemberFacts) -> Iterator[str]:
    """The names a sign rests on, derived facts replaced by what they were computed from."""
    for name in names(sign.tree):
        inputs = [read for read in (name, *view.inputs(name)) if not read.startswith("fact.")]
        yield from inputs or [name]  # a fact that is read from tables, process lists or user reports


def _kind(roots: frozenset[str]) -> EvidenceKind:
    heads = {name.partition(".")[0] for name in roots}
    if heads & {"rate", "delta"}:
        return EvidenceKind.MEASURED
    if heads & {"observed", "host"}:
        return EvidenceKind.OBSERVED
    counters = {name.partition(".")[2] for name in roots if name.startswith("status.")}
    if counters - _GAUGES:
        return EvidenceKind.SINCE_START
    return EvidenceKind.MEASURED if counters or heads & {"replica", "fact"} else EvidenceKind.SETTINGS


def _seen_sign(sign: Sign, view: MemberFacts, speaks_for: bool) -> SeenSign:
    facts = [view.fact(name) for name in dict.fromkeys(names(sign.tree)) if name not in _NOT_EVIDENCE]
    known = tuple(view.explained(fact) for fact in facts if isinstance(fact, Fact))
    return SeenSign(fill(sign.says, view), sign.strength, known, speaks_for, sign.separates)


# From where on others wait for a member, or it is late; seconds are those of a replica that reports to be behind.
_WAITED_FOR = {"falls_behind_share": 0.05, "writers_held_back_share": 0.1, "replica_is_behind_seconds": 10}
# Gauges: they show the present state, not a total since the server started.
_GAUGES = frozenset(
    """Threads_running Open_tables Innodb_buffer_pool_pages_dirty Innodb_buffer_pool_pages_total
    Innodb_history_list_length Innodb_checkpoint_age wsrep_local_state_comment wsrep_local_recv_queue
    wsrep_cluster_size wsrep_evs_repl_latency Rpl_semi_sync_source_status Rpl_semi_sync_source_clients""".split()
)
_TRIED = frozenset(("observed.tried", "observed.scaling"))
_NOT_EVIDENCE = frozenset({"role", "topology", "family", "vendor", "version"})
