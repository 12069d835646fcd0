"""What does the JSON report of `advisor move` contain? The file in schemas/ is made from these dataclasses."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.move import DefaultChange, FeatureFound, MemberMove, Move, OptionMove, StepClaim
from advisor.options.edit.edited_file import FileEdit
from advisor.report.move.phrases import MEASURE, keeping, rates
from advisor.report.move.rehearsal_document import Rehearsed, rehearsal_document
from advisor.report.words.file_diff import unified

SCHEMA: Final = "advisor/move/1"
Value = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class OptionMoved:
    """What becomes of one line. `refused`: the target does not start with it; `write`: the lines to write instead."""

    option: str
    name: str
    file: str
    line: int
    fate: str
    refused: bool
    write: list[str]
    exact: bool
    why: str
    see: list[str]


@dataclass(frozen=True, slots=True)
class DefaultMoved:
    """A default that changes under the files. `was`: one value for each release that the server may be now.

    `computed`: how the target computes the new one, "" where it does not. `means` is "" where the meaning is not known.
    `loaded` false: of a plugin that the files do not load. `stated`: the values are words.
    """

    name: str
    old_name: str
    was: list[Value]
    now: Value
    computed: str
    stated: bool
    certain: bool
    owner: str
    loaded: bool
    matters: list[str]
    means: str
    to_keep: str
    rate: str
    see: list[str]


@dataclass(frozen=True, slots=True)
class FeatureMoved:
    """A feature that concerns the move. `certain` false: check it, with the statement `ask` if there is one."""

    id: str
    title: str
    blocks: bool
    certain: bool
    members: list[str]
    missing: list[str]
    matters: list[str]
    says: str
    do: str
    ask: str
    rate: str
    see: list[str]


@dataclass(frozen=True, slots=True)
class Step:
    """One step, in order."""

    does: str
    why: str
    see: list[str]


@dataclass(frozen=True, slots=True)
class Path:
    """How servers get there. `by`: releases on the way, as --to takes them; `supported` false: not at all."""

    says: str
    ways: list[str]
    by: list[str]
    supported: bool
    see: list[str]


@dataclass(frozen=True, slots=True)
class RewrittenFile:
    """An option file that changes, as a unified diff without secrets."""

    file: str
    diff: list[str]


@dataclass(frozen=True, slots=True)
class MemberMoved:
    """One server. `starts`: on the target with its files, `starts_rewritten` with the rewritten ones; null: not known.

    `lost_groups`: groups that the target does not read; `new_groups`: groups that only the target reads.
    `unknown_defaults`: how many defaults are not known for one of the releases.
    """

    name: str
    releases: list[str]
    inference: str
    starts: bool | None
    starts_rewritten: bool | None
    not_rewritten: str
    refusals: list[str]
    lost_groups: list[str]
    new_groups: list[str]
    options: list[OptionMoved]
    defaults: list[DefaultMoved]
    unknown_defaults: int
    files: list[RewrittenFile]


@dataclass(frozen=True, slots=True)
class Rate:
    """What is known about the rate, or what to measure, for one setting or feature."""

    about: str
    says: str


@dataclass(frozen=True, slots=True)
class ToSet:
    """A setting that the topology asks for."""

    name: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class WithoutMeaning:
    """An option that is set and means nothing in the topology."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Needed:
    """What must be so before; `ask` is the statement that shows it, "" for none."""

    title: str
    says: str
    ask: str


@dataclass(frozen=True, slots=True)
class OfTopology:
    """One server: what to set, what is right already, what means nothing there."""

    name: str
    to_set: list[ToSet]
    right: list[str]
    no_meaning: list[WithoutMeaning]


@dataclass(frozen=True, slots=True)
class ToTopology:
    """Another topology. `in_the_way`: why the release cannot run it, "" if it can."""

    topology: str
    in_the_way: str
    needs: list[Needed]
    members: list[OfTopology]
    steps: list[Step]
    see: list[str]


