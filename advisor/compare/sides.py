"""What is on one side of a comparison? Evidence as every release that it may be."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.check.possible_releases import PossibleReleases, release_assumptions, with_contradictions
from advisor.evidence.member_facts import MemberFacts
from advisor.model.comparison.comparability import ComparedSide
from advisor.model.evidence import Cluster
from advisor.model.record import record
from advisor.model.server import Release


@record
class Side:
    """A server or cluster under the name it has in the report.

    `views`: for each member, in the evidence's order, the member as every release that it may be.
    """

    label: str
    cluster: Cluster
    views: tuple[tuple[MemberFacts, ...], ...]
    possible: PossibleReleases

    def described(self, unmatched: Sequence[str] = ()) -> ComparedSide:
        """The side as the report has it."""
        releases = dict.fromkeys(view.release.label for views in self.views for view in views)
        many = len(self.cluster.members) > 1
        return ComparedSide(
            label=self.label,
            path=self.cluster.path,
            releases=tuple(releases),
            topology=str(self.cluster.topology or ""),
            members=tuple(member.name for member in self.cluster.members) if many else (),
            inferred=self.possible.how if self.possible.inferred else "",
            starts=self._starts(),
            problems=self.cluster.problems,
            unmatched=tuple(unmatched),
        )

    def _starts(self) -> bool | None:
        """False when a member's options stop the server in all possible releases; None when that is open."""
        verdicts = [
            {view.settings.would_start for view in views if view.settings is not None and view.release.series}
            for views in self.views
        ]
        if any(found == {False} for found in verdicts):
            return False
        return True if all(found == {True} for found in verdicts) else None


def side_of(label: str, cluster: Cluster, releases: Sequence[Release] = ()) -> Side:
    """The side; `releases` are those that the user states for it."""
    cluster = with_contradictions(cluster, releases)
    assumptions, possible = release_assumptions(cluster, releases)
    views = tuple(
        tuple(_distinct([assumption.views[position] for assumption in assumptions]))
        for position in range(len(cluster.members))
    )
    return Side(label, cluster, views, possible)


def sides_of_members(cluster: Cluster, releases: Sequence[Release] = ()) -> tuple[Side, ...]:
    """Every member of one cluster as a side of its own, under its own name."""
    whole = side_of("", cluster, releases)
    return tuple(
        Side(member.name, Cluster(cluster.path, (member,), cluster.topology), (views,), whole.possible)
        for member, views in zip(cluster.members, whole.views, strict=True)
    )


def _distinct(views: Sequence[MemberFacts]) -> list[MemberFacts]:
    """One view for each release: a member that states its release is the same under every assumption."""
    by_label: dict[str, MemberFacts] = {}
    for view in views:
        by_label.setdefault(view.release.label, view)
    return list(by_label.values())
