"""Which share of their time did writers and appliers spend in each class of waits? Facts for every file of rules/waits.

`writers_<class>_share` and `appliers_<class>_share` are shares of the threads' wall time. Of a replica with four
workers one that waits all the time is a quarter; `some_applier_<class>_share` is 1 then: the share of the moments at
which at least one applier was in the class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.diagnosis import UNEXPLAINED, ThreadProfile, Threads
from advisor.why.profile.aggregate import GroupCounts
from advisor.why.profile.classify import recogniser
from advisor.why.profile.other_sessions import Sightings, sightings_of
from advisor.why.profile.profiles import group_counts, profiles_of
from advisor.why.rules.wait_class_files import load_wait_classes, wait_class_names


@fact()
def thread_counts(e: MemberFacts) -> dict[Threads, GroupCounts]:
    """How often threads of each group were seen in each class of waits, over all process lists."""
    if not e.member.processlist and not any(table.table == "processlist" for table in e.member.tables):
        raise NeedsError(Missing(("processlist",)))
    return group_counts(e)


@fact()
def thread_profiles(e: MemberFacts) -> tuple[ThreadProfile, ...]:
    """Where the wall time of each group of threads went (advisor/why/profile)."""
    return profiles_of(e, e["fact.thread_counts"])


@fact()
def thread_sightings(e: MemberFacts) -> Sightings:
    """How many threads of each kind were in which statement and which class of waits, on average over all lists."""
    return sightings_of(e.member, recogniser(e.value))


@fact("share")
def durable_commit_share(e: MemberFacts) -> Any:
    """Share of the wall time of clients' sessions inside durable commits: in a sync, in a commit group, or running or
    waiting for a CPU there, as after each sync on a busy machine.
    """
    if not e["fact.commit_is_durable"]:
        return NOT_HERE
    seen: Sightings = e["fact.thread_sightings"]
    clients = {each: number for each, number in seen.threads.items() if each.kind == "client"}
    if not clients:
        raise NeedsError(Missing(("processlist",)))
    inside = sum(number for each, number in clients.items() if each.commits or each.wait_class in _OF_DURABLE_COMMITS)
    return inside / sum(clients.values())


_OF_DURABLE_COMMITS: Final = ("redo_sync", "binlog_sync", "log_sync", "group_commit")


@fact("lists")
def profile_samples(e: MemberFacts) -> int:
    """How many process lists the shares of time rest on."""
    counted: Mapping[Threads, GroupCounts] = e["fact.thread_counts"]
    return max((seen.moments for seen in counted.values()), default=0)


@fact("share")
def writers_queue_share(e: MemberFacts) -> float:
    """Share of the wall time of clients' sessions spent queueing for another session (`queue: yes` in rules/waits)."""
    queues = {each.id for each in load_wait_classes() if each.queue}
    profile = _profile(e, Threads.WRITERS, Threads.CLIENTS)
    return sum(each.share for each in profile.shares if each.wait_class in queues)


def _profile(e: MemberFacts, *groups: Threads) -> ThreadProfile:
    profiles: tuple[ThreadProfile, ...] = e["fact.thread_profiles"]
    found = next((profile for profile in profiles if profile.group in groups), None)
    if found is None:
        raise NeedsError(Missing(("processlist",)))
    return found


def _register(wait_class: str) -> None:
    def writers(e: MemberFacts) -> float:
        profile = _profile(e, Threads.WRITERS, Threads.CLIENTS)
        return profile.unexplained if wait_class == UNEXPLAINED else profile.share(wait_class)

    def appliers(e: MemberFacts) -> float:
        profile = _profile(e, Threads.APPLIERS)
        return profile.unexplained if wait_class == UNEXPLAINED else profile.share(wait_class)

    def some_applier(e: MemberFacts) -> float:
        counted: Mapping[Threads, GroupCounts] = e["fact.thread_counts"]
        if (seen := counted.get(Threads.APPLIERS)) is None:
            raise NeedsError(Missing(("processlist",)))
        return seen.present.get(wait_class, 0) / seen.moments

    def of(group: Threads) -> Callable[[MemberFacts], float]:
        return lambda e: _profile(e, group).share(wait_class)

    words = wait_class.replace("_", " ")
    others = [
        (of(group), f"{group}_{wait_class}_share", f"Share of the wall time of the {group} threads")
        for group in (Threads.COORDINATOR, Threads.RECEIVER, Threads.DUMP)
    ]
    for derive, name, meaning in (
        *others,
        (writers, f"writers_{wait_class}_share", "Share of the wall time of clients' sessions"),
        (appliers, f"appliers_{wait_class}_share", "Share of the wall time of the applier threads"),
        (some_applier, f"some_applier_{wait_class}_share", "Share of the samples with at least one applier thread"),
    ):
        derive.__name__, derive.__doc__ = name, f"{meaning} in the class {words} (rules/waits/{wait_class}.yaml)."
        fact("share")(derive)


for _wait_class in wait_class_names():
    _register(_wait_class)
