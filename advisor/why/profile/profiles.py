"""Where did the time of every group of threads of one member go? The records that reports and facts read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import ClassShare, ThreadProfile, Threads
from advisor.model.server import APPLYING_ROLES
from advisor.why.profile.aggregate import GroupCounts, count, moments_of
from advisor.why.profile.classify import recogniser
from advisor.why.profile.refine import refined
from advisor.why.rules.wait_class import WaitClass

_LEAST_SAMPLED = 10  # threads over all lists; fewer are no sample


def group_counts(view: MemberFacts) -> dict[Threads, GroupCounts]:
    """What was seen of each group, before counters refine it; groups that were seen too rarely are left out."""
    counted = count(moments_of(view.member), recogniser(view.value))
    return {group: seen for group, seen in counted.items() if _is_sample(seen)}


def profiles_of(view: MemberFacts, counted: Mapping[Threads, GroupCounts]) -> tuple[ThreadProfile, ...]:
    """The profile of each group of a member."""
    classes = tuple(recogniser(view.value).classes.values())
    return tuple(_profile(view, seen, classes) for seen in counted.values())


def _profile(view: MemberFacts, seen: GroupCounts, classes: Sequence[WaitClass]) -> ThreadProfile:
    by_id = {each.id: each for each in classes}
    rows = [row for table in view.member.tables if table.table == "processlist" for row in table.rows]
    columns = {column for column in ("trx", "os") if any(row.get(column) for row in rows)}
    shares = refined(view, seen, classes, columns)
    listed = [
        ClassShare(name, by_id[name].title, share, seen.words.get(name, ()), by_id[name].group)
        for name, share in sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    ]
    reads = seen.group is Threads.WRITERS and view.member.role in APPLYING_ROLES
    return ThreadProfile(
        member=view.member.name,
        group=Threads.CLIENTS if reads else seen.group,
        threads=seen.threads,
        samples=seen.moments,
        shares=tuple(listed),
        unexplained=sum(share.share for share in listed if by_id[share.wait_class].unexplained),
        instrumented=seen.instrumented,
        margin=_margin(seen),
    )


def _margin(seen: GroupCounts) -> float:
    """The 95 % interval of a share seen in n lists, by Agresti and Coull: also after nothing was seen, it is not 0.

    It is n lists and not their threads, because threads of one list are not independent.
    """
    if not seen.instrumented:
        return 0.0
    trials = seen.instrumented + 4
    share = (seen.told * seen.instrumented + 2) / trials
    return float(1.96 * (share * (1 - share) / trials) ** 0.5)


def _is_sample(seen: GroupCounts) -> bool:
    return sum(seen.counts.values()) >= _LEAST_SAMPLED


def known_profiles(view: MemberFacts) -> tuple[ThreadProfile, ...]:
    """The profiles of a member as its facts have them; () where nothing was sampled."""
    value = view.value("fact.thread_profiles")
    return () if isinstance(value, Missing) else tuple(value)
