"""Which settings do the services of a Compose file give their servers?

An option of `command:` counts after all option files (https://docs.docker.com/reference/compose-file/services/#command;
https://hub.docker.com/_/mysql, "Configuration without a cnf file"). Option files that are mounted are read where they
lie beside the Compose file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.data import Located
from advisor.evidence.formats.deployment.command_line import GROUP, read_command
from advisor.evidence.formats.deployment.image import server_of_image
from advisor.evidence.formats.option_text import read_option_text
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.evidence.source.files import as_text, read_bytes
from advisor.model.options import Reading, ReadProblem
from advisor.options.suppressions import suppressions

KIND: Final = "a Compose file"
# Where the images' servers look for option files.
_OPTION_FILES: Final = re.compile(r"/etc/(?:mysql|my\.cnf)|/opt/bitnami/\w+/conf")


def is_compose(document: Located) -> bool:
    """Whether the document has services, at least one with an image or a build."""
    services = document.get("services")
    return services is not None and any(one.get("image") or one.get("build") for _, one in services.items())


def servers(document: Located, text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """Every service whose image is a server, by its name."""
    lines = text.split("\n")
    services = document.get("services")
    for name, service in services.items() if services else ():
        image = service.get("image")
        server = server_of_image(image.text) if image else ""
        if server:
            yield name, _service(service, server, text, lines, file)


def _service(service: Located, server: str, text: str, lines: Sequence[str], file: str) -> MemberBuilder:
    command = read_command(service.get("command"), lines, file)
    mounted = list(_mounted(service, file))
    problems = [problem for _, problem in mounted if problem is not None]
    if command.program:
        message = f"the command runs {command.program}; the options that it passes to the server are not judged"
        at = service.get("command")
        problems.append(ReadProblem(file, at.line if at else 0, message, False, elsewhere=True))
    for word in command.files:
        message = f"{word.text}: the file is inside the container; its settings are not judged"
        problems.append(ReadProblem(file, word.line, message, False, elsewhere=True))
    readings = [reading for reading, _ in mounted if reading is not None]
    own = Reading(command.arguments, tuple(problems), (file,), tuple(suppressions(text, file)), (GROUP,), kept_in=KIND)
    return MemberBuilder(options=redact_reading(_after(readings, own)), server=server)


def _after(readings: Sequence[Reading], own: Reading) -> Reading:
    """The options of the command after those of the mounted files."""
    every = (*readings, own)
    return Reading(
        arguments=tuple(argument for reading in every for argument in reading.arguments),
        problems=tuple(problem for reading in every for problem in reading.problems),
        files=(*own.files, *(name for reading in readings for name in reading.files)),
        suppressions=tuple(found for reading in every for found in reading.suppressions),
        groups=tuple(dict.fromkeys(group for reading in every for group in reading.groups)),
        kept_in=own.kept_in,
    )


def _mounted(service: Located, file: str) -> Iterator[tuple[Reading | None, ReadProblem | None]]:
    """The option files that are mounted, in the order of their names in the container; or why one is not read."""
    volumes = service.get("volumes")
    mounts = [mount for entry in volumes.entries() if (mount := _mount(entry))] if volumes else []
    for source, target, line in sorted(mounts, key=lambda mount: mount[1]):
        if not _OPTION_FILES.match(target):
            continue
        # An absolute path is one of the machine that runs the containers, which this need not be.
        paths = _files_at(os.path.join(os.path.dirname(file), source)) if source.startswith(".") else []
        if not paths or "$" in source:
            message = f"{source}, mounted as {target}, was not found here; its settings are not judged"
            yield None, ReadProblem(file, line, message, False, elsewhere=True)
            continue
        for path in paths:
            yield read_option_text(as_text(read_bytes(path, path), path), path), None


def _mount(entry: Located) -> tuple[str, str, int] | None:
    """Source, target and line of a volume in either form; None for one without a source."""
    if isinstance(entry.value, str):
        source, colon, rest = entry.value.partition(":")
        return (source, rest.partition(":")[0], entry.line) if colon else None
    source_node, target = entry.get("source"), entry.get("target")
    return (source_node.text, target.text, entry.line) if source_node and target else None


def _files_at(path: str) -> list[str]:
    if os.path.isfile(path):
        return [os.path.normpath(path)]
    if not os.path.isdir(path):
        return []
    return sorted(os.path.normpath(os.path.join(path, name)) for name in os.listdir(path) if name.endswith(".cnf"))
