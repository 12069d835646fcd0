"""How is a fault applied, remembered and cleared?

Faults in force are kept in the lab's `faults.json`, so that another `advisor` can clear them; `lab down` does not need
it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from advisor.atomic_write import write_files
from advisor.errors import AdvisorError, LabError, UsageError
from advisor.lab import members, processes, state
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import find_fault
from advisor.model.lab import ClusterFile
from advisor.model.record import record

_FILE: Final = "faults.json"


@record
class AppliedFault:
    """A fault in force on a member; `undo` is what its `clear` needs."""

    fault: str
    member: str
    strength: Mapping[str, Any]
    undo: Mapping[str, Any]


def applied(cluster: ClusterFile) -> list[AppliedFault]:
    """The faults in force, oldest first."""
    try:
        rows = json.loads((_folder(cluster) / _FILE).read_text(encoding="utf-8"))
        return [AppliedFault(**row) for row in rows]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError):
        raise LabError(
            f"{_folder(cluster) / _FILE} is damaged", hint=f"`advisor lab down {cluster.name}` removes the lab"
        ) from None


def apply(cluster: ClusterFile, fault_name: str, member: str, strength: Mapping[str, str]) -> AppliedFault:
    """Apply a fault to a member, given by name or number. UsageError when it is unknown, or in force there already."""
    name, module = find_fault(fault_name)
    target = _target(cluster, member)
    if any((fault.fault, fault.member) == (name, target.member.name) for fault in applied(cluster)):
        raise UsageError(
            f"{name} is already in effect on {target.member.name}",
            hint=f"clear it first: `advisor lab fault {cluster.name} clear {name}`",
        )
    wanted = _strength(name, module.STRENGTH, strength)
    made = AppliedFault(name, target.member.name, wanted, module.apply(target, wanted))
    try:
        _change(cluster, lambda rows: [*rows, made])
    except BaseException:  # a fault that is not remembered could never be cleared
        with processes.undisturbed():
            module.clear(target, dict(made.undo))
        raise
    return made


def clear(cluster: ClusterFile, fault_name: str = "", member: str = "") -> list[AppliedFault]:
    """Clear faults, the newest first: all, those of a name, of a member, or both. Returns what was cleared.

    A fault that cannot be cleared stays in the list, and its error is raised after the others.
    """
    name = find_fault(fault_name)[0] if fault_name else ""
    member_name = members.find_member(cluster, member).name if member else ""
    done: list[AppliedFault] = []
    errors: list[AdvisorError] = []
    for fault in reversed(applied(cluster)):
        if (not name or fault.fault == name) and (not member_name or fault.member == member_name):
            try:
                find_fault(fault.fault)[1].clear(_target(cluster, fault.member), dict(fault.undo))
            except AdvisorError as error:
                errors.append(error)
                continue
            done.append(fault)
            _change(cluster, lambda rows, gone=fault: [row for row in rows if row != gone])  # type: ignore[misc]
    if errors:
        raise errors[0]
    return done


def clear_after(cluster: ClusterFile, fault: AppliedFault, seconds: float) -> None:
    """Wait, then clear a fault; also when the wait is interrupted."""
    try:
        time.sleep(seconds)
    finally:
        with processes.undisturbed():
            clear(cluster, fault.fault, fault.member)


def _target(cluster: ClusterFile, member: str) -> FaultTarget:
    chosen = members.find_member(cluster, member)
    return FaultTarget(cluster, chosen, cluster.members.index(chosen) + 1)


def _strength(
    fault: str, defaults: Mapping[str, int | float | str], asked: Mapping[str, str]
) -> dict[str, int | float | str]:
    """The defaults, overridden by what was asked for; UsageError for an unknown parameter, or a wrong value."""
    values = dict(defaults)
    for given, text in asked.items():
        name = given.replace("-", "_")
        if name not in defaults:
            known = ", ".join(f"{key}={value}" for key, value in defaults.items())
            raise UsageError(f"{fault} has no parameter {name!r}", hint=f"parameters: {known or 'none'}")
        try:
            values[name] = type(defaults[name])(text)
        except ValueError:
            raise UsageError(f"{name}={text} is not a number") from None
        number = values[name]
        if not isinstance(number, str) and not 0 <= number < 1e12:
            raise UsageError(f"{name}={text} is out of range: from 0 to below 1e12")
    return values


def _change(cluster: ClusterFile, change: Callable[[list[AppliedFault]], list[AppliedFault]]) -> None:
    with state.reservation():
        rows = [vars(fault) for fault in change(applied(cluster))]
        write_files({_folder(cluster) / _FILE: json.dumps(rows)})


def _folder(cluster: ClusterFile) -> Path:
    return Path(cluster.path).resolve().parent
