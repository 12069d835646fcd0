"""Which classes of waits are there, and what may their files contain? Reads rules/waits/, one file for each class."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Final

from advisor.data import folder, read_yaml
from advisor.errors import InputError, RuleError
from advisor.model.diagnosis import Threads, WaitGroup
from advisor.why.rules.wait_class import Measured, Signature, WaitClass
from advisor.yaml_shapes import (
    condition,
    listed,
    mapping,
    one_line,
    one_of,
    refuse_unknown,
    require,
    texts,
    word_of,
)  # fmt: skip

KINDS: Final = ("client", "applier", "coordinator", "receiver", "dump", "system")
_WORDS: Final = ("commands", "trx", "events", "os", "states", "calls", "wchan", "verbs")
_SIGNATURE: Final = (*_WORDS, "kinds", "statements", "inside", "when")
_FLAGS: Final = ("coarse", "leads", "before_cpu", "unexplained", "queue")
_KEYS: Final = ("class", "title", "group", "follows", "also", "measured", "source", *_FLAGS, *_SIGNATURE)


@lru_cache(maxsize=1)
def wait_class_names() -> tuple[str, ...]:
    """The ids of all classes, without reading their files."""
    names = os.listdir(_place())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


@lru_cache(maxsize=1)
def load_wait_classes() -> tuple[WaitClass, ...]:
    """Every class; RuleError when one is wrong, or names a class that is not there."""
    classes = tuple(_read(name) for name in wait_class_names())
    known = {each.id for each in classes}
    for each in classes:
        hides_in = [name for measured in each.measured for name in measured.hides_in]
        for name in (*hides_in, *(signature.inside for signature in each.signatures if signature.inside)):
            if name not in known:
                raise RuleError(f"there is no class {name!r}", file=each.file)
    return classes


def _place() -> str:
    return os.path.join(folder("rules"), "waits")


def _read(name: str) -> WaitClass:
    path = os.path.join(_place(), f"{name}.yaml")
    try:
        return build_wait_class(read_yaml(path), name, path)
    except InputError as error:
        raise RuleError(error.message, file=error.file, line=error.line, hint=error.hint) from None


def build_wait_class(data: Any, stem: str, file: str) -> WaitClass:
    """A class from its file; RuleError names the key at fault."""
    data = mapping(data, "class", file)
    refuse_unknown(data, _KEYS, "class", file)
    require(data, ("class", "title", "group", "source"), "class", file)
    if data["class"] != stem:
        raise RuleError(
            f"the class {data['class']!r} differs from the name of the file", file=file, hint=f"class: {stem}"
        )
    own = _signature({key: data[key] for key in _SIGNATURE if key in data}, file)
    also = [_restricted(item, own.kinds, file) for item in listed(data.get("also"))]
    flags = {key: one_of(data.get(key, "no"), ("yes", "no"), key, file) == "yes" for key in _FLAGS}
    return WaitClass(
        id=stem,
        title=one_line(data["title"]),
        group=word_of(WaitGroup, data["group"], "group", file),
        signatures=(own, *also),
        source=tuple(texts(data["source"], "source", file)),
        measured=tuple(_measured(item, file) for item in listed(data.get("measured"))),
        follows=one_of(data.get("follows", "nobody"), ("leader", "nobody"), "follows", file) == "leader",
        file=file,
        **flags,
    )


def _restricted(data: Any, kinds: tuple[str, ...], file: str) -> Signature:
    """A further signature; it holds for the threads of the class unless it names its own."""
    data = mapping(data, "also", file)
    refuse_unknown(data, _SIGNATURE, "also", file)
    return _signature({"kinds": list(kinds), **data}, file)


def _signature(data: dict[str, Any], file: str) -> Signature:
    when = one_line(data.get("when", ""))
    for kind in (kinds := texts(data.get("kinds", []), "kinds", file)):
        one_of(kind, KINDS, "kinds", file)
    words = {key: tuple(word.lower() for word in texts(data.get(key, []), key, file)) for key in _WORDS}
    return Signature(
        **words,
        kinds=tuple(kinds),
        statements=tuple(verb.lower() for verb in texts(data.get("statements", []), "statements", file)),
        inside=str(data.get("inside", "")),
        when=when,
        tree=condition(when, file) if when else [],
    )


def _measured(data: Any, file: str) -> Measured:
    data = mapping(data, "measured", file)
    refuse_unknown(data, ("fact", "of", "hides_in"), "measured", file)
    require(data, ("fact", "of", "hides_in"), "measured", file)
    hides_in = tuple(texts(data["hides_in"], "hides_in", file))
    return Measured(str(data["fact"]), word_of(Threads, data["of"], "of", file), hides_in)
