"""How does a member of a lab stop, start, and rejoin its cluster? In order, and ready afterwards.

Members are named as in cluster.yaml; () means all. Servers shut down cleanly here, unlike with `lab down`, which kills
them and deletes their data.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from advisor.atomic_write import write_files
from advisor.catalog import parse_release
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.errors import LabError, MachineError, ServerError, UsageError
from advisor.lab import error_log, launch_members, processes, state
from advisor.lab.network.emulation import lacks_forwarder, start_forwarder
from advisor.lab.option_blocks import with_block
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.record import replace
from advisor.topologies import module_for, open_nodes

_STOP_SECONDS: Final = 120.0
_START_SECONDS: Final = 120.0
_RECOVER_SECONDS: Final = 120
_DYING_SECONDS: Final = 20.0
_EXPULSION_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.05
LATER: Final = "set later"  # the label of settings that `lab restart --set` wrote


def find_member(cluster: ClusterFile, text: str) -> ClusterMember:
    """The member with a name ("m2") or a number counted from 1 ("2"); UsageError when there is none."""
    for number, member in enumerate(cluster.members, 1):
        if text in (member.name, str(number)):
            return member
    known = ", ".join(member.name for member in cluster.members)
    raise UsageError(f"{cluster.name} has no member {text!r}", hint=f"members: {known}")


def running(cluster: ClusterFile) -> dict[str, int]:
    """The process id of each running member, by the member's name."""
    names = {member.name for member in cluster.members}
    users = processes.using(Path(cluster.path).resolve().parent)
    return {name: pid for pid, name in sorted(users.items()) if name in names}


def stop(cluster: ClusterFile, names: Sequence[str] = ()) -> None:
    """Shut servers down, the first member last, so that the others receive all its writes; stopped ones are skipped."""
    pids = running(cluster)
    wanted = [member for member in reversed(cluster.members) if member.name in (names or pids) and member.name in pids]
    for member in wanted:
        os.kill(pids[member.name], signal.SIGCONT)  # a paused process would not react
    if wanted and len(pids) < len(cluster.members):
        with suppress(ServerError):  # the servers are to stop anyway
            _wait_for_expulsions(cluster, pids)
    first = cluster.members[0].name
    for together in ([pids[each.name] for each in wanted if (each.name == first) is last] for last in (False, True)):
        processes.ask_to_end(together, _STOP_SECONDS)


def _wait_for_expulsions(cluster: ClusterFile, pids: Mapping[str, int]) -> None:
    """Wait until the running members have expelled those that died."""
    alive = replace(cluster, members=tuple(member for member in cluster.members if member.name in pids))
    with open_nodes(alive, answer_seconds=_EXPULSION_SECONDS) as nodes:
        module_for(cluster.topology, nodes[0].dialect.family).wait_for_expulsions(nodes)


def start(cluster: ClusterFile, names: Sequence[str] = ()) -> None:
    """Start servers that are down, let them rejoin, and wait until the cluster of all running members is ready.

    LabError with the reason from the error log when one does not start.
    """
    release = parse_release(cluster.server)[0]
    module = module_for(cluster.topology, release.family)
    folder = Path(cluster.path).resolve().parent
    if lacks_forwarder(folder):
        state.note_process(folder.name, "forwarder", start_forwarder(folder))
    up = running(cluster)
    wanted = [each for each in cluster.members if each.name not in up and each.name in (names or _all(cluster))]
    if not wanted:
        return
    words: tuple[str, ...] = ()
    if not up:
        data = {each.name: _data(each) for each in wanted}
        first, words = module.first_to_start(data, lambda name: _recover(cluster, name))
        wanted.sort(key=lambda each: each.name != first)
    began: dict[str, tuple[int, int]] = {}
    for member in wanted:
        began[member.name] = _launch(cluster, member, () if began else words)
        if module.STARTS_ONE_BY_ONE:
            _wait_for_answer(cluster, member, *began[member.name])
    for member in wanted:
        _wait_for_answer(cluster, member, *began[member.name])
    now = running(cluster)
    with open_nodes(replace(cluster, members=tuple(each for each in cluster.members if each.name in now))) as nodes:
        module.rejoin(nodes, [member.name for member in wanted])
        if nodes[0].name == cluster.members[0].name:  # without their source, replicas cannot become ready
            launch_members.wait_for(module.problems, nodes, lambda: _that_ended(cluster, began))


