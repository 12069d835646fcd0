"""One member as one release: gives every name of a condition its value and source, or says what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from advisor.annotations import Any
from advisor.catalog import Catalog, canonical, computed_from, load, spelling
from advisor.catalog.older import is_older
from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, derived_facts
from advisor.evidence.member.plausibility import MOST_COUNTED
from advisor.evidence.member.spellings import counter_spellings, replica_column
from advisor.evidence.member.value_types import is_number, provider_options, provider_value, running_value, unit_of
from advisor.model.catalog import NO_DEFAULT
from advisor.model.evidence import UNKNOWN, Fact, Member, Row, Sample
from advisor.model.options import NoteKind, Setting, Settings
from advisor.model.record import replace
from advisor.model.server import Release, Role, Topology
from advisor.options.unknown import undecided_names


class NeedsError(Exception):
    """A derived fact asked for something that is missing; caught by `MemberFacts`, never seen by users."""

    def __init__(self, missing: Missing) -> None:
        super().__init__(missing)
        self.missing = missing


class MemberFacts:
    """Names → facts for one member judged as one release. Derives lazily and remembers; knows its peers.

    Order of belief for a variable: running value, option file, default of the release, and otherwise Missing.
    """

    def __init__(self, member: Member, release: Release, settings: Settings | None, topology: Topology | None) -> None:
        self.member, self.release, self.settings, self.topology = member, release, settings, topology
        self.catalog: Catalog = load(release)
        self.peers: Sequence[MemberFacts] = (self,)
        self._defaults = _defaults_of(release)
        self._facts: dict[str, Fact | Missing] = {}
        self._values: dict[str, Any] = {}
        self._running: dict[str, Fact] | None = None
        self._set: dict[str, Setting] | None = None
        self._lines: dict[tuple[str, int], list[Setting]] | None = None
        self._undecided: frozenset[str] = frozenset()  # of the names in `_set`'s files
        self._written: dict[str, Setting] | None = None
        self._noted: dict[NoteKind, list[int]] | None = None
        self._provider: dict[str, Fact] | None = None
        self._reading: list[dict[str, None]] = [{}]  # what each derivation under way has asked for so far
        self._inputs: dict[str, tuple[str, ...]] = {}

    def fact(self, name: str) -> Fact | Missing:
        """The fact a name stands for, or Missing."""
        known = self._facts.get(name)
        if known is None:
            known = self._facts[name] = self._find(name)
        return known

    def value(self, name: str) -> Any:
        """The value a name stands for, or Missing: the lookup of conditions."""
        try:
            return self._values[name]
        except KeyError:
            found = self.fact(name)
            value = self._values[name] = found if isinstance(found, Missing) else found.value
            return value

    def __getitem__(self, name: str) -> Any:
        """For derived facts: the value, or NeedsError."""
        self._reading[-1][name] = None
        value = self.value(name)
        if isinstance(value, Missing):
            raise NeedsError(value)
        return value

    def get(self, name: str, otherwise: Any = UNKNOWN) -> Any:
        """For derived facts: the value, or `otherwise` where it is missing or absent."""
        self._reading[-1][name] = None
        value = self.value(name)
        return otherwise if isinstance(value, Missing) else value

    def exists(self, name: str) -> bool:
        """Whether this release has the variable at all."""
        value = self.value(name)
        return not (isinstance(value, Missing) and name in value.absent)

    def setting(self, name: str) -> Setting | None:
        """The effective setting of a canonical name in the option files, if there is one."""
        if self._set is None:
            effective = self.settings.effective if self.settings else {}
            self._set = {canonical(key, self.release.family): setting for key, setting in effective.items()}
            self._undecided = undecided_names(self.settings, self.release.family)
        return self._set.get(name)

    def settings_on(self, file: str, line: int) -> Sequence[Setting]:
        """What stands on a line of the option files."""
        if self._lines is None:
            self._lines = {}
            for setting in self.settings.all if self.settings else ():
                self._lines.setdefault((setting.argument.file, setting.argument.line), []).append(setting)
        return self._lines.get((file, line), ())

    def written(self, name: str) -> Setting | None:
        """The last setting of that very name, with "_", be it one the release does not know."""
        if self._written is None:
            every = self.settings.all if self.settings else ()
            self._written = {setting.argument.name.replace("-", "_"): setting for setting in every}
        return self._written.get(name)

    def noted(self, kind: NoteKind) -> Sequence[int]:
        """The places, in `settings.all`, of the settings with a note of that kind."""
        if self._noted is None:
            self._noted = {}
            for place, setting in enumerate(self.settings.all if self.settings else ()):
                for of_this_kind in dict.fromkeys(note.kind for note in setting.notes):
                    self._noted.setdefault(of_this_kind, []).append(place)
        return self._noted.get(kind, ())

    def rows(self, table: str) -> Sequence[Row]:
        """The rows of a replication table at the last moment it was read; () when it was not."""
        snapshots = [snapshot for snapshot in self.member.tables if snapshot.table == table]
        return max(reversed(snapshots), key=lambda snapshot: snapshot.at_seconds).rows if snapshots else ()

    @property
    def source(self) -> MemberFacts | None:
        """The facts of the member this one replicates from: the source, or the primary of the group."""
        writers = [p for p in self.peers if p is not self and p.member.role in (Role.SOURCE, Role.PRIMARY)]
        return writers[0] if len(writers) == 1 else None

    def _find(self, name: str) -> Fact | Missing:
        head, _, rest = name.partition(".")
        finder = _FINDERS.get(head) if rest or head in _WORDS else None
        return finder(self, rest) if finder is not None else self._variable(name)

    def _variable(self, name: str) -> Fact | Missing:
        running = self.running.get(name)
        if running is not None:
            unread = isinstance(running.value, str) and is_number(self.catalog.get(name))  # a broken dump
            return _missing(name) if unread else running
        setting = self.setting(name)
        if setting is not None and setting.value is not None:
            source = f"{setting.argument.file}:{setting.argument.line}"
            return Fact(name, _as_variable(setting), unit_of(name), source)
        default = self._defaults.get(name)
        if default is None:
            default = self._defaults[name] = _default(name, self.release)
        if not self.release.series and len(self.member.variables) >= _WHOLE_DUMP:
            return Missing(absent=(name,))  # of a series without facts, but the whole dump does not have it
        if isinstance(default, Fact) and (
            setting is not None or not self._defaults_hold or any(map(self.setting, computed_from(name)))
        ):
            return _missing(name)
        return default

    @property
    def _defaults_hold(self) -> bool:
        """Whether a variable nobody mentions has its default: an option file was read, or a whole dump of variables.

        A few variables (SHOW VARIABLES LIKE …, a bundle with counters only) say nothing about the others.
        """
        return self.member.options is not None or len(self.member.variables) >= _WHOLE_DUMP

    @property
    def running(self) -> dict[str, Fact]:
        """Running values by canonical name, typed as the release types them."""
        if self._running is None:
            self._running = {}
            for name, fact in self.member.variables.items():
                known = canonical(name, self.release.family)
                value = running_value(self.catalog.get(name), fact.value)
                self._running[known] = Fact(known, value, unit_of(known), fact.source)
        return self._running

    def _galera(self, option: str) -> Fact | Missing:
        if self._provider is None:
            self._provider = {}
            for key, default in self.catalog.default_galera().items():
                if default is not None and self._defaults_hold:
                    self._provider[key] = Fact(key, provider_value(default), source=f"default of {self.release.label}")
            given = self._variable("wsrep_provider_options")
            if isinstance(given, Fact) and given.value:
                for key, value in provider_options(str(given.value)).items():
                    self._provider[key] = Fact(key, value, source=given.source)
        found = self._provider.get(option)
        return _missing(f"galera.{option}") if found is None else _renamed(found, f"galera.{option}")

    def _status(self, counter: str) -> Fact | Missing:
        for sample in reversed(self.member.samples):
            for name in counter_spellings(counter):
                if name in sample.values:
                    return Fact(f"status.{counter}", sample.values[name], unit_of(counter), sample.source)
        return _missing(f"status.{counter}")

    def _delta(self, counter: str, prefix: str = "delta") -> Fact | Missing:
        """The change between the first and the last sample; missing when the counter was reset in between."""
        samples = self.member.samples
        first = next(_numbers(samples, counter_spellings(counter)), None)
        last = next(_numbers(reversed(samples), counter_spellings(counter)), first)
        if first is None or last is None or last[0] <= first[0] or last[1] < first[1]:
            return _missing(f"rate.{counter}")
        seconds = last[0] - first[0]
        change = last[1] - first[1]
        if prefix == "rate":
            return Fact(f"rate.{counter}", change / seconds, "per_second", f"over {seconds:g} s")
        return Fact(f"delta.{counter}", change, unit_of(counter), f"over {seconds:g} s")

    def _replica(self, column: str) -> Fact | Missing:
        """A column of the first channel; absent on a server that showed an empty SHOW REPLICA STATUS."""
        shown = [snapshot for snapshot in self.member.tables if snapshot.table == "replica_status"]
        for snapshot in sorted(shown, key=lambda snapshot: snapshot.at_seconds, reverse=True):
            for key, value in snapshot.rows[0].items() if snapshot.rows else ():
                if replica_column(key) == column:
                    return Fact(f"replica.{column}", value, "", snapshot.source)
        label = (f"replica.{column}",)
        return Missing(absent=label) if shown and not any(s.rows for s in shown) else Missing(label)

    def _host(self, name: str) -> Fact | Missing:
        found = self.member.host.get(name) or self.member.observed.get(name) or self.member.observed.get(f"host.{name}")
        return _renamed(found, f"host.{name}") if found else _missing(f"host.{name}")

    def _observed(self, name: str) -> Fact | Missing:
        found = self.member.observed.get(name)
        return _renamed(found, f"observed.{name}") if found else _missing(f"observed.{name}")

    def _of_source(self, name: str) -> Fact | Missing:
        source = self.source
        if source is None and self.member.role in _WITHOUT_SOURCE and not self.rows("replica_status"):
            return Missing(absent=(f"source.{name}",))
        found = source.fact(name) if source else _missing(name)
        if isinstance(found, Fact):
            return Fact(f"source.{name}", found.value, found.unit, f"{source.member.name}: {found.source}")  # type: ignore[union-attr]
        return Missing(tuple(f"source.{n}" for n in found.needs), tuple(f"source.{n}" for n in found.absent))

    def _configured(self, name: str) -> Fact | Missing:
        label = f"configured.{name}"
        setting = self.setting(name)
        if setting is not None:
            return Fact(label, True, "", f"{setting.argument.file}:{setting.argument.line}")
        running = self.running.get(name)
        if running is None:
            unset = self._defaults_hold and name not in self._undecided
            return Fact(label, False, "", "no option file sets it") if unset else _missing(name)
        variable = self.catalog.get(spelling(name, self.release) or name)
        if variable is None or variable.default is NO_DEFAULT:
            return self._chosen(name) or _missing(label)
        empty = running.value == "" and variable.default is None  # no text, as a running server shows it
        return Fact(label, running.value != variable.default and not empty, "", running.source)

    def _chosen(self, name: str) -> Fact | None:
        """Whether somebody chose a running value, by what the server says of its origin; None when it was not asked.

        The tables hold what is not compiled in; MariaDB's AUTO is a value the server worked out by itself.
        """
        rows = self.rows("variables_info") or self.rows("system_variables")
        origins = {
            canonical(str(row.get("VARIABLE_NAME")).lower(), self.release.family): row.get("GLOBAL_VALUE_ORIGIN")
            for row in rows
        }
        chosen = name in origins and origins[name] != "AUTO"
        return Fact(f"configured.{name}", chosen, "", "where the server got the value from") if rows else None

    def _derived(self, name: str) -> Fact | Missing:
        derived = derived_facts().get(name)
        if derived is None:
            return _missing(f"fact.{name}")
        self._reading.append({})
        try:
            value = derived.derive(self)
        except NeedsError as needs:
            return needs.missing
        except ArithmeticError:
            value = UNKNOWN  # a size of 0, or a number that no server counts to: as in conditions, nothing follows
        except (TypeError, ValueError):
            if not (garbled := self._garbled()):
                raise
            return Missing(garbled)
        finally:
            read = self._inputs[f"fact.{name}"] = tuple(self._reading.pop())
        if value is UNKNOWN or (isinstance(value, float) and not -_INFINITE < value < _INFINITE):
            holes = [found for n in read if isinstance(found := self.fact(n), Missing) and found.needs]
            return sum(holes[1:], holes[0]) if holes else _missing(f"fact.{name}")
        if value is NOT_HERE:
            return Missing(absent=(f"fact.{name}",))
        return Fact(f"fact.{name}", value, derived.unit, "derived")

    def garbled(self, names: Iterable[str]) -> tuple[str, ...]:
        """Of these names and what they were derived from, those that stand for a text where a number is meant.

        Only for who could not reckon with them: words that belong there are among them.
        """
        asked = dict.fromkeys(every for name in names for every in (name, *self.inputs(name)))
        return tuple(name for name in asked if self._is_garbled(name))

    def _garbled(self) -> tuple[str, ...]:
        """Names that were read, here or of peers, and stand for something else than a number where one should be.

        Who reckons with what a broken dump says in place of a number knows as much as without it.
        """
        read = [(name, view) for view in dict.fromkeys((self, *self.peers)) for name in view._reading[-1]]
        return tuple(dict.fromkeys(name for name, view in read if view._is_garbled(name)))

    def _is_garbled(self, name: str) -> bool:
        found = self._facts.get(name)
        if not isinstance(found, Fact) or type(found.value) in (int, float):
            return False
        own = name.removeprefix("source.")
        return own.startswith(("status.", "replica.")) or is_number(self.catalog.get(own))

    def explained(self, fact: Fact) -> Fact:
        """A derived fact with what it comes from as its source; any other as it is. Only findings need to know."""
        known = [n for n in self._inputs.get(fact.name, ()) if isinstance(self.fact(n), Fact)]
        told = [n for n in known if not n.startswith("fact.")] or [n.removeprefix("fact.") for n in known]
        return replace(fact, source=f"from {', '.join(told)}") if told else fact

    def inputs(self, name: str) -> Iterator[str]:
        """The names a derived fact was computed from, those of its own derived inputs too; each once."""
        for read in dict.fromkeys(self._inputs.get(name, ())):
            yield read
            yield from self.inputs(read)

    def _word(self, name: str) -> Fact | Missing:
        release, role = self.release, self.member.role
        if name == "version":
            known = release.series or is_older(release)
            return Fact(name, release.version, "", release.label) if known else _missing(name)
        if name in ("family", "vendor"):
            return Fact(name, str(release.family if name == "family" else release.vendor), "", release.label)
        word, source = (role, self.member.role_source) if name == "role" else (self.topology, "")
        return Fact(name, str(word), "", source or "recognised") if word else _missing(name)


def _numbers(samples: Iterable[Sample], spellings: Sequence[str]) -> Iterator[tuple[float, float]]:
    """When a counter was read, and its value, where it is a number that a server can count to."""
    for sample in samples:
        for name in spellings:
            if isinstance(value := sample.values.get(name), int | float) and abs(value) < MOST_COUNTED:
                yield sample.at_seconds, value


@lru_cache(maxsize=4096)
def _missing(name: str) -> Missing:
    return Missing((name,))


@lru_cache(maxsize=256)
def _defaults_of(release: Release) -> dict[str, Fact | Missing]:
    """What variables are where nobody sets them, as far as somebody asked: the same for every member of a release."""
    return {}


def _default(name: str, release: Release) -> Fact | Missing:
    own = spelling(name, release) or name
    catalog = load(release)
    variable = catalog.get(own)
    if variable is None:
        undecided = catalog.maybe(own)
        return _missing(name) if undecided else Missing(absent=(name,))
    if variable.default is NO_DEFAULT:
        return _missing(name)
    return Fact(name, variable.default, unit_of(name), f"default of {release.label}")


def _renamed(fact: Fact, name: str) -> Fact:
    return Fact(name, fact.value, fact.unit or unit_of(name.rpartition(".")[2]), fact.source)


def _as_variable(setting: Setting) -> Any:
    """`log_bin = name` is a file name as an option, and ON as a variable."""
    variable, value = setting.variable, setting.value
    if variable is not None and variable.type == "bool" and isinstance(value, str):
        return True
    return value


_INFINITE = float("inf")
_WHOLE_DUMP = 200  # variables; MySQL 5.0 has 240, 5.7 over 500, the largest dump with LIKE 'innodb%' 170
_WITHOUT_SOURCE = (Role.STANDALONE, Role.SOURCE, Role.PRIMARY, Role.NODE)
_WORDS = frozenset({"role", "topology", "family", "vendor", "version"})
_FINDERS: dict[str, Callable[[MemberFacts, str], Fact | Missing]] = {
    "status": MemberFacts._status,
    "rate": lambda view, rest: view._delta(rest, "rate"),
    "delta": MemberFacts._delta,
    "host": MemberFacts._host,
    "observed": MemberFacts._observed,
    "replica": MemberFacts._replica,
    "galera": MemberFacts._galera,
    "fact": MemberFacts._derived,
    "source": MemberFacts._of_source,
    "configured": MemberFacts._configured,
    "role": lambda view, _: view._word("role"),
    "topology": lambda view, _: view._word("topology"),
    "family": lambda view, _: view._word("family"),
    "vendor": lambda view, _: view._word("vendor"),
    "version": lambda view, _: view._word("version"),
}
PREFIXES = frozenset(_FINDERS) | {"item"}
