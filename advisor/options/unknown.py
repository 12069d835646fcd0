"""Why does a server not know an option, and what should be written instead?"""

from __future__ import annotations

from functools import lru_cache

from advisor.catalog import canonical, known_somewhere, load, near, spelling
from advisor.catalog.older import is_older
from advisor.catalog.presence import known_in
from advisor.model.options import Note, NoteKind, Settings
from advisor.model.server import Family, Release
from advisor.options.lines import printable

GUESSED_AT_MOST = 200  # unknown names in one file; a file with more is not meant for this server
_FAMILY = {Family.MYSQL: "MySQL", Family.MARIADB: "MariaDB"}


def undecided_names(settings: Settings | None, family: Family) -> frozenset[str]:
    """The canonical names that the files set, and of which it cannot be told whether the release has them."""
    return frozenset(
        canonical(setting.argument.name.replace("-", "_"), family)
        for setting in (settings.all if settings else ())
        if setting.notes and not setting.variable and any(note.kind is NoteKind.UNDECIDED for note in setting.notes)
    )


@lru_cache(maxsize=4096)
def unknown(written: str, plain: str, release: Release, guess: bool = True) -> Note:
    """The note on a name the release does not know: renamed, removed, another server's, or misspelt.

    Without `guess` nobody looks for a name that may have been meant.
    """
    shown = shown_name(written)
    successor = load(release).successor(plain)
    here = [series.split()[1] for series in known_in(plain, release.family)]
    if successor is not None and successor.kind in ("rename", "replaced", "moved", "removed") and here:
        return _gone(shown, successor.new, successor.kind, successor.removed, release)
    if here:
        later = is_older(release) or here[0] == release.series
        kind = NoteKind.UNKNOWN if later else NoteKind.REMOVED
        return Note(kind, f"{shown}: not in this release", f"known in {_FAMILY[release.family]} {', '.join(here)}")
    other = Family.MARIADB if release.family is Family.MYSQL else Family.MYSQL
    if any(known_in(plain, other)):
        instead = successor.new if successor is not None else ""
        hint = f"the nearest option of this server is {instead}" if instead else ""
        return Note(NoteKind.UNKNOWN, f"{shown} is an option of {_FAMILY[other]}", hint, instead)
    if successor is not None and successor.kind != "equivalent":
        return _gone(shown, successor.new, successor.kind, successor.removed, release)
    return Note(NoteKind.UNKNOWN, f"unknown option {shown}", *(_guess(written, plain, release) if guess else ("", "")))


def _gone(shown: str, new: str, kind: str, removed: str, release: Release) -> Note:
    since = _since(removed, release)
    instead = (spelling(new, release) or "") if new else ""
    hint = f"write {instead}" if kind == "rename" and instead else f"see {instead}" if instead else ""
    if kind == "rename" and instead:
        return Note(NoteKind.RENAMED, f"{shown}{since} is now called {instead}", hint, instead)
    return Note(NoteKind.REMOVED, f"{shown} is no longer an option{since}", hint, instead)


def _since(removed: str, release: Release) -> str:
    """When the option went, in words; "" where that is not known or lies ahead (it was a variable only).

    An interval "(a,b]" comes from readings: a still had it, b no more.
    """
    last = removed.strip("(]").rpartition(",")[2]
    if not last or tuple(int(part) for part in last.split(".")) > release.version:
        return ""
    return f" (removed before {last})" if removed[0] == "(" else f" (removed in {last})"


def _guess(written: str, plain: str, release: Release) -> tuple[str, str]:
    """A hint and a name to write instead, ("", "") when nothing comes near."""
    if any(char.isspace() for char in written.strip()):
        return "is an '=' missing?", ""
    if written.startswith("--"):
        return "option files have no dashes before names", written.lstrip("-")
    if written != written.lower() and known_somewhere(plain.lower()):
        return "MySQL option names are case-sensitive", plain.lower()
    close = _near(plain, release.family)
    fitting = [name for name in close if load(release).get(name) is not None]
    return (f"did you mean {', '.join(fitting)}?", fitting[0]) if fitting else ("", "")


@lru_cache(maxsize=1024)
def _near(plain: str, family: Family) -> tuple[str, ...]:
    """Names that look like it, sought once per family: comparing with every name takes milliseconds."""
    from advisor.catalog import all_releases

    newest = [release for release in all_releases() if release.family is family][-1]
    return near(plain, newest)


@lru_cache(maxsize=32768)  # asked of every release
def shown_name(written: str) -> str:
    """The name as it may be shown: without what stands behind a blank, which may be a password."""
    first = written.split(None, 1)
    name = printable(first[0]) if first else ""
    return f"'{name} …'" if len(first) > 1 else f"'{name}'"
