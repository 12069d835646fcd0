"""Is a rule's claim true of this evidence? Judges every rule in every world and merges what holds where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from advisor.check.advice import choose_advice, spell_changes
from advisor.check.message import fill
from advisor.check.rule_set import Bench, bench_of
from advisor.check.worlds import Possible, World, worlds
from advisor.conditions import Missing, decide, names
from advisor.errors import RuleError
from advisor.evidence.items import ItemView
from advisor.evidence.view import View
from advisor.model.evidence import Cluster, Fact
from advisor.model.record import record, replace
from advisor.model.rules import Finding, Judgement, Rule, Severity, Verdict
from advisor.model.server import Release

_ORDER = list(Verdict)
_SEVERITIES = list(Severity)
Key = tuple[str, str, str]
"""Rule, member and item: what is one finding, whatever the release."""


@record
class _Ruling:
    """A verdict in one world. It is put into words once, for the newest release it holds for."""

    verdict: Verdict
    missing: tuple[str, ...] = ()
    message: str = ""


@record
class _Told:
    """A ruling that is worth telling, and where it was made."""

    rule: Rule
    view: View | ItemView
    ruling: _Ruling
    label: str


_CLEAR, _NOT_APPLICABLE, _TRUE = map(_Ruling, (Verdict.CLEAR, Verdict.NOT_APPLICABLE, Verdict.FINDING))


def check(cluster: Cluster, rules: Sequence[Rule], target: Sequence[Release] = ()) -> Judgement:
    """Judge all rules on all members for every release the evidence (or `target`) allows."""
    possible_worlds, possible = worlds(cluster, target)
    bench = bench_of(rules)
    quiet: dict[Key, Verdict] = {}
    told: dict[Key, list[_Told]] = {}
    for world in possible_worlds:
        for rule, view, ruling in _rulings(bench, world):
            key = (rule.id, view.member.name, _item(view))
            rulings = told.get(key)
            if rulings is None:
                rulings = told[key] = []
                quiet[key] = Verdict.NOT_APPLICABLE
            if ruling is _CLEAR:
                quiet[key] = Verdict.CLEAR
            elif ruling is not _NOT_APPLICABLE:
                rulings.append(_Told(rule, view, ruling, world.label))
    findings = [_merge(rulings, bench, len(possible_worlds)) for rulings in told.values() if rulings]
    counts = Counter(finding.verdict for finding in findings)
    counts.update(quiet[key] for key, rulings in told.items() if not rulings)
    return _judgement(cluster, possible_worlds, possible, sorted(findings, key=_importance), counts)


def _rulings(bench: Bench, world: World) -> Iterator[tuple[Rule, View | ItemView, _Ruling]]:
    """Every rule on every view it is for, and on every item of it."""
    speaker = _speaker(world)
    views = [(view, bench.silent(view.release)) for view in world.views]
    for rule in bench.rules:
        for view, silent in views:
            if rule.scope != "member" and view is not speaker:
                continue
            if rule.id in silent:
                yield rule, view, _NOT_APPLICABLE
            elif rule.each:
                yield from _rulings_on_items(rule, bench, view)
            else:
                yield rule, view, _judge(rule, bench, view)


def _rulings_on_items(rule: Rule, bench: Bench, view: View) -> Iterator[tuple[Rule, View | ItemView, _Ruling]]:
    if _concerns(rule, view) is False:
        yield rule, view, _NOT_APPLICABLE
        return
    items = view.value(f"fact.{rule.each}")
    if isinstance(items, Missing):
        yield rule, view, _Ruling(Verdict.UNKNOWN, items.needs) if items.needs else _NOT_APPLICABLE
    elif not items:
        yield rule, view, _CLEAR
    else:
        for item in items:
            seen = ItemView(view, item)
            yield rule, seen, _judge(rule, bench, seen)


def _item(view: View | ItemView) -> str:
    return str(view.item.get("key", "")) if isinstance(view, ItemView) else ""


def _speaker(world: World) -> View:
    """The view a cluster-wide rule is judged on: the source or primary when there is one."""
    writers = [view for view in world.views if view.source is None and len(world.views) > 1 and view.member.role]
    return writers[0] if writers else world.views[0]


def _judge(rule: Rule, bench: Bench, view: View | ItemView) -> _Ruling:
    concerns = _concerns(rule, view)
    if concerns is False:
        return _NOT_APPLICABLE
    try:
        truth = decide(bench.condition(rule), view.value)
    except RuleError as error:
        unread = view.garbled(names(rule.tree))
        return _Ruling(Verdict.UNKNOWN, unread) if unread else _broken(rule, error)
    if isinstance(truth, Missing):
        if not truth.needs:
            return _NOT_APPLICABLE
        return _Ruling(Verdict.UNKNOWN, truth.needs + (concerns.needs if isinstance(concerns, Missing) else ()))
    if not truth:
        return _CLEAR
    return _Ruling(Verdict.UNKNOWN, concerns.needs) if isinstance(concerns, Missing) else _TRUE


def _broken(rule: Rule, error: RuleError) -> _Ruling:
    return _Ruling(Verdict.BROKEN, message=f"{rule.file}: {error.message}")


def _concerns(rule: Rule, view: View | ItemView) -> bool | Missing:
    """Whether a rule that speaks about the release is about this member; Missing when its role or topology is open."""
    wanted = rule.applies
    missing: Missing | None = None
    for key, name in (("topologies", "topology"), ("roles", "role")):
        if key in wanted:
            word = view.value(name)
            if isinstance(word, Missing):
                missing = word if missing is None else missing + word
            elif word not in wanted[key]:
                return False
    return True if missing is None or not missing.needs else missing


def _in_words(rule: Rule, bench: Bench, view: View | ItemView) -> Finding:
    """A finding with its message, the facts it rests on, and the advice spelt for this release."""
    because = _rests_on(rule, bench.names(rule), view)
    advice = choose_advice(rule, view.release)
    file, line = _place(view, because)
    return replace(
        _finding(rule, view, _TRUE),
        message=fill(rule.finding, view),
        because=because,
        advice=replace(advice, do=fill(advice.do, view), costs=fill(advice.costs, view)) if advice else None,
        changes=spell_changes(advice, view) if advice else (),
        file=file,
        line=line,
    )


def _rests_on(rule: Rule, used: Sequence[str], view: View | ItemView) -> tuple[Fact, ...]:
    """The facts a rule reads; where none of them stands in a file, also the settings that derived ones come from.

    A derived text that only the sentence uses is wording, not evidence.
    """
    read_by_condition = set(names(rule.tree))
    direct = {name: view.fact(name) for name in used if not name.startswith("item.")}
    facts = {
        name: view.explained(fact)
        for name, fact in direct.items()
        if isinstance(fact, Fact)
        and not (isinstance(fact.value, str) and name.startswith("fact.") and name not in read_by_condition)
    }
    if not any(_line_of(fact)[0] for fact in facts.values()):
        behind = (view.fact(read) for name in used for read in view.inputs(name) if "." not in read)
        facts |= {fact.name: fact for fact in behind if isinstance(fact, Fact) and _line_of(fact)[0]}
    return tuple(facts.values())


def _line_of(fact: Fact) -> tuple[str, int]:
    """The file and line a fact's source names, ("", 0) when it names none."""
    file, _, line = fact.source.rpartition(":")
    return (file, int(line)) if file and line.isdecimal() else ("", 0)


