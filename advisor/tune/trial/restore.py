"""How is a cluster put back as it was found? From the journal alone, whatever happened, and proved by reading back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.errors import LabError, ServerError
from advisor.model.lab import ClusterFile
from advisor.model.server import Release
from advisor.topologies import module_for, open_nodes
from advisor.tune.space.placement import ValuesByMember
from advisor.tune.state.journal import Journal, Originals, read_journal
from advisor.tune.trial import restart as restarting
from advisor.tune.trial.apply_settings import Refused, needs_restart, set_all
from advisor.tune.trial.guards import FULL_BYTES, START_FREE_BYTES, DiskGuard, local_folders
from advisor.tune.trial.read_settings import differences, values_by_member

_ANSWER_SECONDS: Final = 300.0


def restore(cluster: ClusterFile, path: Path, tell: Callable[[str], None]) -> list[str]:
    """Put back what the journal at `path` says was touched; what still differs then, in words ([] as it should be).

    What differed in the end is tried once more when it is asked for again.
    ServerError, LabError, or Unsafe on a full disk: it cannot be done now; the journal stays open, and it may be tried
    again.
    """
    account = read_journal(path)
    if account.originals is None or not (account.open or account.differences):
        return []
    originals, journal = account.originals, Journal(path, must=False)
    journal.note("restoring")
    notes = _put_files_back(cluster, originals) if account.restart else []
    _see_to_room(cluster, FULL_BYTES)
    restarting.start_what_is_down(cluster)
    restart, release = _needs(cluster, originals)
    if restart:
        _see_to_room(cluster, START_FREE_BYTES)
        tell("restarting the servers as they were")
        restarting.restart_all(cluster)
    wanted = _everything(originals) if account.restart or restart else originals.values
    try:
        _set_back(cluster, release, wanted, journal)
    except Refused:
        if restart or not restarting.can_restart(cluster):
            raise
        tell("a value is taken at a start only: restarting the servers as they were")
        restarting.restart_all(cluster)
        _set_back(cluster, release, _everything(originals), journal)
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        left = differences(values_by_member(nodes, _names(originals)), _copied(_everything(originals)))
        problems = module_for(cluster.topology, release.family).problems(nodes)
    found = _in_words(left)
    if problems:
        raise ServerError(f"the settings are back, but {cluster.name} is not ready: {'; '.join(problems)}")
    journal.note("restored", differences=found)
    return [*notes, *found]


def _in_words(left: ValuesByMember) -> list[str]:
    return [
        f"{member}: {name} was {value}, and is not so now"
        for member, values in left.items()
        for name, value in values.items()
    ]


def _set_back(cluster: ClusterFile, release: Release, wanted: ValuesByMember, journal: Journal) -> None:
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        set_all(cluster, nodes, release, wanted, journal)


def _see_to_room(cluster: ClusterFile, least_bytes: int) -> None:
    """Unsafe on a full disk: servers there would not answer, or, once they are shut down, not start."""
    DiskGuard(local_folders(cluster), least_bytes).before()


def _put_files_back(cluster: ClusterFile, originals: Originals) -> list[str]:
    """Every byte as it was; where somebody else changed more meanwhile, only our lines go, and it is told."""
    changed = []
    for member in cluster.members:
        before, now = originals.files.get(member.name), restarting.option_file_of(member)
        if before is None or now is None:
            continue
        if restarting.without_our_blocks(now.text) == restarting.without_our_blocks(before.text):
            if now.text != before.text:
                restarting.write_option_file(member, before.text)
        else:
            restarting.write_settings(member, {})
            changed.append(f"{member.name}: somebody else changed {before.path} meanwhile; it was left like that")
    return changed


def _needs(cluster: ClusterFile, originals: Originals) -> tuple[bool, Release]:
    """Whether a server has a value that only a restart takes back."""
    try:
        with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
            release = nodes[0].release
            assert release is not None  # open_nodes asks for it
            left = differences(values_by_member(nodes, _names(originals)), _copied(originals.values))
            problems = module_for(cluster.topology, release.family).problems(nodes)
    except ServerError as error:
        hint = "start its servers, then try again"
        raise LabError(f"cannot look at {cluster.name}: {error.message}", hint=hint) from None
    if problems:
        return restarting.can_restart(cluster), release
    return any(needs_restart(name, release, cluster) for values in left.values() for name in values), release


def _names(originals: Originals) -> Sequence[str]:
    return list(dict.fromkeys(name for values in _everything(originals).values() for name in values))


def _everything(originals: Originals) -> dict[str, dict[str, str]]:
    """What was relied on too: a restart takes away what its owner had set without writing it down."""
    return {member: {**values, **originals.relied.get(member, {})} for member, values in originals.values.items()}


def _copied(values: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {member: dict(found) for member, found in values.items()}
