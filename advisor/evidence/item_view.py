"""A view that also has one item of a list fact: `item.<name>` for rules that are judged once per item."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.annotations import Any
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.model.server import Release


class ItemView:
    """Like its view, and knows `item.<name>`. Items carry "key" (what tells them apart) and "source" (file:line)."""

    def __init__(self, view: MemberFacts, item: Mapping[str, Any]) -> None:
        self.view, self.item = view, item
        self.member: Member = view.member
        self.release: Release = view.release

    def __getattr__(self, name: str) -> Any:
        """What else the view has: items are many, so it is not copied to each of them."""
        return getattr(self.view, name)

    def fact(self, name: str) -> Fact | Missing:
        """The fact a name stands for, or Missing."""
        if not name.startswith("item."):
            return self.view.fact(name)
        value = self.item.get(name[5:])
        return Missing((name,)) if value is None else Fact(name, value, "", str(self.item.get("source", "")))

    def value(self, name: str) -> Any:
        """The value a name stands for, or Missing."""
        if not name.startswith("item."):
            return self.view.value(name)
        value = self.item.get(name[5:])
        return Missing((name,)) if value is None else value
