"""What does one sampled thread wait for? By the classes of rules/waits/, in a fixed order of evidence.

Asleep between statements; InnoDB's lock waits and states that name a lock; the wait event; on a CPU; a state that names
a wait; the system call and the kernel function it sleeps in; a coarse state; the statement's verb; unexplained. A state
that only says what the statement does ("updating") explains nothing when the kernel says that the thread sleeps. Of a
thread on a CPU, or in the queue for one, only the event of a latch counts, where threads spin: other waits are over as
soon as the thread may run, and their event lasts until it does (on a starved machine most of the time of "syncs").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from advisor.conditions import bind, decide
from advisor.model.diagnosis import UNEXPLAINED, WaitGroup
from advisor.why.profile.threads import Thread
from advisor.why.rules.wait_class import Signature, WaitClass
from advisor.why.rules.wait_class_files import load_wait_classes

Lookup = Callable[[str], object]
_WORKING: Final = "statement_work"
_ASLEEP: Final = ("s", "d")
_LOCKS_NO_ROW: Final = ("commit", "rollback", "do")  # InnoDB's view of transactions is up to 0.1 s old


class Seen(NamedTuple):
    """The class of a thread, and the word it was recognised by ("" for none).

    `commits`: it is on a CPU inside the commit, where only a leader has something to do for long.
    """

    wait_class: str
    word: str
    commits: bool = False


class _Word(NamedTuple):
    word: str
    wait_class: WaitClass
    signature: Signature


class Recogniser:
    """Recognises threads by the signatures whose conditions hold; remembers what it has seen."""

    def __init__(self, classes: Sequence[WaitClass], holding: frozenset[str]) -> None:
        self.classes = {each.id: each for each in classes}
        self.leading = frozenset(each.id for each in classes if each.leads)
        self.following = frozenset(each.id for each in classes if each.follows)
        columns = ("commands", "trx", "events", "os", "states", "calls", "wchan", "verbs")
        self._words = {column: _longest_first(classes, column, holding) for column in columns}
        self._first = [w for w in self._words["states"] if w.wait_class.group is WaitGroup.LOCK
                       or w.wait_class.before_cpu]  # fmt: skip
        self._exact = [w for w in self._words["states"] if not w.wait_class.coarse]
        self._coarse = [w for w in self._words["states"] if w.wait_class.coarse]
        waits = (WaitGroup.LOCK, WaitGroup.ENGINE)  # InnoDB's other words tell a step, which the kernel tells better
        self._trx_waits = [w for w in self._words["trx"] if w.wait_class.group in waits]
        self._trx_steps = [w for w in self._words["trx"] if w.wait_class.group not in waits]
        self._seen: dict[Thread, Seen] = {}

    def classify(self, thread: Thread) -> Seen:
        """The class of a thread."""
        seen = self._seen.get(thread)
        if seen is None:
            seen = self._seen[thread] = self._classify(thread)
        return seen

    def class_of_call(self, call: str) -> str | None:
        """The class of a background thread, by the system call that it is in."""
        thread = Thread("system", "", "", "", "", call, "", "", "")
        found = _beginning(self._words["calls"], call, thread, "")
        return found.wait_class.id if found else None

    def _classify(self, thread: Thread) -> Seen:
        found = (
            _beginning(self._words["commands"], thread.command, thread)
            or (_containing(self._trx_waits, thread.trx, thread) if thread.verb not in _LOCKS_NO_ROW else None)
            or self._lock_or_activity(thread)
        )
        if found:
            return Seen(found.wait_class.id, thread.state or thread.command)
        waits = _beginning(self._words["events"], thread.event.lower(), thread)
        runs = _beginning(self._words["os"], thread.os, thread) if thread.os == "r" else None
        if waits and (runs is None or (waits.wait_class.group is WaitGroup.ENGINE and "/synch/" in waits.word)):
            return Seen(waits.wait_class.id, thread.event)
        if runs:
            follows = waits is not None and waits.wait_class.follows
            return Seen(runs.wait_class.id, "", self._where(thread) in self.following and not follows)
        longest = _beginning(self._words["states"], thread.state or f"no state, command {thread.command}", thread)
        if longest and not longest.wait_class.coarse:
            return Seen(longest.wait_class.id, thread.state)
        return self._by_kernel_or_coarsely(thread)

    def _lock_or_activity(self, thread: Thread) -> _Word | None:
        """The class of a state that says more than any other evidence, unless a longer word says something else."""
        first = _beginning(self._first, thread.state, thread)
        longest = _beginning(self._words["states"], thread.state, thread) if first else None
        return first if first and longest is first else None

    def _where(self, thread: Thread) -> str:
        """The coarse class that the state, or else the verb of the statement, tells; "" for none."""
        state = _beginning(self._coarse, thread.state or "no state", thread)
        where = state.wait_class.id if state else ""
        if where in ("", _WORKING) and (verb := _beginning(self._words["verbs"], thread.verb, thread)):
            return verb.wait_class.id
        return where

    def _by_kernel_or_coarsely(self, thread: Thread) -> Seen:
        where = self._where(thread)
        for column, word in (("calls", thread.call), ("wchan", thread.wchan), ("os", thread.os)):
            found = _beginning(self._words[column], word, thread, where)
            if found:
                return Seen(found.wait_class.id, word)
        if where in ("", _WORKING) and (step := _containing(self._trx_steps, thread.trx, thread)):
            return Seen(step.wait_class.id, thread.trx)
        word = thread.state or thread.command
        if where == _WORKING and thread.os in _ASLEEP:
            return Seen(UNEXPLAINED, " ".join(filter(None, (word, thread.call or thread.wchan))))
        return Seen(where or UNEXPLAINED, word)


def recogniser(lookup: Lookup) -> Recogniser:
    """The recogniser for a member: the signatures whose conditions hold for it."""
    conditions = {s.when: s.tree for each in load_wait_classes() for s in each.signatures if s.when}
    return _recogniser(frozenset(when for when, tree in conditions.items() if decide(bind(tree), lookup) is True))


@lru_cache(maxsize=64)
def _recogniser(holding: frozenset[str]) -> Recogniser:
    return Recogniser(load_wait_classes(), holding)


def _longest_first(classes: Sequence[WaitClass], column: str, holding: frozenset[str]) -> list[_Word]:
    """The words of one kind of evidence; of equally long ones the more restricted comes first."""
    words = [
        _Word(word, each, signature)
        for each in classes
        for signature in each.signatures
        if not signature.when or signature.when in holding
        for word in getattr(signature, column)
    ]
    return sorted(words, key=lambda w: (-len(w.word), -_restrictions(w.signature), w.word))


def _restrictions(signature: Signature) -> int:
    narrow = (signature.when, signature.statements, signature.kinds, signature.inside)
    return sum(1 << place for place, restricted in enumerate(narrow) if restricted)


def _beginning(words: Sequence[_Word], text: str, thread: Thread, where: str = "") -> _Word | None:
    """The longest word with which a text begins."""
    if not text:
        return None
    return next((w for w in words if text.startswith(w.word) and _concerns(w, thread, where)), None)


def _containing(words: Sequence[_Word], text: str, thread: Thread) -> _Word | None:
    """The longest word that stands in a text."""
    return next((w for w in words if w.word in text and _concerns(w, thread, "")), None) if text else None


def _concerns(word: _Word, thread: Thread, where: str) -> bool:
    signature = word.signature
    if signature.kinds and thread.kind not in signature.kinds:
        return False
    if signature.statements and thread.verb not in signature.statements:
        return False
    return not signature.inside or signature.inside == where
