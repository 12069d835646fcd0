"""Which knobs can be tuned on this cluster, and what are its original settings? Reads everything, changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from advisor.bench.measure.host import HERE
from advisor.bench.open_cluster import open_cluster
from advisor.errors import ServerError, UsageError
from advisor.model.lab import ClusterFile
from advisor.model.record import replace
from advisor.model.server import Release
from advisor.model.tuning import Guarantee, Knob, Objective, SearchSpace
from advisor.nodes import Node
from advisor.tune.request.request import Request
from advisor.tune.space.host import CONNECTIONS, Machines, member_machines, memory_shares, smallest, this_host
from advisor.tune.space.member_values import applies_to_role, left_alone
from advisor.tune.space.resolve import load_space, restrict
from advisor.tune.state.journal import Originals
from advisor.tune.trial import restart
from advisor.tune.trial.apply_configuration import needs_restart
from advisor.tune.trial.read_settings import values_by_member
from advisor.tune.trial.run_trial import TuningTarget
from advisor.tune.trial.validate_config import unchecked
from advisor.units import show

_NO_RESTART: Final = "it needs a restart, but cluster.yaml does not say how to restart the servers"


def survey(cluster: ClusterFile, request: Request, tell: Callable[[str], None]) -> TuningTarget:
    """What is tuned. UsageError or ServerError when the cluster or the request does not permit it."""
    with open_cluster(cluster) as opened:
        if problems := opened.module.problems(opened.nodes):
            raise ServerError(
                f"{cluster.name} is not healthy: {'; '.join(problems)}", hint="run `advisor check` or `advisor why`"
            )
        release = _release(opened.nodes)
        space = _space(opened.cluster, release, request, tell)
        names = [knob.name for knob in (*space.knobs, *space.frozen)]
        values = values_by_member(opened.nodes, names)
        space = _fit(space, opened.cluster, release, values, _persisted(opened.nodes), request, tell)
        may_set(opened.nodes)
        if cannot := unchecked(cluster.members, opened.nodes, release):
            tell(cannot)
    members = cluster.members
    files = {member.name: option_file for member in members if (option_file := restart.option_file_of(member))}
    originals = Originals(
        cluster=cluster.path,
        values=_chosen(values, space.knobs),
        relied=_chosen(values, space.frozen),
        files=files,
    )
    untouched = left_alone(members, request.not_primary or request.objective == Objective.APPLY_RATE)
    return TuningTarget(opened.cluster, release, space, originals, untouched)


def _release(nodes: Sequence[Node]) -> Release:
    releases = {node.release for node in nodes if node.release}
    if len(releases) != 1:
        names = ", ".join(sorted(release.name for release in releases))
        raise UsageError(f"the members run different releases ({names})", hint="upgrade all members first")
    return releases.pop()


def _space(cluster: ClusterFile, release: Release, request: Request, tell: Callable[[str], None]) -> SearchSpace:
    """The knobs with the ranges of the smallest member; `tell` reports members of different size."""
    names = [member.name for member in cluster.members]
    machines = member_machines(request.host, names, _machine(cluster, request))
    space = load_space(str(cluster.topology), release, smallest(machines), request.folders)
    space = restrict(space, request.pins, request.excluded, [Guarantee(word) for word in request.allowed])
    space = replace(space, memory_shares=memory_shares(machines))
    if sentence := sizes_in_words(machines, space):
        tell(sentence)
    return space


def sizes_in_words(machines: Machines, space: SearchSpace) -> str:
    """How members of different size are tuned; "" where they are alike."""
    differing = [name for name in space.host if len({machine.get(name) for machine in machines.values()}) > 1]
    if not differing:
        return ""
    least = ", ".join(
        f"{name.removesuffix('_bytes').replace('_', ' ')} "
        f"{show(space.host[name], 'bytes' if name.endswith('_bytes') else '')}"
        for name in differing
    )
    sentence = f"the members differ in size: every range fits the smallest ({least})"
    scaled = ", ".join(knob.name for knob in space.knobs if knob.by_memory and not knob.choices)
    if not space.memory_shares or not scaled:
        return sentence
    shares = ", ".join(f"{share:.3g} times on {name}" for name, share in space.memory_shares.items() if share > 1)
    return f"{sentence}; {scaled} is in proportion to the memory: {shares}"


def _machine(cluster: ClusterFile, request: Request) -> Mapping[str, float]:
    """One member's share of this machine; that of other machines must be stated."""
    here = [member for member in cluster.members if member.start or member.host in HERE]
    connections = max(CONNECTIONS, float(request.threads))
    if len(here) < len(cluster.members):
        return {"connections": connections}
    folders = [member.option_file.rpartition("/")[0] or "/" for member in here]
    machine = this_host(folders[0] if here[0].start else "/")
    shared = {name: machine[name] / len(here) for name in ("memory_bytes", "disk_free_bytes")}
    return {**machine, **shared, "connections": connections}


