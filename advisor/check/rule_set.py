"""Which rules are judged, and which of them speak about a release? Made ready once for all files of a run."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.check.message import used_names
from advisor.conditions import Node, bind, satisfies
from advisor.model.rules import Rule
from advisor.model.server import Release


class Bench:
    """The rules of a run without the retired ones. Conditions are bound when a rule is first needed."""

    __slots__ = ("_conditions", "_names", "_silent", "given", "rules")

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.given = rules
        self.rules = tuple(rule for rule in rules if rule.status != "retired")
        self._conditions: dict[str, Node] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._silent: dict[Release, frozenset[str]] = {}

    def silent(self, release: Release) -> frozenset[str]:
        """The ids of the rules that do not speak about this release."""
        found = self._silent.get(release)
        if found is None:
            found = frozenset(rule.id for rule in self.rules if not _speaks(rule, release))
            self._silent[release] = found
        return found

    def condition(self, rule: Rule) -> Node:
        """The rule's `when` as a function."""
        found = self._conditions.get(rule.id)
        if found is None:
            found = self._conditions[rule.id] = bind(rule.tree)
        return found

    def names(self, rule: Rule) -> tuple[str, ...]:
        """Every name the rule reads or shows."""
        found = self._names.get(rule.id)
        if found is None:
            found = self._names[rule.id] = used_names(rule)
        return found


_last: list[Bench] = []


def bench_of(rules: Sequence[Rule]) -> Bench:
    """The bench of these rules; kept for the next file of the run, which brings the same ones."""
    if not _last or _last[0].given is not rules:
        _last[:] = [Bench(rules)]
    return _last[0]


def _speaks(rule: Rule, release: Release) -> bool:
    """Whether family, version and vendor are those the rule is for."""
    wanted = rule.applies
    if "mysql" in wanted or "mariadb" in wanted:
        constraint = wanted.get(str(release.family))
        if constraint is None or not satisfies(release.version, str(constraint)):
            return False
    return "vendors" not in wanted or release.vendor in wanted["vendors"]
