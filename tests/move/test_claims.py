"""Is every claim about moves well-formed, alive, and backed by a source?"""

from __future__ import annotations

from pathlib import Path

import pytest

import advisor.move.claims
from advisor.catalog import all_releases, as_pxc, canonical, load, parse_release, spelling
from advisor.catalog.names import spellings
from advisor.catalog.table import rows
from advisor.check.known_names import HOST_NAMES
from advisor.conditions import names
from advisor.errors import RuleError
from advisor.model.move import DefaultClaim, Direction
from advisor.model.server import Family, Topology
from advisor.move.claims import load_claims
from advisor.move.plan import _is_about
from advisor.move.scope import covers, direction_of

CLAIMS = load_claims()
EDGES = (
    "mysql-5.7.9",
    "mysql-8.0.11",
    "mysql-8.0.19",
    "mariadb-10.5.4",
    "mariadb-10.11.2",
    "mariadb-11.4.2",
    "mariadb-12.3.2",
    "mysql-26.10.0",
)
# Point releases: of the one that stands for a range, a variable that came within the range is not known.
RELEASES = [parse_release(name)[0] for name in (*EDGES, *(release.name for release in all_releases()))]
EVERY = (*CLAIMS.translations, *CLAIMS.defaults, *CLAIMS.features, *CLAIMS.steps, *CLAIMS.paths)
WORDS = {"version", "vendor", "family", "topology", "role"}


def knows(name: str, family: Family) -> bool:
    """Whether a server of Percona or a release of the family has it."""
    added = family is Family.MYSQL and any(name in rows(stem) for stem in ("pxc", "percona"))
    return added or is_known(name, family)


def is_known(name: str, family: Family) -> bool:
    """Whether a release of the family has the variable, under any of its spellings."""
    return any(
        load(r).get(n) for r in all_releases() if r.family is family for n in (name, *spellings(family).get(name, ()))
    )


def test_every_claim_has_sources() -> None:
    assert len(EVERY) > 200
    assert [
        claim for claim in EVERY if not claim.see or not all(link.startswith("https://") for link in claim.see)
    ] == []


def test_ids_are_unique() -> None:
    for kind in (CLAIMS.translations, CLAIMS.features):
        ids = [claim.id for claim in kind]
        assert sorted(set(ids)) == sorted(ids)


def test_every_claim_is_about_some_move() -> None:
    dead = [
        claim
        for claim in EVERY
        if not any(covers(claim.origin, a) and covers(claim.target, b) for a in RELEASES for b in RELEASES if a != b)
    ]
    assert dead == []


@pytest.mark.parametrize("claim", [*CLAIMS.translations, *CLAIMS.features], ids=lambda claim: claim.id)
def test_conditions_read_names_that_servers_have(claim: object) -> None:
    trees = [tree for tree in (getattr(claim, "tree", None), *getattr(claim, "trees", {}).values()) if tree]
    read = {name for tree in trees for name in names(tree)} - WORDS - set(HOST_NAMES)
    assert [name for name in read if not any(knows(name, family) for family in Family)] == []


@pytest.mark.parametrize("claim", CLAIMS.translations, ids=lambda claim: claim.id)
def test_a_translation_writes_options_that_its_targets_have(claim: object) -> None:
    targets = [release for release in RELEASES if covers(claim.target, release)]  # type: ignore[attr-defined]
    targets = [as_pxc(r) if r.family is Family.MYSQL and "wsrep" in str(claim) else r for r in targets]
    for option in claim.settings:  # type: ignore[attr-defined]
        plain = option.removeprefix("loose_")
        assert [r.label for r in targets if load(r).get(plain) is None] == []


def test_a_translation_is_about_an_option_that_its_origins_have() -> None:
    for claim in CLAIMS.translations:
        families = [family for family in Family if not claim.origin or str(family) in claim.origin]
        for option in claim.options:
            name = option.partition("=")[0]
            assert any(knows(name, family) for family in families), f"{claim.id}: {name}"


