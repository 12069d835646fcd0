"""Which servers does a file describe that is no option file, and what does it say of the one that is meant?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Final

from advisor.errors import InputError
from advisor.evidence.formats.detect_format import Place
from advisor.evidence.formats.servers_beside import server_ids_beside
from advisor.evidence.member.builder import MemberBuilder

_HERE: Final = __name__.rpartition(".")[0]
# Each module has a function `servers(text, file)`: the name and the settings of every server.
_READERS: Final[Mapping[Place, str]] = {
    Place.YAML: "deployment.yaml_documents",
    Place.TERRAFORM: "deployment.terraform",
    Place.SYSTEMD: "beyond_files.systemd_unit",
    Place.PROCESSES: "beyond_files.process_list",
    Place.PRINTED: "beyond_files.printed_arguments",
    Place.STATEMENTS: "beyond_files.set_statements",
}
_HINTS: Final[Mapping[Place, str]] = {
    Place.YAML: "docs/places.md lists the YAML files that advisor reads",
    Place.TERRAFORM: "advisor reads parameter groups of RDS, and flags of Cloud SQL, for MySQL and MariaDB",
    Place.SYSTEMD: "advisor reads units whose ExecStart runs mysqld or mariadbd, and their drop-ins",
    Place.PROCESSES: "advisor reads lines with mysqld or mariadbd, as `ps -ef` prints them",
    Place.PRINTED: "advisor reads what `mysqld --print-defaults` prints",
    Place.STATEMENTS: "advisor reads SET GLOBAL and SET PERSIST",
}
Reader = Callable[[str, str], Iterator[tuple[str, MemberBuilder]]]


class SeveralServersError(InputError):
    """A file holds several servers; each is judged on its own, as `parts` name it."""

    def __init__(self, file: str, names: list[str]) -> None:
        self.parts = [f"{file}#{name}" for name in names]
        super().__init__(f"contains {len(names)} servers", file=file, hint=f"name one of them: {', '.join(self.parts)}")


def read_place(text: str, file: str, part: str, kind: Place) -> MemberBuilder:
    """What the file says of its server, or of the one that is called `part`.

    Raises SeveralServersError when it holds several and `part` names none, InputError when it holds none.
    """
    found = servers_at(text, file, kind)
    if not found:
        raise InputError(f"{kind.value}; it has no server settings", file=file, line=1, hint=_HINTS[kind])
    if part:
        if part not in found:
            hint = f"its servers: {', '.join(found)}"
            raise InputError(f"there is no server {part!r} in this file", file=file, hint=hint)
        found[part].server_ids_beside = server_ids_beside(part, found)
        return found[part]
    if len(found) > 1:
        raise SeveralServersError(file, list(found))
    (only,) = found.values()
    return only


def servers_at(text: str, file: str, kind: Place) -> dict[str, MemberBuilder]:
    """Every server of the file, each by a name of its own."""
    read: Reader = import_module(f"{_HERE}.{_READERS[kind]}").servers
    found: dict[str, MemberBuilder] = {}
    for name, builder in read(text, file):
        found[_unused(name, found)] = builder
    return found


def _unused(name: str, taken: dict[str, MemberBuilder]) -> str:
    """The name, with a number where another server has it."""
    number, free = 2, name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free
