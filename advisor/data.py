"""The only reader of YAML: text in, text out; refuses duplicate keys; errors carry file and line.

Scalars stay exactly as written: the usual loaders turn `gtid_mode: ON` into true, `1_000` into 1000 and `10.10` into
10.1. Whoever asked for the data decides the types.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence

from advisor.annotations import TYPE_CHECKING, Any
from advisor.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_MOST_CHARACTERS_OF_OTHERS = 4 << 20  # the parts of somebody else's are kept with their places, which takes memory

Data = str | list[Any] | dict[str, Any] | None
_DEEPEST = 40  # levels; deeper is no document of ours
_MOST_CHARACTERS = 16 << 20  # the longest of ours has some thousand; a device never ends


def folder(kind: str) -> str:
    """The folder of shipped data ("rules", …): in the installed package, else in the checkout."""
    package = os.path.dirname(__file__)
    packaged = os.path.join(package, "_data", kind)
    return packaged if os.path.isdir(packaged) else os.path.join(os.path.dirname(package), kind)


def read_yaml(path: str | Path) -> Data:
    """The first document of a YAML file; InputError with the line when it cannot be read."""
    return next(read_documents(path), None)


def read_documents(path: str | Path) -> Iterator[Data]:
    """The documents of a YAML file one by one (later ones are not even parsed before they are asked for)."""
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read(_MOST_CHARACTERS + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 (byte {error.start})", file=str(path)) from None
    if len(text) > _MOST_CHARACTERS:
        raise InputError(f"too long for a YAML file: more than {_MOST_CHARACTERS >> 20} MiB", file=str(path))
    yield from parse_documents(text, str(path))


def parse_documents(text: str, name: str) -> Iterator[Data]:
    """The documents of a YAML text; `name` is used in errors.

    Evidence keeps bytes that are not UTF-8 as surrogates, which YAML cannot have.
    """
    import yaml

    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError("not UTF-8", file=name, line=text.count("\n", 0, error.start) + 1) from None
    loader = _loader(yaml)(text)
    try:
        while loader.check_data():
            data = loader.get_data()
            _refuse_aliases(data, name)
            yield data
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(str(error.problem), file=name, line=mark.line + 1 if mark else 0) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"not YAML: {error}".splitlines()[0], file=name) from None
    finally:
        loader.dispose()


def line_of(path: str | Path, keys: Sequence[str | int]) -> int:
    """The line on which a key of a mapping, or an item of a list, stands in a file that can be read; 0 if nowhere.

    `keys` lead there from the top. The file is read again, so this is for messages only.
    """
    import yaml

    with open(path, encoding="utf-8") as stream:
        node: Any = yaml.compose(stream, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    line = 0
    for key in keys:
        if isinstance(node, yaml.MappingNode):
            found = [(name, value) for name, value in node.value if name.value == key]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            found = [(node.value[key], node.value[key])]
        else:
            found = []
        if not found:
            break
        line, node = found[0][0].start_mark.line + 1, found[0][1]
    return line


class Located:
    """A part of a YAML document with its place: `value` is a text, a list of parts, or parts by key.

    Lines count from 1; of a block text (`literal`) the first is the one of its sign. Of null the value is "".
    """

    __slots__ = ("last_line", "line", "literal", "value")

    def __init__(self, value: str | list[Located] | dict[str, Located], line: int, last: int, literal: bool) -> None:
        self.value, self.line, self.last_line, self.literal = value, line, last, literal

    @property
    def text(self) -> str:
        """The text; "" of a list or a mapping."""
        return self.value if isinstance(self.value, str) else ""

    def get(self, key: str) -> Located | None:
        """The part under a key; None where there is none."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def items(self) -> list[tuple[str, Located]]:
        """The parts by key; none of a text or a list."""
        return list(self.value.items()) if isinstance(self.value, dict) else []

    def entries(self) -> list[Located]:
        """The parts of a list; none of anything else."""
        return self.value if isinstance(self.value, list) else []


def located_documents(text: str, name: str) -> list[Located]:
    """The documents of somebody else's YAML with their lines: aliases and merge keys count, tags do not.

    A part that has an alias is one object, however often it stands there. InputError as `parse_documents`.
    """
    import yaml

    if len(text) > _MOST_CHARACTERS_OF_OTHERS:
        raise InputError(f"too long for YAML: more than {_MOST_CHARACTERS_OF_OTHERS >> 20} MiB", file=name)
    try:
        nodes = list(yaml.compose_all(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)))
        return [_located(yaml, node, {}, 0) for node in nodes if node is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(f"not YAML: {error.problem}", file=name, line=mark.line + 1 if mark else 0) from None
    except (yaml.YAMLError, RecursionError, UnicodeEncodeError) as error:
        raise InputError(f"not YAML: {error}".splitlines()[0], file=name) from None


def _located(yaml: Any, node: Any, known: dict[int, Located], depth: int) -> Located:
    if id(node) in known:
        return known[id(node)]
    if depth > _DEEPEST:
        raise yaml.MarkedYAMLError(problem=f"nested more than {_DEEPEST} levels deep", problem_mark=node.start_mark)
    end = node.end_mark
    last = end.line + (1 if end.column else 0)
    block = getattr(node, "style", None) in ("|", ">")
    found = known[id(node)] = Located("", node.start_mark.line + 1, max(last, node.start_mark.line + 1), block)
    if isinstance(node, yaml.ScalarNode):
        found.value = "" if node.value in ("null", "~") and not node.style else node.value
        found.literal = node.style == "|"
    elif isinstance(node, yaml.SequenceNode):
        found.value = [_located(yaml, child, known, depth + 1) for child in node.value]
    else:
        found.value = _located_mapping(yaml, node, known, depth)
    return found


def _located_mapping(yaml: Any, node: Any, known: dict[int, Located], depth: int) -> dict[str, Located]:
    own: dict[str, Located] = {}
    merged: dict[str, Located] = {}
    for key, child in node.value:
        part = _located(yaml, child, known, depth + 1)
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.value == "<<":
            for base in part.entries() or [part]:
                merged = {**dict(base.items()), **merged}
        else:
            own[key.value] = part
    return {**merged, **own}


def _refuse_aliases(data: Data, name: str) -> None:
    """An alias may make a short file huge when it is walked, and hides what a reader sees: none is accepted."""
    seen: set[int] = set()
    level: list[Any] = [data]
    for _ in range(_DEEPEST):
        level = [item for item in level if isinstance(item, list | dict)]
        if not level:
            return
        for item in level:
            if id(item) in seen:
                raise InputError(
                    "YAML aliases (*name) are not supported", file=name, hint="write out the value instead"
                )
            seen.add(id(item))
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    raise InputError(f"nested more than {_DEEPEST} levels deep", file=name)


_LOADER: Any = None


def _loader(yaml: Any) -> Any:
    """libyaml's loader where it is (14 times quicker than the pure one), taught to refuse duplicate keys."""
    global _LOADER  # noqa: PLW0603 – the class can only be made once yaml is imported, and that only when needed
    if _LOADER is None:

        class TextLoader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
            def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
                seen: set[str] = set()
                for key, _ in node.value:
                    if not isinstance(key, yaml.ScalarNode):
                        raise yaml.MarkedYAMLError(problem="a key is not a word", problem_mark=key.start_mark)
                    if key.value in seen:
                        raise yaml.MarkedYAMLError(
                            problem=f"the key {key.value!r} is given twice", problem_mark=key.start_mark
                        )
                    seen.add(key.value)
                mapping: dict[Hashable, Any] = super().construct_mapping(node, deep=deep)
                return mapping

        _LOADER = TextLoader
    return _LOADER
