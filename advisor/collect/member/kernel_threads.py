"""What is each thread of a server on this machine doing, as the kernel sees it?

A sleeping thread is in a system call; where the call names a file, the file says what it waits for: a sync of the
binary log, a write to the redo log, a socket. Reading calls and wait channels of another user's process needs
CAP_SYS_PTRACE; without it only running, sleeping and disk sleep are told apart. The call is read first, because for
most threads it says everything: whether they run, and that they do not wait for a disk.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping
from typing import Final

from advisor.model.record import record

# Numbers of the calls in which servers wait: arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h.
_CALLS: Final[Mapping[str, Mapping[int, str]]] = {
    "x86_64": {0: "read", 1: "write", 7: "poll", 17: "pread", 18: "pwrite", 20: "writev", 23: "select", 35: "nanosleep",
               44: "sendto", 45: "recvfrom", 46: "sendmsg", 47: "recvmsg", 74: "fsync", 75: "fdatasync", 76: "truncate",
               77: "ftruncate", 82: "rename", 87: "unlink", 128: "sigwait", 202: "futex", 208: "aio_wait",
               230: "nanosleep", 232: "epoll", 257: "open", 271: "poll", 281: "epoll", 285: "fallocate",
               426: "aio_wait"},
    "aarch64": {22: "epoll", 24: "dup", 35: "unlink", 45: "truncate", 46: "ftruncate", 47: "fallocate", 56: "open",
                63: "read", 64: "write", 66: "writev", 67: "pread", 68: "pwrite", 72: "select", 73: "poll",
                82: "fsync", 83: "fdatasync", 98: "futex", 101: "nanosleep", 115: "nanosleep", 206: "sendto",
                207: "recvfrom", 211: "sendmsg", 212: "recvmsg", 137: "sigwait", 4: "aio_wait", 426: "aio_wait"},
}  # fmt: skip
_OF_A_FILE: Final = frozenset("read write pread pwrite writev fsync fdatasync ftruncate fallocate".split())
_OF_A_SOCKET: Final = frozenset("sendto recvfrom sendmsg recvmsg".split())
_KINDS: Final = (
    (re.compile(r"/(#ib_redo\d+|ib_logfile\d+)(_tmp)?$"), "redo"),
    (re.compile(r"\.dblwr$"), "doublewrite"),
    (re.compile(r"/undo_?\d+$|/undo_\d+\.ibu$"), "undo"),
    (re.compile(r"/(ibdata\d+|ibtmp\d+)$|\.ibd$|\.ibt$"), "tablespace"),
    (re.compile(r"/(galera\.cache|gcache\.page\.\d+)$"), "gcache"),
    (re.compile(r"\.(MYD|MYI|MAD|MAI)$|/aria_log"), "myisam"),
    (re.compile(r"^socket:"), "socket"),
)


@record
class KernelThread:
    """`state`: "R" on or waiting for a CPU, "D" disk sleep, "S" any other sleep. `call`: "fdatasync binlog", "futex";
    `wchan`: the kernel function it sleeps in, where no call is known. Both "" where it runs, or where we may not look.
    """

    state: str
    call: str = ""
    wchan: str = ""


# In these calls a thread never waits for a disk, and the kernel's function says no more than the call.
_NEVER_FOR_A_DISK: Final[Mapping[str, KernelThread]] = {
    call: KernelThread("S", call)
    for call in ("futex", "poll", "select", "epoll", "nanosleep", "sigwait", "aio_wait", "recvfrom socket",
                 "recvmsg socket")
}  # fmt: skip


class KernelThreads:
    """Reads the threads of one process again and again; names of open files are looked up once."""

    def __init__(self, pid: int, variables: Mapping[str, str]) -> None:
        self._folder = f"/proc/{pid}"
        self._calls = _CALLS.get(platform.machine(), {})
        self._files: dict[int, str] = {}
        self._logs = tuple(
            (os.path.abspath(os.path.join(variables.get("datadir", ""), base)), kind)
            for name, kind in (("log_bin_basename", "binlog"), ("relay_log_basename", "relay_log"))
            if (base := variables.get(name))
        )

    def read(self) -> dict[int, KernelThread]:
        """Every thread now, by its system id; {} where the process has ended."""
        try:
            threads = os.listdir(f"{self._folder}/task")
        except OSError:
            return {}
        self._files.clear()  # logs are rotated, and their descriptors used again
        return {int(thread): seen for thread in threads if (seen := self._thread(thread))}

    def _thread(self, thread: str) -> KernelThread | None:
        folder = f"{self._folder}/task/{thread}"
        written = _text(f"{folder}/syscall")
        if written.startswith("running"):
            return KernelThread("R")
        call = self._call(written)
        if known := _NEVER_FOR_A_DISK.get(call):
            return known
        state = _text(f"{folder}/stat").rpartition(")")[2].split()[:1]
        if not state:
            return None
        if state[0] == "R":
            return KernelThread("R")
        wchan = "" if call else _text(f"{folder}/wchan").partition(".")[0]
        return KernelThread("D" if state[0] == "D" else "S", call, "" if wchan == "0" else wchan)

    def _call(self, written: str) -> str:
        """The system call by name, with the kind of file it works on."""
        number, _, arguments = written.partition(" ")
        name = self._calls.get(int(number), "") if number.isdecimal() else ""
        if name in _OF_A_SOCKET:
            return f"{name} socket"
        if name in _OF_A_FILE and arguments:
            kind = self._file(int(arguments.split(None, 1)[0], 16))
            return f"{name} {kind}".strip()
        return name

    def _file(self, descriptor: int) -> str:
        if descriptor not in self._files:
            try:
                self._files[descriptor] = self._kind(os.readlink(f"{self._folder}/fd/{descriptor}"))
            except OSError:
                self._files[descriptor] = ""
        return self._files[descriptor]

    def _kind(self, path: str) -> str:
        """What a file is, by its name: "" for one of no kind that matters here."""
        for base, kind in self._logs:
            if path.startswith((f"{base}.", f"{base}-")):
                return kind
        return next((kind for pattern, kind in _KINDS if pattern.search(path)), "file")


def _text(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        return os.read(descriptor, 4096).decode("ascii", "replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)
