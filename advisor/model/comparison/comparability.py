"""In which quantities do servers differ, why, and does that make their results incomparable?"""

from __future__ import annotations

from enum import StrEnum

from advisor.model.comparison.quantity import Effect, Quantity
from advisor.model.evidence import Fact
from advisor.model.record import record


class ValueState(StrEnum):
    """How much is known of a quantity on one side."""

    KNOWN = "known"
    SEVERAL = "several"  # it depends on the release, of which several are possible
    UNKNOWN = "unknown"  # the evidence does not show it
    NOT_APPLICABLE = "not_applicable"  # the quantity does not exist on this server


class ReasonKind(StrEnum):
    """Where a value in effect comes from."""

    SET = "set"  # a line of an option file, or a running value that is not the default
    DEFAULT = "default"
    IGNORED = "ignored"  # an option in the file that this release ignores, or does not have
    CHANGED = "changed"  # the server takes the option otherwise than it is written
    REMARK = "remark"  # what the release makes of it
    OBSERVED = "observed"  # a counter, the host, or what people observed


@record
class Reason:
    """One piece of why a quantity has its value: `text` with its `source` (file:line, or words)."""

    kind: ReasonKind
    text: str
    source: str = ""
    name: str = ""


@record
class SideValue:
    """A quantity on one side. `values`: one if known, several where it depends on the release; equal ones once.

    `missing`: the names without evidence. `doubt`: why what the option file says cannot be trusted; "" where it can.
    """

    state: ValueState
    values: tuple[Fact, ...] = ()
    reasons: tuple[Reason, ...] = ()
    missing: tuple[str, ...] = ()
    doubt: str = ""


class Outcome(StrEnum):
    """What comparing one side with the first one gives, for one quantity."""

    ALIKE = "alike"
    DIFFERS = "differs"
    UNKNOWN = "unknown"
    NOT_COMPARED = "not_compared"  # it does not exist on one of them


@record
class ComparedQuantity:
    """A quantity on every side, in their order. `outcomes`: each side against the first, which is ALIKE.

    `members`: the members of the first side that this holds for; () for all of them.
    """

    quantity: Quantity
    sides: tuple[SideValue, ...]
    outcomes: tuple[Outcome, ...]
    members: tuple[str, ...] = ()

    def any(self, outcome: Outcome) -> bool:
        """Whether a side stands like that to the first."""
        return outcome in self.outcomes


@record
class OtherSetting:
    """A variable that differs and belongs to no quantity. `values`: a text for each side, None where it has none.

    `why`: why it cannot matter for the write rate; "" where nobody has judged it.
    """

    name: str
    values: tuple[str | None, ...]
    why: str = ""
    members: tuple[str, ...] = ()


@record
class ComparedSide:
    """One side as it was read. `releases`: labels, one for each possible release; `inferred`: how they were found.

    `starts`: False where the server refuses these options, in all possible releases. `unmatched`: members that stand
    against no member of the first side.
    """

    label: str
    path: str
    releases: tuple[str, ...]
    topology: str = ""
    members: tuple[str, ...] = ()
    inferred: str = ""
    starts: bool | None = None
    problems: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()


@record
class Comparability:
    """The answer. `comparable`: for each side whether it is comparable with the first; None: nothing known decides
    against it, but something that could is unknown.

    `groups`: positions of sides that are comparable with each other, each side in one group.
    """

    sides: tuple[ComparedSide, ...]
    quantities: tuple[ComparedQuantity, ...]
    others: tuple[OtherSetting, ...]
    comparable: tuple[bool | None, ...]
    groups: tuple[tuple[int, ...], ...]

    def of(self, effect: Effect, outcome: Outcome) -> tuple[ComparedQuantity, ...]:
        """The quantities with that effect where a side stands like that to the first."""
        return tuple(each for each in self.quantities if each.quantity.effect is effect and each.any(outcome))
