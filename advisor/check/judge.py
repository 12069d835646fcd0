"""Is a rule's claim true of this evidence? Judges every rule for every possible release and merges what holds where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from advisor.catalog.coverage import remark
from advisor.check.advice import advised_changes, changes_for_all, choose_advice, spell_changes
from advisor.check.message import fill
from advisor.check.possible_releases import PossibleReleases, ReleaseAssumption, release_assumptions
from advisor.check.rule_set import RuleSet, rule_set_of
from advisor.conditions import Missing, decide, names
from advisor.errors import RuleError
from advisor.evidence.item_view import ItemView
from advisor.evidence.member_facts import MemberFacts
from advisor.evidence.topology import perhaps_for_a_replica
from advisor.evidence.topology_hints import known
from advisor.model.evidence import Cluster, Fact
from advisor.model.options import NoteKind, Settings
from advisor.model.record import record, replace
from advisor.model.rules import Finding, Judgement, Rule, Severity, Verdict
from advisor.model.server import Release
from advisor.options.groups import is_for_clients_alone

_NAMED_AT_MOST = 3
_OF_RELEASES = "legacy"  # the area of rules about faults of single releases
_ORDER = list(Verdict)
_SEVERITIES = list(Severity)
Key = tuple[str, str, str]
"""Rule, member and item: what identifies a finding, whatever the release."""


@record
class _Ruling:
    """A verdict under one assumption. Its message is written once, for the newest release it holds for."""

    verdict: Verdict
    missing: tuple[str, ...] = ()
    message: str = ""

    def __init__(self, verdict: Verdict, missing: tuple[str, ...] = (), message: str = "") -> None:
        # Made by the hundred for every file and release, as the next: this costs a third of what all records share.
        self.__dict__.update(verdict=verdict, missing=missing, message=message)


@record
class _Reported:
    """A ruling that becomes a finding, and the releases it was made for."""

    rule: Rule
    view: MemberFacts | ItemView
    ruling: _Ruling
    label: str

    def __init__(self, rule: Rule, view: MemberFacts | ItemView, ruling: _Ruling, label: str) -> None:
        self.__dict__.update(rule=rule, view=view, ruling=ruling, label=label)


_CLEAR, _NOT_APPLICABLE, _TRUE = map(_Ruling, (Verdict.CLEAR, Verdict.NOT_APPLICABLE, Verdict.FINDING))


def check(cluster: Cluster, rules: Sequence[Rule], target: Sequence[Release] = ()) -> Judgement:
    """Judge all rules on all members for every release the evidence (or `target`) allows."""
    assumptions, possible = release_assumptions(cluster, target)
    rule_set = rule_set_of(rules)
    unreported: dict[Key, Verdict] = {}
    reported: dict[Key, list[_Reported]] = {}
    for assumption in assumptions:
        for rule, view, ruling in _rulings(rule_set, assumption):
            key = (rule.id, view.member.name, _item(view) if rule.each else "")
            rulings = reported.get(key)
            if rulings is None:
                rulings = reported[key] = []
                unreported[key] = Verdict.NOT_APPLICABLE
            if ruling is _CLEAR:
                unreported[key] = Verdict.CLEAR
            elif ruling is not _NOT_APPLICABLE:
                rulings.append(_Reported(rule, view, ruling, assumption.label))
    findings = [_merge(rulings, rule_set, len(assumptions)) for rulings in reported.values() if rulings]
    if possible.inferred and len({(r.family, r.series) for r in possible.releases}) > 1:
        findings = [_needs_release(finding) for finding in findings]
    counts = Counter(finding.verdict for finding in findings)
    counts.update(unreported[key] for key, rulings in reported.items() if not rulings)
    return _judgement(cluster, assumptions, possible, sorted(findings, key=_importance), counts)


def _rulings(
    rule_set: RuleSet, assumption: ReleaseAssumption
) -> Iterator[tuple[Rule, MemberFacts | ItemView, _Ruling]]:
    """Every rule on every view it is for, and on every item of it."""
    cluster_view = _cluster_view(assumption)
    views = [(view, rule_set.not_applicable(view.release)) for view in assumption.views]
    for rule in rule_set.rules:
        for view, not_applicable in views:
            if rule.scope != "member" and view is not cluster_view:
                continue
            if rule.id in not_applicable:
                yield rule, view, _NOT_APPLICABLE
            elif rule.each:
                yield from _rulings_on_items(rule, rule_set, view)
            else:
                yield rule, view, _judge(rule, rule_set, view, _concerns(rule, view))


def _rulings_on_items(
    rule: Rule, rule_set: RuleSet, view: MemberFacts
) -> Iterator[tuple[Rule, MemberFacts | ItemView, _Ruling]]:
    concerns = _concerns(rule, view)
    if concerns is False:
        yield rule, view, _NOT_APPLICABLE
        return
    items = view.value(f"fact.{rule.each}")
    if isinstance(items, Missing):
        yield rule, view, _Ruling(Verdict.UNKNOWN, items.needs) if items.needs else _NOT_APPLICABLE
    elif not items:
        yield rule, view, _CLEAR
    else:
        for item in items:
            item_view = ItemView(view, item)
            yield rule, item_view, _judge(rule, rule_set, item_view, concerns)


def _item(view: MemberFacts | ItemView) -> str:
    return str(view.item.get("key", "")) if isinstance(view, ItemView) else ""


def _cluster_view(assumption: ReleaseAssumption) -> MemberFacts:
    """The member a cluster-wide rule is judged on: the source or primary when there is one."""
    writers = [
        view for view in assumption.views if view.source is None and len(assumption.views) > 1 and view.member.role
    ]
    return writers[0] if writers else assumption.views[0]


def _judge(rule: Rule, rule_set: RuleSet, view: MemberFacts | ItemView, concerns: bool | Missing) -> _Ruling:
    """`concerns`: what `_concerns` says of the rule and the view; the same for all items of a view."""
    if concerns is False:
        return _NOT_APPLICABLE
    try:
        truth = decide(rule_set.condition(rule), view.value)
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


def _concerns(rule: Rule, view: MemberFacts) -> bool | Missing:
    """Whether a rule for this release is about this member too; Missing when its role or topology is not known."""
    wanted = rule.applies
    if "topologies" not in wanted and "roles" not in wanted:
        return True
    missing: Missing | None = None
    for key, name in (("topologies", "topology"), ("roles", "role")):
        if key in wanted:
            word = view.value(name)
            if isinstance(word, Missing):
                missing = word if missing is None else missing + word
            elif word not in wanted[key]:
                return False
    return True if missing is None or not missing.needs else missing


def _worded_finding(rule: Rule, rule_set: RuleSet, view: MemberFacts | ItemView) -> Finding:
    """A finding with its message, the facts it is based on, and the advice spelt for this release."""
    because = _evidence_of(rule, rule_set.names(rule), view)
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


def _evidence_of(rule: Rule, used: Sequence[str], view: MemberFacts | ItemView) -> tuple[Fact, ...]:
    """The facts a rule reads; where none of them is in a file, also the settings that derived facts come from.

    A derived text that only the message uses is wording, not evidence.
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


