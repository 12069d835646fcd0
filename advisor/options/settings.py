"""What does each argument mean to a server of this release, which ones decide, and would the server start?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from advisor.catalog import canonical, load, spelling
from advisor.catalog.other_builds import is_for_windows, method_of_windows, of_ndb, of_windows
from advisor.model.catalog import NO_DEFAULT, Value, Variable, VariableType
from advisor.model.options import REFUSED_ALONE, Argument, Note, NoteKind, Reading, Setting, Settings
from advisor.model.record import record, replace
from advisor.model.server import Family, Release
from advisor.options.blanked import cleaned
from advisor.options.enum_values import merged_switches
from advisor.options.groups import problems, select
from advisor.options.names import Found, Name, of_plugin, understand
from advisor.options.plugins import loaded, owner_of, provided, unread
from advisor.options.start_conflicts import cross_checked
from advisor.options.unknown import GUESSED_AT_MOST, shown_name, unknown
from advisor.options.values import Parsed, dialect, forgiven, parse

_ADDING = frozenset("plugin_load_add binlog_do_db binlog_ignore_db performance_schema_instrument ignore_db_dir".split())
_LOOKED_INTO = ("collation_server", "character_set_server", "character_set_filesystem")  # enums by kind, texts by use
_OF_ENGINES = ("myisam_", "ngram_", "caching_sha2_", "sha256_")  # as options of plugins, though the server's own
_ADDING_STARTS = ("replicate_do_", "replicate_ignore_", "replicate_wild_", "replicate_rewrite_")
# MariaDB before 11.1: the option has no variable of its own name, and its words are known from the variable only
_SPELT_OTHERWISE = {"transaction_isolation": "tx_isolation"}


@lru_cache(maxsize=64)
def resolve(reading: Reading, release: Release, suffix: str = "", *, bare: bool = False) -> Settings:
    """Every argument of the groups the server reads, as this release takes it.

    `suffix` is `--defaults-group-suffix`. `bare`: no plugin or component was ever installed and the build is the
    plain one, so nothing is undecided, and empty values are what they are. The answer is kept and shared: do not
    change it.
    """
    arguments = select(reading, release, suffix)
    names = list(_understood(arguments, release))
    plugins = loaded((n.plain, a.value) for n, a in zip(names, arguments, strict=True))
    guess = sum(n.variable is None for n in names) <= GUESSED_AT_MOST
    server = _Server(release, plugins, bare, guess)
    settings = _settings(arguments, names, server)
    settings = settings if bare else _of_other_builds(cleaned(settings), release, plugins)
    effective = _decide(settings)
    found = problems(reading, release)
    cross_checked(settings, effective, release, whole=not any(problem.elsewhere for problem in found))
    return Settings(tuple(settings), found, effective)


def adds_up(name: str) -> bool:
    """Whether lines of this option add up instead of replacing each other."""
    return name in _ADDING or name.startswith(_ADDING_STARTS)


def known_as(name: str, release: Release) -> str:
    """The one name that settings of this variable have in the release, whichever of its spellings is given."""
    argument = Argument(f"--{name}", name, None, "mysqld", "", 0)
    return resolve(Reading((argument,)), release).all[0].name or name


def _understood(arguments: tuple[Argument, ...], release: Release) -> Iterator[Name]:
    """The names in reading order; MariaDB's getopt_prefix_matching counts for the lines after it."""
    abbreviations = True
    for argument in arguments:
        name = understand(argument.name, release, abbreviations)
        if name.plain == "getopt_prefix_matching" and name.variable is not None:
            abbreviations = _value(name, argument, release).value is not False
        yield name


def _value(name: Name, argument: Argument, release: Release) -> Parsed:
    """The value, with what skip- and its like make of it."""
    assert name.variable is not None
    text, switched = argument.value, name.prefix in ("skip", "disable", "enable")
    if switched:
        # twice no is yes: skip-x=0 switches x on; anything else than exactly 0 is not looked at
        text = "1" if (text == "0") == (name.prefix != "enable") else "0"
    elif name.plain == "skip_name_resolve" and release.family is Family.MYSQL and text is not None:
        off = text.upper() == "OFF" and release.version >= (8, 0, 0)
        text = "0" if off else "1"
    variable = _kind(name.variable, release)
    parsed = parse(variable, text, dialect(release), switched)
    return _of_another_build(parsed, variable, text) if release.vendor else parsed


def _of_another_build(parsed: Parsed, variable: Variable, text: str | None) -> Parsed:
    """A word that the plain build refuses may be one that the vendor added: thread_handling = pool-of-threads."""
    refused = any(note.kind is NoteKind.REFUSED_VALUE for note in parsed.notes)
    if not refused or not text or variable.type not in (VariableType.ENUM, VariableType.SET):
        return parsed
    return Parsed(text, (Note(NoteKind.UNDECIDED, f"it is not known whether this build accepts this {variable.name}"),))


