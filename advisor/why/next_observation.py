"""What should be looked at next, and what could not be known? One observation that decides, and how to get the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import Need, Next, Suspect
from advisor.report.check.missing_evidence import way_to
from advisor.why.causes import Judged
from advisor.why.members import Scene

SURE: Final = 0.5
_CLOSE: Final = 0.15  # confidences nearer than this do not tell one from the other
LIKELY: Final = 0.25  # below it a candidate is none
_TWICE: Final = Next(
    "the counters of every member twice, 60 s apart, while the load runs",
    "mysqladmin -i 60 -c 2 extended-status > status.txt   # on each member",
)
_WAITS: Final = Next(
    "what the sessions wait for, and how long the logs' syncs take",
    "advisor collect --for 30s -o bundle.tar.gz   # while the load runs",
)


def next_of(suspects: Sequence[Suspect], silent: Sequence[Judged], scene: Scene) -> Next | None:
    """What would decide between the first candidates, or confirm the first; None: nothing is left to decide."""
    answer = suspects[0] if suspects and suspects[0].confidence >= SURE else None
    if answer is not None and answer.cause.answer != "limit":
        return Next(answer.cause.settles, answer.cause.command, (answer.cause.id,)) if answer.cause.settles else None
    likely = [suspect for suspect in suspects if suspect.confidence >= LIKELY and suspect.cause.answer == "limit"]
    told = [suspect for suspect in likely if suspect.cause.settles]
    if not told:
        if any(suspect.confidence >= SURE for suspect in suspects):
            return None
        if not any(len(view.member.samples) > 1 for view in scene.views):
            return _TWICE
        unread = any(name.startswith("tables.") or name in _TABLES for one in silent for name in one.missing)
        return _WAITS if unread else None
    first = next((one for one in told if told[0].cause.id in one.deeper), told[0])  # a symptom is quicker to test
    rivals = [one.cause.id for one in likely if abs(one.confidence - first.confidence) <= _CLOSE]
    return Next(first.cause.settles, first.cause.command, tuple(rivals) if len(rivals) > 1 else (first.cause.id,))


def needs_of(suspects: Sequence[Suspect], silent: Sequence[Judged]) -> tuple[Need, ...]:
    """The evidence nobody has, by the command that gets it; what concerns the likeliest causes first."""
    groups: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    lacking = [(one.cause.id, one.missing) for one in suspects] + [(one.cause.id, one.missing) for one in silent]
    for cause, missing in lacking:
        for name in (name for name in missing if not name.startswith(_NOT_ASKED)):
            needed, decides = groups.setdefault(_way(name), ({}, {}))
            needed[name] = decides[cause] = None
    return tuple(Need(_named(list(needed)), way, tuple(decides)) for way, (needed, decides) in groups.items())


def _named(names: Sequence[str]) -> str:
    """The names, of many the first few."""
    rest = len(names) - _MOST_NAMES
    return ", ".join(names) if rest <= 1 else f"{', '.join(names[:_MOST_NAMES])} and {rest} more"


def _way(name: str) -> str:
    """How to come by it; tables of the server are read twice while the load runs."""
    if name.startswith("tables.") or name in _TABLES:
        return "advisor collect --for 30s, while the load runs"
    if name.startswith("observed."):
        return f"--observe {name.removeprefix('observed.')}=… as you measured it"
    if name.startswith(("rate.", "delta.")):
        return _TWICE.command
    return way_to(name)


_NOT_ASKED: Final = ("observed.tried", "observed.scaling", "observed.offered", "host.storage", "observed.dips")
_MOST_NAMES: Final = 4
_TABLES: Final = ("processlist", "stmts_top")
