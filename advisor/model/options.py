"""What option files say: arguments as written, settings as the server takes them, notes on the difference."""

from __future__ import annotations

from enum import StrEnum

from advisor.annotations import Final
from advisor.model.catalog import Value, Variable
from advisor.model.record import field, record

# What an option file stands in that several servers may share: a ConfigMap, a Secret, values of a chart.
IN_YAML: Final = "an option file inside YAML"
IN_BASE64: Final = "the base64 text of a Secret"


@record
class Argument:
    """One option of a group, as the server's argument list receives it.

    `text` is exactly what `my_print_defaults` prints ("--name=value", "--name"). `name` is the part
    before the first "=", as written; `value` the part after it, or None when there is no "=". `value_unknown`: the
    value is filled in elsewhere (an environment variable), and `value` is what stands for it. `by_operator`: an
    operator of Kubernetes sets it, in the spelling of its release.
    """

    text: str
    name: str
    value: str | None
    group: str
    file: str
    line: int
    cut_comment: bool = False  # a "#" right behind the value cut it off
    value_unknown: bool = False
    by_operator: bool = False


@record
class ReadProblem:
    """Something about the file itself. `fatal`: the server gives up reading and does not start.

    `elsewhere`: it is about what is missing on this machine, and may be there where the server runs.
    """

    file: str
    line: int
    message: str
    fatal: bool
    hint: str = ""
    elsewhere: bool = False


@record
class Suppression:
    """An inline `# advisor: ignore[rule-id] reason`; `line` 0 = the whole file."""

    rule: str
    file: str
    line: int
    reason: str = ""
    until: str = ""  # ISO date, "" = for ever


@record
class Reading:
    """The option files of one server, read in its order: every argument of every group, in reading order.

    `cut` is what servers before MySQL 9.7 (and MariaDB) read, None where that is the same: they cut lines longer than
    4094 bytes and take `!include f # c` for a file called "f # c". `groups`: every group met, empty ones too.
    `kept_in`: what the settings stand in where that is no option file ("a Compose file"), so no edit of option files
    fits it. `group_suffix`: that of --defaults-group-suffix, with which groups such as [mysqld_node2] are read as well.
    """

    arguments: tuple[Argument, ...]
    problems: tuple[ReadProblem, ...] = ()
    files: tuple[str, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    groups: tuple[str, ...] = ()
    cut: Reading | None = None
    kept_in: str = ""
    group_suffix: str = ""

    def __hash__(self) -> int:  # a key of caches, with hundreds of arguments
        return hash((self.files, len(self.arguments)))


class NoteKind(StrEnum):
    """What the server makes of a setting, other than taking it as written."""

    UNKNOWN = "unknown"  # no such option: the server refuses to start
    REMOVED = "removed"  # was an option, is none any more: refuses to start
    RENAMED = "renamed"  # the old spelling is gone: refuses to start
    AMBIGUOUS = "ambiguous"  # MariaDB: an abbreviation of several options
    REFUSED_VALUE = "refused_value"  # bad value: refuses to start
    REFUSED_TOGETHER = "refused_together"  # good alone, but not with another setting: refuses to start
    IGNORED = "ignored"  # accepted and does nothing (loose-, MariaDB's dummies)
    CLAMPED = "clamped"  # out of limits, set to the limit
    ROUNDED = "rounded"  # not a multiple of the step, rounded down
    MISREAD = "misread"  # accepted, but means something else than it looks like
    ABBREVIATED = "abbreviated"  # MariaDB: a unique beginning of a name
    DEPRECATED = "deprecated"  # works, and is going away
    UNDECIDED = "undecided"  # depends on a plugin, a component or a build we cannot see
    BLANKED = "blanked"  # removed before the file was shared, so the value is not known


REFUSED_ALONE = frozenset(
    {NoteKind.UNKNOWN, NoteKind.REMOVED, NoteKind.RENAMED, NoteKind.AMBIGUOUS, NoteKind.REFUSED_VALUE}
)
STOPS_START = REFUSED_ALONE | {NoteKind.REFUSED_TOGETHER}


@record
class Note:
    """One remark on a setting. `hint` is a suggestion ("did you mean …"); `instead` a name or value to write."""

    kind: NoteKind
    message: str
    hint: str = ""
    instead: str = ""


@record
class Setting:
    """One argument as one release takes it.

    `name` is the variable's name in that release's spelling ("" when the release does not know it), `value` the
    typed value the server would hold (None: no value or not decidable), `shadowed_by` the later argument
    that wins over this one. List options (`plugin_load_add`) add up: none of them is shadowed.
    """

    argument: Argument
    name: str
    value: Value
    variable: Variable | None
    notes: tuple[Note, ...] = ()
    shadowed_by: Argument | None = None
    limit_only: bool = False  # does not change the value: maximum- bounds later SETs; a switch ignores "=yes"

    @property
    def effective(self) -> bool:
        """Whether this argument decides (part of) the variable's value."""
        return self.shadowed_by is None and not self.limit_only and bool(self.name)


@record
class Settings:
    """All arguments of one server as one release takes them."""

    all: tuple[Setting, ...]
    problems: tuple[ReadProblem, ...] = ()
    effective: dict[str, Setting] = field(default_factory=dict)  # by name; the deciding (last) one

    @property
    def would_start(self) -> bool | None:
        """Whether the server would come up with these options; None when that depends on what we cannot see."""
        notes = [note for setting in self.all for note in setting.notes]
        if any(p.fatal for p in self.problems) or any(n.kind in STOPS_START for n in notes):
            return False
        return None if any(n.kind in (NoteKind.UNDECIDED, NoteKind.BLANKED) for n in notes) else True