def _fit(
    space: SearchSpace, cluster: ClusterFile, release: Release, values: Mapping[str, Mapping[str, str]],
    persisted: Mapping[str, str], request: Request, tell: Callable[[str], None],
) -> SearchSpace:  # fmt: skip
    """The space without the knobs that cannot be tuned here; `tell` reports each of them."""
    restartable = restart.can_restart(cluster)
    knobs: list[Knob] = []
    for knob in space.knobs:
        without = [
            member.name for member in cluster.members
            if applies_to_role(knob, member.role) and knob.name not in values[member.name]
        ]  # fmt: skip
        needs_a_restart = needs_restart(knob.name, release, cluster)
        why = ""
        if without:
            why = f"{', '.join(without)} does not have it"
        elif needs_a_restart and not restartable:
            why = _NO_RESTART
        elif needs_a_restart and knob.name in persisted:
            why = f"SET PERSIST on {persisted[knob.name]} overrides every option file"
        if why and knob.name in request.pins:
            raise UsageError(f"--pin {knob.name}: {why}")
        if why:
            tell(f"left out: {knob.name}: {why}")
        else:
            knobs.append(knob)
    protected = tuple(
        knob for knob in space.frozen if any(knob.name in member_settings for member_settings in values.values())
    )
    if not knobs:
        raise UsageError("no knob is left to tune")
    return replace(space, knobs=tuple(knobs), frozen=protected)


def _persisted(nodes: Sequence[Node]) -> dict[str, str]:
    """Variables in mysqld-auto.cnf → a member that has them there."""
    persisted: dict[str, str] = {}
    for node in nodes:
        try:
            rows = node.session.rows("SELECT VARIABLE_NAME AS name FROM performance_schema.persisted_variables")
        except ServerError:
            continue  # MariaDB, and MySQL before 8.0, have no such table
        persisted |= {str(row["name"]): node.name for row in rows}
    return persisted


def may_set(nodes: Sequence[Node]) -> None:
    """ServerError when the account may not set global variables: one is set to the value it has."""
    for node in nodes:
        value = node.session.pairs("SHOW GLOBAL VARIABLES WHERE Variable_name = 'max_connections'")["max_connections"]
        try:
            node.session.run(f"SET GLOBAL max_connections = {int(value)}")
        except ServerError as error:
            raise ServerError(
                f"{node.name}: {error.message}", number=error.number,
                hint="the account needs SYSTEM_VARIABLES_ADMIN on MySQL; on MariaDB, SUPER or the *_ADMIN privileges"
                " for these variables (such as CONNECTION ADMIN)",
            ) from None  # fmt: skip


def _chosen(values: Mapping[str, Mapping[str, str]], knobs: Sequence[Knob]) -> dict[str, dict[str, str]]:
    names = {knob.name for knob in knobs}
    return {member: {name: value for name, value in found.items() if name in names} for member, found in values.items()}