def restart(
    cluster: ClusterFile, names: Sequence[str] = (), settings: Mapping[str, str] | None = None, label: str = LATER
) -> None:
    """Stop and start servers, with other settings in their option files if `settings` is given.

    They replace what the label set before; {} removes it. If a server does not start with them, the option files are
    restored, the servers are started as before, and the LabError says why.
    """
    chosen = [member for member in cluster.members if member.name in (names or _all(cluster))]
    before = {path: path.read_text(encoding="utf-8") for path in (Path(member.option_file) for member in chosen)}
    if settings is not None:
        write_files({path: with_block(text, label, settings) for path, text in before.items()})
    which = [member.name for member in chosen]
    stop(cluster, which)
    try:
        start(cluster, which)
    except MachineError as error:
        if settings is None:
            raise
        write_files(before)
        stop(cluster, which)
        start(cluster, which)
        raise LabError(f"{error.message}; restarted with the old settings", hint=error.hint) from None


def _all(cluster: ClusterFile) -> list[str]:
    return [member.name for member in cluster.members]


def _data(member: ClusterMember) -> Path:
    return Path(member.option_file).parent / "data"


def _launch(cluster: ClusterFile, member: ClusterMember, words: tuple[str, ...]) -> tuple[int, int]:
    """The process id, and the length of the error log before the start."""
    _remove_stale_lock(Path(f"{member.socket}.lock"))
    log = Path(member.error_log)
    length = log.stat().st_size if log.exists() else 0
    pid = processes.start((*member.start, *words), log)
    state.note_process(Path(cluster.path).resolve().parent.name, member.name, pid)
    return pid, length


def _remove_stale_lock(lock: Path) -> None:
    """Wait until a killed server's last threads have ended, and remove the lock of its socket file.

    The lock contains a process id; a new server refuses to start while any process has that id.
    """
    try:
        pid = int(lock.read_text(encoding="ascii"))
        until = time.monotonic() + _DYING_SECONDS
        while time.monotonic() < until:
            processes.ended(pid)  # our child keeps its id until it is waited for
            if (Path("/proc") / str(pid) / "cmdline").read_bytes() != b"":  # it is empty while a process ends
                break
            time.sleep(_POLL_SECONDS)
    except (OSError, ValueError):  # no lock, or no such process
        pass
    lock.unlink(missing_ok=True)


def _wait_for_answer(cluster: ClusterFile, member: ClusterMember, pid: int, log_length: int) -> None:
    address = addresses(cluster)[member.name]
    until = time.monotonic() + _START_SECONDS
    while not processes.ended(pid):
        try:
            connect(address).close()
            return
        except ServerError as error:
            if time.monotonic() > until:
                raise LabError(f"{member.name} does not answer: {error.message}") from None
        time.sleep(_POLL_SECONDS)
    raise LabError(f"{member.name} did not start: {_why(member, log_length)}")


def _that_ended(cluster: ClusterFile, began: Mapping[str, tuple[int, int]]) -> str:
    """The first of the started servers that ended again, and why; "" when none did."""
    for member in cluster.members:
        if member.name in began and processes.ended(began[member.name][0]):
            return f"{member.name} ended: {_why(member, began[member.name][1])}"
    return ""


def _why(member: ClusterMember, log_length: int) -> str:
    """The reason given in the error log since the start."""
    with open(member.error_log, "rb") as stream:
        stream.seek(log_length)
        text = stream.read().decode("utf-8", "replace")
    return "; ".join(error_log.reasons(text)) or "the error log gives no reason"


def _recover(cluster: ClusterFile, name: str) -> str:
    """What a server prints that is started only to find the position of its data."""
    member = find_member(cluster, name)
    words = [*member.start, "--wsrep-recover", "--log-error="]
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=_RECOVER_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LabError(f"cannot read the Galera position from the data of {name}: {error}") from None
    return done.stdout + done.stderr