def _bounded(name: Name, argument: Argument) -> Parsed | None:
    """What maximum- and MariaDB's autoset- do; None without them, and where maximum- bounds later SETs."""
    variable = name.variable
    if variable is None or name.prefix not in ("maximum", "autoset"):
        return None
    if name.prefix == "autoset":
        if argument.value is not None or not variable.auto:
            note = Note(NoteKind.REFUSED_VALUE, f"autoset- cannot set {variable.name} in this way")
            return Parsed(None, (note,))
        return Parsed(None, kept=True)
    if variable.type not in (VariableType.INT, VariableType.UINT) or _of_engine(variable):
        return Parsed(None, (Note(NoteKind.UNDECIDED, f"the effect of maximum- on {variable.name} is not known"),))
    if variable.scope == "global":
        note = Note(NoteKind.REFUSED_VALUE, f"{variable.name} has no session value, so maximum- cannot limit it")
        return Parsed(None, (note,))
    return None


def _of_engine(variable: Variable) -> bool:
    """Whether an engine or plugin brings it, or it is no variable: such options maximum- sets in some releases."""
    return variable.option_only or variable.name.startswith(_OF_ENGINES) or of_plugin(variable)


def _is_forgiven(name: Name, argument: Argument, release: Release) -> bool:
    """Whether the server starts although it refuses the value. Seen on 9.7.4, MariaDB 10.11.18 and 11.8.9.

    A plugin with a bad value behind loose- is switched off; MariaDB does without its small built-in ones anyway, and
    behind loose- passes over bad numbers and words, not over missing values, texts and options of InnoDB.
    """
    variable = name.variable
    if variable is None or variable.owner.startswith("plugin"):
        return name.loose
    if release.family is Family.MYSQL or variable.name == "innodb":
        return False
    if (variable.type is VariableType.PLUGIN and not variable.owner) or variable.name.startswith("feedback_"):
        return True
    text = (variable.option_type or variable.type) is VariableType.STR or variable.name in _LOOKED_INTO
    return name.loose and argument.value is not None and not text and not variable.name.startswith("innodb_")


@record
class _Server:
    """What takes the arguments: the release, the plugins the files load, and whether the plain server is meant.

    `guess`: whether names near an unknown one are looked for, which takes a millisecond or two for each.
    """

    release: Release
    plugins: frozenset[str]
    bare: bool
    guess: bool


def _settings(arguments: tuple[Argument, ...], names: list[Name], server: _Server) -> list[Setting]:
    """The setting of each argument; lines that say the same are worked out once."""
    known: dict[tuple[int, str, str | None, bool], Setting] = {}
    settings = []
    for argument, name in zip(arguments, names, strict=True):
        said = id(name), argument.name, argument.value, argument.cut_comment
        same = known.get(said)
        if same is None:
            same = known[said] = _setting(argument, name, server)
        settings.append(same if same.argument is argument else replace(same, argument=argument))
    return settings


def _setting(argument: Argument, name: Name, server: _Server) -> Setting:
    if name.variable is None:
        return _not_known(argument, name, server)
    variable, release = name.variable, server.release
    missing = not _there(variable, server.plugins)
    if missing and server.bare and not name.loose:
        return Setting(argument, "", None, None, (unknown(argument.name, variable.name, release),))
    parsed = _bounded(name, argument) or _value(name, argument, release)
    if _is_forgiven(name, argument, release):
        parsed = forgiven(parsed)
    ownership = _ownership(variable, release, name.loose) if missing else ()
    notes = (*ownership, *parsed.notes, *_remarks(argument, name))
    label, variable = _same_variable(variable, release)
    label = f"{name.cache}.{label}" if name.cache else label
    return Setting(argument, label, parsed.value, variable, notes, limit_only=name.prefix == "maximum" or parsed.kept)


def _there(variable: Variable, plugins: frozenset[str]) -> bool:
    """Whether the bare server has the option, or a plugin the files load."""
    if not variable.owner.startswith(("plugin", "component")):
        return True
    return provided(variable, plugins)


def _ownership(variable: Variable, release: Release, loose: bool) -> Iterator[Note]:
    """What is to be said when the plugin or component an option belongs to is not loaded by the files."""
    owner = owner_of(variable, release)
    if loose:
        yield Note(
            NoteKind.IGNORED,
            f"these files do not load the {owner}; unless it is installed, the server ignores the option",
        )
    else:
        message = f"{variable.name} belongs to the {owner}, which these files do not load"
        way = "plugin_load_add" if variable.owner.startswith("plugin") else "INSTALL COMPONENT"
        hint = f"unless it is installed, the server does not start; load it with {way}, or use loose-"
        yield Note(NoteKind.UNDECIDED, message, hint)


