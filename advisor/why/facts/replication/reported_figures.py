"""What do single figures of a report say of replication: time stamps of events, the state of the receiver?"""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError

# The header of an event as mysqlbinlog prints it: "#240131 14:23:18 server id 7".
_EVENT: Final = re.compile(r"#(\d{6}) +(\d{1,2}:\d{2}:\d{2}) server id (\d+)")
_DURATION: Final = re.compile(r"\b(\d+(?:\.\d+)?) ?(s|secs?|seconds?|min|minutes?|h|hours?|days?)\b")
_SECONDS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_TIME: Final = re.compile(r"\b(?:times?|took|takes|duration|elapsed|runtime|execution|runs|seconds)\b")
_NO_WORK: Final = re.compile(r"behind|\blag|delay|latenc|\bwaits?\b|timeout|uptime|\brtt\b|ping")
_SIDES: Final = {
    "source": re.compile(r"\b(?:source|master|primary)\b"),
    "replica": re.compile(r"\b(?:replica|slave)\b"),
}
_SIZE: Final = re.compile(r"\b(\d+(?:\.\d+)?) ?(v?cpus?|cores?|gi?b(?= (?:of )?(?:ram|memory)))\b")
_QUEUEING: Final = re.compile(r"queu?eing (?:master|source) event")


@fact("s")
def events_step_back_seconds(e: MemberFacts) -> float:
    """By how much an event of a printed binary or relay log is older than the event printed before it, at most."""
    times = [moment for line in e["fact.report_lines"] for moment in _times(line)]
    if len(times) < 2:
        raise NeedsError(Missing(("observed.log",)))
    return max(0.0, *((before - after).total_seconds() for before, after in pairwise(times)))


def _times(line: str) -> list[datetime]:
    found = []
    for day, clock, _ in _EVENT.findall(line):
        try:
            found.append(datetime.strptime(f"{day} {clock} +0000", "%y%m%d %H:%M:%S %z"))
        except ValueError:
            continue
    return found


@fact()
def receiver_is_writing(e: MemberFacts) -> bool:
    """Whether the receiver was seen writing events to the relay log; one that keeps up mostly waits for events."""
    return bool(_QUEUEING.search(str(e["replica.Replica_IO_State"]).lower()))


@fact()
def replica_time_ratio(e: MemberFacts) -> Any:
    """How many times as long the same work is told to take on the replica as on the source."""
    took: dict[str, float] = {}
    for line in e["fact.report_lines"]:
        if (side := _side(line)) and len(durations := _DURATION.findall(line)) == 1:
            took.setdefault(side, float(durations[0][0]) * _SECONDS[durations[0][1][:1]])
    if len(took) < 2 or not took["source"]:
        raise NeedsError(Missing(("observed.notes",)))
    return took["replica"] / took["source"]


def _side(line: str) -> str:
    """The server whose time a line gives; "" where it names both, or something else than a time."""
    label = line.partition(":")[0]
    if not _TIME.search(label) or _NO_WORK.search(line):
        return ""
    sides = [side for side, words in _SIDES.items() if words.search(label)]
    return sides[0] if len(sides) == 1 else ""


@fact("share")
def replica_size_share(e: MemberFacts) -> Any:
    """The replica's CPUs or memory, whichever is less of the source's, as a share of the source's; as reported."""
    sizes: dict[tuple[str, str], float] = {}
    for line in e["fact.report_lines"]:
        for part in re.split(r"[;|]|, (?=(?:source|master|primary|replica|slave))", line):
            sides = [side for side, words in _SIDES.items() if words.search(part)]
            for number, unit in _SIZE.findall(part) if len(sides) == 1 else ():
                sizes.setdefault((sides[0], _unit(unit)), float(number))
    shares = [sizes["replica", unit] / size for (side, unit), size in sizes.items()
              if side == "source" and ("replica", unit) in sizes and size]  # fmt: skip
    if not shares:
        raise NeedsError(Missing(("host.cpus",)))
    return min(shares)


def _unit(word: str) -> str:
    return "memory" if word.startswith("g") else "cpus"


@fact("share")
def coordinator_cpu_share(e: MemberFacts) -> float:
    """CPU use of the thread that schedules replicated transactions, as observed (`host.coordinator_cpu`)."""
    return float(e["host.coordinator_cpu"])
