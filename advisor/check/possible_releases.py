"""Which releases can the members be, and what do they look like as each? One `ReleaseAssumption` per possibility."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.catalog import detect_release, parse_release
from advisor.errors import UsageError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Cluster, Member
from advisor.model.record import record, replace
from advisor.model.server import Release, join_labels
from advisor.options import infer, resolve


@record
class ReleaseAssumption:
    """Every member seen as one possible release each; `label` names the release that was not certain."""

    label: str
    views: tuple[MemberFacts, ...]


@record
class PossibleReleases:
    """The releases a member may be, whether that was inferred, and how, in one sentence."""

    releases: tuple[Release, ...]
    inferred: bool
    how: str = ""


def release_assumptions(
    cluster: Cluster, target: Sequence[Release]
) -> tuple[tuple[ReleaseAssumption, ...], PossibleReleases]:
    """All assumptions to judge under, and how the releases of the uncertain members were found.

    A member that states its release is that release under every assumption. The others share one unknown release: an
    assumption for each that is possible for all of them (for the first of them, where they have nothing in common).
    """
    possible = [possible_releases(member, target) for member in cluster.members]
    uncertain = [choice.releases for choice in possible if len(choice.releases) > 1]
    reported = next((choice for choice in possible if choice.inferred), possible[0])
    if not uncertain:
        assumption = _assumption(cluster, [choice.releases[0] for choice in possible])
        return (assumption,), reported
    assumptions = [
        _assumption(cluster, [_nearest(choice.releases, release) for choice in possible], release.label)
        for release in _in_common(uncertain)
    ]
    return tuple(assumptions), reported


def possible_releases(member: Member, target: Sequence[Release]) -> PossibleReleases:
    """What a member states itself, else what the user says (`target`), else what its options allow, else everything."""
    stated = _stated(member)
    if newest := _newest_of_tag(member.server, stated):
        wanted = tuple(release for release in target if release.family is newest.family)
        return PossibleReleases(wanted, inferred=False) if wanted else _of_moving_tag(newest)
    if len(stated) > 1 and member.options is None:  # the evidence shows a family or a series, --server the release
        stated = tuple(r for r in target if any(_may_be_same(own, r) for own in stated)) or stated
    if len(stated) == 1 or (stated and member.options is None):
        return PossibleReleases(stated, inferred=False)
    if target:
        return PossibleReleases(tuple(target), inferred=False)
    if member.options is not None:
        releases, how = infer(member.options)
        return _narrowed(stated, releases, how) if stated else PossibleReleases(releases, inferred=True, how=how)
    from advisor.catalog import all_releases

    how = "the evidence does not show whether this is MySQL or MariaDB, or which release"
    return PossibleReleases(all_releases(), inferred=True, how=how)


def _newest_of_tag(server: str, releases: Sequence[Release]) -> Release | None:
    """The newest release in the catalogue of an image whose tag moves ("mysql latest", "mysql 8 latest"), else None."""
    if not server.endswith(" latest") or len(releases) < 2:
        return None
    major = server.split()[1]
    return next((r for r in reversed(releases) if major in ("latest", str(r.version[0]))), None)


def _of_moving_tag(newest: Release) -> PossibleReleases:
    how = f"the tag of the image moves to each new release; {newest.label} is the newest that advisor knows in it"
    return PossibleReleases((newest,), inferred=True, how=how)


def with_contradictions(cluster: Cluster, target: Sequence[Release]) -> Cluster:
    """The cluster with a problem for every member whose own evidence names another release than `target` does."""
    if not target:
        return cluster
    problems = []
    for member in cluster.members:
        own = possible_releases(member, target).releases
        if not any(_may_be_same(release, wanted) for release in own for wanted in target):
            labels = join_labels(release.label for release in own)
            problems.append(
                f"{member.name}: checked as {labels}, the release shown by its own evidence; --server was ignored"
            )
    return replace(cluster, problems=(*cluster.problems, *problems)) if problems else cluster


def _may_be_same(one: Release, other: Release) -> bool:
    same = one.family is other.family and one.series == other.series
    return same and bool(one.stands_for or other.stands_for or one.version == other.version)


def _narrowed(stated: tuple[Release, ...], inferred: tuple[Release, ...], how: str) -> PossibleReleases:
    """What was inferred, held to the series or family that is stated.

    A stated series is judged even if it refuses an option. Where a family alone is stated and none of
    its releases fits, the release is not in the catalogue.
    """
    fitting = tuple(release for release in inferred if release in stated)
    if fitting or len({release.series for release in stated}) == 1:
        return PossibleReleases(fitting or stated, inferred=True, how=how if fitting else "")
    family = stated[0].family
    unknown = Release(family, (0, 0, 0), series="", stands_for="of an unknown release")
    return PossibleReleases(
        (unknown,), inferred=True, how=f"no {family} release in the catalogue fits; default values are unknown"
    )


def _stated(member: Member) -> tuple[Release, ...]:
    """The releases a member's own evidence allows: by its `version` variable, else by what the bundle says.

    A bundle may know the family alone ("mysql unknown"): then all its releases. Other evidence shows the first series
    that it can be from ("mysql 8.0 or later").
    """
    version = member.variables.get("version")
    if version is not None:
        comment = member.variables.get("version_comment")
        release = detect_release(str(version.value), str(comment.value) if comment else "")
        if release is not None:
            return (release,)
    first, or_later, _ = member.server.partition(" or later")
    if or_later:
        oldest = parse_release(first)[0]
        return tuple(release for release in parse_release(first.split()[0]) if release.version >= oldest.version)
    for text in (member.server, member.server.partition(" ")[0]):
        try:
            return parse_release(text) if text else ()
        except UsageError:
            continue
    return ()


def _in_common(choices: Sequence[tuple[Release, ...]]) -> tuple[Release, ...]:
    common = tuple(r for r in choices[0] if all(r in other for other in choices[1:]))
    return common or choices[0]


def _nearest(releases: tuple[Release, ...], wanted: Release) -> Release:
    return wanted if wanted in releases else releases[0]


def _assumption(cluster: Cluster, releases: Sequence[Release], label: str = "") -> ReleaseAssumption:
    views = []
    for member, release in zip(cluster.members, releases, strict=True):
        settings = resolve(member.options, release) if member.options is not None else None
        views.append(MemberFacts(member, release, settings, cluster.topology))
    for view in views:
        view.peers = views
    return ReleaseAssumption(label or releases[0].label, tuple(views))
