"""What does the JSON report of `advisor compare` contain? The file in schemas/ is made from these dataclasses."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.comparison.comparability import (
    Comparability,
    ComparedQuantity,
    ComparedSide,
    OtherSetting,
    Outcome,
    SideValue,
    ValueState,
)
from advisor.report.compare.wording import answer, show_value
from advisor.report.words.json_pieces import Because, because_of

SCHEMA: Final = "advisor/comparison/1"


@dataclass(frozen=True, slots=True)
class SideRead:
    """One side. `comparable`: with the first side; null: something unknown could decide. `starts`: null: not known.

    `inferred`: how the releases were found, "" where they are stated. `unmatched`: members without a counterpart.
    """

    label: str
    path: str
    releases: list[str]
    inferred: str
    topology: str
    members: list[str]
    unmatched: list[str]
    starts: bool | None
    comparable: bool | None
    problems: list[str]


@dataclass(frozen=True, slots=True)
class ReasonGiven:
    """Why a value is what it is. `kind`: set, default, ignored, changed, remark, observed.

    `source` is "file:line" or words.
    """

    kind: str
    name: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class ValueRead:
    """A quantity on one side. `state`: known, several (it depends on the release), unknown, not_applicable.

    `outcome` against the first side: alike, differs, unknown, not_compared. `missing`: names without evidence.
    """

    side: str
    state: str
    outcome: str
    values: list[Because]
    shown: str
    reasons: list[ReasonGiven]
    missing: list[str]
    doubt: str


@dataclass(frozen=True, slots=True)
class QuantityCompared:
    """A quantity that differs or is not known somewhere. `effect`: decides, may_matter, none, outcome (a result).

    `members`: the members of the first side that this holds for; empty for all.
    """

    quantity: str
    title: str
    area: str
    effect: str
    members: list[str]
    values: list[ValueRead]
    why: str
    see: list[str]


@dataclass(frozen=True, slots=True)
class OtherVariable:
    """A variable that differs and belongs to no quantity. `values` by side, null where a side has none.

    `why`: why it does not matter for the write rate; "" where nobody judged it.
    """

    name: str
    members: list[str]
    values: dict[str, str | None]
    why: str


@dataclass(frozen=True, slots=True)
class ComparisonDocument:
    """The report. `comparable`: true if every side is comparable with the first, null if that is not known.

    `groups`: labels of sides that are comparable with each other. `alike`: the quantities that are equal everywhere.
    """

    schema: str
    answer: str
    comparable: bool | None
    sides: list[SideRead]
    groups: list[list[str]]
    quantities: list[QuantityCompared]
    alike: list[str]
    other_variables: list[OtherVariable]


def document(comparison: Comparability) -> ComparisonDocument:
    """The comparison as the JSON report has it."""
    told = [each for each in comparison.quantities if _is_told(each)]
    alike = [each.quantity.id for each in comparison.quantities if each not in told and each.sides[0].values]
    return ComparisonDocument(
        schema=SCHEMA,
        answer=answer(comparison),
        comparable=overall(comparison),
        sides=[_side(side, verdict) for side, verdict in zip(comparison.sides, comparison.comparable, strict=True)],
        groups=[[comparison.sides[at].label for at in group] for group in comparison.groups],
        quantities=[_quantity(each, comparison) for each in told],
        alike=list(dict.fromkeys(alike)),
        other_variables=[_other(each, comparison) for each in comparison.others],
    )


def overall(comparison: Comparability) -> bool | None:
    """False if any side is not comparable with the first, else None if that is not known of one."""
    if False in comparison.comparable:
        return False
    return None if None in comparison.comparable else True


def render(comparison: Comparability) -> str:
    """The document as UTF-8 text, indented by two."""
    text = json.dumps(asdict(document(comparison)), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _is_told(compared: ComparedQuantity) -> bool:
    """What is not the same everywhere, and what was measured."""
    result = compared.quantity.effect == "outcome" and any(value.values for value in compared.sides)
    return result or any(outcome is not Outcome.ALIKE for outcome in compared.outcomes)


def _side(side: ComparedSide, comparable: bool | None) -> SideRead:
    return SideRead(
        label=side.label,
        path=side.path,
        releases=list(side.releases),
        inferred=side.inferred,
        topology=side.topology,
        members=list(side.members),
        unmatched=list(side.unmatched),
        starts=side.starts,
        comparable=comparable,
        problems=list(side.problems),
    )


def _quantity(compared: ComparedQuantity, comparison: Comparability) -> QuantityCompared:
    quantity = compared.quantity
    return QuantityCompared(
        quantity=quantity.id,
        title=quantity.title,
        area=str(quantity.area),
        effect=str(quantity.effect),
        members=list(compared.members),
        values=[
            _value(side, value, outcome)
            for side, value, outcome in zip(comparison.sides, compared.sides, compared.outcomes, strict=True)
        ],
        why=quantity.why,
        see=list(quantity.see),
    )


def _value(side: ComparedSide, value: SideValue, outcome: Outcome) -> ValueRead:
    return ValueRead(
        side=side.label,
        state=str(value.state),
        outcome=str(outcome),
        values=[because_of(fact) for fact in value.values],
        shown=show_value(value) if value.state is not ValueState.NOT_APPLICABLE else "",
        reasons=[ReasonGiven(str(r.kind), r.name, r.text, r.source) for r in value.reasons],
        missing=list(value.missing),
        doubt=value.doubt,
    )


def _other(other: OtherSetting, comparison: Comparability) -> OtherVariable:
    labels = [side.label for side in comparison.sides]
    return OtherVariable(other.name, list(other.members), dict(zip(labels, other.values, strict=True)), other.why)
