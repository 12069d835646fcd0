"""How is a setting changed that appliers only read when they start? With the appliers stopped meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget, restore_globals, set_global
from advisor.model.server import Role


@contextmanager
def appliers_stopped(target: FaultTarget) -> Iterator[None]:
    """Stop receiving and applying on a member meanwhile; a primary, a source and a Galera node go on."""
    if target.in_group:
        if target.member.role is not Role.SECONDARY:
            raise LabError(f"{target.member.name} is a primary: nothing is applied there")
        stop, start = "STOP GROUP_REPLICATION", "START GROUP_REPLICATION"
    elif target.replicates:
        start = target.dialect.start_replica
        stop = start.replace("START", "STOP")
    else:
        yield
        return
    with target.session() as session:
        session.run(stop)
        try:
            yield
        finally:
            session.run(start)


def set_for_appliers(target: FaultTarget, values: Mapping[str, object]) -> dict[str, str]:
    """Set global variables for appliers that start anew, and give what they were."""
    with appliers_stopped(target):
        return set_global(target, values)


def restore_for_appliers(target: FaultTarget, before: Mapping[str, object]) -> None:
    """Set them to what `set_for_appliers` found; a server that is down starts with what its option file says."""
    if target.runs:
        with appliers_stopped(target):
            restore_globals(target, before)
