"""Which evidence may a tool read? Texts that it is given, files in the stated folders, the cluster named at the start.

An assistant can be misled by a text that it reads. Without these limits it could ask about any file of the machine,
and a report quotes the lines of a file that are no options.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from advisor.cli.mcp.arguments import Evidence, TextFile
from advisor.errors import InputError, UsageError
from advisor.model.evidence import Cluster
from advisor.model.record import record

if TYPE_CHECKING:
    from advisor.cli.check.run import CheckRequest
    from advisor.cli.shared.live_cluster import LiveOptions

MOST_PATHS: Final = 200
MOST_FILE_BYTES: Final = 64 * 1024 * 1024
MOST_CHARACTERS: Final = 4 * 1024 * 1024  # of all texts of a call together


@record
class Readable:
    """The folders (real paths) whose files may be read, and the running cluster that may be."""

    folders: tuple[str, ...]
    live: LiveOptions | None = None

    def cluster(self, evidence: Evidence) -> Cluster:
        """The evidence as one server or cluster. UsageError for what may not be read, InputError for what cannot be."""
        from advisor.cli.shared.evidence_paths import read_paths

        self._refuse(evidence)
        if evidence.running:
            return self._running()
        if evidence.texts:
            return self._inside(_of_texts(evidence.texts))
        return self._inside(read_paths(evidence.paths, members=evidence.members, root=""))

    def clusters(
        self, evidence: Evidence, request: CheckRequest, failed: Callable[[InputError], None]
    ) -> Iterator[Cluster]:
        """The evidence, each path as the request says; paths that cannot be read are passed to `failed`."""
        from advisor.cli.check.run import clusters_of, targets_of

        if not evidence.paths:
            yield self.cluster(evidence)
            return
        self._refuse(evidence)
        for paths in targets_of(request, failed):
            for _, cluster in clusters_of(paths, request, failed):
                yield self._inside(cluster)

    def _refuse(self, evidence: Evidence) -> None:
        if sum(map(bool, (evidence.paths, evidence.texts, evidence.running))) != 1:
            raise UsageError("give exactly one of paths, texts or running")
        if evidence.running and self.live is None:
            hint = "ask the user to start `advisor mcp` with --dsn, --cluster or --lab"
            raise UsageError("the user named no running cluster", hint=hint)
        if len(evidence.paths) > MOST_PATHS:
            raise UsageError(f"{len(evidence.paths)} paths; at most {MOST_PATHS} are read", hint="name their folder")
        for path in evidence.paths:
            self._refuse_path(path)

    def _refuse_path(self, path: str) -> None:
        if "\0" in path:
            raise UsageError("not a usable file name", file=path.replace("\0", "?"))
        file = path if os.path.exists(path) else path.partition("#")[0]
        self._refuse_outside(file)
        if os.path.isfile(file) and os.path.getsize(file) > MOST_FILE_BYTES:
            hint = "ask the user to run the command on it"
            raise InputError(f"larger than {MOST_FILE_BYTES >> 20} MiB", file=path, hint=hint)

    def _inside(self, cluster: Cluster) -> Cluster:
        """The cluster, unless one of its option files includes a file that may not be read."""
        for member in cluster.members:
            for file in member.options.files if member.options else ():
                if os.path.exists(file):
                    self._refuse_outside(file)
        return cluster

    def _refuse_outside(self, path: str) -> None:
        real = os.path.realpath(path)
        if not any(os.path.commonpath([real, folder]) == folder for folder in self.folders):
            hint = "give the text, or ask the user to start `advisor mcp` with the folder of this file"
            raise UsageError(f"only files in {' and '.join(self.folders)} may be read", file=path, hint=hint)

    def _running(self) -> Cluster:
        from advisor.cli.shared.live_cluster import find_members, reading_schedule, refuse_unreached
        from advisor.collect.bundle.read_back import live_evidence
        from advisor.collect.gather import gather

        assert self.live is not None
        target = find_members(self.live)
        return live_evidence(refuse_unreached(gather(target.members, reading_schedule(self.live))), target)


def _of_texts(texts: Sequence[TextFile]) -> Cluster:
    from advisor.evidence import read_texts

    characters = sum(len(each.text) for each in texts)
    if characters > MOST_CHARACTERS:
        raise UsageError(f"{characters:,} characters; at most {MOST_CHARACTERS:,} are read", hint="give paths instead")
    # Not absolute: a name that is a file of this machine would count as a file that was read.
    by_name = {each.name.lstrip("/"): each.text for each in texts}
    if len(by_name) < len(texts):
        raise UsageError("two texts have the same name", hint="name each text after its file")
    return read_texts(by_name)