def _place(view: View | ItemView, because: Sequence[Fact]) -> tuple[str, int]:
    """Where the finding points: the item's own line, else the first fact that has one."""
    own = [Fact("item", None, source=str(view.item.get("source", "")))] if isinstance(view, ItemView) else []
    return next((place for fact in (*own, *because) if (place := _line_of(fact))[0]), ("", 0))


def _finding(rule: Rule, view: View | ItemView, ruling: _Ruling) -> Finding:
    return Finding(
        rule,
        ruling.verdict,
        member=view.member.name,
        message=ruling.message,
        missing=tuple(dict.fromkeys(ruling.missing)),
        item=_item(view),
        severity=rule.severity,
    )


def _merge(told: Sequence[_Told], bench: Bench, of: int) -> Finding:
    """One verdict out of one per world: the worst, in the words of the newest release it holds for."""
    worst = min((one.ruling.verdict for one in told), key=_ORDER.index)
    agreeing = [one for one in told if one.ruling.verdict is worst]
    newest = agreeing[-1]
    if worst is not Verdict.FINDING:
        finding = _finding(newest.rule, newest.view, newest.ruling)
    else:
        try:
            finding = _in_words(newest.rule, bench, newest.view)
        except RuleError as error:
            finding, agreeing = _finding(newest.rule, newest.view, _broken(newest.rule, error)), [newest]
    return replace(finding, holds_for=tuple(one.label for one in agreeing), out_of=of)


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
    cluster: Cluster,
    made: Sequence[World],
    possible: Possible,
    findings: Sequence[Finding],
    counts: Mapping[Verdict, int],
) -> Judgement:
    start = {
        world.label: _would_start([v.settings.would_start for v in world.views if v.settings and v.release.series])
        for world in made
    }
    told = {(finding.file, finding.line) for finding in findings if finding.verdict is Verdict.FINDING}
    problems = [
        f"{problem.file}:{problem.line}: {problem.message}"
        for member in cluster.members
        if member.options is not None
        for problem in member.options.problems
        if (problem.file, problem.line) not in told
    ]
    return Judgement(
        path=cluster.path,
        topology=str(cluster.topology or ""),
        members=tuple(member.name for member in cluster.members),
        releases=tuple(world.label for world in made),
        inferred=possible.inferred,
        inference=possible.how,
        would_start=start,
        findings=tuple(findings),
        counts=counts,
        problems=(*cluster.problems, *problems),
        files=tuple(file for member in cluster.members if member.options is not None for file in member.options.files),
        running=cluster.running,
    )


def _would_start(answers: Sequence[bool | None]) -> bool | None:
    if not answers or any(answer is None for answer in answers):
        return False if False in answers else None
    return all(answers)
