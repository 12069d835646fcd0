"""How are edited option files put in place so that a crash leaves each file either old or new, with a backup?"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence

from advisor.atomic_write import sync_folder
from advisor.errors import InputError
from advisor.options.edit.edited_file import FileEdit


def write_edits(edits: Sequence[FileEdit], *, backup_suffix: str = ".advisor-backup") -> list[str]:
    """Write the files and return the paths of the backups, in the order of `edits`.

    Symbolic links are followed; mode and (where permitted) owner are kept. A backup never replaces an older one: the
    next free of SUFFIX, SUFFIX.1, SUFFIX.2 … is taken. Everything that is likely to fail is done before the first
    file is replaced; should a replacement fail all the same, the files already replaced are restored. Raises
    InputError when a file changed since it was read or cannot be written; it names what is left changed, if anything.
    """
    targets = [os.path.realpath(edit.path) for edit in edits]
    for edit, target in zip(edits, targets, strict=True):
        _refuse_if_changed(edit, target)
    made: list[str] = []
    try:
        backups = [
            _beside(target, edit.before, backup_suffix, made) for edit, target in zip(edits, targets, strict=True)
        ]
        fresh = [_beside(target, edit.after, ".advisor-new", made) for edit, target in zip(edits, targets, strict=True)]
    except OSError as error:
        _remove(made)
        place = str(error.filename or (made or targets)[-1])
        raise InputError(
            f"cannot be written: {error.strerror}; nothing was changed", file=place, hint=_hint(place)
        ) from error
    _replace_all(edits, targets, backups, fresh)
    return backups


def _refuse_if_changed(edit: FileEdit, target: str) -> None:
    try:
        with open(target, "rb") as stream:
            now = stream.read()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=edit.path, hint="check the file") from error
    if now != edit.before:
        raise InputError("changed since it was read", file=edit.path, hint="run the command again")


def _hint(place: str) -> str:
    folder = os.path.dirname(os.path.realpath(place))
    return f"the folder {folder} must be writable and have space: the new file is created next to the old one"


def _beside(target: str, content: bytes, suffix: str, made: list[str]) -> str:
    """Write `content` to a new file next to `target`, with its mode and owner, down to the disk; its path."""
    like = os.stat(target)
    for number in range(10_000):
        path = f"{target}{suffix}" + (f".{number}" if number else "")
        # Closed to others until it has the mode of the original: option files may hold passwords.
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        made.append(path)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            with contextlib.suppress(PermissionError):  # only root may give a file away
                os.fchown(descriptor, like.st_uid, like.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
            stream.flush()
            os.fsync(descriptor)
        return path
    raise FileExistsError(17, f"too many files named {os.path.basename(target)}{suffix}.*", target)


def _replace_all(
    edits: Sequence[FileEdit], targets: Sequence[str], backups: Sequence[str], fresh: Sequence[str]
) -> None:
    replaced = 0
    try:
        for edit, target, new in zip(edits, targets, fresh, strict=True):
            _refuse_if_changed(edit, target)
            os.replace(new, target)
            replaced += 1
            sync_folder(os.path.dirname(target))
    except (OSError, InputError) as error:
        stuck = _put_back(targets[:replaced], backups[:replaced])
        _remove((*fresh[replaced:], *backups[replaced:]))
        place = edits[min(replaced, len(edits) - 1)].path
        reason, hint = (error.message, error.hint) if isinstance(error, InputError) else (error.strerror, _hint(place))
        left = f"not restored: {', '.join(stuck)} (a backup is next to each)" if stuck else "no file was changed"
        raise InputError(f"could not be replaced: {reason}; {left}", file=place, hint=hint) from error


def _put_back(targets: Sequence[str], backups: Sequence[str]) -> list[str]:
    """Replace the files by their backups again; the files for which that failed."""
    stuck = []
    for target, backup in zip(targets, backups, strict=True):
        try:
            os.replace(backup, target)
        except OSError:
            stuck.append(target)
    return stuck


def _remove(paths: Sequence[str]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(path)
