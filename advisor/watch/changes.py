"""What changed at a member since the second before? Lost, back, another role or state, restarted, another server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from advisor.model.monitoring.now import MemberNow
from advisor.model.server import Role
from advisor.watch.rounds import Piece

_IDENTITY: Final = ("server_uuid", "server_id")
_UPTIME: Final = "Uptime"


@dataclass(slots=True)
class _Known:
    """What was last known of a member."""

    failure: str = ""
    state: str = ""
    role: Role | None = None
    uptime_seconds: int | None = None
    identity: tuple[str, ...] = ()


class Changes:
    """Remembers each member; what is unknown in a second changes nothing."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def lines(self, members: Sequence[MemberNow], pieces: Mapping[str, Sequence[Piece]]) -> list[str]:
        """A line for each change."""
        return [
            f"{member.member} {words}"
            for member in members
            for words in _changes(self._known.setdefault(member.member, _Known()), member, pieces[member.member])
        ]


def _changes(known: _Known, member: MemberNow, pieces: Sequence[Piece]) -> Iterator[str]:
    if member.failure and not known.failure:
        yield f"cannot be read: {member.failure}"
    elif known.failure and not member.failure:
        yield "can be read again"
    known.failure = member.failure
    yield from _restart(known, pieces)
    if member.failure:
        return
    if member.role is not None and member.role is not known.role:
        if known.role is not None:
            yield f"is {member.role} now, was {known.role}"
        known.role = member.role
    if member.state is not None and member.state != known.state:
        yield f"has the state {member.state}" if member.state else f"no longer has the state {known.state}"
        known.state = member.state


def _restart(known: _Known, pieces: Sequence[Piece]) -> Iterator[str]:
    """Whether a server was restarted, or another one answers at its address."""
    for piece in pieces:
        if piece.setup is not None:
            identity = tuple(piece.setup.variables.get(name, "") for name in _IDENTITY)
            for name, before, now in zip(_IDENTITY, known.identity, identity, strict=False):
                if before and now and before != now:
                    yield f"is another server: its {name} was {before} and is {now}"
            known.identity = identity
        for _, values in piece.samples:
            text = values.get(_UPTIME, "")
            if text.isdecimal():
                if known.uptime_seconds is not None and int(text) < known.uptime_seconds:
                    yield "was restarted"
                known.uptime_seconds = int(text)
