"""Is a rule's claim true of this evidence? Judges every rule in every world and merges what holds where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from advisor.check.advice import choose_advice, spell_changes
from advisor.check.message import fill, used_names
from advisor.check.worlds import Possible, World, worlds
from advisor.conditions import Missing, Node, bind, decide, satisfies
from advisor.errors import RuleError
from advisor.evidence.items import ItemView
from advisor.evidence.view import View
from advisor.model.evidence import Cluster, Fact
from advisor.model.record import record, replace
from advisor.model.rules import Finding, Judgement, Rule, Severity, Verdict
from advisor.model.server import Release

_ORDER = list(Verdict)
_SEVERITIES = list(Severity)


@record
class _Bound:
    rule: Rule
    when: Node
    names: tuple[str, ...]


_bound: dict[int, _Bound] = {}


def check(cluster: Cluster, rules: Sequence[Rule], target: Sequence[Release] = ()) -> Judgement:
    """Judge all rules on all members for every release the evidence (or `target`) allows."""
    possible_worlds, possible = worlds(cluster, target)
    live = [_bind(rule) for rule in rules if rule.status != "retired"]
    merged: dict[tuple[str, str, str], list[tuple[World, Finding]]] = {}
    for world in possible_worlds:
        for bound in live:
            for finding in _judge_world(bound, world):
                merged.setdefault((bound.rule.id, finding.member, finding.item), []).append((world, finding))
    findings = [_merge(told, len(possible_worlds)) for told in merged.values()]
    shown = [f for f in findings if f.verdict in (Verdict.BROKEN, Verdict.FINDING, Verdict.UNKNOWN)]
    return _judgement(cluster, possible_worlds, possible, sorted(shown, key=_importance), findings)


def _bind(rule: Rule) -> _Bound:
    """Bound once per rule object: files of one call share it."""
    bound = _bound.get(id(rule))
    if bound is None or bound.rule is not rule:
        bound = _bound[id(rule)] = _Bound(rule, bind(rule.tree), used_names(rule))
    return bound


def _judge_world(bound: _Bound, world: World) -> Iterator[Finding]:
    views = world.views if bound.rule.scope == "member" else (_speaker(world),)
    for view in views:
        if not bound.rule.each:
            yield _judge(bound, view)
            continue
        if _applies(bound.rule, view) is False:
            yield _finding(bound.rule, view, Verdict.NOT_APPLICABLE)
            continue
        items = view.value(f"fact.{bound.rule.each}")
        if isinstance(items, Missing):
            verdict = Verdict.UNKNOWN if items.needs else Verdict.NOT_APPLICABLE
            yield _finding(bound.rule, view, verdict, missing=items.needs)
            continue
        if not items:
            yield _finding(bound.rule, view, Verdict.CLEAR)
        for item in items:
            yield _judge(bound, ItemView(view, item))


def _speaker(world: World) -> View:
    """The view a cluster-wide rule is judged on: the source or primary when there is one."""
    writers = [view for view in world.views if view.source is None and len(world.views) > 1 and view.member.role]
    return writers[0] if writers else world.views[0]


def _judge(bound: _Bound, view: View | ItemView) -> Finding:
    rule = bound.rule
    applies = _applies(rule, view)
    if applies is False:
        return _finding(rule, view, Verdict.NOT_APPLICABLE)
    try:
        truth = decide(bound.when, view.value)
        if isinstance(truth, Missing):
            if not truth.needs:
                return _finding(rule, view, Verdict.NOT_APPLICABLE)
            needs = truth.needs + (applies.needs if isinstance(applies, Missing) else ())
            return _finding(rule, view, Verdict.UNKNOWN, missing=needs)
        if not truth:
            return _finding(rule, view, Verdict.CLEAR)
        if isinstance(applies, Missing):
            return _finding(rule, view, Verdict.UNKNOWN, missing=applies.needs)
        return _told(bound, view)
    except RuleError as error:
        return _finding(rule, view, Verdict.BROKEN, message=f"{rule.file}: {error.message}")


def _applies(rule: Rule, view: View | ItemView) -> bool | Missing:
    """Whether the rule speaks about this member at all; Missing when its role or topology is not known."""
    release, wanted = view.release, rule.applies
    if "mysql" in wanted or "mariadb" in wanted:
        constraint = wanted.get(str(release.family))
        if constraint is None or not satisfies(release.version, str(constraint)):
            return False
    if "vendors" in wanted and release.vendor not in wanted["vendors"]:
        return False
    missing = Missing()
    for key, name in (("topologies", "topology"), ("roles", "role")):
        if key in wanted:
            word = view.value(name)
            if isinstance(word, Missing):
                missing = missing + word
            elif word not in wanted[key]:
                return False
    return missing if missing.needs else True


def _told(bound: _Bound, view: View | ItemView) -> Finding:
    """A finding with its message, the facts it rests on, and the advice spelt for this release."""
    rule = bound.rule
    because = _rests_on(bound.names, view)
    advice = choose_advice(rule, view.release)
    file, line = _place(view, because)
    return replace(
        _finding(rule, view, Verdict.FINDING, message=fill(rule.finding, view)),
        because=because,
        advice=replace(advice, do=fill(advice.do, view), costs=fill(advice.costs, view)) if advice else None,
        changes=spell_changes(advice, view) if advice else (),
        file=file,
        line=line,
    )


def _rests_on(names: Sequence[str], view: View | ItemView) -> tuple[Fact, ...]:
    """The facts a rule reads; where none of them stands in a file, also the settings that derived ones come from."""
    direct = {name: view.fact(name) for name in names if not name.startswith("item.")}
    facts = {name: fact for name, fact in direct.items() if isinstance(fact, Fact)}
    if not any(_line_of(fact)[0] for fact in facts.values()):
        behind = (view.fact(read) for name in names for read in view.inputs(name) if "." not in read)
        facts |= {fact.name: fact for fact in behind if isinstance(fact, Fact) and _line_of(fact)[0]}
    return tuple(facts.values())


def _line_of(fact: Fact) -> tuple[str, int]:
    """The file and line a fact's source names, ("", 0) when it names none."""
    file, _, line = fact.source.rpartition(":")
    return (file, int(line)) if file and line.isdigit() else ("", 0)


