"""What the customer reads agrees with the wait profile: "unknown" with the largest wait, never "nothing to change"."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import ClassShare, Diagnosis, RankedCause, ThreadProfile, Threads, WaitGroup
from advisor.model.record import replace
from advisor.why.customer_reply import customer_reply
from advisor.why.differential.probability import differential_of
from tests.report.diagnosed import diagnosis

WAIT = ("group_commit", "Waits in the group commit", WaitGroup.LOG)
IDLE = ("client_time", "Between statements: client and network", WaitGroup.CLIENT)
BUSY = ("on_cpu", "Runs on a CPU", WaitGroup.CPU)
OPEN = ("unexplained", "Not explained", WaitGroup.UNEXPLAINED)


def profile(*shares: tuple[tuple[str, str, WaitGroup], float]) -> ThreadProfile:
    listed = tuple(ClassShare(name, title, share, (), about) for (name, title, about), share in shares)
    rest = sum(share.share for share in listed if share.about is WaitGroup.UNEXPLAINED)
    return ThreadProfile("db1", Threads.WRITERS, 8.0, 100, listed, rest)


def unsure(*profiles: ThreadProfile) -> Diagnosis:
    """No cause of one half or more."""
    causes = tuple(replace(cause, confidence=min(cause.confidence, 0.45)) for cause in diagnosis().causes)
    return replace(diagnosis(), causes=causes, profile=profiles, differential=differential_of(causes))


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        (
            ((WAIT, 0.61), (IDLE, 0.3), (BUSY, 0.09)),
            "Unknown: 61 % of the writers' time is spent in “waits in the group commit”; the data does not show why.",
        ),
        (
            ((IDLE, 0.6), (WAIT, 0.3), (BUSY, 0.1)),
            "Unknown: 30 % of the writers' time is spent in “waits in the group commit”; the data does not show why.",
        ),
        (((OPEN, 0.5), (WAIT, 0.3), (BUSY, 0.2)), "Unknown: nothing we received explains 50 % of the writers' time."),
        (
            ((IDLE, 0.95), (WAIT, 0.03), (BUSY, 0.02)),
            "Unknown: 95 % of the writers' time passes between statements; the data does not show why.",
        ),
        (
            ((BUSY, 0.87), (IDLE, 0.1), (WAIT, 0.03)),
            "Unknown: 87 % of the writers' time is CPU work or a wait for a CPU; the data does not show why.",
        ),
    ],
    ids=["a wait", "a wait next to idle clients", "not explained", "idle clients", "CPU"],
)
def test_without_an_answer_it_is_unknown_and_says_where_the_time_goes(
    shares: tuple[tuple[tuple[str, str, WaitGroup], float], ...], told: str
) -> None:
    reply = customer_reply(unsure(profile(*shares)))
    assert reply[1] == told
    assert "“One thread applies”" in reply[2]
    assert reply[-1] == "What would show the cause: whether the backlog shrinks."
    assert "needs to be changed" not in " ".join(reply)


def test_without_process_lists_and_without_candidates_it_is_unknown_too() -> None:
    assert "Unknown: the data we received does not show what limits" in customer_reply(unsure())[1]
    none = replace(unsure(), causes=(), next=None, differential=None)
    assert len(customer_reply(none)) == 2


def healthy(confidence: float) -> RankedCause:
    first = diagnosis().causes[0]
    plainly = "The measurements do not show anything that needs to be changed."
    return replace(first, confidence=confidence, cause=replace(first.cause, answer="no_fault", plainly=plainly))


def test_nothing_needs_to_be_changed_only_where_that_is_the_answer() -> None:
    idle = profile((IDLE, 0.99), (BUSY, 0.01))
    assert "needs to be changed" in " ".join(customer_reply(replace(unsure(idle), causes=(healthy(0.5),))))
    assert "needs to be changed" not in " ".join(customer_reply(replace(unsure(idle), causes=(healthy(0.49),))))
    limit = diagnosis().causes[0]
    assert "needs to be changed" not in " ".join(customer_reply(replace(unsure(idle), causes=(limit, healthy(0.9)))))


def test_an_answer_says_what_it_leaves_unexplained() -> None:
    half = replace(diagnosis(), profile=(profile((WAIT, 0.6), (OPEN, 0.4)),))
    assert "40 % of the writers' time remains unexplained." in customer_reply(half)
    little = replace(diagnosis(), profile=(profile((WAIT, 0.8), (OPEN, 0.2)),))
    assert "unexplained" not in " ".join(customer_reply(little))


def test_five_sentences_at_most_and_one_rate_where_all_are_equal() -> None:
    first = diagnosis().causes[0]
    assert first.predicted
    equal = replace(first, predicted=replace(first.predicted, low=77.1, mid=77.2, high=77.3))
    reply = customer_reply(replace(diagnosis(), causes=(equal,)))
    assert len(reply) <= 5
    assert "We expect about 77 transactions per second" in " ".join(reply)
