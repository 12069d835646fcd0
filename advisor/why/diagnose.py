"""Why is this cluster not faster? Evidence → time breakdown, ceilings, causes, prediction, next observation. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.check import check, load_rules
from advisor.check.advice import choose_advice, spell_changes
from advisor.check.message import fill
from advisor.check.possible_releases import release_assumptions
from advisor.errors import RuleError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import (
    SURE,
    Cause,
    Ceiling,
    ComputedCeiling,
    Diagnosis,
    Differential,
    RankedCause,
    ThreadProfile,
)
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.model.rules import Advice, Change, Finding, Verdict
from advisor.model.server import Release
from advisor.why.causes import CauseAssessment, assess, causes_without_evidence, unsigned
from advisor.why.ceilings import compute_ceilings
from advisor.why.customer_reply import customer_reply
from advisor.why.differential.hypotheses import candidates
from advisor.why.differential.probability import differential_of
from advisor.why.evidence_gaps import evidence_gaps
from advisor.why.facts.replication.applier_throughput import BEHIND
from advisor.why.interval import interval_of, under_load
from advisor.why.members import MembersByRole, members_by_role
from advisor.why.next_observation import missing_evidence, next_observation
from advisor.why.prediction import ceiling_of, predict
from advisor.why.profile.profiles import known_profiles
from advisor.why.rank import rank
from advisor.why.rules.calibration import calibrated, load_calibration
from advisor.why.rules.loader import load_causes, load_ceilings
from advisor.why.time_breakdown import throughput_of, time_breakdown_of
from advisor.why.vocabulary.reweigh import reweighed


def diagnose(
    cluster: Cluster,
    target: Sequence[Release] = (),
    causes: Sequence[Cause] | None = None,
    ceilings: Sequence[Ceiling] | None = None,
) -> Diagnosis:
    """The diagnosis of a cluster for every release its evidence (or `target`) allows.

    Where several releases are possible, the confidence of a cause is its mean over them. What to observe next follows
    from confidences by signs, what is told is calibrated. RuleError when the file of a cause or a ceiling is wrong.
    """
    causes = load_causes() if causes is None else causes
    ceilings = load_ceilings() if ceilings is None else ceilings
    assumptions, _ = release_assumptions(under_load(cluster), target)
    by_assumption = [members_by_role(assumption) for assumption in assumptions]
    newest = by_assumption[-1]
    computed = compute_ceilings(newest, ceilings)
    found = _over_assumptions(by_assumption, causes, computed)
    by_words = reweighed(found, cluster, newest, lambda: _without_sign(found, causes, newest, computed))
    ranked = rank(found if by_words is None else by_words, _behind(newest))
    unassessed = list(causes_without_evidence(newest, causes))
    open_question = _differential(ranked, causes, newest)
    diagnosis = Diagnosis(
        path=cluster.path,
        topology=str(cluster.topology or ""),
        members=tuple(member.name for member in cluster.members),
        releases=tuple(members.label for members in by_assumption),
        writer=newest.writer.member.name if newest.writer else "",
        throughput_per_second=throughput_of(newest),
        interval_seconds=interval_of(newest),
        time_breakdown=time_breakdown_of(newest),
        ceilings=computed,
        causes=ranked if by_words is not None else calibrated(ranked, load_calibration()),
        next=next_observation(ranked, unassessed, newest, open_question),
        unknown=missing_evidence(ranked, unassessed),
        durability_findings=_durability_findings(cluster, target),
        problems=(*cluster.problems, *evidence_gaps(cluster)),
        profile=_profile(newest),
        differential=open_question,
    )
    return replace(diagnosis, summary=customer_reply(diagnosis))


def _differential(
    ranked: Sequence[RankedCause], causes: Sequence[Cause], members: MembersByRole
) -> Differential | None:
    """What it may be; None where some cause is an answer, or nothing is evidence for any."""
    if any(each.confidence >= SURE for each in ranked):
        return None
    return differential_of(candidates(ranked, causes, members))


def _profile(members: MembersByRole) -> tuple[ThreadProfile, ...]:
    """Where the time of every group went: the writer's first, then member by member."""
    views = sorted(members.views, key=lambda view: view is not members.writer)
    return tuple(profile for view in views for profile in known_profiles(view))


def _behind(members: MembersByRole) -> set[str]:
    """The members that apply less than arrives."""
    shares = ((view.member.name, view.get("fact.falls_behind_share", None)) for view in members.appliers)
    return {name for name, share in shares if isinstance(share, int | float) and share >= BEHIND}


def _durability_findings(cluster: Cluster, target: Sequence[Release]) -> tuple[Finding, ...]:
    rules = [rule for rule in load_rules() if rule.area == "durability"]
    findings = check(cluster, rules, target).findings
    return tuple(finding for finding in findings if finding.verdict is Verdict.FINDING)


def _over_assumptions(
    by_assumption: Sequence[MembersByRole], causes: Sequence[Cause], ceilings: Sequence[ComputedCeiling]
) -> list[RankedCause]:
    """Each cause once, with its mean confidence over the releases, worded for the release where it is likeliest."""
    seen: dict[str, list[tuple[MembersByRole, CauseAssessment]]] = {}
    for members in by_assumption:
        for assessment in assess(members, causes):
            seen.setdefault(assessment.cause.id, []).append((members, assessment))
    return [_cause(each, len(by_assumption), ceilings) for each in seen.values()]


def _without_sign(
    found: Sequence[RankedCause], causes: Sequence[Cause], members: MembersByRole, ceilings: Sequence[ComputedCeiling]
) -> list[RankedCause]:
    """The causes that can apply and that no sign points to, with what each advises."""
    named = {each.cause.id for each in found}
    others = [cause for cause in causes if cause.id not in named]
    return [_cause([(members, assessment)], 1, ceilings) for assessment in unsigned(members, others)]


def _changes(advice: Advice, view: MemberFacts) -> tuple[Change, ...]:
    """The settings to write; none where the stated release does not have them, as a Galera node that says MySQL 8.0."""
    try:
        return spell_changes(advice, view)
    except RuleError:
        return ()


def _cause(
    seen: Sequence[tuple[MembersByRole, CauseAssessment]], assumption_count: int, ceilings: Sequence[ComputedCeiling]
) -> RankedCause:
    members, best = max(seen, key=lambda pair: pair[1].confidence)
    advice = choose_advice(best.cause, best.view.release)
    observed = throughput_of(members)
    by_signs = sum(assessment.confidence for _, assessment in seen) / assumption_count
    return RankedCause(
        cause=best.cause,
        member=best.view.member.name,
        confidence=by_signs,
        signs=best.signs,
        limited=best.limited,
        ceiling_per_second=ceiling_of(best.cause, ceilings),
        advice=replace(advice, do=fill(advice.do, best.view), costs=fill(advice.costs, best.view)) if advice else None,
        changes=_changes(advice, best.view) if advice else (),
        predicted=predict(best, ceilings, observed),
        missing=best.missing,
        holds_for=tuple(members.label for members, _ in seen),
        out_of=assumption_count,
        by_signs=by_signs,
        time_share=best.time.share if best.time else None,
    )
