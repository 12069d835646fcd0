"""What is this variable in this release?

Keys of the data files: t type, d default (absent: not known), a decided by the machine, lo hi st limits and step,
w words, sc scope (g s b), y dynamic, op how it stands in an option file, k the option's own type, oo no variable,
ow owner, dp deprecated, dv since, f came, u went, ch older values, ig accepted and ignored (MariaDB), m known from
manuals only. `percona.tsv` has the same keys for what Percona Server adds (defaults as servers show them, the rest
from its manual), `pxc.tsv` for what Percona XtraDB Cluster adds to that, from its manual
(https://docs.percona.com/percona-xtradb-cluster/8.0/wsrep-system-index.html).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from advisor.annotations import Any
from advisor.catalog import galera
from advisor.catalog.history import Span, When, dated, span
from advisor.catalog.names import Successor, successor_of
from advisor.catalog.older import is_lacking, older_default
from advisor.catalog.releases import line_starts
from advisor.catalog.table import row, rows
from advisor.model.catalog import NO_DEFAULT, Value, Variable, VariableType, _NoDefault
from advisor.model.server import Release

_SCOPES = {"g": "global", "s": "session", "b": "both"}
_DATED = ("f", "u", "m", "ch", "dv")  # keys that make a fact differ from release to release of a series
_ADDED = {"percona": ("percona",), "pxc": ("pxc", "percona")}  # vendor → data files with what it adds
_PARTLY_KNOWN = ("mysql-26.10",)  # whose manual was not read whole: it may have names that are not here
# The default of the first gives way to a value computed from the others where one of them is set: size × files
# (https://dev.mysql.com/doc/refman/8.4/en/innodb-redo-log.html).
_COMPUTED_FROM = {"innodb_redo_log_capacity": ("innodb_log_file_size", "innodb_log_files_in_group")}


class Catalog:
    """Everything one release knows. Names are the server's spelling with "_"; `covered`: whether its facts were read.

    For a release that stands for a range, a default is given only when it holds in the whole range, and limits are
    the widest of the range. For a release that is not covered, only kinds are given, those of the nearest series, and
    the few defaults of `older`.
    """

    __slots__ = ("_known", "_span", "_stem", "covered", "release")

    def __init__(self, release: Release) -> None:
        self.release = release
        self.covered = bool(release.series)
        self._stem = f"{release.family}-{release.series or nearest_series(release)}"
        self._span = span(release)
        self._known: dict[str, Variable | None] = {}

    def get(self, name: str) -> Variable | None:
        """The variable or option as this release has it; None when it certainly or perhaps (`maybe`) is not there."""
        if name not in self._known:
            self._known[name] = self._build(name)
        return self._known[name]

    def maybe(self, name: str) -> bool:
        """Whether it cannot be told if the name is there: undated, another vendor's, or known from manuals only."""
        if self.get(name) is not None:
            return False
        if not self.covered:
            return not is_lacking(name, self.release)
        found = self._row(name)
        if found is not None:
            return "ig" not in found and presence(found, self._span) is When.EITHER
        may_have_more = self.release.vendor in _ADDED or self._stem in _PARTLY_KNOWN
        return may_have_more and not _in_another_series(name, self.release)

    def names(self) -> tuple[str, ...]:
        """Every name that `get` knows, in order."""
        listed = dict(rows(self._stem))
        for stem in _ADDED.get(self.release.vendor, ()):
            listed = rows(stem) | listed
        return tuple(sorted(name for name, text in listed.items() if _plain(text) or self.get(name) is not None))

    def ignored(self, name: str) -> str | None:
        """Why MariaDB takes the option and does nothing with it: "removed", "mysql_unused", "mysql_todo", "silent"."""
        found = row(self._stem, name)
        if found is None or "ig" not in found or presence(found, self._span) is When.AFTER:
            return None
        return str(found["ig"])

    def successor(self, name: str) -> Successor | None:
        """What became of a name in this family, or what comes nearest to a name of the other one."""
        return successor_of(name, self.release.family)

    def automatic(self, name: str) -> str:
        """How the server chooses the default by itself, in words; "" when it does not."""
        found = row(f"automatic-{self.release.family}", name)
        return str(found["how"]) if found else ""

    def default_galera(self) -> Mapping[str, str | None]:
        """Provider options with their defaults (None: depends on the machine); empty where there is no provider."""
        return galera.defaults(self.release)

    def _row(self, name: str) -> Any:
        stems = (self._stem, *_ADDED.get(self.release.vendor, ()))
        return next((found for stem in stems if (found := row(stem, name)) is not None), None)

    def _build(self, name: str) -> Variable | None:
        found = self._row(name)
        if found is None or "t" not in found:
            return None
        if not self.covered:
            return _kind_only(name, found, older_default(name, self.release))
        if found.keys().isdisjoint(_DATED):
            return _unchanged(self._stem, name)
        return _variable(name, found, self._span) if presence(found, self._span) is When.AFTER else None


