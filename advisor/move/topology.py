"""What does another topology ask of these servers? The claims are in `rules/moves/topologies`, a file for each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from advisor.catalog import spelling
from advisor.conditions import bind
from advisor.data import folder, read_yaml
from advisor.evidence.member_facts import MemberFacts
from advisor.model.move.topology import AskedOption, IdleOptions, Need, TopologyClaim, TopologyMember, TopologyMove
from advisor.model.server import Family, Release, Topology
from advisor.move.scope import covers
from advisor.yaml_shapes import (
    condition,
    constraint,
    listed,
    mapping,
    one_line,
    refuse_unknown,
    require,
    texts,
    word_of,
)

_KEYS: Final = ("topology", "for", "needs", "options", "idle", "steps", "see")


def plan_topology(
    views: Sequence[MemberFacts], origin: Topology | None, target: Topology, release: Release
) -> TopologyMove:
    """The change of topology; `release` is the one that the servers will have then."""
    claim = load_topologies()[target]
    runs = covers(claim.releases, release)
    return TopologyMove(
        origin=origin,
        target=target,
        members=tuple(_member(view, claim, release) for view in views),
        needs=tuple(need for need in claim.needs if covers(need.releases, release)),
        steps=claim.steps,
        see=claim.see,
        blocked="" if runs else f"{release.label} cannot run {str(target).replace('_', ' ')}",
    )


def _member(view: MemberFacts, claim: TopologyClaim, release: Release) -> TopologyMember:
    to_set: list[tuple[str, str, str]] = []
    right: list[str] = []
    for asked in claim.asked:
        if not covers(asked.releases, release):
            continue
        names = [(spelling(name, release) or name, value) for name, value in asked.settings.items()]
        if asked.tree is not None and bind(asked.tree)(view.value) is True:
            right += [name for name, _ in names]
        else:
            to_set += [(name, value, asked.why) for name, value in names]
    idle = [
        (spelling(name, view.release) or name, idle.why)
        for idle in claim.idle
        for name in idle.options
        if view.value(f"configured.{name}") is True
    ]
    return TopologyMember(view.member.name, tuple(to_set), tuple(right), tuple(idle))


@cache
def load_topologies() -> dict[Topology, TopologyClaim]:
    """Every shipped claim (kept); RuleError for the first one that is wrong."""
    place = os.path.join(folder("rules"), "moves", "topologies")
    claims = [_claim(os.path.join(place, name)) for name in sorted(os.listdir(place)) if name.endswith(".yaml")]
    return {claim.topology: claim for claim in claims}


def _claim(file: str) -> TopologyClaim:
    data = mapping(read_yaml(file), "topology", file)
    refuse_unknown(data, _KEYS, "topology", file)
    require(data, _KEYS, "topology", file)
    return TopologyClaim(
        topology=word_of(Topology, data["topology"], "topology", file),
        releases=_releases(data["for"], file),
        needs=tuple(_need(mapping(entry, "needs", file), file) for entry in listed(data["needs"])),
        asked=tuple(_asked(mapping(entry, "options", file), file) for entry in listed(data["options"])),
        idle=tuple(
            IdleOptions(tuple(texts(entry["options"], "options", file)), one_line(entry["why"]))
            for entry in listed(data["idle"])
        ),
        steps=tuple((one_line(entry["does"]), one_line(entry.get("why") or "")) for entry in listed(data["steps"])),
        see=tuple(texts(data["see"], "see", file)),
        file=file,
    )


def _need(data: dict[str, Any], file: str) -> Need:
    refuse_unknown(data, ("title", "says", "ask", "for"), "need", file)
    ask = one_line(data.get("ask") or "")
    return Need(one_line(data["title"]), one_line(data["says"]), ask, _releases(data.get("for"), file))


def _asked(data: dict[str, Any], file: str) -> AskedOption:
    refuse_unknown(data, ("set", "unless", "for", "why"), "option", file)
    settings = {name: one_line(str(value)) for name, value in mapping(data["set"], "set", file).items()}
    unless = one_line(data.get("unless") or "")
    tree = condition(unless, file) if unless else None
    return AskedOption(settings, one_line(data["why"]), unless, tree, _releases(data.get("for"), file))


def _releases(data: Any, file: str) -> dict[str, str]:
    return {
        str(word_of(Family, name, "for", file)): constraint(text, "for", file) if text else ""
        for name, text in mapping(data, "for", file).items()
    }
