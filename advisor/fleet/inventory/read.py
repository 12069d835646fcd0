"""Which form has this inventory? Decided by its content: our own, Ansible's, Prometheus's, or that of Kubernetes."""

from __future__ import annotations

import re

from advisor.data import Located, located_documents
from advisor.errors import InputError
from advisor.evidence.source.files import as_text, read_bytes
from advisor.fleet.inventory import ansible, kubernetes, own_file, prometheus
from advisor.fleet.inventory.entries import Inventory

_HINT = "advisor reads its own inventories, those of Ansible, targets of Prometheus, and resources of Kubernetes"
_INI = re.compile(r"^\[[^\]\n\"{]+\]\s*(?:#.*)?$", re.MULTILINE)


def read_inventory(file: str) -> Inventory:
    """The servers that an inventory names. InputError when it has none, or is no inventory."""
    text = as_text(read_bytes(file, file), file)
    first = next((line.strip() for line in text.split("\n") if line.strip() and line.strip()[0] not in "#;"), "")
    if _INI.match(first) or (first and _INI.search(text) and not re.match(r"[\w\"'{-][^=]*:(\s|$)", first)):
        inventory = ansible.read_ini(text, file)
    else:
        inventory = _of_document(text, file)
    if not inventory.entries:
        raise InputError("this inventory names no server", file=file, hint=_HINT)
    return inventory


def _of_document(text: str, file: str) -> Inventory:
    documents = located_documents(text, file)
    document = documents[0] if documents else Located("", 1, 1, False)
    if kubernetes.are_resources(document):
        return kubernetes.read_resources(text, file)
    if document.get("clusters"):
        return own_file.read_own_file(document, file)
    if document.get("scrape_configs") or any(entry.get("targets") for entry in document.entries()):
        return prometheus.read_targets(document, file)
    groups = [group for _, group in document.items()]
    if any(group.get("hosts") or group.get("children") for group in groups):
        return ansible.read_yaml(document, file)
    raise InputError("not an inventory", file=file, line=1, hint=_HINT)
