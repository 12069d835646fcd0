"""What does a move to another release mean for a cluster? Everything of `advisor move`, without writing anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.check.possible_releases import possible_releases
from advisor.conditions import Missing, bind
from advisor.errors import InputError, UsageError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Cluster, Member
from advisor.model.move import Direction, FeatureClaim, FeatureFound, Move, PathClaim, StepClaim
from advisor.model.record import record
from advisor.model.server import Release, Topology
from advisor.move.claims import Claims, load_claims
from advisor.move.member import MemberRequest, member_move
from advisor.move.scope import covers, direction_of
from advisor.move.topology import plan_topology
from advisor.options import resolve


@record
class _Seen:
    """A member as the newest release that it may be now, and all of these releases."""

    view: MemberFacts
    releases: tuple[Release, ...]
    inference: str

    @property
    def release(self) -> Release:
        """The newest release that it may be."""
        return self.releases[-1]


def plan_move(
    cluster: Cluster,
    stated: Sequence[Release],
    target: Release | None,
    root: str = "/",
    to_topology: Topology | None = None,
) -> Move:
    """The move of a cluster. `stated`: the releases that --server names, () for those that the evidence allows.

    `target` None: the release stays, and only the topology changes.

    UsageError when the evidence fits several series. Files are read again from this disk, with their secrets.
    """
    claims = load_claims()
    seen = [_seen(member, cluster, stated) for member in cluster.members]
    for each in seen:
        each.view.peers = [other.view for other in seen]
    target = target or seen[0].release
    direction = direction_of(seen[0].release, target)
    topology = cluster.topology
    requests = [MemberRequest(each.view, each.releases, each.inference, target, claims, root) for each in seen]
    return Move(
        path=cluster.path,
        target=target,
        direction=direction,
        topology=topology,
        topology_source=cluster.topology_source,
        members=tuple(member_move(request) for request in requests),
        route=_route(claims, seen[0].release, target, direction, topology),
        features=tuple(_features(claims, seen, target, direction, topology)),
        steps=_steps(claims, seen[0].release, target, direction, topology),
        problems=cluster.problems,
        topology_move=plan_topology([each.view for each in seen], topology, to_topology, target)
        if to_topology
        else None,
    )


def _seen(member: Member, cluster: Cluster, stated: Sequence[Release]) -> _Seen:
    possible = possible_releases(member, stated)
    releases = possible.releases
    series = list(dict.fromkeys(f"{release.vendor or release.family}-{release.series}" for release in releases))
    if len(series) > 1:
        raise UsageError(
            "it is not known which release the server is now",
            file=cluster.path,
            hint=f"name it with --server; possible: {', '.join(series)}",
        )
    if not releases[-1].series:
        label = releases[-1].label
        raise UsageError(
            f"the release {label} is not known", file=cluster.path, hint="name the nearest release with --server"
        )
    release = releases[-1]
    settings = resolve(member.options, release) if member.options is not None else None
    view = MemberFacts(member, release, settings, cluster.topology)
    return _Seen(view, releases, possible.how if possible.inferred else "")


def _route(
    claims: Claims, origin: Release, target: Release, direction: Direction, topology: Topology | None
) -> PathClaim | None:
    """The first path that is about this move."""
    for path in claims.paths:
        if _is_about(path, origin, target, direction, topology):
            return path
    return None


def _steps(
    claims: Claims, origin: Release, target: Release, direction: Direction, topology: Topology | None
) -> tuple[StepClaim, ...]:
    return tuple(step for step in claims.steps if _is_about(step, origin, target, direction, topology))


def _is_about(
    claim: PathClaim | StepClaim | FeatureClaim,
    origin: Release,
    target: Release,
    direction: Direction,
    topology: Topology | None,
) -> bool:
    """Whether a claim is about this move; a topology that is not known counts as a server on its own."""
    if not (covers(claim.origin, origin) and covers(claim.target, target)):
        return False
    if claim.directions and direction not in claim.directions:
        return False
    return not claim.topologies or (topology or Topology.STANDALONE) in claim.topologies


def _features(
    claims: Claims, seen: Sequence[_Seen], target: Release, direction: Direction, topology: Topology | None
) -> Iterator[FeatureFound]:
    """The features that concern a member, or may; the heaviest first, those that may last."""
    found = [
        feature
        for claim in claims.features
        if target.vendor not in claim.not_to
        and _is_about(claim, seen[0].release, target, direction, topology)
        and (feature := _found(claim, seen)) is not None
    ]
    order = [str(matter) for matter in type(found[0].claim.matters[0])] if found else []
    weights = {id(f): (not f.claim.blocks, not f.certain, min(order.index(m) for m in f.claim.matters)) for f in found}
    yield from sorted(found, key=lambda feature: weights[id(feature)])


def _found(claim: FeatureClaim, seen: Sequence[_Seen]) -> FeatureFound | None:
    """The feature with the members it concerns; None where it concerns none. A claim that asks is never certain."""
    members: list[str] = []
    missing: list[str] = []
    for each in seen:
        answer = True if claim.tree is None else bind(claim.tree)(each.view.value)
        if answer is True:
            members.append(each.view.member.name)
        elif isinstance(answer, Missing) and answer.needs:
            missing += answer.needs
    if not members and not missing:
        return None
    return FeatureFound(claim, bool(members) and not claim.ask, tuple(members), tuple(dict.fromkeys(missing)))


def option_file_of(move: Move) -> tuple[str, bytes]:
    """The one rewritten option file of a move; InputError when there is none, or more than one."""
    if len(move.members) > 1:
        raise InputError("these are several servers", file=move.path, hint="rewrite one server's file at a time")
    (member,) = move.members
    if member.not_rewritten:
        raise InputError(f"nothing can be rewritten: {member.not_rewritten}", file=move.path)
    if len(member.files) > 1:
        raise InputError(
            f"the server reads {len(member.files)} option files, so -o cannot write them to one file",
            file=move.path,
            hint="change the files where they are with --write; a backup of each is kept",
        )
    if member.rewritten:
        path, _, after = member.rewritten[0]
        return path, after
    with open(member.files[0], "rb") as stream:
        return member.files[0], stream.read()
