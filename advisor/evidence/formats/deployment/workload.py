"""Which options do the containers of a Kubernetes workload give their servers?

`args:` and `command:` count after all option files
(https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/). Bitnami's images append
the text of an environment variable to the command (https://github.com/bitnami/containers, README of mysql, mariadb and
mariadb-galera: MYSQL_EXTRA_FLAGS, MARIADB_EXTRA_FLAGS). Option files of a ConfigMap in the same file are read where
they are mounted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from advisor.data import Located
from advisor.evidence.formats.beyond_files.chosen_files import with_chosen_files
from advisor.evidence.formats.beyond_files.command_line import (
    CommandLine,
    Word,
    argument,
    read_command,
    read_words,
    reading_of,
    split_words,
)
from advisor.evidence.formats.deployment.image import server_of_image
from advisor.evidence.formats.deployment.kubernetes import Held, name_of, options_in, walk
from advisor.evidence.formats.deployment.resources import add_kubernetes_limits
from advisor.evidence.formats.option_text import joined
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.model.options import Argument, Reading, ReadProblem
from advisor.model.record import replace

KIND: Final = "a Kubernetes workload"
EXTRA_FLAGS: Final = ("MYSQL_EXTRA_FLAGS", "MARIADB_EXTRA_FLAGS", "MARIADB_GALERA_EXTRA_FLAGS")
_OPTION_FILES: Final = re.compile(r"/etc/(?:mysql|my\.cnf)|/opt/bitnami/\w+/conf|/bitnami/conf/")
_GALERA_ADDRESS: Final = "MARIADB_GALERA_CLUSTER_ADDRESS"  # Bitnami's image writes it into the option file


def containers(document: Located) -> Iterator[tuple[Located, Located]]:
    """Every container, with the specification of its pod."""
    for _, part in walk(document):
        listed = part.get("containers")
        for container in listed.entries() if listed else ():
            if container.get("image"):
                yield container, part


def servers(
    document: Located, maps: Mapping[str, Located], lines: Sequence[str], file: str, used: set[int]
) -> Iterator[tuple[str, MemberBuilder]]:
    """Every container with the image of a server; `maps` are the ConfigMaps and Secrets, `used` those that are read."""
    for container, pod in containers(document):
        image, name = container.get("image"), container.get("name")
        server = server_of_image(image.text) if image else ""
        if not server or not image:
            continue
        command, problems = _command(container, image, lines, file)
        found, command = _option_files(command, list(_mounted(container, pod, maps)), file, used)
        problems += command.problems(file, image.line)
        own = reading_of(command.arguments, problems, file, KIND)
        if not own.arguments and not found:
            continue  # nothing is set, or it runs a client
        builder = MemberBuilder(options=redact_reading(joined([own_first(own), *found, own], KIND)), server=server)
        add_kubernetes_limits(builder, container.get("resources"), file)
        yield ".".join(filter(None, (name_of(document), name.text if name else ""))) or "server", builder


def _option_files(
    command: CommandLine, mounts: Sequence[tuple[str, Held]], file: str, used: set[int]
) -> tuple[list[Reading], CommandLine]:
    """The mounted files that the server reads, and the command without those that it names and that were found."""
    by_itself = [held for path, held in mounts if _OPTION_FILES.match(path)]
    used.update(id(held.part) for held in by_itself)

    def read(path: str) -> Reading | None:
        held = next((held for place, held in mounts if place == path), None)
        if held is None:
            return None
        used.add(id(held.part))
        return held.reading(file)

    return with_chosen_files(command, [held.reading(file) for held in by_itself], read)


def own_first(own: Reading) -> Reading:
    """A reading without options, so that the file that is meant stands first."""
    return Reading((), files=own.files)


def _command(
    container: Located, image: Located, lines: Sequence[str], file: str
) -> tuple[CommandLine, list[ReadProblem]]:
    """Command, arguments and flags: an image's own entry point stays when only `args:` is given."""
    arguments: list[Argument] = []
    files: list[Word] = []
    problems: list[ReadProblem] = []
    command, args = container.get("command"), container.get("args")
    for part in (command, args):
        found = read_command(part, lines, file)
        if part is args and command is not None and read_command(command, lines, file).program:
            continue  # of another program
        arguments += found.arguments
        files += found.files
        problems += replace(found, files=()).problems(file, part.line if part else image.line)
    environment = container.get("env")
    for variable in environment.entries() if environment else ():
        key, value = variable.get("name"), variable.get("value")
        if key and value and key.text in EXTRA_FLAGS:
            arguments += flags(value, lines, file)
        elif key and value and key.text == _GALERA_ADDRESS:
            arguments.append(argument("wsrep_cluster_address", value.text, value.line, file))
    return CommandLine(tuple(arguments), files=tuple(files)), problems


def servers_of_values(document: Located, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """`extraFlags` in the values of charts (https://github.com/bitnami/charts, README of mysql and mariadb)."""
    for keys, part in walk(document):
        if keys and keys[-1] == "extraFlags" and part.text.lstrip().startswith("--"):
            found = read_words([Word(word, part.line) for word in part.text.split()], file)
            reading = reading_of(found.arguments, (), file, "values of a chart")
            yield ".".join(keys), MemberBuilder(options=redact_reading(reading))


def flags(value: Located, lines: Sequence[str], file: str) -> tuple[Argument, ...]:
    """The options in the text of an environment variable."""
    return read_words(list(split_words(value.text, value.line, value.last_line, lines)), file).arguments


def _mounted(container: Located, pod: Located, maps: Mapping[str, Located]) -> Iterator[tuple[str, Held]]:
    """The option files of ConfigMaps and Secrets that are mounted, each with its path, by name."""
    mounts, volumes = container.get("volumeMounts"), pod.get("volumes")
    by_name = {volume.get("name").text: volume for volume in volumes.entries() if volume.get("name")} if volumes else {}  # type: ignore[union-attr]
    for mount in mounts.entries() if mounts else ():
        path, name, key = mount.get("mountPath"), mount.get("name"), mount.get("subPath")
        if not path or not name or name.text not in by_name:
            continue
        document = maps.get(_source(by_name[name.text]))
        files = options_in(document) if document else []
        wanted: list[Held] = [held for held in files if key is None or held.keys[-1] == key.text]
        for held in sorted(wanted, key=lambda held: held.keys):
            yield path.text if key else f"{path.text.rstrip('/')}/{held.keys[-1]}", held


def _source(volume: Located) -> str:
    """The name of the ConfigMap or Secret of a volume; "" for other volumes."""
    for kind, key in (("configMap", "name"), ("secret", "secretName")):
        part = volume.get(kind)
        name = part.get(key) if part else None
        if name:
            return name.text
    return ""
