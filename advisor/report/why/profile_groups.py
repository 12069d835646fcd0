"""Which groups of threads does a report show, under which name, and what does it say of their shares?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import ClassShare, ThreadProfile, Threads, WaitGroup
from advisor.report.words.values import printable
from advisor.units import show

LEAST_SHARE: Final = 0.01  # a smaller one is not worth a line
WITHOUT_WORK: Final = ("worker_idle", "receiver_wait", "client_time")
_ALWAYS: Final = (Threads.WRITERS, Threads.APPLIERS)


def shown_groups(profile: Sequence[ThreadProfile]) -> list[ThreadProfile]:
    """Writers and appliers, and any other group that has something to do."""
    return [group for group in profile if group.group in _ALWAYS or _works(group)]


def _works(group: ThreadProfile) -> bool:
    return bool(group.shares) and group.shares[0].wait_class not in WITHOUT_WORK


def explained_shares(group: ThreadProfile) -> list[ClassShare]:
    """The shares that evidence explains, largest first."""
    return [share for share in group.shares if share.about is not WaitGroup.UNEXPLAINED]


def unexplained_words(group: ThreadProfile) -> str:
    """What was seen of the threads whose time is not explained; "" where nothing was."""
    words = [word for share in group.shares if share.about is WaitGroup.UNEXPLAINED for word in share.words]
    return printable(", ".join(words))


def threads_of(group: ThreadProfile) -> str:
    """How many threads, on average: "1 thread", "8.1 threads"."""
    return show(round(group.threads, 1), "threads")


def percent(share: float) -> str:
    """A share in whole percent; what is there but rounds to nothing is "<1 %"."""
    return "<1 %" if 0.0005 <= share < 0.005 else f"{share * 100:.0f} %"


def in_a_sentence(title: str) -> str:
    """The title of a class as it stands within a sentence: "waits for a row lock"."""
    return title if title[1:2].isupper() else f"{title[:1].lower()}{title[1:]}"
