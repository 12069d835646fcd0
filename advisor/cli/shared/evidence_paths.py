"""How do the paths and --server of a command become evidence and releases?"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.errors import UsageError
from advisor.model.evidence import Cluster
from advisor.model.server import Release


def read_paths(paths: Sequence[str], *, members: bool, root: str) -> Cluster:
    """One cluster: each path a member, one path whatever it is, or several paths together as one server."""
    from advisor.evidence import read_members, read_path, read_together

    if members:
        return read_members(paths, root=root or "/")
    return read_path(paths[0], root=root or "/") if len(paths) == 1 else read_together(paths, root=root or "/")


def refuse_together_and_members(together: bool, members: bool) -> None:
    """UsageError when both are given."""
    if together and members:
        raise UsageError(
            "--together and --members cannot be combined",
            hint="--together: all paths are files of one server; --members: each path is one server",
        )


def stated_releases(server: str) -> tuple[Release, ...]:
    """The releases that --server names; () when it is not given."""
    if not server:
        return ()
    from advisor.catalog import parse_release

    return parse_release(server)
