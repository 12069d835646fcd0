"""What speaks against an answer that the profile alone would give: the signs hold where they should, and only there."""

from __future__ import annotations

from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Row, TableSnapshot
from advisor.model.server import Role
from advisor.why.causes import speaking_against
from advisor.why.rules.loader import load_causes
from tests.why.profile.sampled import host, member, row, samples, view, worker

PICOSECONDS = 10**12


def against(cause: str, of: MemberFacts) -> list[str]:
    """The beginnings of the signs against a cause that are seen."""
    found = next(each for each in load_causes() if each.id == cause)
    return [seen.says for seen in speaking_against(found, of)]


def workers(leader: Row) -> MemberFacts:
    """A replica of four workers, three of which wait for the one whose turn it is."""
    waiting = worker("Waiting for preceding transaction to commit", os="S")
    machine = host(cpus=2, appliers_running=0.05, appliers_starved=0.95)
    return view(member([[waiting, waiting, waiting, leader]] * 20, role=Role.REPLICA, host=machine))


def test_workers_behind_one_that_waits_for_a_cpu_are_not_held_up_by_the_order() -> None:
    told = "the worker whose turn it is waits for a CPU"
    assert told in against("commit_order_wait", workers(worker("updating", os="R")))
    assert told not in against("commit_order_wait", workers(worker("waiting for handler commit", os="D")))


def logs(redo_share: float, server_cpus: float) -> MemberFacts:
    """A server whose redo log is synced for a share of ten seconds, on two busy CPUs."""
    at = (0.0, 0.0), (10.0, redo_share * 10 * PICOSECONDS)
    read = [
        TableSnapshot(
            "file_summary_by_event_name",
            tuple(
                {"EVENT_NAME": name, "SUM_TIMER_MISC": spent if "innodb" in name else 0.0}
                for name in ("wait/io/file/innodb/innodb_log_file", "wait/io/file/sql/binlog")
            ),
            second,
        )
        for second, spent in at
    ]
    machine = host(cpus=2, cpu_util=1.0, server_cpus=server_cpus, threads_running=0.1, threads_starved=0.8)
    counters = samples(10, Binlog_cache_use=2000, Questions=2000, Uptime=10)
    return view(member([[row("waiting for handler commit", os="R")]] * 20, tables=read, host=machine, samples=counters))


def test_a_cpu_that_others_keep_busy_is_not_the_limit_of_who_syncs_all_the_time() -> None:
    def told(of: MemberFacts) -> bool:
        return any(says.startswith("the logs are being written or synced") for says in against("cpu_saturated", of))

    assert told(logs(0.9, 0.2))
    assert not told(logs(0.2, 0.2)), "the logs are idle most of the time"
    assert not told(logs(0.9, 1.4)), "the server itself uses the CPUs"
