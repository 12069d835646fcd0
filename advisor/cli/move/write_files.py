"""How do the rewritten option files of a move get to the disk? To a new file, or in place with a backup."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from shlex import quote

from advisor.atomic_write import write_file
from advisor.errors import InputError
from advisor.model.move import Move
from advisor.move.plan import option_file_of
from advisor.options.edit.edited_file import FileEdit, identity
from advisor.options.edit.edits import write_edits
from advisor.report.words.values import place


def save_as(move: Move, output: Path) -> list[str]:
    """Write the one rewritten option file to `output`, with the permissions of the old one; what to tell the user."""
    source, content = option_file_of(move)
    mode = None if output.exists() else stat.S_IMODE(os.stat(source).st_mode)
    write_file(output, content, mode=mode)
    return [f"written: {place(str(output))}"]


def write_in_place(move: Move) -> list[str]:
    """Change the option files where they are; what to tell the user, with the way back."""
    unchangeable = [member for member in move.members if member.not_rewritten]
    if unchangeable:
        raise InputError(f"nothing can be rewritten: {unchangeable[0].not_rewritten}", file=move.path)
    edits = {identity(path): FileEdit(path, before, after) for m in move.members for path, before, after in m.rewritten}
    backups = write_edits(tuple(edits.values())) if edits else []
    told = [
        f"changed {place(edit.path)}; undo with: mv {quote(place(backup))} {quote(place(identity(edit.path)))}"
        for edit, backup in zip(edits.values(), backups, strict=True)
    ]
    return told or ["no file has to be changed"]
