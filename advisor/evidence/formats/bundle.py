"""What does a bundle say? `bundle.json`, `members/<name>/…` and `observations.yaml` → members and what is stated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from advisor.errors import InputError
from advisor.evidence.formats.any_text import file_kind, read_text_evidence
from advisor.evidence.formats.json_dump import load_json
from advisor.evidence.formats.observations import read_observations
from advisor.evidence.formats.option_text import Found
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.source.archive import Tree
from advisor.model.record import replace
from advisor.model.server import Role, Topology

FORMAT: Final = 1
MOST_NAMES: Final = 4
_CLOCKS_DIFFER_SECONDS: Final = 1.0
_MEMBER = re.compile(r"[\w][\w.@: -]{0,199}\Z")
_OPTION_FILE = re.compile(r".*\.(cnf|ini)\Z")
_NOT_EVIDENCE = ("README.md", "README.txt", "README")


@dataclass(slots=True)
class Bundle:
    """Members in the order stated, each with its builder; `topology` None when not stated."""

    topology: Topology | None = None
    members: dict[str, MemberBuilder] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def top_of(tree: Tree) -> Tree | None:
    """The folder of the tree that is a bundle: the top, or the one folder everything is packed in; else None."""
    if "bundle.json" in tree.files or any(name.startswith("members/") for name in tree.files):
        return tree
    folders = {name.split("/", 1)[0] for name in tree.files if "/" in name}
    if len(folders) != 1:
        return None
    inner = tree.under(folders.pop())
    inner.problems = tree.problems
    return inner if "bundle.json" in inner.files or any(n.startswith("members/") for n in inner.files) else None


def read_bundle(tree: Tree) -> Bundle:
    """Everything the bundle holds. InputError when bundle.json is unusable; single bad files become problems."""
    bundle = Bundle(problems=list(tree.problems))
    interval = None
    if "bundle.json" in tree.files:
        interval = _stated(bundle, load_json(tree.read("bundle.json"), "bundle.json"))
    else:
        bundle.problems.append("bundle.json is missing: topology and roles are derived from the evidence")
    for name in sorted({parts[1] for n in tree.files if len(parts := n.split("/")) > 2 and parts[0] == "members"}):
        if name not in bundle.members:
            _check_name(name)
            bundle.members[name] = MemberBuilder()
            if "bundle.json" in tree.files:
                bundle.problems.append(f"members/{name}: not named in bundle.json")
    for name, builder in bundle.members.items():
        _read_member(tree.under(f"members/{name}"), f"members/{name}/", builder)
        _use_interval(builder, interval)
    if "observations.yaml" in tree.files:
        _observe(bundle, tree.read("observations.yaml"))
    if not bundle.members:
        raise InputError("the bundle has no members", file=tree.path, hint="name them in bundle.json")
    return bundle


def _stated(bundle: Bundle, data: Any) -> float | None:
    """Take over what bundle.json states; the interval in seconds, None for a single moment."""
    if not isinstance(data, dict):
        raise InputError("not an object", file="bundle.json", line=1)
    if data.get("format", FORMAT) != FORMAT:
        raise InputError(
            f"unknown bundle format {data['format']!r}",
            file="bundle.json",
            hint=f"this version of advisor reads format {FORMAT}",
        )
    topology = data.get("topology")
    if topology not in (None, ""):
        if not isinstance(topology, str) or topology not in set(Topology):
            raise InputError(f"unknown topology {topology!r}", file="bundle.json", hint=" ".join(Topology))
        bundle.topology = Topology(topology)
    members = data.get("members") or []
    if not isinstance(members, list) or not all(
        isinstance(m, dict) and isinstance(m.get("name"), str) for m in members
    ):
        raise InputError("`members` is not a list of objects with a name", file="bundle.json")
    for stated in members:
        name = stated["name"]
        _check_name(name)
        if name in bundle.members:
            raise InputError(f"the member {name!r} is named twice", file="bundle.json")
        bundle.members[name] = MemberBuilder(server=_server(stated.get("server")), role=_role(stated.get("role")))
    bundle.problems += [*_not_collected(data), *_other_clocks(members)]
    interval = data.get("interval_seconds")
    if interval is not None and (isinstance(interval, bool) or not isinstance(interval, (int, float)) or interval <= 0):
        raise InputError(f"interval_seconds is {interval!r}, not a positive number", file="bundle.json")
    return interval


def _not_collected(data: dict[str, Any]) -> list[str]:
    """What the collector could not read, and what would let it: `lacks` and `unread` of bundle.json, as sentences."""
    told = []
    for key, words in (("lacks", ("what", "why", "command")), ("unread", ("why",))):
        entries = data.get(key) or []
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise InputError(f"`{key}` is not a list of objects", file="bundle.json")
        for entry in entries:
            names = entry.get("members") or ()
            said = [_few(str(entry[word])) if word == "what" else str(entry[word]) for word in words if entry.get(word)]
            told.append(": ".join(filter(None, (", ".join(map(str, names)), " – ".join(said)))))
    return told


def _other_clocks(members: list[dict[str, Any]]) -> Iterator[str]:
    """Members whose own clock differs from the collector's, which measured by how much."""
    for stated in members:
        ahead = stated.get("clock_ahead_seconds")
        if isinstance(ahead, int | float) and not isinstance(ahead, bool) and abs(ahead) >= _CLOCKS_DIFFER_SECONDS:
            off = f"{abs(ahead):.1f} s {'ahead of' if ahead > 0 else 'behind'} that of the collector"
            yield f"{stated['name']}: its clock is {off}; the times in its own tables differ by the same amount"


