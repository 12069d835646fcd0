"""What do the words of a diagnosis mean? One sentence each, for `--explain-terms`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TERMS: Final[Mapping[str, str]] = {
    "applier": "the threads that replay on one member what clients committed on another",
    "backlog": "transactions committed elsewhere that a member has not replayed yet",
    "binary log": "the server's record of all changes, from which other members copy them",
    "buffer pool": "the memory InnoDB keeps table pages in",
    "ceiling": "the most transactions per second that one resource permits, whatever the others could do",
    "certification": "the check that two members did not change the same row at the same time",
    "checkpoint": "the point up to which changed pages are on disk, so that older redo log may be overwritten",
    "confidence": "how sure this answer is, from 0 to 1; below 0.5 it is a candidate only",
    "durable": "a commit that a crash cannot take away, because it waited until the disk had it",
    "flow control": "the cluster's own brake: writers wait while a member is too far behind",
    "group commit": "several transactions that share one wait for the disk",
    "lag": "how old the change is that a member replays right now",
    "quota": "how many commits flow control leaves to the writers in one second",
    "redo log": "the log InnoDB writes before the pages, to repair them after a crash",
    "semi-sync": "replication in which a commit waits until a replica has received it",
    "sync": "the wait until the disk says that data is really on it",
    "write set": "the rows a transaction changed, as they are sent to the other members",
}


def terms_in(text: str) -> list[tuple[str, str]]:
    """The terms a text uses, with their meaning, in alphabetical order."""
    low = text.lower()
    return [(word, meaning) for word, meaning in sorted(TERMS.items()) if word in low]
