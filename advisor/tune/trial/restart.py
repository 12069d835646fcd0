"""How do settings that need one reach a server's next start, and how are the members restarted?

A lab's members have a marked block at the end of their own option file. Others have an include file that is ours
alone, named in cluster.yaml with how they are restarted: nobody's own lines are ever edited. Those that apply are
restarted before those that write, one by one, each when the cluster is ready again; a lab, whose data is nobody's, all
at once.
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
from advisor.tune.space.placement import LEADING
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
    """Whether every member's server can be restarted by us."""
    return all(member.start or member.restart for member in cluster.members)


def option_file_of(member: ClusterMember) -> OptionFile | None:
    """The file we would write for a member, as it is now; None where there is none."""
    if member.start:
        return OptionFile(member.option_file, Path(member.option_file).read_text(encoding="utf-8"))
    if member.restart:
        return OptionFile(member.restart.include_file, _read(member.restart))
    return None


def write_settings(member: ClusterMember, settings: Mapping[str, str], label: str = LABEL) -> None:
    """Make a member's next start take these settings; {} takes everything under the label away."""
    found = option_file_of(member)
    if found is None:
        if settings:
            raise ServerError(f"{member.name}: nobody said how it is restarted", hint="`restart` in cluster.yaml")
        return
    text = found.text if found.text is not None else _NEW_FILE
    write_option_file(member, with_block(text, label, _as_options(settings)))


def write_option_file(member: ClusterMember, text: str | None) -> None:
    """Make a member's option file say this; an include file of ours with nothing in it is taken away."""
    if member.start:
        write_file(Path(member.option_file), text or "")
    elif member.restart:
        _write(member.restart, None if text == _NEW_FILE else text)


def without_our_blocks(text: str | None) -> str:
    """An option file without anything we wrote."""
    bare = text if text is not None else _NEW_FILE
    for label in (LABEL, APPLIED):
        bare = with_block(bare, label, {})
    return bare


def _as_options(settings: Mapping[str, str]) -> dict[str, str]:
    """Provider options are one variable."""
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


def start_what_is_down(cluster: ClusterFile) -> None:
    """Start a lab's servers that do not run; others have somebody who does."""
    if all(member.start for member in cluster.members):
        lab_members.start(cluster)


def _restart(cluster: ClusterFile, member: ClusterMember) -> None:
    if member.restart is None:
        raise ServerError(f"{member.name}: nobody said how it is restarted", hint="`restart` in cluster.yaml")
    _run(_on(member.restart, restart_command(member)), member.name)
    until = time.monotonic() + _READY_SECONDS
    login = addresses(cluster)[member.name]
    while True:
        try:
            open_node(member.name, member.role, login).session.close()
            break
        except ServerError as error:
            if time.monotonic() > until:
                raise ServerError(f"{member.name} did not start: {error.message}") from None
            time.sleep(_POLL_SECONDS)
    _wait_until_ready(cluster, member)


def restart_command(member: ClusterMember) -> list[str]:
    """The words that restart a member's server."""
    how = member.restart
    assert how is not None
    if how.method is RestartMethod.SYSTEMD:
        return ["systemctl", "restart", how.unit]
    return [word.format(name=member.name, host=member.host, port=member.port) for word in how.words]


def _wait_until_ready(cluster: ClusterFile, member: ClusterMember) -> None:
    """A member that does not join by itself is let in after a while."""
    begun, joined = time.monotonic(), False
    while True:
        with open_nodes(cluster) as nodes:
            module = module_for(cluster.topology, nodes[0].dialect.family)
            found = module.problems(nodes)
            if not found:
                return
            if not joined and time.monotonic() - begun > _JOINS_BY_ITSELF_SECONDS:
                module.rejoin(nodes, [member.name])
                joined = True
        if time.monotonic() - begun > _READY_SECONDS:
            raise ServerError(f"not ready {_READY_SECONDS:.0f} s after {member.name} started: {'; '.join(found)}")
        time.sleep(_POLL_SECONDS)


def _on(restart: Restart, words: Sequence[str]) -> list[str]:
    return ["ssh", "-o", "BatchMode=yes", restart.ssh, shlex.join(words)] if restart.ssh else list(words)


def _run(words: Sequence[str], name: str, text: str | None = None) -> str:
    try:
        done = subprocess.run(
            words, input=text, capture_output=True, text=True, errors="replace", timeout=_WORDS_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MachineError(f"{name}: {words[0]} failed: {error}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        output = said[-1] if said else "no output"
        raise MachineError(f"{name}: {shlex.join(words)} failed with exit code {done.returncode}: {output}")
    return done.stdout


def _read(restart: Restart) -> str | None:
    """The text of the include file; None when it is not there."""
    if restart.ssh:
        quoted = shlex.quote(restart.include_file)
        said = _run(["ssh", "-o", "BatchMode=yes", restart.ssh, f"test ! -e {quoted} || cat {quoted}"], restart.ssh)
        return said or None
    path = Path(restart.include_file)
    return path.read_text(encoding="utf-8") if path.exists() else None


def _write(restart: Restart, text: str | None) -> None:
    """Make the include file say a text; without one it is taken away."""
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
