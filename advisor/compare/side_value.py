"""Which value has a quantity on one side, in every release that the side may be?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.compare.contradicted_files import contradiction, is_whole_dump
from advisor.compare.equality import alike
from advisor.conditions import Missing, bind, decide, satisfies
from advisor.errors import RuleError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.comparison.comparability import SideValue, ValueState
from advisor.model.comparison.quantity import Quantity
from advisor.model.evidence import Fact
from advisor.model.record import replace
from advisor.model.server import Release


def side_value(quantity: Quantity, views: Sequence[MemberFacts]) -> SideValue:
    """The quantity as all the releases that a member may be have it; without reasons, which only differences need."""
    each = [_in_release(quantity, view) for view in views]
    known = [value for value in each if value.state is not ValueState.NOT_APPLICABLE]
    if not known:
        return SideValue(ValueState.NOT_APPLICABLE)
    missing = tuple(dict.fromkeys(name for value in each for name in value.missing))
    if len(known) < len(each) or any(value.state is ValueState.UNKNOWN for value in known):
        doubt = next((value.doubt for value in known if value.doubt), "")
        return SideValue(ValueState.UNKNOWN, missing=missing or ("the release",), doubt=doubt)
    facts: list[Fact] = []
    for fact in (value.values[0] for value in known):
        if not any(alike(quantity, fact.value, other.value) for other in facts):
            facts.append(fact)
    return SideValue(ValueState.KNOWN if len(facts) == 1 else ValueState.SEVERAL, tuple(facts))


def name_in(quantity: Quantity, view: MemberFacts) -> str:
    """The first of the quantity's names that this release has; the first of all where it has none."""
    return next((name for name in quantity.names if view.exists(name)), quantity.names[0])


def unit_in(quantity: Quantity, view: MemberFacts) -> str:
    """The unit of the quantity's value; "" where it has none, or there is no value."""
    found = view.fact(name_in(quantity, view))
    return quantity.unit or (found.unit if isinstance(found, Fact) else "")


def is_default(found: Fact) -> bool:
    """Whether nobody set the value, and nobody saw it."""
    return found.source.startswith("default of ")


def applies_to(applies: object, release: Release) -> bool:
    """Whether a release is among those that an `applies_to` names; an empty one names all."""
    wanted = dict(applies) if applies else {}  # type: ignore[call-overload]
    if "mysql" in wanted or "mariadb" in wanted:
        constraint = wanted.get(str(release.family))
        if constraint is None or not satisfies(release.version, str(constraint)):
            return False
    return "vendors" not in wanted or release.vendor in wanted["vendors"]


def inputs_of(name: str, view: MemberFacts) -> Iterator[str]:
    """What a value was read from: the variable itself, or everything that a derived fact asked for."""
    if not name.startswith("fact."):
        yield name
        return
    for read in dict.fromkeys(view.inputs(name)):
        if not read.startswith(("fact.", "configured.")):
            yield read


def _in_release(quantity: Quantity, view: MemberFacts) -> SideValue:
    if not applies_to(quantity.applies, view.release):
        return SideValue(ValueState.NOT_APPLICABLE)
    exists = _exists(quantity, view)
    if exists is False:
        return SideValue(ValueState.NOT_APPLICABLE)
    if isinstance(exists, Missing):
        return SideValue(ValueState.UNKNOWN, missing=exists.needs)
    name = name_in(quantity, view)
    found = view.fact(name)
    if quantity.absent and isinstance(found, Fact) and _is_not_built_in(name, found, view):
        found = Missing(absent=(name,))
    if isinstance(found, Missing):
        return _without_value(quantity, found, view)
    if doubt := _doubt(name, view):
        return SideValue(ValueState.UNKNOWN, missing=(name,), doubt=doubt)
    return SideValue(ValueState.KNOWN, (replace(found, unit=quantity.unit or found.unit),))


def _exists(quantity: Quantity, view: MemberFacts) -> bool | Missing:
    if quantity.when is None:
        return True
    try:
        truth = decide(bind(quantity.when), view.value)
    except RuleError:
        return Missing(("a value that can be read",))  # a broken dump has a text where a number is meant
    return False if isinstance(truth, Missing) and not truth.needs else truth


def _without_value(quantity: Quantity, found: Missing, view: MemberFacts) -> SideValue:
    """Unknown, or, in a release that has none of the names, what it does all the same."""
    if found.needs:
        return SideValue(ValueState.UNKNOWN, missing=found.needs)
    if not quantity.absent:
        return SideValue(ValueState.NOT_APPLICABLE)
    source = f"{view.release.label} has no {found.absent[0]}"
    return SideValue(ValueState.KNOWN, (Fact(quantity.names[0], quantity.absent, quantity.unit, source),))


def _is_not_built_in(name: str, found: Fact, view: MemberFacts) -> bool:
    """Whether the release has a variable that this server does not: its build or its plugins lack it."""
    return is_default(found) and name not in view.running and is_whole_dump(view)


def _doubt(name: str, view: MemberFacts) -> str:
    """Why the value is not certain although a file or a default gives it; "" where it is."""
    facts = [(read, view.fact(read)) for read in inputs_of(name, view)]
    believed = [
        read
        for read, found in facts
        if isinstance(found, Fact) and read not in view.running and (is_default(found) or view.setting(read))
    ]
    return contradiction(view) if believed else ""
