"""How is a member read for days? In rounds, by a thread of its own; a lost connection is tried again each second."""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

from advisor.collect.member.reader import MemberTarget, Reader, ReadingSchedule
from advisor.collect.member.recording import Recording
from advisor.watch.rounds import Piece, Round

ROUND_SECONDS: Final = 60.0
FIRST_ROUND_SECONDS: Final = 10.0  # so that there is evidence soon
EVERY_SECONDS: Final = 1.0
_RETRY_SECONDS: Final = 1.0
_ROUNDS_KEPT: Final = 2


class MemberReading:
    """Reads one member until `stop` is set; `began` (time.monotonic) is the 0 of all its times."""

    def __init__(self, target: MemberTarget, began: float, stop: threading.Event) -> None:
        self.name = target.name
        self._target, self._began, self._stop = target, began, stop
        self._rounds: deque[Round] = deque()
        self._over: list[Recording] = []
        self.rounds_over = 0  # that were taken
        self._end_round = threading.Event()
        self._failure = ""
        self._thread = threading.Thread(target=self._read, name=f"watch {target.name}", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    @property
    def failure(self) -> str:
        """Why the member cannot be read at present, "" while it can."""
        reading = [each for each in list(self._rounds) if not each.over and each.recording.samples]
        return "" if reading else self._failure

    def end_round(self) -> None:
        """End the present round now, with what is read at an end; the next one follows."""
        self._end_round.set()

    def join(self, seconds: float) -> None:
        """Wait until reading has ended, after `stop`."""
        self._end_round.set()
        self._thread.join(seconds)

    def take(self) -> list[Piece]:
        """What was read since the last time, round by round."""
        pieces = []
        for each in list(self._rounds):
            piece = each.take()
            pieces.append(piece)
            if piece.ended is not None:
                self._rounds.remove(each)
                self.rounds_over += 1
                if piece.ended.reached:
                    self._over = [*self._over[1 - _ROUNDS_KEPT :], piece.ended]
        return pieces

    def last_rounds(self) -> list[Recording]:
        """The recordings of the last rounds that are over and were taken, the oldest first."""
        return list(self._over)

    def _read(self) -> None:
        seconds = FIRST_ROUND_SECONDS
        while not self._stop.is_set():
            self._end_round.clear()
            if self._stop.is_set():
                return
            reader = Reader(self._target, ReadingSchedule(seconds, EVERY_SECONDS), self._began, self._end_round)
            current = Round(reader.recording)
            self._rounds.append(current)
            try:
                reader.run()
            except Exception as error:  # whatever a server may answer: the next round may be better
                reader.recording.failure = f"{type(error).__name__}: {error}"
            self._failure = reader.recording.failure
            current.over = True
            if reader.recording.failure:
                self._stop.wait(_RETRY_SECONDS)
            else:
                seconds = ROUND_SECONDS