def _place(view: View | ItemView, because: Sequence[Fact]) -> tuple[str, int]:
    """Where the finding points: the item's own line, else the first fact that has one."""
    own = [Fact("item", None, source=str(view.item.get("source", "")))] if isinstance(view, ItemView) else []
    return next((place for fact in (*own, *because) if (place := _line_of(fact))[0]), ("", 0))


def _finding(
    rule: Rule, view: View | ItemView, verdict: Verdict, *, message: str = "", missing: tuple[str, ...] = ()
) -> Finding:
    item = str(view.item.get("key", "")) if isinstance(view, ItemView) else ""
    needs = tuple(dict.fromkeys(missing))
    return Finding(
        rule, verdict, member=view.member.name, message=message, missing=needs, item=item, severity=rule.severity
    )


def _merge(told: list[tuple[World, Finding]], of: int) -> Finding:
    """One verdict out of one per world: the worst, in the words of the newest release it holds for."""
    worst = min((finding.verdict for _, finding in told), key=_ORDER.index)
    agreeing = [(world, finding) for world, finding in told if finding.verdict is worst]
    return replace(agreeing[-1][1], holds_for=tuple(world.label for world, _ in agreeing), out_of=of)


def _importance(finding: Finding) -> tuple[int, bool, int, int, str, int]:
    """Worst verdict first, then what is certain, severe, heavy; then by file and line."""
    return (
        _ORDER.index(finding.verdict),
        not finding.certain,
        -_SEVERITIES.index(finding.severity),
        -finding.rule.weight,
        finding.file,
        finding.line,
    )


def _judgement(
    cluster: Cluster, made: Sequence[World], possible: Possible, shown: Sequence[Finding], findings: Sequence[Finding]
) -> Judgement:
    start = {
        world.label: _would_start([v.settings.would_start for v in world.views if v.settings and v.release.series])
        for world in made
    }
    problems = [
        f"{problem.file}:{problem.line}: {problem.message}"
        for member in cluster.members
        if member.options is not None
        for problem in member.options.problems
    ]
    return Judgement(
        path=cluster.path,
        topology=str(cluster.topology or ""),
        members=tuple(member.name for member in cluster.members),
        releases=tuple(world.label for world in made),
        inferred=possible.inferred,
        inference=possible.how,
        would_start=start,
        findings=tuple(shown),
        counts=Counter(finding.verdict for finding in findings),
        problems=(*cluster.problems, *problems),
    )


def _would_start(answers: Sequence[bool | None]) -> bool | None:
    if not answers or any(answer is None for answer in answers):
        return False if False in answers else None
    return all(answers)
