"""What may be turned on this cluster, and how was it found? Looks at everything, touches nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from advisor.bench.measure.host import HERE
from advisor.bench.open_cluster import open_cluster
from advisor.errors import ServerError, UsageError
from advisor.model.lab import ClusterFile
from advisor.model.record import replace
from advisor.model.server import Release
from advisor.model.tuning import Guarantee, Knob, SearchSpace
from advisor.nodes import Node
from advisor.tune.request.request import Request
from advisor.tune.space.host import CONNECTIONS, host_from_options, this_host
from advisor.tune.space.placement import LEADING, applies_to_role
from advisor.tune.space.resolve import load_space, restrict
from advisor.tune.state.journal import Originals
from advisor.tune.trial import restart
from advisor.tune.trial.apply_settings import needs_restart
from advisor.tune.trial.environment import TuningTarget
from advisor.tune.trial.read_settings import values_by_member
from advisor.tune.trial.validate_config import unchecked

_NOBODY_SAID: Final = "which only a restart changes, and cluster.yaml does not say how its servers are restarted"


def survey(cluster: ClusterFile, request: Request, tell: Callable[[str], None]) -> TuningTarget:
    """The ground for trials. UsageError and ServerError when the cluster, or what was asked, is not fit for it."""
    with open_cluster(cluster) as opened:
        if problems := opened.module.problems(opened.nodes):
            raise ServerError(
                f"{cluster.name} is not healthy: {'; '.join(problems)}", hint="advisor check, advisor why"
            )
        release = _release(opened.nodes)
        space = _space(opened.cluster, release, request)
        names = [knob.name for knob in (*space.knobs, *space.frozen)]
        values = values_by_member(opened.nodes, names)
        space = _fit(space, opened.cluster, release, values, _persisted(opened.nodes), request, tell)
        _may_set(opened.nodes)
        if cannot := unchecked(cluster.members, opened.nodes, release):
            tell(cannot)
    members = cluster.members
    files = {member.name: found for member in members if (found := restart.option_file_of(member))}
    originals = Originals(
        cluster=cluster.path,
        values=_chosen(values, space.knobs),
        relied=_chosen(values, space.frozen),
        files=files,
    )
    untouched = tuple(member.name for member in members if request.not_primary and member.role in LEADING)
    return TuningTarget(opened.cluster, release, space, originals, untouched)


def _release(nodes: Sequence[Node]) -> Release:
    found = {node.release for node in nodes if node.release}
    if len(found) != 1:
        names = ", ".join(sorted(release.name for release in found))
        raise UsageError(f"the members run different releases ({names})", hint="tune when all are upgraded")
    return found.pop()


def _space(cluster: ClusterFile, release: Release, request: Request) -> SearchSpace:
    machine = host_from_options(request.host, _machine(cluster, request))
    space = load_space(str(cluster.topology), release, machine, request.folders)
    return restrict(space, request.pins, request.excluded, [Guarantee(word) for word in request.allowed])


def _machine(cluster: ClusterFile, request: Request) -> Mapping[str, float]:
    """One member's share of this machine; what is elsewhere must be stated."""
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
    """The space without knobs that cannot be turned here; what is left out is told."""
    restartable = restart.can_restart(cluster)
    kept: list[Knob] = []
    for knob in space.knobs:
        lacking = [
            member.name for member in cluster.members
            if applies_to_role(knob, member.role) and knob.name not in values[member.name]
        ]  # fmt: skip
        static = needs_restart(knob.name, release, cluster)
        why = ""
        if lacking:
            why = f"which {', '.join(lacking)} does not have"
        elif static and not restartable:
            why = _NOBODY_SAID
        elif static and knob.name in persisted:
            why = f"which SET PERSIST holds on {persisted[knob.name]}: it wins over every option file"
        if why and knob.name in request.pins:
            raise UsageError(f"--pin {knob.name}, {why}")
        if why:
            tell(f"left out: {knob.name}, {why}")
        else:
            kept.append(knob)
    everywhere = tuple(knob for knob in space.frozen if any(knob.name in found for found in values.values()))
    if not kept:
        raise UsageError("no knob is left to turn")
    return replace(space, knobs=tuple(kept), frozen=everywhere)


def _persisted(nodes: Sequence[Node]) -> dict[str, str]:
    """Variables in mysqld-auto.cnf → a member that has them there."""
    found: dict[str, str] = {}
    for node in nodes:
        try:
            rows = node.session.rows("SELECT VARIABLE_NAME AS name FROM performance_schema.persisted_variables")
        except ServerError:
            continue  # MariaDB, and MySQL before 8.0, have no such table
        found |= {str(row["name"]): node.name for row in rows}
    return found


def _may_set(nodes: Sequence[Node]) -> None:
    """ServerError when the account may not set global variables: one is set to what it is."""
    for node in nodes:
        value = node.session.pairs("SHOW GLOBAL VARIABLES WHERE Variable_name = 'max_connections'")["max_connections"]
        try:
            node.session.run(f"SET GLOBAL max_connections = {int(value)}")
        except ServerError as error:
            raise ServerError(
                f"{node.name}: {error.message}", number=error.number,
                hint="the account needs SYSTEM_VARIABLES_ADMIN (MySQL), SUPER or the admin privileges (MariaDB)",
            ) from None  # fmt: skip


def _chosen(values: Mapping[str, Mapping[str, str]], knobs: Sequence[Knob]) -> dict[str, dict[str, str]]:
    names = {knob.name for knob in knobs}
    return {member: {name: value for name, value in found.items() if name in names} for member, found in values.items()}
