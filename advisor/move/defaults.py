"""Which defaults differ between the releases, of variables that the files do not set?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from advisor.annotations import Final
from advisor.catalog import canonical, computed_from, load, spelling
from advisor.conditions import bind
from advisor.evidence.member_facts import MemberFacts
from advisor.model.catalog import NO_DEFAULT, Value, Variable, VariableType
from advisor.model.move import DefaultChange, DefaultClaim, Matter
from advisor.model.record import record, replace
from advisor.model.server import Release
from advisor.move.scope import covers
from advisor.options.plugins import provided

# What decides a variable besides its own option. The servers derive all of these from character_set_server
# (https://dev.mysql.com/doc/refman/8.4/en/charset-server.html).
_FOLLOWS: Final = dict.fromkeys(
    "collation_server character_set_database collation_database character_set_client character_set_connection"
    " character_set_results collation_connection".split(),
    ("character_set_server",),
)
_LISTS: Final = (VariableType.SET, VariableType.FLAGSET)


@record
class Named:
    """What the files of one server settle, by canonical names, and the plugins that they load."""

    names: frozenset[str]
    plugins: frozenset[str]


@record
class ChangedDefaults:
    """The changes, those with a claim first, and how many defaults are not known for one of the two releases."""

    changes: tuple[DefaultChange, ...]
    unknown: int


def changed_defaults(
    origins: Sequence[Release], target: Release, claims: Sequence[DefaultClaim], named: Named, view: MemberFacts
) -> ChangedDefaults:
    """The defaults that differ. `origins`: the releases that the server may be now; `view`: it as one of them."""
    fitting = [claim for claim in claims if _fits(claim, origins, target, view)]
    before, after = [_variables(origin) for origin in origins], _variables(target)
    shared = [name for name in after if any(name in known for known in before) and not _is_settled(name, named)]
    compared = {name: _compared(name, [known.get(name) for known in before], after[name]) for name in shared}
    found = {name: change for name, change in compared.items() if isinstance(change, DefaultChange)}
    changes = {name: replace(change, claim=_claim_for(change, fitting)) for name, change in found.items()}
    changes |= {change.name: change for change in _stated(fitting, named)}
    ranked = sorted(changes.values(), key=_weight)
    owned = tuple(_with_owner(_spelt(change, origins[-1], target), named, target) for change in ranked)
    return ChangedDefaults(owned, sum(change is None for change in compared.values()))


def _fits(claim: DefaultClaim, origins: Sequence[Release], target: Release, view: MemberFacts) -> bool:
    if not covers(claim.target, target) or not any(covers(claim.origin, origin) for origin in origins):
        return False
    return claim.tree is None or bind(claim.tree)(view.value) is True


@lru_cache(maxsize=16)
def _variables(release: Release) -> Mapping[str, Variable]:
    """The variables of a release by canonical name, each in its newest spelling. The caller must not change it."""
    catalog = load(release)
    found: dict[str, Variable] = {}
    for name in catalog.names():
        one = canonical(name, release.family)
        variable = catalog.get(spelling(one, release) or name)
        if variable is not None and (variable.option or variable.dynamic):  # the others report, nobody sets them
            found.setdefault(one, variable)
    return found


def _is_settled(name: str, named: Named) -> bool:
    """Whether the files set the variable, or one that it follows."""
    return not named.names.isdisjoint((name, *_FOLLOWS.get(name, ()), *computed_from(name)))


def _compared(name: str, before: Sequence[Variable | None], after: Variable) -> DefaultChange | bool | None:
    """The change; True where the defaults are equal; None where one of them is not known."""
    known = [variable for variable in before if variable is not None]
    every = (*known, after)
    if any(variable.option_only and variable.default is None for variable in every):
        return True  # an option that is no variable shows no default
    if all(variable.auto for variable in every):
        return True  # computed by both, as far as the catalogue knows by the same rule; claims name those that changed
    if any(variable.default is NO_DEFAULT and not variable.auto for variable in every):
        return None
    differs = [variable.auto != after.auto or not _is_equal(variable, after) for variable in known]
    if not any(differs):
        return True
    was = tuple(dict.fromkeys(_shown(variable) for variable in known))
    return DefaultChange(name, known[-1].name, was, _shown(after), certain=all(differs))


def _shown(variable: Variable) -> Value:
    """The default; one that the server computes is no value."""
    return None if variable.default is NO_DEFAULT else variable.default  # type: ignore[return-value]  # else a Value


def _is_equal(before: Variable, after: Variable) -> bool:
    """Whether the defaults are the same, whatever the types: a switch that became a word (innodb_doublewrite) is."""
    one, other = as_text(_shown(before)), as_text(_shown(after))
    if before.type in _LISTS and after.type in _LISTS:
        return set(one.lower().split(",")) == set(other.lower().split(","))
    return one.lower() == other.lower()


def as_text(value: Value) -> str:
    """A default as SET takes it; no value is the empty text."""
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return "" if value is None else str(value)


def _claim_for(change: DefaultChange, claims: Sequence[DefaultClaim]) -> DefaultClaim | None:
    """The first claim about this change."""
    was = {as_text(value).lower() for value in change.was}
    for claim in claims:
        if claim.stated or claim.name != change.name:
            continue
        from_here, to_there = claim.was.lower(), claim.now.lower()
        if (not from_here or from_here in was) and (not to_there or to_there == as_text(change.now).lower()):
            return claim
    return None


def _stated(claims: Sequence[DefaultClaim], named: Named) -> Iterator[DefaultChange]:
    """The changes that claims state themselves; the first of a name counts."""
    told: set[str] = set()
    for claim in claims:
        if not claim.stated or claim.name in told or not named.names.isdisjoint((claim.name, *claim.unless)):
            continue
        told.add(claim.name)
        yield DefaultChange(claim.name, claim.name, (claim.was,), claim.now, claim, stated=True)


def _spelt(change: DefaultChange, origin: Release, target: Release) -> DefaultChange:
    """The change in the target's spelling, with how the target computes the default where it does."""
    name = spelling(change.name, target) or change.name
    catalog = load(target)
    variable = catalog.get(name)
    computed = ""
    if variable is not None and variable.auto and not change.stated:
        computed = catalog.automatic(name) or "from the machine or from other settings"
    return replace(change, name=name, old_name=spelling(change.name, origin) or change.name, computed=computed)


def _with_owner(change: DefaultChange, named: Named, target: Release) -> DefaultChange:
    """The change with the plugin that the variable belongs to, and whether the files load it."""
    variable = load(target).get(change.name)
    if variable is None:
        return change
    owner = variable.owner or ("plugin:group_replication" if variable.name.startswith("group_replication_") else "")
    if not owner:
        return change
    is_loaded = provided(replace(variable, owner=owner), named.plugins) or owner in named.plugins
    return replace(change, owner=owner, loaded=is_loaded)


def _weight(change: DefaultChange) -> tuple[int, int, str]:
    """Those with a claim first, by the heaviest matter it names."""
    if change.claim is None:
        return (1, 0, change.name)
    order = list(Matter)
    return (0, min(order.index(matter) for matter in change.claim.matters), change.name)