def _place(view: MemberFacts | ItemView, because: Sequence[Fact]) -> tuple[str, int]:
    """Where the finding points: the item's own line, else the first fact that has one."""
    own = [Fact("item", None, source=str(view.item.get("source", "")))] if isinstance(view, ItemView) else []
    return next((place for fact in (*own, *because) if (place := _line_of(fact))[0]), ("", 0))


def _finding(rule: Rule, view: MemberFacts | ItemView, ruling: _Ruling) -> Finding:
    return Finding(
        rule,
        ruling.verdict,
        member=view.member.name,
        message=ruling.message,
        missing=tuple(dict.fromkeys(ruling.missing)),
        item=_item(view),
        severity=rule.severity,
    )


def _merge(reported: Sequence[_Reported], rule_set: RuleSet, assumption_count: int) -> Finding:
    """One verdict out of one per assumption: the worst, worded for the newest release it holds for."""
    worst = min((made.ruling.verdict for made in reported), key=_ORDER.index)
    agreeing = [made for made in reported if made.ruling.verdict is worst]
    newest = agreeing[-1]
    if worst is not Verdict.FINDING:
        finding = _finding(newest.rule, newest.view, newest.ruling)
    else:
        try:
            finding = _worded_finding(newest.rule, rule_set, newest.view)
            if _differ(agreeing):
                said = finding.message.removesuffix(".")
                finding = replace(finding, message=f"{said} (in {newest.label}; other releases differ).")
            if len(agreeing) > 1 and newest.rule.advice:
                advised = [advised_changes(made.rule, made.view, made.label) for made in agreeing]
                finding = replace(finding, changes=changes_for_all(advised))
            if newest.view.member.cloud is not None:
                from advisor.evidence.rewriting.cloud_commands import cloud_commands

                of_newest = [c for c in finding.changes if newest.label in (c.releases or (newest.label,))]
                finding = replace(finding, commands=cloud_commands(newest.view.member.cloud, of_newest))
        except RuleError as error:
            finding, agreeing = _finding(newest.rule, newest.view, _broken(newest.rule, error)), [newest]
    return replace(finding, holds_for=tuple(made.label for made in agreeing), out_of=assumption_count)