@dataclass(frozen=True, slots=True)
class MoveDocument:
    """The report on one cluster or server. `in_the_way`: empty when nothing is; `rehearsal`: of --prove, else None."""

    schema: str
    target: str
    to: str
    direction: str
    topology: str | None
    in_the_way: list[str]
    path: Path | None
    members: list[MemberMoved]
    features: list[FeatureMoved]
    steps: list[Step]
    rate: str
    rates: list[Rate]
    problems: list[str]
    rehearsal: Rehearsed | None
    to_topology: ToTopology | None


def document(move: Move) -> MoveDocument:
    """The move as the JSON report has it."""
    route = move.route
    return MoveDocument(
        schema=SCHEMA,
        target=move.path,
        to=move.target.label,
        direction=str(move.direction),
        topology=str(move.topology) if move.topology is not None else None,
        in_the_way=list(move.obstacles),
        path=Path(route.says, list(route.ways), list(route.by), not route.blocks, list(route.see)) if route else None,
        members=[_member(member) for member in move.members],
        features=[_feature(feature) for feature in move.features],
        steps=[_step(step) for step in move.steps],
        rate=MEASURE,
        rates=[Rate(about, says) for about, says in rates(move)],
        problems=list(move.problems),
        to_topology=_to_topology(move),
        rehearsal=rehearsal_document(move.rehearsal) if move.rehearsal is not None else None,
    )


def render(move: Move) -> str:
    """UTF-8 text, indented by two."""
    import json

    text = json.dumps(asdict(document(move)), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _to_topology(move: Move) -> ToTopology | None:
    change = move.topology_move
    if change is None:
        return None
    members = [
        OfTopology(
            member.name,
            [ToSet(*asked) for asked in member.to_set],
            list(member.right),
            [WithoutMeaning(*idle) for idle in member.idle],
        )
        for member in change.members
    ]
    needs = [Needed(need.title, need.says, need.ask) for need in change.needs]
    steps = [Step(does, why, []) for does, why in change.steps]
    return ToTopology(str(change.target), change.blocked, needs, members, steps, list(change.see))


def _member(member: MemberMove) -> MemberMoved:
    return MemberMoved(
        name=member.name,
        releases=[release.label for release in member.releases],
        inference=member.inference,
        starts=member.starts,
        starts_rewritten=member.starts_rewritten,
        not_rewritten=member.not_rewritten,
        refusals=list(member.refusals),
        lost_groups=list(member.lost_groups),
        new_groups=list(member.new_groups),
        options=[_option(option) for option in member.options],
        defaults=[_default(change) for change in member.defaults],
        unknown_defaults=member.unknown_defaults,
        files=[RewrittenFile(change[0], unified(FileEdit(*change))) for change in member.rewritten],
    )


def _option(option: OptionMove) -> OptionMoved:
    return OptionMoved(
        option=option.text,
        name=option.name,
        file=option.file,
        line=option.line,
        fate=str(option.fate),
        refused=option.refused,
        write=list(option.lines),
        exact=option.exact,
        why=option.why,
        see=list(option.see),
    )


def _default(change: DefaultChange) -> DefaultMoved:
    claim = change.claim
    return DefaultMoved(
        name=change.name,
        old_name=change.old_name,
        was=list(change.was),
        now=change.now,
        computed=change.computed,
        stated=change.stated,
        certain=change.certain,
        owner=change.owner,
        loaded=change.loaded,
        matters=[str(matter) for matter in claim.matters] if claim else [],
        means=claim.says if claim else "",
        to_keep=keeping(change),
        rate=claim.rate if claim else "",
        see=list(claim.see) if claim else [],
    )


def _feature(feature: FeatureFound) -> FeatureMoved:
    claim = feature.claim
    return FeatureMoved(
        id=claim.id,
        title=claim.title,
        blocks=claim.blocks,
        certain=feature.certain,
        members=list(feature.members),
        missing=list(feature.missing),
        matters=[str(matter) for matter in claim.matters],
        says=claim.says,
        do=claim.do,
        ask=claim.ask,
        rate=claim.rate,
        see=list(claim.see),
    )


def _step(step: StepClaim) -> Step:
    return Step(step.does, step.why, list(step.see))
