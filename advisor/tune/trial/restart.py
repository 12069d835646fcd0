"""How do settings that need a restart reach the servers, and how are the members restarted?

A lab's members have a marked block at the end of their own option file. Others have an include file that belongs to
advisor alone, named in cluster.yaml together with the way to restart them: no line of the owner is ever edited.
Replicas are restarted before writers, one by one, each when the cluster is ready again; a lab, which nobody depends on,
all at once.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.atomic_write import write_file
from advisor.cluster_file import addresses
from advisor.errors import MachineError, ServerError
from advisor.lab import members as lab_members
from advisor.lab.option_blocks import with_block
from advisor.model.lab import ClusterFile, ClusterMember, Restart, RestartMethod
from advisor.topologies import module_for, open_node, open_nodes
from advisor.tune.space.member_values import LEADING
from advisor.tune.state.journal import OptionFile

LABEL: Final = "advisor tune"
APPLIED: Final = "advisor tune: applied"
_NEW_FILE: Final = "# made by advisor tune\n[mysqld]\n"
_PROVIDER: Final = "galera."
_WORDS_SECONDS: Final = 300.0
_READY_SECONDS: Final = 300.0
_POLL_SECONDS: Final = 0.2
_JOINS_BY_ITSELF_SECONDS: Final = 10.0


def can_restart(cluster: ClusterFile) -> bool:
    """Whether advisor can restart every member's server."""
    return all(member.start or member.restart for member in cluster.members)


def option_file_of(member: ClusterMember) -> OptionFile | None:
    """The file that advisor writes for a member, as it is now; None where there is none."""
    if member.start:
        return OptionFile(member.option_file, Path(member.option_file).read_text(encoding="utf-8"))
    if member.restart:
        return OptionFile(member.restart.include_file, _read(member.restart))
    return None


def write_settings(member: ClusterMember, settings: Mapping[str, str], label: str = LABEL) -> None:
    """Make a member start with these settings from now on; {} removes everything under the label."""
    option_file = option_file_of(member)
    if option_file is None:
        if settings:
            raise ServerError(
                f"{member.name}: cluster.yaml does not say how to restart it", hint="add `restart` to cluster.yaml"
            )
        return
    text = option_file.text if option_file.text is not None else _NEW_FILE
    write_option_file(member, with_block(text, label, _as_options(settings)))


def write_option_file(member: ClusterMember, text: str | None) -> None:
    """Write a member's option file; an include file of advisor that is empty is removed."""
    if member.start:
        write_file(Path(member.option_file), text or "")
    elif member.restart:
        _write(member.restart, None if text == _NEW_FILE else text)


def without_our_blocks(text: str | None) -> str:
    """An option file without the blocks that advisor wrote."""
    stripped = text if text is not None else _NEW_FILE
    for label in (LABEL, APPLIED):
        stripped = with_block(stripped, label, {})
    return stripped


def _as_options(settings: Mapping[str, str]) -> dict[str, str]:
    """As lines of an option file: provider options are one variable."""
    plain = {name: value for name, value in settings.items() if not name.startswith(_PROVIDER)}
    provider = [f"{name.removeprefix(_PROVIDER)}={value}" for name, value in settings.items() if name not in plain]
    return plain | ({"wsrep_provider_options": ";".join(provider)} if provider else {})


def restart_all(cluster: ClusterFile) -> None:
    """Restart every server and wait until the cluster is ready; LabError or ServerError with the reason when not."""
    if all(member.start for member in cluster.members):
        lab_members.stop(cluster)
        lab_members.start(cluster)
        return
    for member in sorted(cluster.members, key=lambda member: member.role in LEADING):
        _restart(cluster, member)


def wait_until_ready(cluster: ClusterFile) -> None:
    """Wait until every member answers and the topology is complete; a lab's servers that are down are started.

    ServerError or LabError with the reason when that takes too long.
    """
    start_what_is_down(cluster)
    deadline = time.monotonic() + _READY_SECONDS
    while True:
        try:
            with open_nodes(cluster) as nodes:
                problems = module_for(cluster.topology, nodes[0].dialect.family).problems(nodes)
        except ServerError as error:
            problems = [error.message]
        if not problems:
            return
        if time.monotonic() > deadline:
            raise ServerError(f"{cluster.name} was not ready after {_READY_SECONDS:.0f} s: {'; '.join(problems)}")
        time.sleep(_POLL_SECONDS)


