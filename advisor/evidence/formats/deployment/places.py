"""Which servers does a file describe that is no option file, and what does it say of the one that is meant?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from advisor.data import Located, located_documents
from advisor.errors import InputError
from advisor.evidence.formats.deployment import compose, kubernetes, terraform
from advisor.evidence.formats.detect_format import Deployment
from advisor.evidence.member.builder import MemberBuilder

_HINTS: Final = {
    Deployment.YAML: "advisor reads services with images of MySQL or MariaDB in Compose files, and option files "
    "inside YAML",
    Deployment.TERRAFORM: "advisor reads aws_db_parameter_group and aws_rds_cluster_parameter_group of MySQL and "
    "MariaDB",
}


class SeveralServersError(InputError):
    """A file holds several servers; each is judged on its own, as `parts` name it."""

    def __init__(self, file: str, names: list[str]) -> None:
        self.parts = [f"{file}#{name}" for name in names]
        super().__init__(f"contains {len(names)} servers", file=file, hint=f"name one of them: {', '.join(self.parts)}")


def read_deployment(text: str, file: str, part: str, kind: Deployment) -> MemberBuilder:
    """What the file says of its server, or of the one that is called `part`.

    Raises SeveralServersError when it holds several and `part` names none, InputError when it holds none.
    """
    found: dict[str, MemberBuilder] = {}
    for name, builder in _servers(text, file, kind):
        found[_unused(name, found)] = builder
    if not found:
        raise InputError(f"{kind.value}; it has no server settings", file=file, line=1, hint=_HINTS[kind])
    if part:
        if part not in found:
            hint = f"its servers: {', '.join(found)}"
            raise InputError(f"there is no server {part!r} in this file", file=file, hint=hint)
        return found[part]
    if len(found) > 1:
        raise SeveralServersError(file, list(found))
    (only,) = found.values()
    return only


def _servers(text: str, file: str, kind: Deployment) -> Iterator[tuple[str, MemberBuilder]]:
    if kind is Deployment.TERRAFORM:
        yield from terraform.servers(text, file)
        return
    for document in _documents(text, file):
        if compose.is_compose(document):
            yield from compose.servers(document, text, file)
        else:
            yield from kubernetes.servers(document, text, file)


def _documents(text: str, file: str) -> list[Located]:
    try:
        return located_documents(text, file)
    except InputError as error:
        if "{{" in text:
            error.hint = "this is a template: check the output of `helm template`, or of what else fills it in"
        raise


def _unused(name: str, taken: dict[str, MemberBuilder]) -> str:
    """The name, with a number where another server has it."""
    number, free = 2, name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free
