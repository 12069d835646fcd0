"""Why is this cluster not faster? Evidence → budget, ceilings, causes, prediction, next observation. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.check import check, load_rules
from advisor.check.advice import choose_advice, spell_changes
from advisor.check.message import fill
from advisor.check.worlds import worlds
from advisor.model.diagnosis import Cause, Ceiling, Diagnosis, Rung, Suspect
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.model.rules import Finding, Verdict
from advisor.model.server import Release
from advisor.why.causes import Judged, judge, unanswered
from advisor.why.ceilings import ladder_of
from advisor.why.evidence_gaps import hindrances
from advisor.why.facts.replication.appliers import BEHIND
from advisor.why.interval import under_load
from advisor.why.members import Scene, scene_of
from advisor.why.next_observation import needs_of, next_of
from advisor.why.prediction import ceiling_of, predict
from advisor.why.rank import ranked
from advisor.why.reply import reply
from advisor.why.rules.loader import load_causes, load_ceilings
from advisor.why.time_breakdown import budget_of, interval_of, throughput_of


def diagnose(
    cluster: Cluster,
    target: Sequence[Release] = (),
    causes: Sequence[Cause] | None = None,
    ceilings: Sequence[Ceiling] | None = None,
) -> Diagnosis:
    """The diagnosis of a cluster for every release its evidence (or `target`) allows.

    Where several releases are possible, a cause is as sure as it is on average over them. RuleError when the file of
    a cause or a ceiling is wrong.
    """
    causes = load_causes() if causes is None else causes
    ceilings = load_ceilings() if ceilings is None else ceilings
    possible_worlds, _ = worlds(under_load(cluster), target)
    scenes = [scene_of(world) for world in possible_worlds]
    newest = scenes[-1]
    ladder = ladder_of(newest, ceilings)
    suspects = ranked(_merged(scenes, causes, ladder), _behind(newest))
    silent = list(unanswered(newest, causes))
    diagnosis = Diagnosis(
        path=cluster.path,
        topology=str(cluster.topology or ""),
        members=tuple(member.name for member in cluster.members),
        releases=tuple(scene.label for scene in scenes),
        writer=newest.writer.member.name if newest.writer else "",
        throughput_per_second=throughput_of(newest),
        interval_seconds=interval_of(newest),
        budget=budget_of(newest),
        ladder=ladder,
        suspects=suspects,
        next=next_of(suspects, silent, newest),
        unknown=needs_of(suspects, silent),
        beside=_beside(cluster, target),
        problems=(*cluster.problems, *hindrances(cluster)),
    )
    return replace(diagnosis, summary=reply(diagnosis))


def _behind(scene: Scene) -> set[str]:
    """The members that apply less than arrives."""
    shares = ((view.member.name, view.get("fact.falls_behind_share", None)) for view in scene.appliers)
    return {name for name, share in shares if isinstance(share, int | float) and share >= BEHIND}


def _beside(cluster: Cluster, target: Sequence[Release]) -> tuple[Finding, ...]:
    """What the rules on durability find."""
    rules = [rule for rule in load_rules() if rule.area == "durability"]
    return tuple(found for found in check(cluster, rules, target).findings if found.verdict is Verdict.FINDING)


def _merged(scenes: Sequence[Scene], causes: Sequence[Cause], ladder: Sequence[Rung]) -> list[Suspect]:
    """One suspect per cause, with its mean confidence over the releases, in the words of the surest of them."""
    found: dict[str, list[tuple[Scene, Judged]]] = {}
    for scene in scenes:
        for judged in judge(scene, causes):
            found.setdefault(judged.cause.id, []).append((scene, judged))
    return [_suspect(seen, len(scenes), ladder) for seen in found.values()]


def _suspect(seen: Sequence[tuple[Scene, Judged]], worlds_judged: int, ladder: Sequence[Rung]) -> Suspect:
    scene, best = max(seen, key=lambda pair: pair[1].confidence)
    advice = choose_advice(best.cause, best.view.release)
    observed = throughput_of(scene)
    return Suspect(
        cause=best.cause,
        member=best.view.member.name,
        confidence=sum(judged.confidence for _, judged in seen) / worlds_judged,
        grounds=best.grounds,
        limited=best.limited,
        ceiling_per_second=ceiling_of(best.cause, ladder),
        advice=replace(advice, do=fill(advice.do, best.view), costs=fill(advice.costs, best.view)) if advice else None,
        changes=spell_changes(advice, best.view) if advice else (),
        predicted=predict(best.cause, best.view, ladder, observed),
        missing=best.missing,
        holds_for=tuple(one.label for one, _ in seen),
        out_of=worlds_judged,
    )
