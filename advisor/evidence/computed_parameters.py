"""Which values do the formulas of parameter groups have on the machine that the user states?

RDS subtracts the memory that it needs itself before it computes (DBInstanceClassMemory in
https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_ParamValuesRef.html), so the values are upper bounds.
"""

from __future__ import annotations

from typing import Final

from advisor.evidence.formats.deployment.parameter_formula import (
    IS_REPLICA,
    MEMORY,
    VCPUS,
    Computed,
    compute,
    is_formula,
)
from advisor.model.evidence import Cluster, Fact, Member
from advisor.model.record import replace
from advisor.model.server import Role

_REPLICAS: Final = (Role.REPLICA, Role.SECONDARY)
_NAMED_AT_MOST: Final = 8
_WAYS: Final = {MEMORY: "--host memory=16G", VCPUS: "--host cpus=4", IS_REPLICA: "--role source or --role replica"}


def with_computed_parameters(cluster: Cluster) -> Cluster:
    """The cluster with the values of formulas, and remarks on those that stay unknown."""
    if not any(is_formula(fact.value) for member in cluster.members for fact in member.variables.values()):
        return cluster
    problems = list(cluster.problems)
    members = tuple(_computed(member, problems) for member in cluster.members)
    return replace(cluster, members=members, problems=tuple(dict.fromkeys(problems)))


def _computed(member: Member, problems: list[str]) -> Member:
    known = _known(member)
    formulas = {name: fact for name, fact in member.variables.items() if is_formula(fact.value)}
    results = {name: compute(str(fact.value), known) for name, fact in formulas.items()}
    if not results:
        return member
    values = {
        name: Fact(name, str(result.value), "", formulas[name].source)
        for name, result in results.items()
        if result.value is not None
    }
    file = next(iter(formulas.values())).source.rpartition(":")[0] or next(iter(formulas.values())).source
    problems.extend(_remarks(file, formulas, results, member))
    return replace(member, variables={**member.variables, **values})


def _known(member: Member) -> dict[str, int]:
    """The variables of formulas that the machine and the role give."""
    known = {}
    for name, fact in ((MEMORY, member.host.get("memory_bytes")), (VCPUS, member.host.get("cpus"))):
        if fact is not None and isinstance(fact.value, int | float):
            known[name] = int(fact.value)
    if member.role is not None:
        known[IS_REPLICA] = int(member.role in _REPLICAS)
    return known


def _remarks(file: str, formulas: dict[str, Fact], results: dict[str, Computed], member: Member) -> list[str]:
    remarks = []
    computed = [f"{name} = {result.value}" for name, result in results.items() if result.value is not None]
    if computed:
        by_memory = any(MEMORY in str(formulas[name].value) for name, r in results.items() if r.value is not None)
        bound = "; RDS counts somewhat less memory, so real values are lower" if by_memory else ""
        remarks.append(f"{file}: computed from formulas: {_listed(computed)}{bound}")
    for variable in dict.fromkeys(need for result in results.values() for need in result.needs):
        names = [name for name, result in results.items() if variable in result.needs]
        way = f" ({_WAYS[variable]})" if variable in _WAYS else ""
        remarks.append(f"{file}: formulas need {variable}{way}, so these values are unknown: {_listed(names)}")
    remarks += [
        f"{formulas[name].source}: the formula {name} = {formulas[name].value} is not understood; its value is unknown"
        for name, result in results.items()
        if not result.understood
    ]
    return remarks


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED_AT_MOST} more" if len(names) > _NAMED_AT_MOST else ""
    return ", ".join(names[:_NAMED_AT_MOST]) + more
