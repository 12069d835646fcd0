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


def test_without_the_times_of_syncs_the_states_tell_who_waits_for_a_cpu_after_one() -> None:
    commit, work = row("Commit", info="COMMIT", os="R"), row("Updating", os="R")

    def told(rows: list[Row], server_cpus: float) -> tuple[float, bool]:
        machine = host(cpus=2, cpu_util=1.0, server_cpus=server_cpus, threads_running=0.3, threads_starved=2.0)
        logs = host(innodb_flush_log_at_trx_commit=1, sync_binlog=1)
        counters = samples(10, Binlog_commits=2000, Questions=2000, Uptime=10)
        of = view(member([rows] * 20, server="mariadb 10.11.6", variables=logs, host=machine, samples=counters))
        share = of.value("fact.durable_commit_share")
        assert isinstance(share, float)
        return share, any("wait for a CPU after each sync" in says for says in against("cpu_saturated", of))

    assert told([commit, commit, commit, work], 0.3) == (0.75, True)
    assert told([commit, work, work, work], 0.3) == (0.25, False)
    assert told([commit, commit, commit, work], 1.6) == (0.75, False), "the server itself uses the CPUs"