def _few(names: str) -> str:
    """The first names of a long list; bundle.json has them all."""
    every = names.split(", ")
    return names if len(every) <= MOST_NAMES else f"{', '.join(every[:MOST_NAMES])} and {len(every) - MOST_NAMES} more"


def _check_name(name: str) -> None:
    if not _MEMBER.match(name) or ".." in name:
        raise InputError(f"{name[:80]!r} is not a valid member name", file="bundle.json", hint="letters, digits, . _ -")


def _server(text: object) -> str:
    """ "mysql unknown" is how a bundle says that the version was not given; the family is kept."""
    if text is None:
        return ""
    if not isinstance(text, str):
        raise InputError(f"server is {text!r}, not text", file="bundle.json", hint='"server": "mysql 8.0.36"')
    return text


def _role(text: object) -> Role | None:
    if text in (None, "", "member", "unknown"):
        return None
    if not isinstance(text, str) or text not in set(Role):
        raise InputError(f"unknown role {text!r}", file="bundle.json", hint=" ".join(Role) + " member")
    return Role(text)


def _read_member(tree: Tree, prefix: str, builder: MemberBuilder) -> None:
    """All files of one member, the option file first, the rest by name (status-1 before status-2)."""
    option_files = [name for name in tree.names() if _OPTION_FILE.match(name)]
    main = "my.cnf" if "my.cnf" in option_files else next((name for name in option_files if "/" not in name), None)

    def find(path: str, is_folder: bool) -> Found:
        return [(called(name), tree.read(name)) for name in _included(tree, path, is_folder) if name != main]

    def called(name: str) -> str:
        return tree.labels.get(name, prefix + name)

    others = [name for name in tree.names() if name not in option_files and name not in _NOT_EVIDENCE]
    for name in [main, *others] if main else others:
        try:
            text = tree.read(name)
            if text and not text.isspace():
                builder.add(read_text_evidence(text, called(name), "" if name == main else file_kind(name), find))
            elif name == main:
                builder.problems.append(f"{called(name)}: the file is empty")
        except InputError as error:
            place = f"{error.file or called(name)}:{error.line}" if error.line else error.file or called(name)
            builder.problems.append(f"{place}: {error.message}; not used")


def _included(tree: Tree, path: str, is_folder: bool) -> list[str]:
    """Files of the member that stand for an included path: under the same path, else under its last part."""
    wanted = path.strip("/")
    for start in (wanted, wanted.rsplit("/", 1)[-1]):
        names = [
            name
            for name in tree.names()
            if (name == start if not is_folder else name.startswith(f"{start}/") and "/" not in name[len(start) + 1 :])
        ]
        if names:
            return [name for name in names if name.endswith(".cnf") or not is_folder]
    return []


def _use_interval(builder: MemberBuilder, interval_seconds: float | None) -> None:
    """Counters without time or Uptime are as far apart as the bundle says."""
    moments = builder.moments
    if (
        interval_seconds
        and len(moments) > 1
        and all(m.at_seconds is None and "Uptime" not in m.values for m in moments)
    ):
        for number, moment in enumerate(moments):
            moments[number] = replace(moment, at_seconds=number * interval_seconds)


def _observe(bundle: Bundle, text: str) -> None:
    """What is said of all goes to every member; what is said of one counts more for that one."""
    everyone, single = read_observations(text, "observations.yaml")
    for name, builder in bundle.members.items():
        said = single.get(name)
        if said:
            builder.host = {**builder.host, **said.host}
        builder.host = {**everyone.host, **builder.host}
        builder.observed = {**everyone.observed, **(said.observed if said else {})}
    for name in single.keys() - bundle.members.keys():
        bundle.problems.append(f"observations.yaml: there is no member {name!r}; its observations are not used")
