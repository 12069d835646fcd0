"""What happened to a member at one time? A module for each kind: restarts, silence, roles, settings, commands.

Each has `find(member, history) -> Iterator[Event]`; `every_event` asks them all.
"""

from __future__ import annotations

from advisor.model.monitoring.history import History
from advisor.model.monitoring.timeline import Event
from advisor.timeline.events import commands, restarts, roles, settings, silence


def every_event(history: History) -> list[Event]:
    """What happened to any member, in order of time."""
    kinds = (restarts, silence, roles, settings, commands)
    found = [event for member in history.members for kind in kinds for event in kind.find(member, history)]
    return sorted(found, key=lambda event: (event.at_seconds, event.rank))
