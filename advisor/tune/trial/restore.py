"""How does a cluster get its original settings back? From the journal alone, whatever happened, and read back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.bench.catch_up import start_appliers
from advisor.bench.open_cluster import open_cluster
from advisor.errors import LabError, ServerError
from advisor.lab.processes import undisturbed
from advisor.model.lab import ClusterFile
from advisor.model.server import Release
from advisor.topologies import module_for, open_nodes
from advisor.tune.space.member_values import ValuesByMember
from advisor.tune.state.journal import Journal, JournalState, Originals, read_journal
from advisor.tune.trial import restart as restarting
from advisor.tune.trial.apply_configuration import Refused, needs_restart, set_all
from advisor.tune.trial.data_commands import RESTORE, end_left_running, run_command
from advisor.tune.trial.guards import FULL_BYTES, START_FREE_BYTES, DiskGuard, local_folders
from advisor.tune.trial.read_settings import differences, values_by_member

_ANSWER_SECONDS: Final = 300.0


def restore(cluster: ClusterFile, path: Path, tell: Callable[[str], None]) -> list[str]:
    """Restore what the journal at `path` says was changed; what still differs then, in words ([]: nothing).

    Called again, it tries again what still differed. ServerError, LabError, or Unsafe on a full disk: it cannot be done
    now; the journal stays open for another attempt.
    """
    account = read_journal(path)
    if account.originals is None or not (account.open or account.differences):
        return []
    originals, journal = account.originals, Journal(path, must=False)
    journal.note("restoring")
    notes = _restore_files(cluster, originals) if account.restart else []
    _require_space(cluster, FULL_BYTES)
    _restore_data(cluster, account, journal, tell)
    restarting.start_what_is_down(cluster)
    if account.appliers_stopped:
        with open_cluster(cluster) as opened:
            start_appliers(opened)
        journal.note_appliers(stopped=False)
    restart, release = _needs_restart(cluster, originals)
    if restart:
        _require_space(cluster, START_FREE_BYTES)
        tell("restarting the servers with the settings they had before")
        restarting.restart_all(cluster)
    wanted = _everything(originals) if account.restart or restart else originals.values
    try:
        _set_values(cluster, release, wanted, journal)
    except Refused:
        if restart or not restarting.can_restart(cluster):
            raise
        tell("a setting needs a restart: restarting the servers with the settings they had before")
        restarting.restart_all(cluster)
        _set_values(cluster, release, _everything(originals), journal)
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        differing = differences(values_by_member(nodes, _names(originals)), _copied(_everything(originals)))
        problems = module_for(cluster.topology, release.family).problems(nodes)
    sentences = _sentences(differing)
    if problems:
        raise ServerError(f"the settings are restored, but {cluster.name} is not ready: {'; '.join(problems)}")
    journal.note("restored", differences=sentences)
    return [*notes, *sentences]


def restart_with_originals(cluster: ClusterFile) -> None:
    """After servers refused to start; LabError when they refuse their original settings too."""
    with undisturbed():
        for member in cluster.members:
            restarting.write_settings(member, {})
        restarting.restart_all(cluster)


def _sentences(left: ValuesByMember) -> list[str]:
    return [
        f"{member}: {name} was {value} before and could not be restored"
        for member, values in left.items()
        for name, value in values.items()
    ]


def _restore_data(cluster: ClusterFile, account: JournalState, journal: Journal, tell: Callable[[str], None]) -> None:
    """Run the user's `--restore` once more, where something was written since; MachineError when it fails.

    The servers it starts begin with the option files as they were.
    """
    if account.command:
        end_left_running(account.command)
    if account.data is None:
        return
    tell("restoring the data with --restore")
    told = {**os.environ, **account.data.environment, "ADVISOR_TRIAL_KIND": "", "ADVISOR_TRIAL_CHANGES": "{}"}
    run_command(RESTORE, account.data.text, account.data.limit_seconds, told, journal)
    restarting.wait_until_ready(cluster)


def _set_values(cluster: ClusterFile, release: Release, wanted: ValuesByMember, journal: Journal) -> None:
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        set_all(cluster, nodes, release, wanted, journal)


def _require_space(cluster: ClusterFile, least_bytes: int) -> None:
    """Unsafe on a full disk: its servers would not answer or, once they are shut down, not start."""
    DiskGuard(local_folders(cluster), least_bytes).before()


def _restore_files(cluster: ClusterFile, originals: Originals) -> list[str]:
    """Every byte as it was; of files that someone else changed meanwhile, only the lines of advisor are removed."""
    notes = []
    for member in cluster.members:
        before, now = originals.files.get(member.name), restarting.option_file_of(member)
        if before is None or now is None:
            continue
        if restarting.without_our_blocks(now.text) == restarting.without_our_blocks(before.text):
            if now.text != before.text:
                restarting.write_option_file(member, before.text)
        else:
            restarting.write_settings(member, {})
            notes.append(f"{member.name}: {before.path} was changed by someone else; only advisor's lines were removed")
    return notes


def _needs_restart(cluster: ClusterFile, originals: Originals) -> tuple[bool, Release]:
    """Whether a server has a value that only a restart can restore; and the release."""
    try:
        with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
            release = nodes[0].release
            assert release is not None  # open_nodes asks for it
            differing = differences(values_by_member(nodes, _names(originals)), _copied(originals.values))
            problems = module_for(cluster.topology, release.family).problems(nodes)
    except ServerError as error:
        hint = "start its servers, then try again"
        raise LabError(f"cannot read the settings of {cluster.name}: {error.message}", hint=hint) from None
    if problems:
        return restarting.can_restart(cluster), release
    return any(needs_restart(name, release, cluster) for values in differing.values() for name in values), release


def _names(originals: Originals) -> Sequence[str]:
    return list(dict.fromkeys(name for values in _everything(originals).values() for name in values))


def _everything(originals: Originals) -> dict[str, dict[str, str]]:
    """Protected settings too: a restart loses what the owner had set at run time only."""
    return {member: {**values, **originals.relied.get(member, {})} for member, values in originals.values.items()}


def _copied(values: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {member: dict(found) for member, found in values.items()}
