"""Which member writes, and which members apply? The members by role, under one release assumption."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.check.possible_releases import ReleaseAssumption
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Where
from advisor.model.record import record
from advisor.model.server import APPLYING_ROLES, WRITING_ROLES, Topology


@record
class MembersByRole:
    """The members of a cluster in one possible set of releases. `writer` None: only members that apply are known."""

    label: str
    views: tuple[MemberFacts, ...]
    writer: MemberFacts | None
    appliers: tuple[MemberFacts, ...]

    def deciding(self, where: Where) -> Sequence[MemberFacts]:
        """The members whose evidence decides a cause or a ceiling of this kind."""
        if where is Where.WRITER:
            return (self.writer,) if self.writer is not None else ()
        return self.appliers if where is Where.APPLIER else self.views


def members_by_role(assumption: ReleaseAssumption) -> MembersByRole:
    """The members by role; where each may do both (Galera, a group without roles), by what they do."""
    views = assumption.views
    writer = _writer(views)
    appliers = tuple(view for view in views if view is not writer and view.member.role not in WRITING_ROLES)
    if not appliers and len(views) == 1 and _is_every_member(views[0]):
        appliers = views  # one option file stands for all members
    return MembersByRole(assumption.label, views, writer, appliers)


def _writer(views: Sequence[MemberFacts]) -> MemberFacts | None:
    writing = [view for view in views if view.member.role in WRITING_ROLES]
    if writing:
        return writing[0]
    may_write = [view for view in views if view.member.role not in APPLYING_ROLES]
    return max(may_write, key=_written) if may_write else None


def _written(view: MemberFacts) -> float:
    """How much a member's own clients wrote, by the first figure it has."""
    for name in (
        "rate.wsrep_replicated",
        "rate.Gr_data_messages_sent_count",
        "observed.clients",
        "observed.throughput_per_second",
    ):
        value = view.get(name, None)
        if isinstance(value, int | float) and value > 0:
            return float(value)
    return 0.0


def _is_every_member(view: MemberFacts) -> bool:
    if view.topology in (Topology.GROUP_REPLICATION, Topology.GALERA):
        return True
    return view.get("fact.is_group_member", False) is True or view.get("fact.is_galera_node", False) is True
