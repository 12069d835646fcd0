"""How does a cluster come to have a configuration? What differs is set, after a restart where needed, and read back."""

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
from advisor.tune.space.placement import ValuesByMember
from advisor.tune.state.journal import Journal, Originals
from advisor.tune.trial import restart as restarting
from advisor.tune.trial.read_settings import differences, same_value, values_by_member
from advisor.tune.trial.validate_config import Check, checks_of, complaints

_ANSWER_SECONDS: Final = 300.0  # to stop a loaded applier, or to shrink a buffer pool
_TAKES_SECONDS: Final = 60.0  # until a value is there that is changed in the background
_IN_BACKGROUND: Final = ("innodb_buffer_pool_size", "innodb_redo_log_capacity", "innodb_log_file_size")
_POLL_SECONDS: Final = 0.1
_ROUNDED: Final = 0.15  # a server may round a value by so much; more is another value
# The configuration is not at fault: too many connections, disk full, shutting down, no memory for a thread, and 2000 to
# 2999, the client's.
_NOT_REFUSED: Final = (1021, 1040, 1053, 1114, 1135)


class Refused(AdvisorError):
    """The servers do not take this configuration, or do not start with it."""

    exit_code = 4


class RefusedUnstarted(Refused):
    """The servers' own check of their option files says that they would not start; nothing was changed."""


@record
class AppliedConfiguration:
    """What it took: whether servers were restarted, and what each member has now."""

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
    """Make every member have the wanted values, and wait until the cluster is ready.

    Everything that differs from the originals is written for the next start whenever servers are restarted, what may
    be set without as well; what the owner relies on and had set without writing it down is set again after that.
    Refused when the configuration is at fault (RefusedUnstarted: no server was touched), ServerError or LabError when
    something else is.
    """
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        there = values_by_member(nodes, _names(wanted))
        checks = checks_of(cluster.members, nodes, release)
    changes = differences(there, _copied(wanted))
    restart = fresh or any(needs_restart(name, release, cluster) for values in changes.values() for name in values)
    if not restart:
        try:
            return _set(cluster, release, wanted, journal, restarted=False)
        except Refused:  # some values are taken at a start only, as a redo log that is smaller than its buffer
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
    """Write for the next start; what the servers' own check objects to is taken back at once."""
    before = {member.name: restarting.option_file_of(member) for member in cluster.members}
    known = {check.member.name: complaints(check) for check in checks}
    for member in cluster.members:
        restarting.write_settings(member, writes[member.name])
    for check in checks:
        name, now, earlier = check.member.name, complaints(check), known[check.member.name]
        if now is None or earlier is None or now <= earlier:
            continue
        for member in cluster.members:
            if found := before[member.name]:
                restarting.write_option_file(member, found.text)
        raise RefusedUnstarted(f"{name} would not start as is wanted: {'; '.join(sorted(now - earlier)[:3])}")


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
    """What the members have now; Refused when it is not what was wanted, give or take rounding."""
    until = time.monotonic() + _TAKES_SECONDS
    while True:
        there = values_by_member(nodes, _names(wanted))
        missing = {
            name: f"{member}: {name} is {there[member].get(name, 'not there')}, not {value}"
            for member, values in differences(there, _copied(wanted)).items()
            for name, value in values.items()
            if not _rounded(value, there[member].get(name, ""))
        }
        if not missing:
            return there
        if time.monotonic() > until or not set(missing) <= set(_IN_BACKGROUND):
            raise Refused("; ".join(list(missing.values())[:3]))
        time.sleep(_POLL_SECONDS)


def _rounded(wanted: str, there: str) -> bool:
    try:
        asked, got = float(wanted), float(there)
    except ValueError:
        return False
    return abs(asked - got) <= _ROUNDED * abs(asked)


def _names(wanted: ValuesByMember) -> list[str]:
    return list(dict.fromkeys(name for values in wanted.values() for name in values))


def _copied(wanted: ValuesByMember) -> dict[str, dict[str, str]]:
    return {member: dict(values) for member, values in wanted.items()}
