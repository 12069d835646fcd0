"""What does a bundle that was just packed say? A live cluster is read through one, so that both give the same facts."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.collect.bundle.bundle_files import live_labels, pack
from advisor.collect.bundle.stated_roles import complete
from advisor.collect.gather import Gathered
from advisor.collect.targets import ClusterTarget
from advisor.errors import ServerError
from advisor.evidence import read_tree
from advisor.evidence.source.archive import Tree
from advisor.model.evidence import Cluster
from advisor.model.record import replace


def live_evidence(gathered: Gathered, target: ClusterTarget) -> Cluster:
    """The evidence of a running cluster, exactly as its bundle would give it (decision 16).

    ServerError when nothing could be read of any member.
    """
    if not any(recording.reached for recording in gathered.recordings):
        raise ServerError(gathered.recordings[0].failure or "interrupted before anything was read")
    files = complete(pack(gathered, target, redacted=False), target)
    return replace(read_back(files, target.path, live_labels(gathered.recordings)), running=True)


def read_back(files: Mapping[str, bytes], path: str, labels: Mapping[str, str] | None = None) -> Cluster:
    """The cluster that a bundle describes. `path` is what the user named.

    `labels` are what facts call the bundle's files, for a bundle that exists in memory only.
    """
    return read_tree(Tree(path, dict(files), labels=dict(labels or {})))
