"""What is known about moves between releases? Reads and checks `rules/moves`; every claim has its sources.

`defaults/`, `features/`, `options/`, `paths/` and `steps/` hold lists; a file's name only groups its claims.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, TypeVar

from advisor.data import folder, read_yaml
from advisor.errors import RuleError
from advisor.model.move import (
    DefaultClaim,
    Direction,
    FeatureClaim,
    Matter,
    PathClaim,
    Releases,
    StepClaim,
    Translation,
)
from advisor.model.record import record
from advisor.model.server import Family, Topology
from advisor.yaml_shapes import (
    condition,
    constraint,
    listed,
    mapping,
    one_line,
    one_of,
    refuse_unknown,
    require,
    texts,
    word_of,
)

Claim = TypeVar("Claim")

_SCOPE: Final = ("from", "to", "see")
_VENDORS: Final = ("percona", "pxc")
_OPTION: Final = (*_SCOPE, "id", "options", "set", "when", "exact", "why", "not_to")
_DEFAULT: Final = (*_SCOPE, "name", "matters", "says", "was", "now", "stated", "unless", "keep", "rate", "when")
_FEATURE: Final = (
    *_SCOPE, "id", "title", "matters", "says", "do", "ask", "when", "blocks", "rate", "not_to",
    "directions", "topologies",
)  # fmt: skip
_STEP: Final = (*_SCOPE, "does", "why", "topologies", "directions")
_PATH: Final = (*_SCOPE, "says", "ways", "by", "blocks", "directions", "topologies")


@record
class Claims:
    """Everything that `rules/moves` says, in the order of its files."""

    translations: tuple[Translation, ...]
    defaults: tuple[DefaultClaim, ...]
    features: tuple[FeatureClaim, ...]
    steps: tuple[StepClaim, ...]
    paths: tuple[PathClaim, ...]


@cache
def load_claims() -> Claims:
    """The shipped claims (kept); RuleError for the first one that is wrong."""
    return Claims(
        translations=tuple(_claims("options", _translation)),
        defaults=tuple(_claims("defaults", _default)),
        features=tuple(_claims("features", _feature)),
        steps=tuple(_claims("steps", _step)),
        paths=tuple(_claims("paths", _path)),
    )


def _claims(kind: str, build: Callable[[dict[str, Any], str], Claim]) -> Iterator[Claim]:
    """The claims of the files of one folder, by name; each file is a list under the name of its folder."""
    place = os.path.join(folder("rules"), "moves", kind)
    for name in sorted(os.listdir(place)):
        if not name.endswith(".yaml"):
            continue
        path = os.path.join(place, name)
        data = mapping(read_yaml(path), name, path)
        refuse_unknown(data, (kind,), name, path)
        for entry in listed(data.get(kind)):
            yield build(mapping(entry, kind, path), path)


def _translation(data: dict[str, Any], file: str) -> Translation:
    what = f"translation {data.get('id', '')!r}"
    refuse_unknown(data, _OPTION, what, file)
    require(data, ("id", "options", "why", "see"), what, file)
    settings = {name: one_line(text) for name, text in mapping(data.get("set"), "set", file).items()}
    formulas = {text: condition(text[1:].strip(), file) for text in settings.values() if text.startswith("=")}
    return Translation(
        id=data["id"],
        options=tuple(texts(data["options"], "options", file)),
        why=one_line(data["why"]),
        settings=settings,
        when=one_line(data.get("when", "")),
        exact=_flag(data, "exact", file, otherwise=True),
        not_to=_vendors(data, file),
        tree=_tree(data, file),
        trees=formulas,
        **_scope(data, file),
    )


def _default(data: dict[str, Any], file: str) -> DefaultClaim:
    what = f"default {data.get('name', '')!r}"
    refuse_unknown(data, _DEFAULT, what, file)
    require(data, ("name", "matters", "says", "see"), what, file)
    if _flag(data, "stated", file):
        require(data, ("was", "now"), what, file)
    return DefaultClaim(
        name=data["name"],
        matters=_matters(data, file),
        says=one_line(data["says"]),
        was=one_line(data.get("was") or ""),
        now=one_line(data.get("now") or ""),
        stated=_flag(data, "stated", file),
        unless=tuple(texts(data.get("unless"), "unless", file)),
        keep=one_line(data.get("keep") or ""),
        rate=one_line(data.get("rate") or ""),
        when=one_line(data.get("when") or ""),
        tree=_tree(data, file),
        **_scope(data, file),
    )


def _feature(data: dict[str, Any], file: str) -> FeatureClaim:
    what = f"feature {data.get('id', '')!r}"
    refuse_unknown(data, _FEATURE, what, file)
    require(data, ("id", "title", "matters", "says", "see"), what, file)
    return FeatureClaim(
        id=data["id"],
        title=one_line(data["title"]),
        matters=_matters(data, file),
        says=one_line(data["says"]),
        do=one_line(data.get("do") or ""),
        ask=one_line(data.get("ask") or ""),
        when=one_line(data.get("when") or ""),
        blocks=_flag(data, "blocks", file),
        rate=one_line(data.get("rate") or ""),
        not_to=_vendors(data, file),
        directions=_directions(data, file),
        topologies=_topologies(data, file),
        tree=_tree(data, file),
        **_scope(data, file),
    )


def _step(data: dict[str, Any], file: str) -> StepClaim:
    refuse_unknown(data, _STEP, "step", file)
    require(data, ("does", "see"), "step", file)
    return StepClaim(
        does=one_line(data["does"]),
        why=one_line(data.get("why") or ""),
        topologies=_topologies(data, file),
        directions=_directions(data, file),
        **_scope(data, file),
    )


def _path(data: dict[str, Any], file: str) -> PathClaim:
    refuse_unknown(data, _PATH, "path", file)
    require(data, ("says", "see"), "path", file)
    return PathClaim(
        says=one_line(data["says"]),
        ways=tuple(texts(data.get("ways"), "ways", file)),
        by=tuple(texts(data.get("by"), "by", file)),
        blocks=_flag(data, "blocks", file),
        directions=_directions(data, file),
        topologies=_topologies(data, file),
        **_scope(data, file),
    )


def _scope(data: dict[str, Any], file: str) -> dict[str, Any]:
    return {
        "origin": _releases(data.get("from"), "from", file),
        "target": _releases(data.get("to"), "to", file),
        "see": tuple(texts(data.get("see"), "see", file)),
        "file": file,
    }


def _releases(data: Any, key: str, file: str) -> Releases:
    """One family's name for all its releases, or families with version constraints."""
    if isinstance(data, str) and data:
        return {str(word_of(Family, data, key, file)): ""}
    return {
        str(word_of(Family, name, key, file)): constraint(text, key, file) if text else ""
        for name, text in mapping(data, key, file).items()
    }


def _matters(data: dict[str, Any], file: str) -> tuple[Matter, ...]:
    return tuple(word_of(Matter, word, "matters", file) for word in texts(data["matters"], "matters", file))


def _directions(data: dict[str, Any], file: str) -> tuple[Direction, ...]:
    return tuple(word_of(Direction, word, "directions", file) for word in listed(data.get("directions")))


def _topologies(data: dict[str, Any], file: str) -> tuple[Topology, ...]:
    return tuple(word_of(Topology, word, "topologies", file) for word in listed(data.get("topologies")))


def _vendors(data: dict[str, Any], file: str) -> tuple[str, ...]:
    return tuple(one_of(word, _VENDORS, "not_to", file) for word in texts(data.get("not_to"), "not_to", file))


def _tree(data: dict[str, Any], file: str) -> list[Any] | None:
    return condition(one_line(data["when"]), file) if data.get("when") else None


def _flag(data: dict[str, Any], key: str, file: str, *, otherwise: bool = False) -> bool:
    word = data.get(key)
    if word in (None, ""):
        return otherwise
    if word not in ("yes", "no"):
        raise RuleError(f"{key}: {word!r} is not yes or no", file=file)
    return str(word) == "yes"