def _not_known(argument: Argument, name: Name, server: _Server) -> Setting:
    """The setting of a name that is no option for certain."""
    shown = shown_name(argument.name)
    if name.found is Found.IGNORED:
        note = Note(NoteKind.IGNORED, f"MariaDB accepts {shown} and ignores it")
    elif name.found is Found.AMBIGUOUS:
        note = Note(
            NoteKind.AMBIGUOUS, f"{shown} may stand for any of {', '.join(name.others[:6])}", "write the whole name"
        )
    elif name.loose:
        note = Note(NoteKind.IGNORED, f"{shown} is unknown; with loose- the server starts and ignores it")
    elif name.found is Found.PERHAPS and not server.bare:
        note = Note(NoteKind.UNDECIDED, f"it is not known whether this server has {shown}")
    else:
        note = unknown(argument.name, name.plain, server.release, server.guess)
    return Setting(argument, "", None, None, (note,))


def _of_other_builds(settings: list[Setting], release: Release, plugins: frozenset[str]) -> list[Setting]:
    """What the plain server on Linux refuses, and another build or a plugin may take, is left undecided."""
    windows = is_for_windows(setting.argument.value for setting in settings)
    return [_of_another(setting, release, windows, plugins) if setting.notes else setting for setting in settings]


def _of_another(setting: Setting, release: Release, windows: bool, plugins: frozenset[str]) -> Setting:
    """The setting, undecided where a server for Windows, of NDB Cluster or with a plugin takes it."""
    argument = setting.argument
    name = argument.name.lower().replace("-", "_")
    if not any(note.kind in REFUSED_ALONE for note in setting.notes):
        return setting
    if windows and method_of_windows(name, argument.value):
        kept = tuple(note for note in setting.notes if note.kind is not NoteKind.REFUSED_VALUE)
        return replace(setting, value=argument.value, notes=kept)
    if windows and of_windows(name):
        build = "for Windows"
    elif of_ndb(name, release.family):
        build = "of MySQL NDB Cluster"
    elif not setting.name and (plugin := unread(name, release, plugins)):
        build = f"with the plugin {plugin}"
    else:
        return setting
    message = f"{shown_name(argument.name)} is an option of servers {build}, whose options are not known here"
    return replace(setting, notes=(Note(NoteKind.UNDECIDED, message),))


def _remarks(argument: Argument, name: Name) -> Iterator[Note]:
    """What else is to be said about a known option."""
    variable = name.variable
    assert variable is not None
    if name.found is Found.ABBREVIATED:
        message = f"{shown_name(argument.name)} is an abbreviation of {variable.name}"
        yield Note(NoteKind.ABBREVIATED, message, "it may become ambiguous when options are added", variable.name)
    if name.dropped:
        yield Note(NoteKind.MISREAD, f"the server drops '{name.dropped}.' and sets {variable.name}")
    if variable.deprecated:
        instead = "" if variable.deprecated == "yes" else variable.deprecated
        yield Note(
            NoteKind.DEPRECATED, f"{variable.name} is deprecated", f"write {instead}" if instead else "", instead
        )
    if argument.cut_comment:
        yield Note(NoteKind.MISREAD, "a # begins a comment, even directly after the value", "put the value in quotes")


@lru_cache(maxsize=2048)
def _kind(variable: Variable, release: Release) -> Variable:
    """The facts to parse with: an option that only spells a variable of another name takes those of the variable."""
    if not variable.option_only:
        return variable
    other = load(release).get(_SPELT_OTHERWISE.get(variable.name) or canonical(variable.name, release.family))
    return replace(other, option=variable.option) if other is not None and other.name != variable.name else variable


@lru_cache(maxsize=8192)
def _same_variable(variable: Variable, release: Release) -> tuple[str, Variable]:
    """One name for all spellings of the same variable: settings of either shadow each other."""
    if variable.owner.startswith("plugin"):
        return variable.name, variable
    one = canonical(variable.name, release.family)
    if one == variable.name:
        return one, variable
    name = spelling(one, release) or variable.name
    found = understand(name, release).variable
    return (name, found) if found is not None else (variable.name, variable)


def _decide(settings: list[Setting]) -> dict[str, Setting]:
    """Mark what later lines shadow, sum up switch lists; the deciding setting by name."""
    deciding: dict[str, int] = {}
    for at, setting in enumerate(settings):
        if not setting.name or setting.limit_only:
            continue
        before = deciding.get(setting.name)
        deciding[setting.name] = at
        variable = setting.variable
        if variable is not None and variable.type is VariableType.FLAGSET:
            settings[at] = replace(setting, value=_summed(variable, settings, before, setting.value))
        elif before is not None and not adds_up(setting.name):
            settings[before] = replace(settings[before], shadowed_by=setting.argument)
    return {name: settings[at] for name, at in deciding.items()}


def _summed(variable: Variable, settings: list[Setting], before: int | None, text: Value) -> Value:
    """A switch list after one more line; None when that line is refused."""
    if text is None:
        return None
    default = "" if variable.default is NO_DEFAULT else str(variable.default)
    start = default if before is None else str(settings[before].value or "")
    return merged_switches(start, str(text), variable.words, default)
