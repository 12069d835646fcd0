"""How do the arguments of `advisor move` become a report and rewritten files?"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from advisor.check.possible_releases import with_contradictions
from advisor.check.stated import parse_host, state
from advisor.cli.move.write_files import save_as, write_in_place
from advisor.cli.shared.config_file import here
from advisor.cli.shared.evidence_paths import read_paths, refuse_together_and_members, stated_releases
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import MoveFormat
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.errors import UsageError
from advisor.model.evidence import Cluster
from advisor.model.move import Move
from advisor.model.record import record, replace
from advisor.model.server import Role, Topology

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.cli.shared.live_cluster import LiveOptions

_STDIN = "/dev/stdin"


@record
class ProofRequest:
    """What is measured when the move is rehearsed: the workload, clients, seconds of a run, pairs of runs."""

    workload: str
    threads: int
    seconds: float
    pairs: int


@record
class MoveRequest:
    """What is to move where, and what is written. `live`: the running cluster that is named, instead of paths.

    `proof`: how the move is rehearsed in the lab, None for not at all.
    """

    to: str
    to_topology: Topology | None
    paths: tuple[str, ...]
    server: str = ""
    role: Role | None = None
    topology: Topology | None = None
    host: tuple[str, ...] = ()
    together: bool = False
    members: bool = False
    root: str = ""
    output: Path | None = None
    write: bool = False
    live: LiveOptions | None = None
    proof: ProofRequest | None = None


def run(request: MoveRequest, form: MoveFormat, colour: Colour, width: int, *, every: bool) -> int:
    """Plan the move, write the report to stdout and the files that are asked for; the exit code."""
    from advisor.move import plan_move, target_release

    if request.output is not None and request.write:
        raise UsageError("-o and --write cannot be combined", hint="-o writes a new file, --write changes the old one")
    if not request.to and request.to_topology is None:
        raise UsageError("--to or --to-topology is needed", hint="advisor move my.cnf --to mysql-8.4")
    target = target_release(request.to) if request.to else None
    releases = stated_releases(request.server or here().server)
    cluster = state(_read(request), request.role, request.topology, parse_host(request.host))
    move = plan_move(with_contradictions(cluster, releases), releases, target, request.root or "/", request.to_topology)
    if request.proof is not None:
        move = _rehearsed(move, request.proof)
    written = _write_files(move, request)
    write(_rendered(move, form, colour, width, every=every, diff=not written))
    for line in written:
        write(f"{line}\n", sys.stdout if form is MoveFormat.TEXT else sys.stderr)
    return ExitCode.FINDINGS if move.obstacles else ExitCode.OK


def _read(request: MoveRequest) -> Cluster:
    """The evidence that the request names."""
    refuse_together_and_members(request.together, request.members)
    if request.live is not None:
        if request.paths or request.together or request.members:
            raise UsageError("a running cluster cannot be combined with paths, --together or --members")
        from advisor.cli.shared.live_cluster import read_live

        return read_live(request.live)[0]
    if request.paths:
        if len(request.paths) > 1 and not (request.together or request.members):
            raise UsageError(
                "several paths: are they one server or several?",
                hint="--together: files of one server; --members: each path is one server of a cluster",
            )
        paths = [_STDIN if path == "-" else path for path in request.paths]
        return read_paths(paths, members=request.members, root=request.root)
    if request.together or request.members:
        raise UsageError("--together and --members need paths")
    from advisor.evidence import read_where_servers_look

    return read_where_servers_look(root=request.root or "/")


def _rehearsed(move: Move, proof: ProofRequest) -> Move:
    """The move with what real servers of both releases showed; progress goes to stderr."""
    from advisor.cli.shared.signals import stop_on_signals
    from advisor.rehearsal import RehearsalPlan, rehearse

    member = move.members[0]
    if len(move.members) > 1:
        raise UsageError("--prove takes one server", hint="name one member's files")
    if not member.files:
        raise UsageError("--prove needs option files on this disk", hint="name the server's option file")
    stop_on_signals()
    plan = RehearsalPlan(proof.workload, proof.threads, proof.seconds, proof.pairs)
    done = rehearse(member, member.releases[-1], move.target, plan, lambda line: write(f"{line}\n", sys.stderr))
    return replace(move, rehearsal=done)


def _write_files(move: Move, request: MoveRequest) -> list[str]:
    """What was written where; nothing unless it is asked for."""
    if request.output is not None:
        inputs = [file for member in move.members for file in member.files]
        if request.output.exists() and any(
            os.path.exists(file) and os.path.samefile(request.output, file) for file in inputs
        ):
            raise UsageError(
                "-o would overwrite the file that is read", file=str(request.output), hint="use --write instead"
            )
        return save_as(move, request.output)
    return write_in_place(move) if request.write else []


def _rendered(move: Move, form: MoveFormat, colour: Colour, width: int, *, every: bool, diff: bool) -> str:
    if form is MoveFormat.JSON:
        from advisor.report.move import document

        return document.render(move)
    if form is MoveFormat.MARKDOWN:
        from advisor.report.move import markdown

        return markdown.render(move, every=every)
    from advisor.report.move import text

    return text.render(move, page_for(sys.stdout, colour, width), every=every, diff=diff)