def _differ(agreeing: Sequence[_Reported]) -> bool:
    """Whether the item says something else in another release, or a release at the ends of a family has other figures.

    Items say, for example, which limit a value is held to, or which options are deprecated.
    """
    items = {made.view.item.get("message") for made in agreeing if isinstance(made.view, ItemView)}
    if len(items) > 1 or len(agreeing) == 1:
        return len(items) > 1
    ends: dict[str, list[_Reported]] = {}
    for made in agreeing:
        ends.setdefault(made.view.release.family, [made, made])[1] = made
    messages = {fill(made.rule.finding, made.view) for pair in ends.values() for made in pair}
    return len(messages) > 1 and len(set(map(_figures, messages))) > 1


def _figures(message: str) -> tuple[str, ...]:
    """The numbers in a message as they are written, with their dots and commas."""
    runs = (run.lstrip(".,") for run in message.translate(_FIGURES_ONLY).split())
    return tuple(filter(None, runs))


class _FiguresOnly(dict[int, str]):
    """Any character but digits, dots and commas as a blank; each is decided once."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        self[code] = kept = sign if sign.isdecimal() or sign in ".," else " "
        return kept


_FIGURES_ONLY = _FiguresOnly()


def _needs_release(finding: Finding) -> Finding:
    """A fault of some old release says nothing of a server that is as likely any other: then the release is missing."""
    if finding.verdict is not Verdict.FINDING or finding.certain or finding.rule.area != _OF_RELEASES:
        return finding
    return replace(finding, verdict=Verdict.UNKNOWN, missing=("version",), message="", advice=None, changes=())


def _importance(finding: Finding) -> tuple[int, bool, int, int, str, int]:
    """Worst verdict first, then what is certain, severe, of greater weight; then by file and line."""
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
    assumptions: Sequence[ReleaseAssumption],
    possible: PossibleReleases,
    findings: Sequence[Finding],
    counts: Mapping[Verdict, int],
) -> Judgement:
    start = {
        assumption.label: _would_start(
            [_starts(view.settings, view.release) for view in assumption.views if view.settings]
        )
        for assumption in assumptions
    }
    reported_lines = {(finding.file, finding.line) for finding in findings if finding.verdict is Verdict.FINDING}
    problems = [
        f"{problem.file}:{problem.line}: {problem.message}"
        for member in cluster.members
        if member.options is not None
        for problem in member.options.problems
        if problem.elsewhere or (problem.file, problem.line) not in reported_lines
    ]
    return Judgement(
        path=cluster.path,
        topology=str(cluster.topology or ""),
        members=tuple(member.name for member in cluster.members),
        releases=tuple(assumption.label for assumption in assumptions),
        inferred=possible.inferred,
        inference=possible.how,
        would_start=start,
        findings=tuple(findings),
        counts=counts,
        problems=(*cluster.problems, *_coverage(assumptions), *_hints(cluster), *dict.fromkeys(problems)),
        files=tuple(file for member in cluster.members if member.options is not None for file in member.options.files),
        running=cluster.running,
    )


def _coverage(assumptions: Sequence[ReleaseAssumption]) -> Iterator[str]:
    """A sentence for each release that no server was read of; none while others, that were read, are possible too."""
    releases = dict.fromkeys(view.release for assumption in assumptions for view in assumption.views)
    remarks = [remark(release) for release in releases]
    if len(assumptions) == 1 or all(remarks):
        yield from filter(None, remarks)


def _hints(cluster: Cluster) -> Iterator[str]:
    """What the option files leave open, and how to have it judged."""
    for member in cluster.members:
        if member.options is None or member.variables:
            continue
        name = member.options.files[0] if member.options.files else member.name
        if is_for_clients_alone(member.options):
            groups = ", ".join(f"[{group}]" for group in member.options.groups[:_NAMED_AT_MOST])
            yield f"{name}: a server reads none of the groups in it ({groups}), so no server settings were judged"
        elif member.role is None and cluster.topology is None and (sign := perhaps_for_a_replica(known(member))):
            yield (
                f"{sign} may be meant for a replica, but does not show that this is one: "
                "state --role replica or --role source"
            )


def _starts(settings: Settings, release: Release) -> bool | None:
    """Of a release that is not covered only the files are judged, and options that it certainly lacks."""
    stops = any(problem.fatal for problem in settings.problems) or any(
        note.kind is NoteKind.UNKNOWN for setting in settings.all for note in setting.notes
    )
    return settings.would_start if release.series or stops else None


def _would_start(answers: Sequence[bool | None]) -> bool | None:
    if not answers or any(answer is None for answer in answers):
        return False if False in answers else None
    return all(answers)
