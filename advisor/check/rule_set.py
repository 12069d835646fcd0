"""Which rules are judged, and which of them apply to a release? Prepared once for all files of a run."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.check.message import used_names
from advisor.conditions import Node, bind, satisfies
from advisor.model.rules import Rule
from advisor.model.server import Release


class RuleSet:
    """The rules of a run without the retired ones. Conditions are bound when a rule is first needed."""

    __slots__ = ("_conditions", "_names", "_not_applicable", "given", "rules")

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.given = rules
        self.rules = tuple(rule for rule in rules if rule.status != "retired")
        self._conditions: dict[str, Node] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._not_applicable: dict[Release, frozenset[str]] = {}

    def not_applicable(self, release: Release) -> frozenset[str]:
        """The ids of the rules that do not apply to this release."""
        ids = self._not_applicable.get(release)
        if ids is None:
            ids = frozenset(rule.id for rule in self.rules if not _applies(rule, release))
            self._not_applicable[release] = ids
        return ids

    def condition(self, rule: Rule) -> Node:
        """The rule's `when` as a function."""
        condition = self._conditions.get(rule.id)
        if condition is None:
            condition = self._conditions[rule.id] = bind(rule.tree)
        return condition

    def names(self, rule: Rule) -> tuple[str, ...]:
        """Every name the rule reads or shows."""
        names = self._names.get(rule.id)
        if names is None:
            names = self._names[rule.id] = used_names(rule)
        return names


_latest: list[RuleSet] = []


def rule_set_of(rules: Sequence[Rule]) -> RuleSet:
    """The set of these rules, kept for the next file of the run, which brings the same ones."""
    if not _latest or _latest[0].given is not rules:
        _latest[:] = [RuleSet(rules)]
    return _latest[0]


def _applies(rule: Rule, release: Release) -> bool:
    """Whether family, version and vendor are those the rule is for."""
    wanted = rule.applies
    if "mysql" in wanted or "mariadb" in wanted:
        constraint = wanted.get(str(release.family))
        if constraint is None or not satisfies(release.version, str(constraint)):
            return False
    return "vendors" not in wanted or release.vendor in wanted["vendors"]
