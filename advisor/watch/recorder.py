"""How do pieces of rounds get into a ring? With epoch times; a segment begins with everything that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.collect.member.recording import Recording
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.ring.codec import Encoder
from advisor.ring.seconds import MemberSecond, Setup
from advisor.ring.writer import RingWriter
from advisor.watch.rounds import Piece


class Recorder:
    """Writes seconds to a ring. `roles` and `topology` are what is stated of the cluster."""

    def __init__(self, ring: RingWriter, topology: Topology | None, roles: Mapping[str, Role]) -> None:
        self._ring, self._topology, self._roles = ring, topology, roles
        self._encoder = Encoder()
        self._setups: dict[str, Setup] = {}

    def write(self, seconds: Sequence[MemberSecond]) -> bool:
        """Append the members' seconds; False when the ring takes nothing at present."""
        for second in seconds:
            if second.setup:
                self._setups[second.member] = second.setup
        if self._ring.begins:
            self._encoder.forget()
            seconds = [replace(each, setup=self._setups.get(each.member)) for each in seconds]
        written = self._ring.append(self._encoder.entry(seconds))
        if not written:
            self._encoder.forget()
        return written

    def second(
        self, member: str, pieces: Sequence[Piece], epoch_seconds: float, now: float, failure: str
    ) -> MemberSecond:
        """What is new of a member at an epoch time. `epoch_seconds`: that of the watch's 0."""
        setups = [piece.setup for piece in pieces if piece.setup is not None]
        ended = [piece.ended for piece in pieces if piece.ended is not None and piece.ended.reached]
        last = ended[-1] if ended else None
        clock = setups[-1].clock if setups else None
        return MemberSecond(
            member=member,
            at_seconds=now,
            samples=tuple((epoch_seconds + at, values) for piece in pieces for at, values in piece.samples),
            tables=tuple((epoch_seconds + at, tables) for piece in pieces for at, tables in piece.tables),
            setup=self._setup(setups[-1]) if setups else None,
            clock=(clock.ahead_seconds, clock.within_seconds) if clock else (),
            host=last.host if last else {},
            innodb_status=last.innodb_status if last else "",
            lacks=tuple((lack.what, lack.why, lack.command) for lack in last.lacks) if last else (),
            failure=failure,
        )

    def _setup(self, recording: Recording) -> Setup:
        return Setup(
            variables=recording.variables,
            once=recording.once,
            option_files=recording.option_files,
            account=recording.account,
            role=str(self._roles.get(recording.name) or ""),
            topology=str(self._topology or ""),
        )