def _plain(text: str) -> bool:
    """Whether a row's name is there in the whole series, told without parsing it."""
    return '"f":' not in text and '"u":' not in text and '"m":' not in text


@cache
def load(release: Release) -> Catalog:
    """The catalogue of a release (kept)."""
    return Catalog(release)


def computed_from(name: str) -> tuple[str, ...]:
    """The variables a default gives way to when one of them is set; () for nearly all."""
    return _COMPUTED_FROM.get(name, ())


def nearest_series(release: Release) -> str:
    """The covered series nearest below the version, else the oldest: its kinds serve a release that is not covered."""
    below = [series for series, start in line_starts(release.family).items() if start <= release.version]
    return below[-1] if below else next(iter(line_starts(release.family)))


def presence(facts: Mapping[str, Any], asked: Span) -> When:
    """AFTER: there in all releases asked about; BEFORE: in none; EITHER: in some, or not known."""
    came = dated(facts["f"], asked) if "f" in facts else When.AFTER
    went = dated(facts["u"], asked) if "u" in facts else When.BEFORE
    if came is When.BEFORE or went is When.AFTER:
        return When.BEFORE
    if "m" in facts or came is When.EITHER or went is When.EITHER:
        return When.EITHER
    return When.AFTER


def _values(facts: Mapping[str, Any], key: str, asked: Span) -> list[Any]:
    """The values of a fact in the releases asked about, newest first; several when it changed or is undated."""
    values, now = [], facts.get(key)
    for when, before in facts.get("ch", {}).get(key, ()):
        held = dated(when, asked)
        if held is not When.BEFORE:
            values.append(now)
        if held is When.AFTER:
            return values
        now = before
    return [*values, now]


def _in_another_series(name: str, release: Release) -> bool:
    """Whether the name belongs to another series of the family, so that this one lacks it whoever built it."""
    return any("t" in (row(f"{release.family}-{series}", name) or ()) for series in line_starts(release.family))


@cache
def _unchanged(stem: str, name: str) -> Variable:
    """A variable that is the same in all releases of the series; made once for all of them."""
    found = row(stem, name) or row("pxc", name) or row("percona", name)
    return Variable(
        name=name,
        type=VariableType(found["t"]),
        default=found.get("d", NO_DEFAULT),
        auto="a" in found,
        minimum=found.get("lo"),
        maximum=found.get("hi"),
        step=found.get("st"),
        words=tuple(dict.fromkeys(found.get("w") or ())),
        scope=_SCOPES[found.get("sc", "g")],
        dynamic=bool(found.get("y")),
        option=found.get("op", "req"),
        option_type=VariableType(found["k"]) if "k" in found else None,
        option_only="oo" in found,
        owner=found.get("ow", ""),
        deprecated=found.get("dp", ""),
    )


def _kind_only(name: str, facts: Mapping[str, Any], default: Value | _NoDefault) -> Variable:
    return Variable(
        name=name,
        type=VariableType(facts["t"]),
        default=default,
        words=tuple(facts.get("w") or ()) if facts["t"] == VariableType.SET else (),  # else no list can be read
        option=facts.get("op", "req"),
        option_type=VariableType(facts["k"]) if "k" in facts else None,
        scope=_SCOPES[facts.get("sc", "g")],
    )


def _variable(name: str, facts: Mapping[str, Any], asked: Span) -> Variable:
    defaults = _values(facts, "d", asked) if "d" in facts else []
    deprecated = facts.get("dp", "")
    if deprecated and "dv" in facts and dated(facts["dv"], asked) is not When.AFTER:
        deprecated = ""
    steps = _values(facts, "st", asked)
    return Variable(
        name=name,
        type=VariableType(_values(facts, "t", asked)[0]),
        default=defaults[0] if len(defaults) == 1 else NO_DEFAULT,
        auto="a" in facts,
        minimum=_widest(_values(facts, "lo", asked), min),
        maximum=_widest(_values(facts, "hi", asked), max),
        step=steps[0] if len(steps) == 1 else None,
        words=tuple(dict.fromkeys(word for words in _values(facts, "w", asked) for word in words or ())),
        scope=_SCOPES[facts.get("sc", "g")],
        dynamic=all(_values(facts, "y", asked)),
        option=facts.get("op", "req"),
        option_type=VariableType(facts["k"]) if "k" in facts else None,
        option_only="oo" in facts,
        owner=facts.get("ow", ""),
        deprecated=deprecated,
    )


def _widest(limits: list[Any], choose: Any) -> Any:
    """The limit that refuses least, None when there may be none."""
    return None if None in limits else choose(limits)
