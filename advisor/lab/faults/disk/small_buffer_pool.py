"""The buffer pool holds only a small part of the data, so pages are reread from disk. Restarts the server."""

from __future__ import annotations

from typing import Final

from advisor.lab import members
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH = {"megabytes": 16}
_LABEL: Final = "fault small_buffer_pool"


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """By the option file: a pool shrinks by whole chunks only, and the lab's is a single chunk."""
    settings = {"innodb_buffer_pool_size": f"{strength['megabytes']}M"}
    members.restart(target.cluster, [target.member.name], settings, _LABEL)
    return {}


def clear(target: FaultTarget, undo: Undo) -> None:
    """As large as before, after another restart."""
    members.restart(target.cluster, [target.member.name], {}, _LABEL)
