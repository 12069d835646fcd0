"""How does a cluster get a configuration? What differs is set, after a restart where needed, and read back."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.catalog import canonical
from advisor.errors import AdvisorError, MachineError, ServerError, UsageError
from advisor.model.applying import Application
from advisor.model.lab import ClusterFile
from advisor.model.record import record
from advisor.model.server import Release
from advisor.nodes import Node
from advisor.topologies import application, apply_settings, module_for, open_nodes
from advisor.tune.space.member_values import ValuesByMember
from advisor.tune.state.journal import Journal, Originals
from advisor.tune.trial import restart as restarting
from advisor.tune.trial.read_settings import differences, is_rounded, same_value, values_by_member
from advisor.tune.trial.validate_config import Check, checks_of, complaints

_ANSWER_SECONDS: Final = 300.0  # to stop a loaded applier, or to shrink a buffer pool
_BACKGROUND_SECONDS: Final = 60.0  # until a change that the server makes in the background is done
IN_BACKGROUND: Final = ("innodb_buffer_pool_size", "innodb_redo_log_capacity", "innodb_log_file_size")
_POLL_SECONDS: Final = 0.1
# Errors that are not the configuration's fault: too many connections, disk full, shutting down, no memory for a thread;
# and 2000 to 2999, the client's.
_NOT_REFUSED: Final = (1021, 1040, 1053, 1114, 1135)


class Refused(AdvisorError):
    """The servers refuse this configuration, or do not start with it."""

    exit_code = 4


class RefusedUnstarted(Refused):
    """The servers' own check of their option files says that they would not start; no server was changed."""


@record
class AppliedConfiguration:
    """Whether servers were restarted, and the values of each member now."""

    restarted: bool
    values: Mapping[str, Mapping[str, str]]


def needs_restart(name: str, release: Release, cluster: ClusterFile) -> bool:
    """Whether a change of a variable needs a restart of the server."""
    try:
        return application(canonical(name, release.family), release, cluster.topology) is Application.SERVER_RESTART
    except UsageError:
        return True


def apply_configuration(
    cluster: ClusterFile, release: Release, wanted: ValuesByMember, originals: Originals, journal: Journal, fresh: bool
) -> AppliedConfiguration:
    """Give every member the wanted values, and wait until the cluster is ready.

    When servers are restarted, everything that differs from the originals is written for that start, dynamic settings
    too; protected settings that the owner had set at run time only are set again afterwards. Refused when the
    configuration is at fault (RefusedUnstarted: no server was touched), ServerError or MachineError when something
    else is.
    """
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        current = values_by_member(nodes, _names(wanted))
        checks = checks_of(cluster.members, nodes, release)
    changes = differences(current, _copied(wanted))
    restart = fresh or any(needs_restart(name, release, cluster) for values in changes.values() for name in values)
    if not restart:
        try:
            return _set(cluster, release, wanted, journal, restarted=False)
        except Refused:  # some values are accepted at a start only, as a redo log smaller than its buffer
            if not restarting.can_restart(cluster):
                raise
    before = originals.values
    writes = {
        member: {name: value for name, value in values.items() if not same_value(value, before[member][name])}
        for member, values in wanted.items()
    }
    journal.note("files", values=writes)
    _write_checked(cluster, writes, checks)
    _restart(cluster)
    lasting = {member: {**values, **originals.relied.get(member, {})} for member, values in wanted.items()}
    return _set(cluster, release, lasting, journal, restarted=True)


def _set(
    cluster: ClusterFile, release: Release, wanted: ValuesByMember, journal: Journal, *, restarted: bool
) -> AppliedConfiguration:
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        set_all(cluster, nodes, release, wanted, journal)
        return AppliedConfiguration(restarted, _read_back(nodes, wanted))


def _write_checked(cluster: ClusterFile, writes: ValuesByMember, checks: Sequence[Check]) -> None:
    """Write for the next start; undone at once where the servers' own check objects."""
    before = {member.name: restarting.option_file_of(member) for member in cluster.members}
    known = {check.member.name: complaints(check) for check in checks}
    for member in cluster.members:
        restarting.write_settings(member, writes[member.name])
    for check in checks:
        name, objections, known_objections = check.member.name, complaints(check), known[check.member.name]
        if objections is None or known_objections is None or objections <= known_objections:
            continue
        for member in cluster.members:
            if option_file := before[member.name]:
                restarting.write_option_file(member, option_file.text)
        raise RefusedUnstarted(
            f"{name} would not start with these settings: {'; '.join(sorted(objections - known_objections)[:3])}"
        )


def _restart(cluster: ClusterFile) -> None:
    try:
        restarting.restart_all(cluster)
    except MachineError as error:
        raise Refused(error.message, hint=error.hint) from None


def set_all(
    cluster: ClusterFile, nodes: Sequence[Node], release: Release, wanted: ValuesByMember, journal: Journal
) -> None:
    """Set what differs and can be set without a restart."""
    changes = {
        member: {name: value for name, value in values.items() if not needs_restart(name, release, cluster)}
        for member, values in differences(values_by_member(nodes, _names(wanted)), _copied(wanted)).items()
    }
    changes = {member: values for member, values in changes.items() if values}
    if not changes:
        return
    journal.note("set", values=changes)
    try:
        apply_settings(module_for(cluster.topology, release.family), nodes, changes)
    except ServerError as error:
        if (1000 <= error.number < 2000 or error.number >= 3000) and error.number not in _NOT_REFUSED:
            raise Refused(error.message) from None
        raise


def _read_back(nodes: Sequence[Node], wanted: ValuesByMember) -> dict[str, dict[str, str]]:
    """The values of the members now; Refused when they are not the wanted ones, rounding aside."""
    deadline = time.monotonic() + _BACKGROUND_SECONDS
    while True:
        current = values_by_member(nodes, _names(wanted))
        different = {
            name: f"{member}: {name} is {current[member].get(name, 'not current')}, not {value}"
            for member, values in differences(current, _copied(wanted)).items()
            for name, value in values.items()
            if not is_rounded(value, current[member].get(name, ""))
        }
        if not different:
            return current
        if time.monotonic() > deadline or not set(different) <= set(IN_BACKGROUND):
            raise Refused("; ".join(list(different.values())[:3]))
        time.sleep(_POLL_SECONDS)


def _names(wanted: ValuesByMember) -> list[str]:
    return list(dict.fromkeys(name for values in wanted.values() for name in values))


def _copied(wanted: ValuesByMember) -> dict[str, dict[str, str]]:
    return {member: dict(values) for member, values in wanted.items()}
