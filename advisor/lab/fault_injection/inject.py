"""Which faults does a lab have now? Applying them, remembering how to take them back, and doing so.

What is applied stands in the lab's `faults.json`, so that another `advisor` can clear it; `lab down` needs none of it.
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
    """A fault in force on a member; `undo` is what its own `clear` needs."""

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
        raise LabError(f"{_folder(cluster) / _FILE} cannot be read") from None


def apply(cluster: ClusterFile, fault: str, member: str, strength: Mapping[str, str]) -> AppliedFault:
    """Apply a fault to a member, named or numbered. UsageError for what is unknown, or applied there already."""
    name, module = find_fault(fault)
    target = _target(cluster, member)
    if any((one.fault, one.member) == (name, target.member.name) for one in applied(cluster)):
        raise UsageError(
            f"{target.member.name} has {name} already", hint=f"`advisor lab fault {cluster.name} clear {name}` first"
        )
    wanted = _strength(name, module.STRENGTH, strength)
    made = AppliedFault(name, target.member.name, wanted, module.apply(target, wanted))
    try:
        _change(cluster, lambda rows: [*rows, made])
    except BaseException:  # what is not remembered could never be taken back
        with processes.undisturbed():
            module.clear(target, dict(made.undo))
        raise
    return made


def clear(cluster: ClusterFile, fault: str = "", member: str = "") -> list[AppliedFault]:
    """Take faults back, the last first: all, those of a name, of a member, or both. Gives what was cleared.

    One that cannot be taken back stays in the list, and its error is raised when the others are done.
    """
    name = find_fault(fault)[0] if fault else ""
    who = members.find_member(cluster, member).name if member else ""
    done: list[AppliedFault] = []
    errors: list[AdvisorError] = []
    for one in reversed(applied(cluster)):
        if (not name or one.fault == name) and (not who or one.member == who):
            try:
                find_fault(one.fault)[1].clear(_target(cluster, one.member), dict(one.undo))
            except AdvisorError as error:
                errors.append(error)
                continue
            done.append(one)
            _change(cluster, lambda rows, gone=one: [row for row in rows if row != gone])  # type: ignore[misc]
    if errors:
        raise errors[0]
    return done


def clear_after(cluster: ClusterFile, one: AppliedFault, seconds: float) -> None:
    """Wait, then take a fault back; also when the wait is interrupted."""
    try:
        time.sleep(seconds)
    finally:
        with processes.undisturbed():
            clear(cluster, one.fault, one.member)


def _target(cluster: ClusterFile, member: str) -> FaultTarget:
    found = members.find_member(cluster, member)
    return FaultTarget(cluster, found, cluster.members.index(found) + 1)


def _strength(
    fault: str, defaults: Mapping[str, int | float | str], asked: Mapping[str, str]
) -> dict[str, int | float | str]:
    """The defaults, with what was asked for in their kind; UsageError for another name, or no number."""
    values = dict(defaults)
    for name, text in asked.items():
        if name not in defaults:
            known = ", ".join(f"{key}={value}" for key, value in defaults.items())
            raise UsageError(f"{fault} has no {name!r}", hint=f"it has {known or 'nothing to set'}")
        try:
            values[name] = type(defaults[name])(text)
        except ValueError:
            raise UsageError(f"{name}={text} is no number") from None
        number = values[name]
        if not isinstance(number, str) and not 0 <= number < 1e12:
            raise UsageError(f"{name}={text} is out of range")
    return values


def _change(cluster: ClusterFile, change: Callable[[list[AppliedFault]], list[AppliedFault]]) -> None:
    with state.reservation():
        rows = [vars(one) for one in change(applied(cluster))]
        write_files({_folder(cluster) / _FILE: json.dumps(rows)})


def _folder(cluster: ClusterFile) -> Path:
    return Path(cluster.path).resolve().parent
