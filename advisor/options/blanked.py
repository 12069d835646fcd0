"""Were values removed from the files before they were shared?"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.options import Note, NoteKind, Setting
from advisor.model.record import replace

_FEWEST = 3  # one or two empty values are a mistake, more of this kind are not made by accident
_FAULTS = (NoteKind.REFUSED_VALUE, NoteKind.MISREAD, NoteKind.CLAMPED)  # of a value that is not the real one
_NO_NODES = "gcomm://"
_IDENTITY = frozenset(
    "server_id auto_increment_offset hostname port socket datadir basedir log_error pid_file bind_address"
    " report_host report_port"
    " group_replication_group_name group_replication_local_address group_replication_group_seeds"
    " group_replication_ip_whitelist group_replication_ip_allowlist"
    " wsrep_cluster_name wsrep_cluster_address wsrep_node_name wsrep_node_address wsrep_node_incoming_address".split()
)


def cleaned(settings: list[Setting]) -> list[Setting]:
    """The settings, with those that were blanked out marked as such and without a value.

    Files are shared, or kept as templates, without what tells the server from others: `server_id=`, `port=`,
    `datadir=`. Where several such options are empty, these, and empty values that the server refuses or misreads,
    are not mistakes of the person who runs the server. Only the line that decides counts: `server_id=` above
    `server_id=7` is left over, and taking it out must not change what the other empty values mean.
    """
    settings = [_filled_in_elsewhere(s) if s.argument.value_unknown else s for s in settings]
    settings = [replace(s, notes=()) if s.argument.by_operator else s for s in settings]  # nobody can change these
    deciding = {name: setting for setting in settings if (name := _identity(setting))}
    if sum(_is_empty(setting) for setting in deciding.values()) < _FEWEST:
        return settings
    return [_blank(s) if _is_empty(s) and (_identity(s) or _is_faulty(s)) else s for s in settings]


def blanked(settings: Sequence[Setting]) -> list[Setting]:
    """Those that `cleaned` marked."""
    return [setting for setting in settings if any(note.kind is NoteKind.BLANKED for note in setting.notes)]


def _identity(setting: Setting) -> str:
    """The option, when it says which server this is or where it lives; else ""."""
    name = setting.argument.name.replace("-", "_").lower().removeprefix("loose_")
    return name if name in _IDENTITY else ""


def _is_empty(setting: Setting) -> bool:
    """Whether nothing is left of the value; of the nodes of a Galera cluster the scheme stays."""
    return setting.argument.value == "" or setting.argument.value == _NO_NODES


def _filled_in_elsewhere(setting: Setting) -> Setting:
    """The setting without a value: what stands there is the name of an environment variable or the like."""
    note = Note(NoteKind.UNDECIDED, f"{setting.argument.name}: its value is filled in elsewhere")
    kept = tuple(n for n in setting.notes if n.kind not in (*_FAULTS, NoteKind.ROUNDED))
    return replace(setting, value=None, notes=(*kept, note))


def _is_faulty(setting: Setting) -> bool:
    return any(note.kind in (NoteKind.REFUSED_VALUE, NoteKind.MISREAD) for note in setting.notes)


def _blank(setting: Setting) -> Setting:
    refused = any(note.kind is NoteKind.REFUSED_VALUE for note in setting.notes)
    left = tuple(note for note in setting.notes if note.kind not in _FAULTS)
    note = Note(NoteKind.BLANKED, "the server refuses the empty value" if refused else "the value is empty")
    return replace(setting, value=None, notes=(note, *left))
