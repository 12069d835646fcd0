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
from advisor.evidence.formats.beyond_files.chosen_files import (
    ChosenFiles,
    chosen_files,
    not_read,
    with_chosen_files,
)
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
from advisor.model.server import Role
from advisor.options.suppressions import suppressions

KIND: Final = "a Compose file"
_REPLICA: Final = re.compile(r"(?:^|[-_.])(?:slave|replica)[-_]?\d*$")
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
            builder = _service(service, server, text, lines, file)
            if _REPLICA.search(name):
                builder.role = Role.REPLICA
                builder.problems.append(
                    f"{file}: {name} counts as a replica because of its name; --role overrides this"
                )
            yield name, builder


def _service(service: Located, server: str, text: str, lines: Sequence[str], file: str) -> MemberBuilder:
    given = read_command(service.get("command"), lines, file, service.get("entrypoint"))
    mounts = _mounts(service)
    by_itself, problems = _mounted(mounts, chosen_files(given), file)
    readings, command = with_chosen_files(given, by_itself, lambda path: _mounted_file(mounts, path, file))
    at = service.get("entrypoint") or service.get("command")
    problems += command.problems(file, at.line if at else 0)
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


def _mounts(service: Located) -> list[tuple[str, str, int]]:
    """Source, target and line of every volume, by target."""
    volumes = service.get("volumes")
    mounts = [mount for entry in volumes.entries() if (mount := _mount(entry))] if volumes else []
    return sorted(mounts, key=lambda mount: mount[1])


def _mounted(
    mounts: Sequence[tuple[str, str, int]], chosen: ChosenFiles, file: str
) -> tuple[list[Reading], list[ReadProblem]]:
    """The option files that are mounted where the server looks, by their names in the container; or why one is not
    read."""
    readings: list[Reading] = []
    problems: list[ReadProblem] = []
    for source, target, line in mounts:
        if not _OPTION_FILES.match(target):
            continue
        paths = _files_at(source, file)
        if chosen.instead:
            if chosen.only is None or _path_below(chosen.only.text.partition("=")[2], target) is None:
                problems.append(not_read(chosen, file, line, target))
        elif not paths:
            message = f"{source}, mounted as {target}, was not found here; its settings are not judged"
            problems.append(ReadProblem(file, line, message, False, elsewhere=True))
        else:
            readings += [_option_file(path, mounts, file) for path in paths]
    return _without_included(readings), problems


def _without_included(readings: list[Reading]) -> list[Reading]:
    """Without those that another one includes: they count where they are included."""
    included = {path for reading in readings for path in reading.files[1:]}
    return [reading for reading in readings if reading.files[0] not in included]


def _mounted_file(mounts: Sequence[tuple[str, str, int]], path: str, file: str) -> Reading | None:
    """The option file that is at this path in the container; None where it is not mounted from here."""
    for source, target, _ in mounts:
        below = _path_below(path, target)
        if below is not None:
            found = _files_at(os.path.join(source, below) if below else source, file)
            return _option_file(found[0], mounts, file) if len(found) == 1 else None
    return None


def _path_below(path: str, target: str) -> str | None:
    """The rest of a path below a mount, "" for the mount itself; None for a path elsewhere."""
    target = target.rstrip("/")
    return path[len(target) + 1 :] if path == target or path.startswith(f"{target}/") else None


def _option_file(path: str, mounts: Sequence[tuple[str, str, int]], file: str) -> Reading:
    """The option file, with the files that it includes in the container as far as they are mounted from here."""

    def find(included: str, is_folder: bool) -> list[tuple[str, str]]:
        found = []
        for source, target, _ in mounts:
            below = _path_below(included.rstrip("/"), target)
            if below is not None:
                found += _files_at(os.path.join(source, below) if below else source, file)
            elif is_folder and os.path.dirname(target) == included.rstrip("/") and target.endswith(".cnf"):
                found += _files_at(source, file)
        return [(name, as_text(read_bytes(name, name), name)) for name in found]

    return read_option_text(as_text(read_bytes(path, path), path), path, find)


def _mount(entry: Located) -> tuple[str, str, int] | None:
    """Source, target and line of a volume in either form; None for one without a source."""
    if isinstance(entry.value, str):
        source, colon, rest = entry.value.partition(":")
        return (source, rest.partition(":")[0], entry.line) if colon else None
    source_node, target = entry.get("source"), entry.get("target")
    return (source_node.text, target.text, entry.line) if source_node and target else None


def _files_at(source: str, file: str) -> list[str]:
    """The file, or the *.cnf files of the folder, that a volume takes from beside the Compose file; [] elsewhere.

    An absolute path is one of the machine that runs the containers, which this need not be.
    """
    if not source.startswith(".") or "$" in source:
        return []
    path = os.path.join(os.path.dirname(file), source)
    if os.path.isfile(path):
        return [os.path.normpath(path)]
    if not os.path.isdir(path):
        return []
    return sorted(os.path.normpath(os.path.join(path, name)) for name in os.listdir(path) if name.endswith(".cnf"))
