"""What a move means for a cluster: each option, each default, the features that concern it, and the order of steps."""

from __future__ import annotations

from enum import StrEnum

from advisor.model.catalog import Value
from advisor.model.move.claims import DefaultClaim, Direction, FeatureClaim, PathClaim, StepClaim
from advisor.model.move.rehearsal import Rehearsal
from advisor.model.move.topology import TopologyMove
from advisor.model.record import record
from advisor.model.server import Release, Topology


class Fate(StrEnum):
    """What becomes of an option on its way to the target."""

    KEPT = "kept"
    RENAMED = "renamed"  # the target's spelling of the same option
    TRANSLATED = "translated"  # another option with the same, or the nearest, effect
    REMOVED = "removed"  # commented out: the target refuses it, or does nothing with it
    UNDECIDED = "undecided"  # stays; whether the target takes it depends on what the files do not show
    REFUSED = "refused"  # stays, although the target refuses it: nobody knows what to write instead


@record
class OptionMove:
    """What becomes of one line. `refused`: the target does not start with the line as it is.

    `lines` stand in the rewritten file instead, () where the line stays as it is or goes. Secrets are masked.
    """

    text: str
    name: str
    file: str
    line: int
    fate: Fate
    refused: bool = False
    lines: tuple[str, ...] = ()
    why: str = ""
    exact: bool = True
    see: tuple[str, ...] = ()


@record
class DefaultChange:
    """A default that differs, of a variable that the files do not set, in the target's spelling.

    `was` has one value per release that the server may be now, without repetitions; None in `was` or `now` is "no
    value". `stated`: the values are texts of a claim. `certain`: it changes whichever of the releases it is.
    `loaded`: False when it belongs to a plugin or component that the files do not load.
    """

    name: str
    old_name: str
    was: tuple[Value, ...]
    now: Value
    claim: DefaultClaim | None = None
    certain: bool = True
    stated: bool = False
    owner: str = ""
    loaded: bool = True
    computed: str = ""  # how the target computes it, in words


@record
class FeatureFound:
    """A feature that concerns this move. `certain`: the evidence shows that it does; else `missing` names the holes."""

    claim: FeatureClaim
    certain: bool
    members: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@record
class MemberMove:
    """One server: would it start as it is and rewritten (None: not known), its options, and its defaults.

    `rewritten`: (path, bytes before, bytes after) of each file that changes; `whole`: all files that were read are on
    this disk and could be changed. `refusals`: why the rewritten files are refused.
    """

    name: str
    releases: tuple[Release, ...]
    inference: str
    starts: bool | None
    starts_rewritten: bool | None
    options: tuple[OptionMove, ...]
    defaults: tuple[DefaultChange, ...]
    rewritten: tuple[tuple[str, bytes, bytes], ...] = ()
    files: tuple[str, ...] = ()
    not_rewritten: str = ""  # why the files could not be rewritten
    refusals: tuple[str, ...] = ()
    lost_groups: tuple[str, ...] = ()  # of the files, which the release of now reads and the target does not
    new_groups: tuple[str, ...] = ()  # of the files, which only the target reads
    unknown_defaults: int = 0  # changed within the series at an unknown release, or a path of the build


@record
class Move:
    """Everything `advisor move` has to say about one cluster or server."""

    path: str
    target: Release
    direction: Direction
    topology: Topology | None
    topology_source: str
    members: tuple[MemberMove, ...]
    route: PathClaim | None
    features: tuple[FeatureFound, ...]
    steps: tuple[StepClaim, ...]
    problems: tuple[str, ...] = ()
    rehearsal: Rehearsal | None = None
    topology_move: TopologyMove | None = None

    @property
    def release_stays(self) -> bool:
        """Whether every server keeps its release, so that only the topology changes."""
        return self.topology_move is not None and all(m.releases == (self.target,) for m in self.members)

    @property
    def obstacles(self) -> tuple[str, ...]:
        """What is in the way, one short line each; () when nothing is."""
        found = []
        for member in self.members:
            about = f"{member.name} does" if len(self.members) > 1 else "the server does"
            if member.starts is False:
                found.append(f"{about} not start with its files as they are")
            if member.lost_groups and member.starts is not False:
                groups = ", ".join(f"[{group}]" for group in member.lost_groups)
                found.append(f"the options in {groups} would be lost")
            if member.starts_rewritten is False:
                found.append(f"{about} not start with the rewritten files either")
        if self.topology_move is not None and self.topology_move.blocked:
            found.append(self.topology_move.blocked)
        if self.release_stays:
            return tuple(found)
        if self.route is not None and self.route.blocks:
            found.append("this path is not supported")
        elif self.route is not None and self.route.by:
            found.append(f"not directly, but by {' and '.join(self.route.by)}")
        return tuple(found) + tuple(f.claim.title for f in self.features if f.certain and f.claim.blocks)
