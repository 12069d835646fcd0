"""Which servers do the resources of Kubernetes describe? What `kubectl get … -A -o json` (or yaml) printed.

Workloads and custom resources of operators; ConfigMaps count where they are mounted. Each is a cluster of its own: its
pods have the same settings.
"""

from __future__ import annotations

from advisor.data import Located
from advisor.evidence.formats.deployment.yaml_documents import count_described
from advisor.evidence.formats.detect_format import Place
from advisor.evidence.formats.places import servers_at
from advisor.fleet.inventory.entries import Entry, Inventory, without_repeats


def are_resources(document: Located) -> bool:
    """Whether the document is a resource of Kubernetes, or a list of them."""
    return bool(document.get("apiVersion") and document.get("kind"))


def read_resources(text: str, file: str) -> Inventory:
    """Every server of the file. Option files that no workload mounts count only where nothing is meant as a server."""
    names = list(servers_at(text, file, Place.YAML))
    described = names[: count_described(text, file)] or names
    return without_repeats(file, (_entry(name, file) for name in described))


def _entry(name: str, file: str) -> Entry:
    """`shop/db.mysql` is the container mysql of the cluster shop/db; a custom resource is called as its cluster is."""
    space, slash, own = name.rpartition("/")
    resource, _, container = own.rpartition(".")
    return Entry(f"{space}{slash}{resource or own}", container, path=f"{file}#{name}")
