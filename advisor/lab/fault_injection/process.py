"""How does a fault continue after the command has ended? In a separate process that the lab knows.

`python -m advisor.lab.fault_injection.process --advisor-lab=FOLDER/faults/FAULT.MEMBER FAULT MEMBER STRENGTH`, where
STRENGTH is JSON. It works until SIGTERM, then undoes what it did; `lab down` ends it like everything else.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Final

from advisor.cluster_file import read_cluster
from advisor.errors import AdvisorError, LabError
from advisor.lab import processes
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.processes import BELONGING, Process

_END_SECONDS: Final = 10.0
_SETTLE_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.02


class _Ended(BaseException):
    """The fault is cleared."""


def begin(target: FaultTarget, fault: str, strength: Mapping[str, Any]) -> dict[str, Any]:
    """Start the process of a fault and wait until it works; LabError with its last message when it fails."""
    place = target.folder / "faults"
    place.mkdir(exist_ok=True)
    mark = place / f"{fault}.{target.member.name}"
    module = "advisor.lab.fault_injection.process"
    words = [sys.executable, "-m", module, f"{BELONGING}{mark}", fault, target.member.name]
    log = mark.with_suffix(mark.suffix + ".log")
    for old in (mark, log):
        old.unlink(missing_ok=True)
    pid = processes.start([*words, json.dumps(dict(strength))], log)
    identity = processes.identify(pid)
    until = time.monotonic() + _SETTLE_SECONDS
    while not mark.exists():
        if processes.ended(pid) or time.monotonic() > until:
            processes.end([pid])
            messages = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise LabError(f"{fault} failed: {messages[-1] if messages else 'no message'}")
        time.sleep(_POLL_SECONDS)
    return {"process": vars(identity) if identity else None}


def end(undo: Mapping[str, Any]) -> None:
    """Let the process undo what it did and end; it is killed when it takes too long."""
    process = Process(**undo["process"]) if undo.get("process") else None
    if process is None or not processes.alive(process):
        return
    os.kill(process.pid, signal.SIGTERM)
    until = time.monotonic() + _END_SECONDS
    while processes.alive(process) and not processes.ended(process.pid):
        if time.monotonic() > until:
            processes.end([process.pid])
            return
        time.sleep(_POLL_SECONDS)


def main(words: list[str]) -> int:
    """Work until SIGTERM. Exit code 4 when the fault is not possible here."""
    from advisor.lab.faults import find_fault

    mark = Path(words[0].removeprefix(BELONGING))
    cluster = read_cluster(mark.parent.parent / "cluster.yaml")
    number = next(index for index, each in enumerate(cluster.members, 1) if each.name == words[2])
    target = FaultTarget(cluster, cluster.members[number - 1], number)
    signal.signal(signal.SIGTERM, _end)
    try:
        find_fault(words[1])[1].work(target, json.loads(words[3]), mark.touch)
    except _Ended:
        return 0
    except AdvisorError as error:
        sys.stderr.write(f"{error.message}\n")
        return error.exit_code
    return 0


def _end(number: int, frame: FrameType | None) -> None:
    raise _Ended


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
