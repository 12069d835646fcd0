"""Which servers does a YAML or JSON file describe that was written to deploy them?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from advisor.data import Located, located_documents
from advisor.errors import InputError
from advisor.evidence.formats.deployment import (
    cloud_sql,
    cloudformation,
    compose,
    kubernetes,
    operators,
    option_mapping,
    workload,
)
from advisor.evidence.member.builder import MemberBuilder
from advisor.model.record import replace
from advisor.options.suppressions import suppressions


def servers(text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """Every server by the name it has there, those that are meant as servers first. InputError for what is no YAML.

    Resources of several namespaces have theirs before the name: `shop/db.mysql`.
    """
    own = tuple(suppressions(text, file))
    # What a Compose file mounts may change while the file itself stays.
    kept = not any(compose.is_compose(document) for document in _documents(text, file))
    for found in (_parts if kept else _parts.__wrapped__)(text, file):
        for name, built in found:
            builder = built.copy()
            if builder.options is not None and own:
                accepted = dict.fromkeys((*builder.options.suppressions, *own))
                builder.options = replace(builder.options, suppressions=tuple(accepted))
            yield name, builder


def count_described(text: str, file: str) -> int:
    """How many of the servers are meant as such, and are no mere option files and mappings of options."""
    return len(_parts(text, file)[0])


@lru_cache(maxsize=1)  # a file of many servers is asked for one after the other
def _parts(text: str, file: str) -> tuple[list[tuple[str, MemberBuilder]], list[tuple[str, MemberBuilder]]]:
    """What is meant as a server, and what else holds options."""
    lines = text.split("\n")
    documents = [part for document in _documents(text, file) for part in _resources(document)]
    documents = _without_owned(documents)
    spaces = list(dict.fromkeys(_namespace(document) for document in documents))
    several = len([space for space in spaces if space]) > 1
    maps: dict[str, dict[str, Located]] = {space: {} for space in ["", *spaces]}
    for document in filter(_is_map, documents):
        maps[_namespace(document)][kubernetes.name_of(document)] = document
    used: set[int] = set()

    def named(document: Located, found: Iterator[tuple[str, MemberBuilder]]) -> list[tuple[str, MemberBuilder]]:
        space = _namespace(document) if several else ""
        return [(f"{space}/{name}" if space else name, builder) for name, builder in found]

    described = [
        server
        for document in documents
        for server in named(
            document,
            _described(document, {**maps[""], **maps[_namespace(document)]}, text, lines, file, used),
        )
    ]
    rest = [server for document in documents for server in named(document, _held(document, file, used))]
    return described, rest


def _without_owned(documents: list[Located]) -> list[Located]:
    """Without the workloads that an operator makes from a custom resource which is there as well."""
    resources = {
        (kind.text, kubernetes.name_of(document), _namespace(document))
        for document in documents
        if (kind := document.get("kind")) and operators.operator_of(document) is not None
    }

    def is_owned(document: Located) -> bool:
        owners = kubernetes.at(document, ("metadata", "ownerReferences"))
        return any(
            (kind.text, name.text, _namespace(document)) in resources
            for owner in (owners.entries() if owners else ())
            if (kind := owner.get("kind")) and (name := owner.get("name"))
        )

    return [document for document in documents if not resources or not is_owned(document)]


def _namespace(document: Located) -> str:
    space = kubernetes.at(document, ("metadata", "namespace"))
    return space.text if space else ""


def _described(
    document: Located, maps: dict[str, Located], text: str, lines: list[str], file: str, used: set[int]
) -> Iterator[tuple[str, MemberBuilder]]:
    """What is meant as a server: a service, a container, a resource."""
    operator = operators.operator_of(document)
    if compose.is_compose(document):
        yield from compose.servers(document, text, file)
    elif cloud_sql.is_instance(document):
        yield from cloud_sql.servers(document, file)
    elif cloudformation.is_template(document):
        yield from cloudformation.servers(document, file)
    elif operator is not None:
        yield from operators.servers(document, operator, maps, file, used)
    else:
        yield from workload.servers(document, maps, lines, file, used)


def _held(document: Located, file: str, used: set[int]) -> Iterator[tuple[str, MemberBuilder]]:
    """What stands in the document without a server of its own: option files, mappings of options."""
    if compose.is_compose(document):
        return
    yield from kubernetes.servers(document, file, used)
    yield from option_mapping.servers(document, file, used)
    yield from workload.servers_of_values(document, file)


@lru_cache(maxsize=1)
def _documents(text: str, file: str) -> list[Located]:
    try:
        return located_documents(text, file)
    except InputError as error:
        if "{{" in text or "{%" in text:
            error.hint = "this is a template: check the output of `helm template`, or of what else fills it in"
        raise


def _resources(document: Located) -> list[Located]:
    """The resources of a List, or the members of a JSON list; any other document as it is."""
    kind = document.get("kind")
    items = document.get("items")
    if kind and kind.text.endswith("List") and items:
        return items.entries()
    listed = document.entries()
    return listed if listed and all(cloud_sql.is_instance(part) for part in listed) else [document]


def _is_map(document: Located) -> bool:
    kind = document.get("kind")
    return kind is not None and kind.text in ("ConfigMap", "Secret")
