"""What is told of a member: each change once, and nothing while it is unknown."""

from __future__ import annotations

from advisor.collect.member.recording import Recording
from advisor.model.monitoring.now import MemberNow
from advisor.model.record import replace
from advisor.model.server import Role
from advisor.watch.changes import Changes
from advisor.watch.rounds import Piece

NODE = MemberNow("m2", Role.SECONDARY, state="")


def told(*seconds: MemberNow) -> list[str]:
    changes = Changes()
    return [line for second in seconds for line in changes.lines([second], {"m2": ()})]


def test_roles_and_states_are_told_when_they_change() -> None:
    recovering = replace(NODE, state="RECOVERING", role=None)
    assert told(NODE, NODE, recovering, recovering, NODE) == [
        "m2 has the state RECOVERING",
        "m2 no longer has the state RECOVERING",
    ]
    assert told(NODE, replace(NODE, role=Role.PRIMARY)) == ["m2 is primary now, was secondary"]


def test_what_is_unknown_changes_nothing() -> None:
    assert told(NODE, replace(NODE, state=None, role=None), NODE) == []
    gone = replace(NODE, failure="gone", state=None)
    assert told(NODE, gone, gone, NODE) == ["m2 cannot be read: gone", "m2 can be read again"]


def test_a_restart_and_another_server_at_the_same_address_are_told() -> None:
    def read(uptime: int, uuid: str) -> Piece:
        return Piece(((0.0, {"Uptime": str(uptime)}),), (), Recording("m2", variables={"server_uuid": uuid}))

    changes = Changes()
    lines = [
        line
        for piece in (read(50, "a-1"), read(51, "a-1"), Piece(), read(2, "a-1"), read(1, "b-2"))
        for line in changes.lines([NODE], {"m2": [piece]})
    ]
    assert lines == ["m2 was restarted", "m2 is another server: its server_uuid was a-1 and is b-2", "m2 was restarted"]
