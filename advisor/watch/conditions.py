"""Is a condition of `--when` true for a member now, and may it say so again? Conditions are written as in rules."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from advisor.check.known_names import alike, known_name
from advisor.conditions import Missing, Node, bind, decide, names
from advisor.errors import RuleError, UsageError
from advisor.evidence.member_facts import MemberFacts
from advisor.expressions import parse
from advisor.model.monitoring.now import LIVE_NAMES, ClusterNow, MemberNow
from advisor.model.record import record

_EXAMPLE: Final = "lag_seconds > 5"


@record
class Condition:
    """What to wait for: the text, the function of its tree, and whether it needs more than the figures of a second."""

    text: str
    node: Node
    needs_facts: bool


@record
class Happened:
    """A condition that became true, for a member, at an epoch time."""

    condition: str
    member: str
    at_seconds: float


def parse_condition(text: str) -> Condition:
    """The condition; UsageError, with what may have been meant, for one that can never be judged."""
    try:
        tree = parse(text)
    except RuleError as error:
        raise UsageError(f"--when {text!r}: {error.message}", hint=f"e.g. --when '{_EXAMPLE}'") from None
    if tree[0] not in ("and", "or", "not", "cmp", "in", "name", "call"):
        raise UsageError(f"--when {text!r}: not a condition", hint=f"e.g. --when '{_EXAMPLE}'")
    used = list(names(tree))
    for name in used:
        if name not in LIVE_NAMES and not known_name(name):
            begins = [known for known in LIVE_NAMES if known.startswith(f"{name}_")]
            near = begins or difflib.get_close_matches(name, LIVE_NAMES, n=1, cutoff=0.6) or [alike(name)]
            hint = f"did you mean {near[0]}?" if near[0] else f"names: {', '.join(LIVE_NAMES)}; others as in rules"
            raise UsageError(f"--when {text!r}: unknown name {name!r}", hint=hint)
    return Condition(text, bind(tree), any(name not in LIVE_NAMES for name in used))


class Conditions:
    """Judges conditions each second. One that was true is silent for `cool_down_seconds`, for all members.

    `tell` gets a line, once for each condition, where it cannot be judged for any member.
    """

    def __init__(self, every: Sequence[Condition], cool_down_seconds: float, tell: Callable[[str], None]) -> None:
        self._every, self._cool_down, self._tell = tuple(every), cool_down_seconds, tell
        self._silent_until: dict[str, float] = {}
        self._told: set[str] = set()
        self.needs_facts = any(condition.needs_facts for condition in every)

    def happened(self, now: ClusterNow, facts: Mapping[str, MemberFacts]) -> list[Happened]:
        """The conditions that are true now and may say so."""
        found = []
        for condition in self._every:
            if now.at_seconds < self._silent_until.get(condition.text, 0.0):
                continue
            member = self._true_for(condition, now, facts)
            if member:
                self._silent_until[condition.text] = now.at_seconds + self._cool_down
                found.append(Happened(condition.text, member, now.at_seconds))
        return found

    def _true_for(self, condition: Condition, now: ClusterNow, facts: Mapping[str, MemberFacts]) -> str:
        """The first member that it is true for, "" for none."""
        unknown: list[Missing] = []
        for member in now.members:
            try:
                answer = decide(condition.node, _lookup(member, facts.get(member.member)))
            except RuleError as error:
                self._tell_once(condition.text, error.message)
                return ""
            if answer is True:
                return member.member
            if isinstance(answer, Missing):
                unknown.append(answer)
        ready = not condition.needs_facts or facts
        if unknown and len(unknown) == len(now.members) and ready and not any(each.failure for each in now.members):
            self._tell_once(condition.text, f"{', '.join((*unknown[0].needs, *unknown[0].absent))} is not known")
        return ""

    def _tell_once(self, text: str, why: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._tell(f"--when '{text}' cannot be judged at present: {why}")


def _lookup(member: MemberNow, facts: MemberFacts | None) -> Callable[[str], Any]:
    def value(name: str) -> Any:
        if name in LIVE_NAMES:
            known = getattr(member, name)
            return Missing((name,)) if known is None else known
        return Missing((name,)) if facts is None or member.unreachable else facts.value(name)

    return value
