"""How is a setting changed that appliers read only at their start? While the appliers are stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget, restore_globals, set_global
from advisor.model.server import Role


@contextmanager
def appliers_stopped(target: FaultTarget) -> Iterator[None]:
    """A context in which a replica or secondary neither receives nor applies; sources and Galera nodes continue."""
    if target.in_group:
        if target.member.role is not Role.SECONDARY:
            raise LabError(f"{target.member.name} is a primary, so it applies nothing")
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
    """Set global variables while the appliers are stopped, and return their old values."""
    with appliers_stopped(target):
        return set_global(target, values)


def restore_for_appliers(target: FaultTarget, before: Mapping[str, object]) -> None:
    """Restore the values that `set_for_appliers` returned; a stopped server starts with its option file anyway."""
    if target.runs:
        with appliers_stopped(target):
            restore_globals(target, before)
