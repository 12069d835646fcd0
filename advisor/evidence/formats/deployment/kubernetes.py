"""Which option files stand as texts inside YAML: in a ConfigMap, a Secret, in values of Helm?

Every text with a group that a server reads counts, whatever the key: `data.my.cnf` of a ConfigMap,
`primary.configuration` of Bitnami's charts. In `data:` of a Secret texts are in base64
(https://kubernetes.io/docs/concepts/configuration/secret/); a finding there names the line of the key.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.data import Located
from advisor.evidence.formats.deployment.image import server_of_image
from advisor.evidence.formats.option_text import read_option_text
from advisor.evidence.member.builder import MemberBuilder
from advisor.model.options import IN_BASE64, IN_YAML, Reading
from advisor.model.record import record, replace
from advisor.model.server import Role

# Filled in before the server sees it: by an init container, envsubst or a chart. The servers know no variables.
_FILLED_IN: Final = re.compile(r"\$\{\w[^}]*\}|\$\(\w+\)|\{\{.*?\}\}")
_OF_A_REPLICA: Final = re.compile(r"(?:.*[-_.])?(?:slave|replica)s?[-_]?\d*\.(?:cnf|conf)")
_OF_A_SERVER: Final = r"^[ \t]*\[(?:mysqld|mariadbd?|server|galera|mysql_cluster)(?:[-_\d][\w.]*)?\]"
_DEEPEST: Final = 30
_MOST_BASE64: Final = 1 << 20  # Kubernetes keeps no more in a Secret


@record
class Held:
    """The text of an option file inside YAML, with the keys that lead to it."""

    keys: tuple[str, ...]
    part: Located
    text: str
    in_base64: bool = False

    def reading(self, file: str) -> Reading:
        """The option file, with the lines of the YAML file.

        Only a block text has its lines one below the other there; a text without a group is one of the server's.
        """
        has_group = re.search(r"^[ \t]*\[", self.text, re.MULTILINE) is not None
        reading = read_option_text(self.text if has_group else f"[mysqld]\n{self.text}", file)
        shift = 0 if has_group else 1

        def line(own: int) -> int:
            return self.part.line + own - shift if self.part.literal and own else self.part.line

        arguments = (
            replace(
                argument,
                line=line(argument.line),
                value_unknown=argument.value is not None and _FILLED_IN.search(argument.value) is not None,
            )
            for argument in reading.arguments
        )
        return replace(
            reading,
            arguments=tuple(arguments),
            problems=tuple(replace(problem, line=line(problem.line)) for problem in reading.problems),
            suppressions=(),  # those of the whole file count
            kept_in=IN_BASE64 if self.in_base64 else IN_YAML,
            cut=None,
        )


def servers(document: Located, file: str, used: set[int]) -> Iterator[tuple[str, MemberBuilder]]:
    """Every option file for a server in the document that is not `used`, by the key that it stands under."""
    server = _server_of_values(document)
    for held in options_in(document):
        if id(held.part) not in used:
            label = ".".join(filter(None, (name_of(document), held.keys[-1] if held.keys else "")))
            yield label or "server", _builder(held, file, server)


def _builder(held: Held, file: str, server: str) -> MemberBuilder:
    """The option file, whose key may name a replica: `slave.cnf`."""
    builder = MemberBuilder(options=held.reading(file), server=server)
    key = held.keys[-1] if held.keys else ""
    if _OF_A_REPLICA.fullmatch(key) and builder.options and not _in_a_cluster(builder.options):
        builder.role = Role.REPLICA
        builder.problems.append(
            f"{file}: {key} counts as the file of a replica because of its name; --role overrides this"
        )
    return builder


def _in_a_cluster(reading: Reading) -> bool:
    """Whether the file is one of a group or of Galera, whose secondaries are often called replicas."""
    return any(
        word in argument.name.lower() for argument in reading.arguments for word in ("wsrep", "group_rep", "group-rep")
    )


def _server_of_values(document: Located) -> str:
    """The server that the values of a chart name: `image: mysql` and `imageTag: 5.7.30`, or a mapping `image:`."""
    image = document.get("image")
    if image is None or document.get("kind") is not None:
        return ""
    name, tag = image.get("repository") or image, image.get("tag") or document.get("imageTag")
    if tag or ":" in name.text:
        return server_of_image(f"{name.text}:{tag.text}" if tag else name.text)
    family = server_of_image(name.text).partition(" ")[0]
    return f"{family} unknown" if family else ""  # the chart has a tag of its own


def options_in(document: Located) -> list[Held]:
    """The option files for servers that a document holds."""
    kind = document.get("kind")
    secret = kind is not None and kind.text == "Secret"
    held = []
    for keys, part in walk(document):
        if not isinstance(part.value, str):
            continue
        in_base64 = secret and keys[:1] == ("data",)
        text = _decoded(part.value) if in_base64 else part.value
        if re.search(_OF_A_SERVER, text, re.MULTILINE):
            held.append(Held(keys, part, text, in_base64))
    return held


def walk(document: Located) -> Iterator[tuple[tuple[str, ...], Located]]:
    """Every part with the keys that lead to it; what has an alias once."""
    return _walk(document, (), set())


def _walk(part: Located, keys: tuple[str, ...], seen: set[int]) -> Iterator[tuple[tuple[str, ...], Located]]:
    if id(part) in seen or len(keys) > _DEEPEST:
        return
    seen.add(id(part))
    yield keys, part
    for key, child in part.items():
        yield from _walk(child, (*keys, key), seen)
    for child in part.entries():
        yield from _walk(child, keys, seen)


def at(document: Located, path: Sequence[str]) -> Located | None:
    """The part that a path of keys leads to; None where there is none."""
    part: Located | None = document
    for key in path:
        part = part.get(key) if part else None
    return part


def name_of(document: Located) -> str:
    """What a resource is called; "" where it has no name."""
    name = at(document, ("metadata", "name"))
    return name.text if name else ""


def _decoded(text: str) -> str:
    if len(text) > _MOST_BASE64:
        return ""
    try:
        return base64.b64decode(text, validate=False).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
