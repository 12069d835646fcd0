"""What the share of time says for a cause, and which confidence it carries."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import Cause, Threads, Where
from advisor.model.server import Role
from advisor.why.confidence import MOST, UNDECIDED
from advisor.why.explained_time import as_sign, explained_time, most_confidence, owned_classes
from tests.why.profile.sampled import host, member, row, view, worker

IDLE = "Waiting for an event from Coordinator"
WAITING, BETWEEN = row("updating", trx="lock wait"), row("", command="Sleep")


def cause(
    id_: str = "locks", *, explains: tuple[str, ...] = (), may: tuple[str, ...] = (), group: str = "writers"
) -> Cause:
    return Cause(id_, "", Where.WRITER, (), "", "", explains={group: explains}, may_explain={group: may})


def test_the_share_is_that_of_the_classes_by_which_it_is_known_and_of_those_it_may_make() -> None:
    writer = view(member([[WAITING, WAITING, BETWEEN, BETWEEN]] * 20))
    time = explained_time(cause(explains=("row_lock",), may=("client_time",)), writer)
    assert time is not None
    assert (time.own_share, time.share) == (0.5, 1.0)
    assert explained_time(cause(), view(member([[WAITING]] * 3))) is None, "three lists are no sample"


def test_a_larger_share_is_a_stronger_sign_and_time_between_statements_is_none() -> None:
    def strength(waiting: int, idle: int) -> float:
        writer = view(member([[WAITING] * waiting + [BETWEEN] * idle] * 20))
        time = explained_time(cause(explains=("row_lock", "client_time")), writer)
        assert time is not None
        sign = as_sign(time, True)
        return sign[1].strength if sign else 0.0

    assert strength(0, 4) == 0
    assert 0 < strength(1, 3) < strength(3, 1) < 0.95


@pytest.mark.parametrize(("share", "least", "most"), [(0, UNDECIDED, UNDECIDED), (4, MOST, MOST), (1, 0.5, 0.9)])
def test_next_to_nothing_of_the_time_carries_no_answer(share: int, least: float, most: float) -> None:
    rows = [WAITING] * share + [row("updating", os="R")] * (5 - share)
    time = explained_time(cause(explains=("row_lock",)), view(member([rows] * 20)))
    assert least <= most_confidence(time, tried=False) <= most
    assert most_confidence(time, tried=True) == MOST, "a change that was tried says more"
    assert most_confidence(None, tried=False) == MOST, "nothing was sampled"


def test_one_worker_that_waits_for_a_lock_holds_up_all() -> None:
    moment = [worker("updating", trx="lock wait"), worker(IDLE, count=9)]
    replica = view(member([moment] * 20, role=Role.REPLICA))
    time = explained_time(cause(explains=("row_lock",), group="appliers"), replica)
    assert time is not None
    assert (time.group, time.share) == (Threads.APPLIERS, 1.0)


def test_time_outside_a_queue_shows_what_the_queue_is_made_of() -> None:
    ticket = row("updating", trx="sleeping before entering innodb")

    def unqueued(explains: str, rows: list[dict[str, str]]) -> float:
        time = explained_time(cause(explains=(explains,)), view(member([rows] * 20)))
        assert time is not None
        return time.unqueued_share

    assert unqueued("client_time", [*[WAITING] * 7, BETWEEN]) == 1.0, "the one that holds the lock"
    assert unqueued("client_time", [*[WAITING] * 3, *[BETWEEN] * 5]) == 0.0, "most do not queue"
    assert unqueued("row_lock", [*[WAITING] * 7, BETWEEN]) == 0.0, "the queue is not outside itself"
    assert unqueued("row_lock", [*[ticket] * 6, *[WAITING] * 2]) == 1.0, "a queue inside a queue"


def test_few_that_wait_for_a_lock_behind_a_queue_are_many_once_the_queue_is_gone() -> None:
    ticket, work = row("updating", trx="sleeping before entering InnoDB"), row("updating", os="R")
    few = [[*[ticket] * 8, work, work]] * 10 + [[*[ticket] * 8, WAITING, work]] * 10
    time = explained_time(cause(explains=("row_lock",)), view(member(few)))
    assert time is not None
    seen, let_through, clients = 0.25, 2, 10  # of two that are let through, one waits half of the time
    assert time.unqueued_share == pytest.approx(1 - (let_through - 1) / (clients * seen))


def test_a_thread_that_has_synced_and_waits_for_a_cpu_is_still_in_its_durable_commit() -> None:
    commit = row("waiting for handler commit", info="COMMIT", os="R")
    lists = [[*[WAITING] * 8, commit, row("updating", os="R")]] * 19
    lists += [[*[WAITING] * 8, row("waiting for handler commit", info="COMMIT", os="D", call="fdatasync binlog")]]

    def unqueued(sync_binlog: int) -> float:
        logs = host(innodb_flush_log_at_trx_commit=sync_binlog, sync_binlog=sync_binlog)
        time = explained_time(cause(explains=("binlog_sync",)), view(member(lists, variables=logs)))
        assert time is not None
        return time.unqueued_share

    assert unqueued(1) == pytest.approx(20 / 39)
    assert unqueued(0) == 0.0, "nothing is synced"


def test_what_is_outside_a_queue_is_an_answer_but_not_a_strong_one() -> None:
    holder = row("group_replication_trans_before_commit")
    time = explained_time(cause(explains=("group_consensus",)), view(member([[*[WAITING] * 19, holder]] * 20)))
    assert time is not None
    assert (time.own_share, time.unqueued_share) == pytest.approx((0.05, 1.0))
    sign = as_sign(time, True)
    assert sign is not None
    assert sign[1].says.startswith("100 % of the time in which the writers do not queue")
    assert 0.5 < most_confidence(time, tried=False) < 0.7
    assert 0.5 < sign[1].strength < 0.7


def test_a_class_separates_when_one_cause_alone_is_known_by_it() -> None:
    causes = [cause("a", explains=("row_lock", "latch")), cause("b", explains=("latch",), may=("row_lock",))]
    assert owned_classes(causes) == {("writers", "row_lock")}
