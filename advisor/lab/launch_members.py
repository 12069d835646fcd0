"""How do members start? Each gets a folder and a copy of the template, then its server is started and waited for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from advisor.client import connect
from advisor.dialects import dialect_of
from advisor.errors import LabError, ServerError
from advisor.lab import error_log, processes, state
from advisor.lab.datadir_templates import REPLICATOR, Template, copy_data
from advisor.lab.limits import disks
from advisor.lab.limits.cpus import Share, within
from advisor.lab.network import namespaces
from advisor.lab.settings import member_settings, option_file
from advisor.model.lab import Address, MemberPlan, ServerBinary
from advisor.model.record import field, record, replace
from advisor.nodes import Node

_START_SECONDS: Final = 60.0
_READY_SECONDS: Final = 60.0
_ANSWER_SECONDS: Final = 120.0  # a member that cannot find its group gives up after 60
_POLL_SECONDS: Final = 0.05
_COPIES_AT_ONCE: Final = 4

Settings = tuple[tuple[str, str], ...]
Problems = Callable[[Sequence[Node]], list[str]]


@record
class Lab:
    """What all members of a lab share: its name, the server program, where data directories come from.

    `shares` has the CPU limit of members, `spaces` their network namespaces, `disk_bytes` is the size of each member's
    separate disk (0: none).
    """

    name: str
    binary: ServerBinary
    template: Template
    shares: Mapping[str, Share] = field(default_factory=dict)
    spaces: Mapping[str, str] = field(default_factory=dict)
    disk_bytes: int = 0

    def folder(self, plan: MemberPlan) -> Path:
        """A member's own folder."""
        return state.LabState(self.name).folder / plan.endpoint.name

    def words(self, plan: MemberPlan) -> tuple[str, ...]:
        """The command that starts a member's server, in its namespace and with its CPU limit."""
        folder, name = self.folder(plan), plan.endpoint.name
        space = namespaces.entering(self.spaces[name]) if name in self.spaces else ()
        path = ("env", f"PATH={folder / 'bin'}:{os.defpath}") if plan.programs else ()
        return (
            *space,
            *within(self.shares.get(name)),
            *path,
            *self.binary.command,
            f"--defaults-file={folder / 'my.cnf'}",
        )


@record
class Running:
    """A member whose server answered: its plan, process id, connection and error log."""

    plan: MemberPlan
    pid: int
    node: Node
    log: Path


def prepare(lab: Lab, members: Sequence[tuple[MemberPlan, Settings]]) -> None:
    """Create the folders: option file with the user's settings last, copy of the template, files of the topology."""
    with ThreadPoolExecutor(max_workers=_COPIES_AT_ONCE) as pool:
        list(pool.map(lambda item: _prepare(lab, item[0], *item[1]), enumerate(members, 1)))


def _prepare(lab: Lab, number: int, plan: MemberPlan, own: Settings) -> None:
    folder = lab.folder(plan)
    (folder / "tmp").mkdir(parents=True)
    if lab.disk_bytes:
        disks.make(folder / "data", lab.disk_bytes)
    copy_data(lab.template, folder / "data", whole=bool(lab.disk_bytes))  # the disk may be filled later
    for name, text in plan.files.items():
        (folder / "data" / name).write_text(text, encoding="utf-8")
    for name, text in plan.programs.items():
        (folder / "bin").mkdir(exist_ok=True)
        (folder / "bin" / name).write_text(text, encoding="utf-8")
        (folder / "bin" / name).chmod(0o700)
    settings = member_settings(plan, lab.binary, folder, number)
    (folder / "my.cnf").write_text(option_file(settings, own), encoding="utf-8")


def start(lab: Lab, plans: Sequence[MemberPlan], problems: Problems, stack: ExitStack) -> list[Running]:
    """Start the servers: all at once, except those that wait for previous ones; connections go to the stack."""
    together = [plan for plan in plans if not plan.waits_for_previous]
    launched = [(plan, _launch(lab, plan)) for plan in together]
    running = [_connect(lab, plan, pid, stack) for plan, pid in launched]
    for plan in plans:
        if plan.waits_for_previous:
            running.append(_connect(lab, plan, _launch(lab, plan), stack))
            wait_until_ready(problems, running)
    return running


def _launch(lab: Lab, plan: MemberPlan) -> int:
    folder = lab.folder(plan)
    pid = processes.start((*lab.words(plan), *plan.words), folder / "error.log")
    state.note_process(lab.name, plan.endpoint.name, pid)
    return pid


def _connect(lab: Lab, plan: MemberPlan, pid: int, stack: ExitStack) -> Running:
    """Wait until a server answers; LabError with the reason from its error log when it never does."""
    endpoint, folder = plan.endpoint, lab.folder(plan)
    log = folder / "error.log"
    address = Address(endpoint.host, endpoint.port, "root", lab.template.root_password, str(folder / "s.sock"))
    replicator = replace(address, user=REPLICATOR, password=lab.template.replicator_password, socket="")
    words = dialect_of(lab.binary.family, lab.binary.version)
    until = time.monotonic() + _START_SECONDS
    while not (gone := processes.ended(pid)) and time.monotonic() < until:
        if (folder / "s.sock").exists():
            try:
                session = stack.enter_context(connect(address, answer_seconds=_ANSWER_SECONDS))
            except ServerError:
                pass  # it listens before it accepts logins
            else:
                return Running(plan, pid, Node(endpoint.name, plan.role, session, words, replicator), log)
        time.sleep(_POLL_SECONDS)
    what = "did not start" if gone else f"did not answer within {_START_SECONDS:.0f} s"
    raise LabError(f"{plan.endpoint.name} {what}: {why(log)}")


def wait_until_ready(problems: Problems, running: Sequence[Running]) -> None:
    """Wait until the topology finds no problem; LabError with the problems, or with why a server ended."""

    def ended() -> str:
        dead = (member for member in running if processes.ended(member.pid))
        return next((f"{member.plan.endpoint.name} ended: {why(member.log)}" for member in dead), "")

    wait_for(problems, [member.node for member in running], ended)


def wait_for(problems: Problems, nodes: Sequence[Node], ended: Callable[[], str]) -> None:
    """Wait until there is no problem; LabError with the problems, or with the text of `ended` unless it is ""."""
    until = time.monotonic() + _READY_SECONDS
    while current := _problems(problems, nodes):
        if gone := ended():
            raise LabError(gone)
        if time.monotonic() > until:
            raise LabError(f"not ready after {_READY_SECONDS:.0f} s: {'; '.join(current)}")
        time.sleep(_POLL_SECONDS)


def _problems(problems: Problems, nodes: Sequence[Node]) -> list[str]:
    """A server that does not answer now is a problem like any other."""
    try:
        return problems(nodes)
    except ServerError as error:
        return [str(error)]


def why(log: Path) -> str:
    """What an error log gives as the reason, in one line."""
    return "; ".join(error_log.reasons(error_log.tail(log, 200))) or "the error log gives no reason"