def start_what_is_down(cluster: ClusterFile) -> None:
    """Start a lab's servers that are down; others are their owner's."""
    if all(member.start for member in cluster.members):
        lab_members.start(cluster)


def _restart(cluster: ClusterFile, member: ClusterMember) -> None:
    if member.restart is None:
        raise ServerError(
            f"{member.name}: cluster.yaml does not say how to restart it", hint="add `restart` to cluster.yaml"
        )
    _run(_on(member.restart, restart_command(member)), member.name)
    deadline = time.monotonic() + _READY_SECONDS
    login = addresses(cluster)[member.name]
    while True:
        try:
            open_node(member.name, member.role, login).session.close()
            break
        except ServerError as error:
            if time.monotonic() > deadline:
                raise ServerError(f"{member.name} did not start: {error.message}") from None
            time.sleep(_POLL_SECONDS)
    _wait_until_ready(cluster, member)


def restart_command(member: ClusterMember) -> list[str]:
    """The command that restarts a member's server."""
    how = member.restart
    assert how is not None
    if how.method is RestartMethod.SYSTEMD:
        return ["systemctl", "restart", how.unit]
    return [word.format(name=member.name, host=member.host, port=member.port) for word in how.words]


def _wait_until_ready(cluster: ClusterFile, member: ClusterMember) -> None:
    """A member that does not rejoin by itself is made to after a while."""
    started, rejoined = time.monotonic(), False
    while True:
        with open_nodes(cluster) as nodes:
            module = module_for(cluster.topology, nodes[0].dialect.family)
            problems = module.problems(nodes)
            if not problems:
                return
            if not rejoined and time.monotonic() - started > _JOINS_BY_ITSELF_SECONDS:
                module.rejoin(nodes, [member.name])
                rejoined = True
        if time.monotonic() - started > _READY_SECONDS:
            raise ServerError(
                f"the cluster was not ready {_READY_SECONDS:.0f} s after {member.name} started: {'; '.join(problems)}"
            )
        time.sleep(_POLL_SECONDS)


def _on(restart: Restart, words: Sequence[str]) -> list[str]:
    return ["ssh", "-o", "BatchMode=yes", restart.ssh, shlex.join(words)] if restart.ssh else list(words)


def _run(words: Sequence[str], name: str, text: str | None = None) -> str:
    try:
        completed = subprocess.run(
            words, input=text, capture_output=True, text=True, errors="replace", timeout=_WORDS_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MachineError(f"{name}: {words[0]} failed: {error}") from None
    if completed.returncode:
        lines = (completed.stderr or completed.stdout).strip().splitlines()
        output = lines[-1] if lines else "no output"
        raise MachineError(f"{name}: {shlex.join(words)} failed with exit code {completed.returncode}: {output}")
    return completed.stdout


def _read(restart: Restart) -> str | None:
    """The text of the include file; None when it is not there."""
    if restart.ssh:
        quoted = shlex.quote(restart.include_file)
        text = _run(["ssh", "-o", "BatchMode=yes", restart.ssh, f"test ! -e {quoted} || cat {quoted}"], restart.ssh)
        return text or None
    path = Path(restart.include_file)
    return path.read_text(encoding="utf-8") if path.exists() else None


def _write(restart: Restart, text: str | None) -> None:
    """Write the include file; None removes it."""
    if restart.ssh:
        quoted, new = shlex.quote(restart.include_file), shlex.quote(restart.include_file + ".new")
        words = f"rm -f {quoted}" if text is None else f"cat > {new} && chmod 644 {new} && mv {new} {quoted}"
        _run(["ssh", "-o", "BatchMode=yes", restart.ssh, words], restart.ssh, text or "")
        return
    path = Path(restart.include_file)
    if text is None:
        path.unlink(missing_ok=True)
        return
    write_file(path, text)
    os.chmod(path, 0o644)
