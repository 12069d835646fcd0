"""Words of reports: what they name, what they deny, and where one list or one monitor counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence import read_together
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Diagnosis
from advisor.model.evidence import Fact, Member, TableSnapshot
from advisor.model.server import Role
from advisor.why import diagnose
from advisor.why.facts import make_known
from advisor.why.facts.told.words import groups_of_words

make_known()


def facts(*notes: str, **member: object) -> MemberFacts:
    observed = {"notes": Fact("notes", notes, "", "observations.yaml")} if notes else {}
    known = Member("a", role=Role.STANDALONE, observed=observed, **member)  # type: ignore[arg-type]
    return MemberFacts(known, parse_release("mysql-8.4.3")[0], None, None)


def names(group: str, *notes: str) -> bool:
    return not isinstance(facts(*notes).value(f"fact.told_{group}"), Missing)


@pytest.mark.parametrize(
    ("group", "line"),
    [
        ("admission_queue", "stack: os_thread_sleep <- srv_conc_enter_innodb"),
        ("admission_queue", "1 queries inside InnoDB, 30 queries in queue"),
        ("metadata_lock", "processlist state: Waiting for table metadata lock"),
        ("purge", "History list length 4,300,000"),
        ("page_flushing", "page_cleaner: 1000ms intended loop took 4013ms"),
        ("find_row", "row locks on index GEN_CLUST_INDEX"),
        ("galera_pause", "gcs_sm_enter below gcs_replv"),
        ("slow_device", "sda await: 48.2"),
        ("pool_misses", "Buffer pool hit rate 912 / 1000"),
    ],
)
def test_a_line_that_names_the_mechanism_is_told_with_the_line(group: str, line: str) -> None:
    assert names(group, "nothing else is known", line)


@pytest.mark.parametrize(
    ("group", "line"),
    [
        ("long_statement", "no slow query was found"),
        ("row_lock_wait", "lock waits: 0"),
        ("admission_queue", "0 queries inside InnoDB, 0 queries in queue"),
        ("purge", "History list length 812"),
        ("page_flushing", "loop took 240ms"),
        ("slow_device", "sda await: 0.4"),
        ("pool_misses", "Buffer pool hit rate 1000 / 1000"),
        ("swap", "swap: none"),
    ],
)
def test_a_line_that_denies_it_or_is_below_the_threshold_is_not(group: str, line: str) -> None:
    assert not names(group, line)


def test_underscores_and_capitals_make_no_difference() -> None:
    assert names("receive_queue", "wsrep_local_recv_queue: 111000") == names(
        "receive_queue", "WSREP local recv queue 111000"
    )


def test_one_list_counts_by_the_states_that_sessions_share() -> None:
    def listed(*states: str) -> bool:
        rows = [{"User": "app", "Command": "Query", "Time": 9, "State": state, "Info": "UPDATE t"} for state in states]
        view = facts(tables=(TableSnapshot("processlist", rows),))
        return not isinstance(view.value("fact.told_metadata_lock"), Missing)

    waits = "Waiting for table metadata lock"
    assert listed(waits, waits, "Sending data")
    assert listed(waits)
    assert not listed(waits, "Sending data", "update")


def test_only_a_report_that_names_no_mechanism_is_told_by_its_topology() -> None:
    assert facts("writes are slow").value("fact.reported_of") == "unknown"
    assert isinstance(facts("the disk is degraded").value("fact.reported_of"), Missing)
    assert isinstance(facts().value("fact.reported_of"), Missing)


def reported(folder: Path, text: str) -> Diagnosis:
    (folder / "my.cnf").write_text("[mysqld]\nlog_bin\n")
    (folder / "observations.yaml").write_text(text)
    return diagnose(read_together([str(folder / "my.cnf"), str(folder / "observations.yaml")]))


def test_a_stack_is_an_answer_and_a_general_word_a_candidate(tmp_path: Path) -> None:
    stack = reported(tmp_path, "stack: [os_thread_sleep, srv_conc_enter_innodb_with_atomics]\n").causes[0]
    assert (stack.cause.id, stack.confidence >= 0.5) == ("oversubscribed_threads", True)
    upgraded = reported(tmp_path, "notes: [it became slow after the upgrade]\n").causes
    assert {s.cause.id for s in upgraded[:2]} == {"version_regression", "changed_defaults"}
    assert all(s.confidence < 0.5 for s in upgraded)


def test_words_alone_never_call_a_server_healthy(tmp_path: Path) -> None:
    told = {
        s.cause.id: s.confidence for s in reported(tmp_path, "notes: [nothing is known, everything as before]\n").causes
    }
    assert told.get("healthy_or_expected", 0.0) < 0.5


def test_words_belong_to_groups_that_are_registered() -> None:
    """A name with a typing error would never be asked for."""
    view = facts("nothing of note")
    for name in groups_of_words():
        assert isinstance(view.value(f"fact.{name}"), Missing | str), name


@pytest.mark.parametrize(
    ("group", "line"),
    [
        ("pool_misses", "ERROR 1206 (HY000): The total number of locks exceeds the lock table size"),
        ("redo_full", "Redo log writer is waiting for a new redo log file"),
        ("named_lock", "state: User lock, SELECT GET_LOCK('job', 60)"),
        ("coordinator", "Waiting for room in worker thread event queue"),
        ("workers_idle", "Waiting for prior transaction to start commit"),
        ("commit_order", "Waiting for prior transaction to commit"),
        ("schema_change", "state: committing alter table to storage engine"),
        ("ack_timeout", "Timeout waiting for reply of binlog (file: b.000004, pos: 1234), semi-sync up to file"),
        ("unreachable", "Member with address db2:3306 has become unreachable."),
        ("write_set_size", "WSREP: transaction size limit (2147483647) exceeded"),
        ("purge", "trx_rseg_history_len: 868936356"),
    ],
)
def test_messages_states_and_symbols_name_their_mechanism(group: str, line: str) -> None:
    assert names(group, line)


def test_the_clause_for_each_row_of_a_trigger_is_no_row_by_row_client() -> None:
    assert not names("row_by_row", "CREATE TRIGGER t BEFORE INSERT ON sales FOR EACH ROW SET @x = NEW.v")
    assert names("plan", "CREATE TRIGGER t BEFORE INSERT ON sales FOR EACH ROW SET @x = NEW.v")


def test_the_processors_of_one_thread_are_not_those_of_the_host() -> None:
    assert names("cpu_full", "cpu percent: 97")
    assert not names("cpu_full", "sql thread cpu percent: 100")
    assert names("one_core_busy", "sql thread cpu percent: 100")


def test_swap_that_is_in_use_does_not_say_that_the_machine_swaps() -> None:
    assert not names("swap", "swap used: 2000000")
    assert names("swap", "the machine swaps all day")


def test_a_benchmark_describes_its_tables_not_the_size_of_a_change() -> None:
    assert names("bulk_change", "delete of 3 million rows")
    assert not names("bulk_change", "sysbench update, 1 table of 50 million rows")
    assert not names("large_transaction", "one transaction per insert")


def test_a_long_flush_of_few_pages_is_a_slow_device() -> None:
    assert names("slow_page_writes", "page_cleaner: 1000ms intended loop took 4674ms (flushed=102 and evicted=0)")
    assert not names("slow_page_writes", "page_cleaner: 1000ms intended loop took 4013ms (flushed=1438 and evicted=0)")


@pytest.mark.parametrize(
    ("group", "line"),
    [
        ("idle_clients", "innodb_buffer_pool_size (default)"),
        ("group_commit", "binlog_group_commit_sync_delay = 100"),
        ("named_lock", "Deadlock found when trying to get lock"),
        ("row_lock_wait", "__lll_lock_wait, pthread_mutex_lock"),
        ("binlog_rotation", "Finished reading one binlog; switching to next binlog"),
    ],
)
def test_words_inside_other_words_do_not_count(group: str, line: str) -> None:
    assert not names(group, line)


def test_the_few_waits_that_every_monitor_counts_are_no_contention() -> None:
    assert not names("latch", "Mutex spin waits 162, rounds 3770, OS waits 118")
    assert not names("latch", "RW-shared spins 302, rounds 9841, OS waits 327")
    assert names("latch", "Mutex spin waits 98162, rounds 983770, OS waits 61180")
