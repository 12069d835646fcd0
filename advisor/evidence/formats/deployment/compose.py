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
from advisor.evidence.formats.beyond_files.command_line import read_command, reading_of
from advisor.evidence.formats.deployment.image import server_of_image
from advisor.evidence.formats.deployment.kubernetes import at as at_path
from advisor.evidence.formats.deployment.resources import add_limits, compose_bytes, quantity
from advisor.evidence.formats.deployment.workload import EXTRA_FLAGS, flags
from advisor.evidence.formats.option_text import joined, read_option_text
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.evidence.source.files import as_text, read_bytes
from advisor.model.options import Argument, Reading, ReadProblem
from advisor.model.record import replace
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
    at = service.get("command")
    problems += command.problems(file, at.line if at else 0)
    readings = [reading for reading, _ in mounted if reading is not None]
    arguments = (*command.arguments, *_flags(service.get("environment"), lines, file))
    own = replace(reading_of(arguments, problems, file, KIND), suppressions=tuple(suppressions(text, file)))
    whole = joined([Reading((), files=(file,)), *readings, own], KIND)
    builder = MemberBuilder(options=redact_reading(whole), server=server)
    memory = at_path(service, ("deploy", "resources", "limits", "memory")) or service.get("mem_limit")
    cpus = at_path(service, ("deploy", "resources", "limits", "cpus")) or service.get("cpus")
    if memory or cpus:
        place = f"{file}:{(memory or cpus or service).line}"
        add_limits(
            builder, compose_bytes(memory.text) if memory else None, quantity(cpus.text) if cpus else None, place
        )
    return builder


def _flags(environment: Located | None, lines: Sequence[str], file: str) -> Iterator[Argument]:
    """Options that Bitnami's images append to the command."""
    for name, value in environment.items() if environment else ():
        if name in EXTRA_FLAGS:
            yield from flags(value, lines, file)
    for entry in environment.entries() if environment else ():
        name, _, content = entry.text.partition("=")
        if name in EXTRA_FLAGS:
            yield from flags(Located(content, entry.line, entry.last_line, False), lines, file)


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