def changes(claim: DefaultClaim) -> bool:
    """Whether the default that the claim names differs between two of the releases that it is about."""
    from advisor.move.defaults import _compared, _variables, as_text

    for origin in all_releases():
        for target in all_releases():
            if origin == target or not (covers(claim.origin, origin) and covers(claim.target, target)):
                continue
            before, after = _variables(origin).get(claim.name), _variables(target).get(claim.name)
            found = _compared(claim.name, [before], after) if before is not None and after is not None else None
            if isinstance(found, bool) or found is None:
                continue
            if claim.was.lower() in ("", as_text(found.was[0]).lower()) and claim.now.lower() in (
                "",
                as_text(found.now).lower(),
            ):
                return True
    return False


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS.defaults if not c.stated], ids=lambda claim: f"{claim.name}-{claim.file[-20:]}"
)
def test_a_default_that_a_claim_explains_does_change(claim: DefaultClaim) -> None:
    assert changes(claim)


@pytest.mark.parametrize("claim", [c for c in CLAIMS.defaults if c.stated], ids=lambda claim: claim.name)
def test_a_stated_change_is_about_a_variable_of_one_of_the_two_releases(claim: DefaultClaim) -> None:
    assert any(knows(canonical(claim.name, family), family) for family in Family)


def test_there_is_a_path_for_every_pair_of_releases() -> None:
    for origin in all_releases():
        for target in all_releases():
            direction = direction_of(origin, target)
            for topology in (None, *Topology):
                found = [p for p in CLAIMS.paths if _is_about(p, origin, target, direction, topology)]
                assert found, (origin.label, target.label, topology)
                if direction is Direction.DOWN:
                    assert found[0].blocks


def test_every_topology_has_steps_for_its_own_kind_of_upgrade() -> None:
    of_family = {
        Topology.ASYNC_MARIADB: ("mariadb 10.11", "mariadb 11.4"),
        Topology.GALERA: ("mariadb 10.11", "mariadb 11.4"),
    }
    by_label = {release.label: release for release in all_releases()}
    for topology in Topology:
        origin, target = (by_label[label] for label in of_family.get(topology, ("mysql 8.0.30+", "mysql 8.4")))
        told = [s for s in CLAIMS.steps if _is_about(s, origin, target, Direction.UP, topology)]
        assert any(topology in step.topologies for step in told), topology


def test_keeping_a_default_names_options_that_the_target_has() -> None:
    for claim in CLAIMS.defaults:
        for part in claim.keep.split(" and ") if claim.keep and "CHANGE" not in claim.keep else ():
            name = part.partition("=")[0].strip().removeprefix("skip_")
            targets = [r for r in all_releases() if covers(claim.target, r)]
            has = [r for r in targets if spelling(name, r) or load(r).get(name)]
            assert has, f"{claim.file}: {claim.keep}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("features:\n  - id: a\n    title: b\n    says: c\n    see: d\n", "matters"),
        ("features:\n  - {id: a, title: b, matters: [speed], says: c, see: d}\n", "'speed' is not one of"),
        ("features:\n  - {id: a, title: b, matters: [data], says: c, see: d, when: 1 +}\n", ""),
        ("features:\n  - {id: a, title: b, matters: [data], says: c, see: d, to: {oracle: ''}}\n", "'oracle'"),
        ("features:\n  - {id: a, title: b, matters: [data], says: c, see: d, blocks: maybe}\n", "not yes or no"),
        ("features:\n  - {id: a, colour: red}\n", "no key 'colour'"),
    ],
)
def test_a_wrong_claim_is_refused_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    for kind in ("options", "defaults", "features", "steps", "paths"):
        (tmp_path / "moves" / kind).mkdir(parents=True)
    (tmp_path / "moves/features/own.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(advisor.move.claims, "folder", lambda kind: str(tmp_path))
    with pytest.raises(RuleError) as error:
        load_claims.__wrapped__()
    assert says in str(error.value)
    assert "own.yaml" in error.value.file
