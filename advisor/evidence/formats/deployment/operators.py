"""Which settings does the custom resource of a Kubernetes operator give its servers?

`rules/operators/` has a file for each operator: in which fields the options stand, and what the operator sets itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from advisor.data import Located, folder, read_yaml
from advisor.evidence.formats.beyond_files.command_line import GROUP, argument
from advisor.evidence.formats.deployment.image import server_of_image
from advisor.evidence.formats.deployment.kubernetes import Held, at, name_of
from advisor.evidence.formats.deployment.operator_sizing import SIZINGS, filled_in
from advisor.evidence.formats.deployment.option_mapping import options_of_mapping
from advisor.evidence.formats.deployment.resources import add_kubernetes_limits
from advisor.evidence.formats.option_text import joined
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.model.options import Argument, Reading, ReadProblem
from advisor.model.record import replace
from advisor.model.server import Topology

KIND: Final = "the resource of an operator"
_INCLUDED: Final = "_include"  # the key of MOCO's map for text as it is
_PODS_AT_MOST: Final = 100
Operator = Mapping[str, Any]


@cache
def operators() -> tuple[Operator, ...]:
    """What is known of each operator: the files of `rules/operators/`."""
    place = os.path.join(folder("rules"), "operators")
    found = (read_yaml(os.path.join(place, name)) for name in sorted(os.listdir(place)) if name.endswith(".yaml"))
    return tuple(data for data in found if isinstance(data, dict))


def operator_of(document: Located) -> Operator | None:
    """The operator whose resource this is; None for any other document. Versions of its API count alike."""
    kind, api = document.get("kind"), document.get("apiVersion")
    for operator in operators() if kind else ():
        known = not api or str(operator["api"]) in api.text
        if kind and kind.text == operator["kind"] and known:
            return operator
    return None


def servers(
    document: Located, operator: Operator, maps: Mapping[str, Located], file: str, used: set[int]
) -> Iterator[tuple[str, MemberBuilder]]:
    """The servers of the resource, which are alike."""
    builder = MemberBuilder(server=_server(document, operator))
    add_kubernetes_limits(builder, _resources(document, operator), file)
    builder.topology = _topology(document, operator)
    memory = builder.host.get("memory_bytes")
    memory_bytes = memory.value if memory and isinstance(memory.value, int) else None
    readings, missing = _readings(document, operator, maps, file, used)
    named = {_plain(each.name) for reading in readings for each in reading.arguments}
    before = _settings_before(document, operator, memory_bytes, named)
    label = f"{operator['kind']} (set by the operator)"
    after = (operator.get("after") or {}) | _addresses(document, operator)
    own = [_by_operator(before, label), *readings, _by_operator(after, label)]
    arguments = tuple(_computed(each, memory_bytes) for reading in own for each in reading.arguments)
    reading = joined([Reading((), files=(file,)), *own], KIND)
    builder.options = redact_reading(replace(reading, arguments=arguments, problems=(*reading.problems, *missing)))
    if before:
        builder.problems.append(
            f"{file}: {len(before)} settings come from the operator {operator['id']} itself; "
            "other versions of the operator may set other values"
        )
    yield name_of(document) or "server", builder


def _settings_before(
    document: Located, operator: Operator, memory_bytes: int | None, named: Collection[str]
) -> dict[str, str]:
    """What the operator sets before the user's options, sizes that the user leaves to it included."""
    before: dict[str, str] = dict(operator.get("before") or {})
    for path, settings in (operator.get("before_when") or {}).items():
        switch = at(document, path.split("."))
        before |= settings if switch is not None and switch.text == "true" else {}
    for name, path in (operator.get("fields") or {}).items():
        if (part := at(document, path.split("."))) is not None:
            before[name] = part.text
    computed = SIZINGS[operator["sizing"]](memory_bytes) if "sizing" in operator and memory_bytes else {}
    return before | {name: str(value) for name, value in computed.items() if name not in named}


