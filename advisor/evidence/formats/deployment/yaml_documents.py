"""Which servers does a YAML or JSON file describe that was written to deploy them?"""

from __future__ import annotations

from collections.abc import Iterator

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
    """Every server by the name it has there. InputError for what is no YAML."""
    lines = text.split("\n")
    documents = [part for document in _documents(text, file) for part in _resources(document)]
    maps = {kubernetes.name_of(document): document for document in documents if _is_map(document)}
    used: set[int] = set()
    described = [found for document in documents for found in _described(document, maps, text, lines, file, used)]
    rest = [found for document in documents for found in _held(document, file, used)]
    own = tuple(suppressions(text, file))
    for name, builder in (*described, *rest):
        if builder.options is not None and own:
            kept = dict.fromkeys((*builder.options.suppressions, *own))
            builder.options = replace(builder.options, suppressions=tuple(kept))
        yield name, builder


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