def _addresses(document: Located, operator: Operator) -> dict[str, str]:
    """The addresses of a Galera cluster's pods, which the operator's image writes before the server starts."""
    members, pattern = _at(document, operator, "members"), operator.get("pod")
    if pattern is None or members is None or not members.text.isdecimal() or not 1 < int(members.text) < _PODS_AT_MOST:
        return {}
    pods = [str(pattern).format(name=name_of(document), number=number) for number in range(int(members.text))]
    return {"wsrep_cluster_address": f"gcomm://{','.join(pods)}", "wsrep_node_address": pods[0]}


def _readings(
    document: Located, operator: Operator, maps: Mapping[str, Located], file: str, used: set[int]
) -> tuple[list[Reading], list[ReadProblem]]:
    """The user's options, and what of them is not in the file."""
    readings = []
    missing = []
    if (part := _at(document, operator, "options")) is not None and part.text:
        used.add(id(part))
        readings.append(Held((), part, part.text).reading(file))
    if (part := _at(document, operator, "provider_options")) is not None and part.items():
        pairs = "; ".join(f"{name}={value.text}" for name, value in part.items())
        readings.append(_set({"wsrep_provider_options": pairs}, file, part.line))
    if (part := _at(document, operator, "map")) is not None:
        mapping = part if part.items() else maps.get(part.text, part)
        data = mapping.get("data") or mapping
        if data.items():
            included = data.get(_INCLUDED)
            readings.append(options_of_mapping(data, file, KIND, without=(_INCLUDED,)))
            readings += [Held((), included, included.text).reading(file)] if included else []
            used.update(id(value) for _, value in data.items())
            used.add(id(data))
        else:
            message = f"the ConfigMap {part.text} is not in this file; its settings are not judged"
            missing.append(ReadProblem(file, part.line, message, False, "give both in one file", elsewhere=True))
    return readings, missing


def _by_operator(settings: Mapping[str, str], label: str) -> Reading:
    reading = _set(settings, label)
    return replace(reading, arguments=tuple(replace(each, by_operator=True) for each in reading.arguments))


def _set(settings: Mapping[str, str], label: str, line: int = 0) -> Reading:
    arguments = tuple(argument(name, value, line, label) for name, value in settings.items())
    return Reading(arguments, groups=(GROUP,) if arguments else ())


def _computed(given: Argument, memory_bytes: int | None) -> Argument:
    """A formula over the container's memory as the operator fills it in."""
    value = filled_in(given.value, memory_bytes) if given.value_unknown and given.value else given.value
    if value == given.value:
        return given
    return replace(given, value=value, text=f"--{given.name}={value}", value_unknown=False)


def _server(document: Located, operator: Operator) -> str:
    family = str(operator["server"])
    image = _at(document, operator, "image") or _container_part(document, operator, "image")
    stated = server_of_image(image.text) if image else ""
    version = _at(document, operator, "version")
    number = re.match(r"\d+\.\d+(?:\.\d+)?", version.text) if version else None
    if number is None and image is not None:
        number = re.match(r"v?(\d+\.\d+(?:\.\d+)?)", image.text.rpartition(":")[2])
        return stated or (f"{family} {number[1]}" if number else f"{family} unknown")
    return f"{family} {number[0]}" if number else f"{family} unknown"


def _resources(document: Located, operator: Operator) -> Located | None:
    return _at(document, operator, "resources") or _container_part(document, operator, "resources")


def _container_part(document: Located, operator: Operator, key: str) -> Located | None:
    """A part of the container with the server, for operators that take a template of a pod."""
    listed = _at(document, operator, "container")
    for container in listed.entries() if listed else ():
        name = container.get("name")
        if name and name.text == operator.get("container_name"):
            return container.get(key)
    return None


def _topology(document: Located, operator: Operator) -> Topology | None:
    members = _at(document, operator, "members")
    if members is not None and members.text == "1":
        return Topology.STANDALONE
    if "topology" in operator:
        return Topology(operator["topology"])
    for path, values in (operator.get("topologies") or {}).items():
        found = at(document, path.split("."))
        value = values.get(found.text if found else "")
        if value:
            return Topology(value)
    return None


def _at(document: Located, operator: Operator, key: str) -> Located | None:
    return at(document, operator[key].split(".")) if key in operator else None


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").removeprefix("loose_")
